#include "store/lease.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "store/run_file.h"
#include "util/error.h"
#include "util/json_text.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Of every lease file, so that it is rewritten in place in one write.
constexpr std::size_t lease_size = 1024;
constexpr int beats_per_period = 6;
constexpr std::int64_t highest_number = 1'000'000'000'000;

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

/// The running system and its space of process ids: only within one can another process be looked for.
struct Place {
    std::string boot;       ///< of this start of the kernel; empty: unknown
    std::string processes;  ///< the pid namespace

    static Place here() {
        Place place;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> place.boot;
        std::error_code ignored;
        place.processes = fs::read_symlink("/proc/self/ns/pid", ignored).string();
        return place;
    }
    bool operator==(const Place&) const = default;
};

/// When a process was started, in ticks of the kernel; empty if it has ended or waits for its parent.
std::string start_of(std::int64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto name_end = line.rfind(')');
    if (name_end == std::string::npos) return {};
    std::istringstream fields(line.substr(name_end + 1));
    std::string field, state;
    fields >> state;
    for (int i = 4; i <= 22 && fields >> field; ++i) {
    }
    return state == "Z" || state == "X" ? std::string() : field;
}

struct LeaseFile {
    std::int64_t number = 0;  ///< 0: there is none
    std::string content;
};

fs::path lease_path(const fs::path& folder, std::int64_t number) {
    return folder / (std::string(lease_prefix) + std::to_string(number));
}

std::string content_of(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return {};
    std::string text(lease_size, '\0');
    const auto size = ::pread(descriptor, text.data(), text.size(), 0);
    ::close(descriptor);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
}

/// Numbers of the lease files in a folder, in no order; none if it cannot be read.
std::vector<std::int64_t> lease_numbers_in(const fs::path& folder) {
    std::vector<std::int64_t> numbers;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        const auto name = it->path().filename().string();
        if (!name.starts_with(lease_prefix)) continue;
        std::int64_t number = 0;
        const auto* last = name.data() + name.size();
        const auto [parsed, error] = std::from_chars(name.data() + lease_prefix.size(), last, number);
        if (error == std::errc() && parsed == last && number > 0 && number < highest_number)
            numbers.push_back(number);
    }
    return numbers;
}

LeaseFile newest(const fs::path& folder) {
    const auto numbers = lease_numbers_in(folder);
    if (numbers.empty()) return {};
    const auto number = *std::max_element(numbers.begin(), numbers.end());
    return {number, content_of(lease_path(folder, number))};
}

/// How long lease files that this process looks at have not changed.
class Stillness {
public:
    /// Whether the file's content has changed since the first look.
    bool has_moved(const fs::path& file) {
        const std::lock_guard guard(mutex_);
        const auto seen = seen_.find(file.native());
        return seen != seen_.end() && seen->second.moved;
    }

    /// Whether the file has had this content for `seconds`.
    bool reaches(const fs::path& file, const std::string& content, std::int64_t seconds) {
        const std::lock_guard guard(mutex_);
        const auto now = Clock::now();
        const milliseconds period(std::clamp<std::int64_t>(seconds, 1, 86400) * 1000);
        auto& seen = seen_[file.native()];
        if (!seen.looked || seen.content != content) {
            seen = {content, now, milliseconds(0), true, seen.looked};
            return false;
        }
        const auto gap = std::chrono::duration_cast<milliseconds>(now - seen.at);
        seen.still += std::clamp(gap, milliseconds(0), period / beats_per_period);
        seen.at = now;
        return seen.still >= period;
    }

private:
    struct Seen {
        std::string content;
        Clock::time_point at;
        milliseconds still{0};
        bool looked = false;
        bool moved = false;
    };
    std::mutex mutex_;
    std::map<std::string, Seen> seen_;
};

Stillness& stillness() {
    static Stillness watched;
    return watched;
}

enum class Life { released, dead, unknown, alive };

/// What the file alone says of its owner, and the period of its lease.
std::pair<Life, std::int64_t> life_of(const LeaseFile& lease) {
    const auto owner = parse_json_or_discard(lease.content);
    if (lease.number == 0) return {Life::released, 0};
    if (!owner.is_object()) return {Life::unknown, Lease::default_seconds};
    try {
        const auto seconds = json_integer(owner, "seconds", Lease::default_seconds);
        if (owner.value("released", false)) return {Life::released, seconds};
        const Place there{owner.value("boot", std::string()), owner.value("processes", std::string())};
        if (there.boot.empty() || there != Place::here()) return {Life::unknown, seconds};
        const bool runs = start_of(json_integer(owner, "pid", 0)) == owner.value("start", std::string());
        return {runs ? Life::alive : Life::dead, seconds};
    } catch (const nlohmann::json::exception&) {
        return {Life::unknown, Lease::default_seconds};  // unexpected JSON types
    }
}

