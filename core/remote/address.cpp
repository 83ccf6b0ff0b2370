#include "remote/address.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "data/catalog.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/shell_word.h"

namespace casp::remote {

namespace {

constexpr std::string_view scheme = "ssh://";

Error bad_address(std::string_view text, const Phrase& found) {
    return input_error(std::string(text.substr(0, 200)), found, "ssh://[user@]host[:port]/folder",
                       "A folder below the home folder there is ssh://host/~/folder.");
}

std::string decoded(std::string_view text, std::string_view whole) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        unsigned value = 0;
        const auto* begin = text.data() + i + 1;
        if (i + 2 >= text.size() || std::from_chars(begin, begin + 2, value, 16).ptr != begin + 2 ||
            value == 0)
            throw bad_address(whole, "% is not followed by two hexadecimal digits");
        out += static_cast<char>(value);
        i += 2;
    }
    return out;
}

std::string encoded(std::string_view text) {
    constexpr std::string_view plain = "/-_.~+,=:@";
    std::ostringstream out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) != 0 || plain.find(c) != std::string_view::npos)
            out << c;
        else
            out << '%' << "0123456789ABCDEF"[byte >> 4U] << "0123456789ABCDEF"[byte & 15U];
    }
    return out.str();
}

/// Host and user are arguments of ssh, which must not take them for options.
void check_name(const std::string& name, const char* what, std::string_view whole) {
    const bool good =
        !name.empty() && name.front() != '-' && name.front() != '.' &&
        std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return c > ' ' && c != 0x7f &&
                   std::string_view("'\"\\`$;&|<>()").find(static_cast<char>(c)) == std::string_view::npos;
        });
    if (!good) throw bad_address(whole, Phrase("the %1 is missing or no name", what));
}

}  // namespace

bool is_address(std::string_view text) { return text.starts_with(scheme); }

Address Address::parse(std::string_view text) {
    if (!is_address(text)) throw bad_address(text, "this is no address of a remote folder");
    Address address;
    auto rest = text.substr(scheme.size());
    if (const auto query = rest.find('?'); query != std::string_view::npos) {
        const auto setting = rest.substr(query + 1);
        constexpr std::string_view key = "program=";
        if (!setting.starts_with(key) || setting.size() == key.size())
            throw bad_address(text, "unknown setting after \"?\"");
        address.program = decoded(setting.substr(key.size()), text);
        rest = rest.substr(0, query);
    }
    const auto slash = rest.find('/');
    auto machine = rest.substr(0, slash);
    if (const auto at = machine.rfind('@'); at != std::string_view::npos) {
        address.user = decoded(machine.substr(0, at), text);
        check_name(address.user, "user", text);
        machine = machine.substr(at + 1);
    }
    auto host_end = machine.find(':');
    if (machine.starts_with('[')) {  // IPv6
        const auto close = machine.find(']');
        if (close == std::string_view::npos) throw bad_address(text, "\"[\" without \"]\"");
        address.host = machine.substr(1, close - 1);
        host_end = close + 1 < machine.size() ? close + 1 : std::string_view::npos;
    } else {
        address.host = machine.substr(0, host_end);
    }
    check_name(address.host, "host", text);
    if (host_end != std::string_view::npos) {
        const auto port = machine.substr(host_end + 1);
        const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), address.port);
        if (machine[host_end] != ':' || problem != std::errc() || end != port.data() + port.size() ||
            address.port < 1 || address.port > 65535)
            throw bad_address(text, "the port is no number from 1 to 65535");
    }
    if (slash == std::string_view::npos) throw bad_address(text, "the folder is missing");
    address.folder = decoded(rest.substr(slash), text);
    if (address.folder == "/~" || address.folder.starts_with("/~/")) address.folder.erase(0, 1);
    while (address.folder.size() > 1 && address.folder.back() == '/') address.folder.pop_back();
    return address;
}

std::string Address::machine() const {
    const auto name = host.find(':') == std::string::npos ? host : '[' + host + ']';
    return (user.empty() ? "" : user + "@") + name + (port == 0 ? "" : ":" + std::to_string(port));
}

std::string Address::text() const {
    return std::string(scheme) + machine() + (folder.starts_with('~') ? "/" : "") + encoded(folder) +
           (program == "caspstudio" ? "" : "?program=" + encoded(program));
}

std::vector<std::string> ssh_command(const Address& address) {
    std::vector<std::string> words;
    const char* own = std::getenv("CASPSTUDIO_SSH");
    std::istringstream given(own != nullptr && own[0] != '\0' ? own : "ssh");
    for (std::string word; given >> word;) words.push_back(word);
    // The connection is found to be dead after ten seconds.
    for (const auto* option :
         {"BatchMode=yes", "ConnectTimeout=15", "ServerAliveInterval=5", "ServerAliveCountMax=2"})
        words.insert(words.end(), {"-o", option});
    words.emplace_back("-T");
    if (address.port != 0) words.insert(words.end(), {"-p", std::to_string(address.port)});
    if (!address.user.empty()) words.insert(words.end(), {"-l", address.user});
    // The shell there expands "~/" outside quotes only.
    const bool in_home = address.program.starts_with("~/");
    const auto program = in_home ? "~/" + shell_word(address.program.substr(2)) : shell_word(address.program);
    words.insert(words.end(), {"--", address.host, program + " --serve " + shell_word(address.folder)});
    return words;
}

std::filesystem::path mirror_folder(const Address& address) {
    const auto name = std::filesystem::path(address.folder).filename().string();
    return data::cache_folder() / "caspstudio" / "remote" / address.host /
           ((name.empty() || name.starts_with('.') ? "runs" : name) + '-' +
            sha256_of(address.machine() + '\n' + address.folder).substr(0, 12));
}

}  // namespace casp::remote
