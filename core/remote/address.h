#pragma once
// Address of a folder of runs on another machine: ssh://[user@]host[:port]/folder[?program=PATH].

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace casp::remote {

/// `/~/runs` in the address is below the home folder there. Other characters may be percent-encoded.
struct Address {
    std::string user;                    ///< empty: as ssh decides
    std::string host;                    ///< name, alias of the ssh configuration, or IP address
    int port = 0;                        ///< 0: as ssh decides
    std::string folder;                  ///< "/data/runs" or "~/runs"
    std::string program = "caspstudio";  ///< of the other side

    /// Throws an input Error that shows the form.
    [[nodiscard]] static Address parse(std::string_view text);
    [[nodiscard]] std::string text() const;
    /// "host" or "user@host:port", for messages.
    [[nodiscard]] std::string machine() const;
    bool operator==(const Address&) const = default;
};

/// Whether it begins with "ssh://".
[[nodiscard]] bool is_address(std::string_view text);

/// Command line that serves the folder: the system's ssh, which asks no questions (BatchMode). `ssh`: the
/// program and its own arguments, by default from CASPSTUDIO_SSH ("ssh -F FILE"), else "ssh".
[[nodiscard]] std::vector<std::string> ssh_command(const Address& address);

/// Local copy of the folder below the user's cache: <cache>/caspstudio/remote/<host>/<name>-<digest>.
/// Throws an input Error if neither XDG_CACHE_HOME nor HOME is set.
[[nodiscard]] std::filesystem::path mirror_folder(const Address& address);

}  // namespace casp::remote
