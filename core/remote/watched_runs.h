#pragma once
// Changes of the runs below a folder, for its mirror: of the list, and of files of followed runs.

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "remote/frames.h"
#include "remote/run_files.h"
#include "store/run_store.h"

namespace casp::remote {

/// Compares the folder with what the mirror has. One thread at a time.
class WatchedRuns {
public:
    using Send = std::function<void(const Frame& frame, bool deflate)>;
    /// Stamps of listed_files, by run.
    using Known = std::map<std::string, std::array<Stamp, listed_files.size()>>;

    /// `files` must outlive it.
    WatchedRuns(std::filesystem::path folder, const RunFiles& files);

    /// The mirror has these; the next list() sends what differs.
    void open(Known known);
    void follow(const std::vector<std::string>& runs);

    /// Looks at the folder and sends new and changed runs with their listed files, in parts of at most 500
    /// runs. The last part of the first look says that the list is complete. Throws an input Error if the
    /// folder cannot be read.
    void list(const Send& send, const std::stop_token& stop);
    /// Sends the stamps of followed runs' files that have changed.
    void look_at_followed(const Send& send);

private:
    struct Part;
    void add(Part& part, const std::string& run, bool live) const;
    void send_part(Part& part, const Send& send);

    std::filesystem::path folder_;
    const RunFiles& files_;
    std::optional<store::RunStore> store_;  ///< made anew by open()
    Known known_;
    std::map<std::string, bool> live_;  ///< as the mirror knows it
    bool first_ = true;
    std::size_t runs_ = 0;
    std::map<std::string, std::map<std::string, Stamp>> followed_;
};

}  // namespace casp::remote