bool is_held(const fs::path& folder, const LeaseFile& lease) {
    const auto [life, seconds] = life_of(lease);
    if (life == Life::released || life == Life::dead) return false;
    return !stillness().reaches(lease_path(folder, lease.number), lease.content, seconds);
}

nlohmann::json owner_of(const std::string& since) {
    return {{"pid", ::getpid()}, {"host", host_name()}, {"since", since}};
}

std::string dumped(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Phrase owner_text(std::string_view json) {
    const auto owner = parse_json_or_discard(json);
    if (!owner.is_object()) return "another process";
    try {
        return Phrase("process %1 on %2 since %3", json_integer(owner, "pid", 0),
                      owner.value("host", std::string("an unknown host")),
                      owner.value("since", std::string("an unknown time")));
    } catch (const nlohmann::json::exception&) {
        return "another process";  // unexpected JSON types
    }
}

std::string owner_json(const std::string& since) { return dumped(owner_of(since)); }

std::unique_ptr<Lease> Lease::take(const fs::path& folder, int seconds) {
    constexpr int attempts = 5;  // each fails only because another process was first
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto before = newest(folder);
        if (is_held(folder, before)) return nullptr;
        const auto number = before.number + 1;
        const auto path = lease_path(folder, number);
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor < 0)
            throw run_error(path.string(),
                            Phrase("cannot be written: %1", std::generic_category().message(errno)), {},
                            "Choose a folder you may write to.");
        std::unique_ptr<Lease> lease(new Lease(folder, number, descriptor, seconds));
        if (!lease->write(false))
            throw run_error(path.string(),
                            Phrase("cannot be written: %1", std::generic_category().message(errno)), {},
                            "Check the free space and your permissions there.");
        // Somebody who looked later may have created a higher one.
        if (!lease->is_ours()) continue;
        for (const auto former : lease_numbers_in(folder)) {
            std::error_code ignored;
            if (former < number) fs::remove(lease_path(folder, former), ignored);
        }
        lease->beating_ =
            std::jthread([self = lease.get()](const std::stop_token& stop) { self->beat(stop); });
        return lease;
    }
    return nullptr;
}

std::optional<std::string> Lease::holder(const fs::path& folder) {
    const auto lease = newest(folder);
    if (!is_held(folder, lease)) return std::nullopt;
    return owner_text(lease.content);
}

bool Lease::is_alive(const fs::path& folder) {
    const auto lease = newest(folder);
    return is_held(folder, lease) &&
           (life_of(lease).first == Life::alive || stillness().has_moved(lease_path(folder, lease.number)));
}

Lease::Lease(fs::path folder, std::int64_t number, int descriptor, int seconds)
    : folder_(std::move(folder)),
      number_(number),
      descriptor_(descriptor),
      seconds_(seconds),
      since_(utc_now()) {}

Lease::~Lease() {
    beating_ = {};
    write(true);
    ::close(descriptor_);
}

bool Lease::is_ours() const {
    const auto numbers = lease_numbers_in(folder_);
    return std::none_of(numbers.begin(), numbers.end(), [&](auto number) { return number > number_; });
}

bool Lease::write(bool released) noexcept {
    try {
        static const Place place = Place::here();
        auto owner = owner_of(since_);
        owner["beat"] = ++beats_;
        owner["boot"] = place.boot;
        owner["processes"] = place.processes;
        owner["released"] = released;
        owner["seconds"] = seconds_;
        owner["start"] = start_of(::getpid());
        auto text = dumped(owner);
        text.resize(lease_size - 1, ' ');
        text += '\n';
        // By the descriptor, which follows the folder when it is moved.
        return ::pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) &&
               ::fsync(descriptor_) == 0;
    } catch (const std::exception&) {
        return false;
    }
}

/// Waits for durations, which no clock that jumps can change.
void Lease::beat(const std::stop_token& stop) {
    const milliseconds period(std::max(1, seconds_ * 1000 / beats_per_period));
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    // A beat that fails is made up for by the next one: five may be missing.
    while (!wake.wait_for(lock, stop, period, [&] { return stop.stop_requested(); })) write(false);
}

}  // namespace casp::store
