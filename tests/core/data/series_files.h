#pragma once
// Files of collections of series in a temporary folder, and the messages of their errors.

#include <filesystem>
#include <fstream>

#include "core/data/helpers.h"
#include "data/reader.h"
#include "data/series_whole.h"

namespace casp::data {

namespace fs = std::filesystem;
using Values = std::vector<double>;

inline Values list(std::span<const double> values) { return {values.begin(), values.end()}; }

class SeriesFiles {
protected:
    QTemporaryDir place_;
    int folders_ = 0;

    [[nodiscard]] fs::path place() const { return place_.path().toStdString(); }

    static void write(const fs::path& path, std::string_view bytes) {
        fs::create_directories(path.parent_path());
        fs::remove(path);  // ext4 writes a file that is truncated and closed to the disk at once
        std::ofstream(path, std::ios::binary) << bytes;
    }
    fs::path new_folder() { return place() / ("m4-" + std::to_string(++folders_)); }

    /// A new folder with the two files of a frequency.
    fs::path m4(std::string_view train, std::string_view test, const std::string& name = "Yearly") {
        const fs::path folder = new_folder();
        write(folder / "Train" / (name + "-train.csv"), train);
        write(folder / "Test" / (name + "-test.csv"), test);
        return folder;
    }
    fs::path long_file(std::string_view bytes) {
        const fs::path path = new_folder() / "long.csv";
        write(path, bytes);
        return path;
    }
    static CollectionOptions with_threads(int threads, std::int64_t horizon,
                                          const std::string& frequency = "") {
        CollectionOptions options{.frequency = frequency, .horizon = horizon};
        options.csv.threads = threads;
        return options;
    }
    /// Read anew, whatever is open.
    static SeriesCollection read(const fs::path& path, std::int64_t horizon,
                                 const std::string& frequency = "", int threads = 0) {
        auto options = with_threads(threads, horizon, frequency);
        options.missing = MissingPolicy::error;
        check_options(options);
        return divided(read_series(path, options, {}, {}), options);
    }
    static std::string refused(const fs::path& path, std::int64_t horizon, const std::string& frequency = "",
                               int threads = 0) {
        return input_message([&] { (void)read(path, horizon, frequency, threads); });
    }
    /// Message for a training file beside a correct test file with the series A and B (H = 2).
    std::string train_refused(std::string_view train) {
        return refused(m4(train, "id,V2,V3\nA,1,2\nB,3,4\n"), 2);
    }
    std::string long_refused(const std::string& rows, std::int64_t horizon = 1,
                             const std::string& frequency = "Daily") {
        return refused(long_file("unique_id,ds,y\n" + rows), horizon, frequency);
    }
    /// The frequency that the dates of one series give.
    std::string frequency_of(const std::vector<std::string>& dates) {
        std::string text = "unique_id,ds,y\n";
        for (const auto& date : dates) text += "A," + date + ",1\n";
        const auto read_it = [&] { return read(long_file(text), 1); };
        const std::string message = input_message([&] { (void)read_it(); });
        return message.empty() ? std::string(read_it().frequency.name) : message;
    }

    /// The invariants of a collection that was read.
    static bool consistent(const SeriesCollection& c, std::int64_t horizon) {
        if (c.frequency.name.empty() || c.horizon != horizon || c.ids.empty()) return false;
        if (c.offsets.size() != c.ids.size() + 1 || c.offsets.front() != 0) return false;
        if (c.offsets.back() != std::ssize(c.values)) return false;
        for (std::int64_t s = 0; s < c.size(); ++s)
            if (c.length(s) < horizon + 1) return false;
        if (std::ssize(c.test) != c.size() * horizon) return false;
        const auto finite = [](double v) { return std::isfinite(v); };
        if (!std::all_of(c.values.begin(), c.values.end(), finite)) return false;
        if (!std::all_of(c.test.begin(), c.test.end(), finite)) return false;
        return c.sha256.size() == 64;
    }
};

}  // namespace casp::data
