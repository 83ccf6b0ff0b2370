#include "fetch/download.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>

#include "fetch/http_transfer.h"
#include "store/atomic_file.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/new_folders.h"

namespace casp::fetch {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Limit on the number of connections, even if each makes a little progress.
constexpr int connection_limit = 100;

/// `<destination>.part`, locked against concurrent downloads of the same file.
class PartFile {
public:
    explicit PartFile(const fs::path& destination) : path_(destination.string() + ".part") {
        open_and_lock();
        if (is_in_place()) return;
        ::close(descriptor_);
        throw another_download();
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile() {
        if (size() == 0 && is_in_place()) remove();  // of a refused request
        ::close(descriptor_);
    }

    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] std::int64_t size() const {
        struct stat info {};
        return ::fstat(descriptor_, &info) == 0 ? static_cast<std::int64_t>(info.st_size) : 0;
    }
    void start_anew() {
        if (::ftruncate(descriptor_, 0) != 0)
            throw run_error(path_.string(), "cannot be emptied: " + std::generic_category().message(errno));
    }
    void remove() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }

private:
    [[nodiscard]] Error another_download() const {
        return input_error(path_.string(), "another process is downloading this file", {},
                           "Wait until it has finished.");
    }
    void open_and_lock() {
        descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor_ < 0 && errno == ELOOP)
            throw input_error(path_.string(), "this is a link", "a part of a download", "Remove it.");
        if (descriptor_ < 0)
            throw run_error(path_.string(), "cannot be written: " + std::generic_category().message(errno),
                            {}, "Choose a folder you may write to.");
        int code = 0;
        do {
            code = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        } while (code == EINTR);
        if (code == 0) return;
        ::close(descriptor_);
        if (code == EWOULDBLOCK) throw another_download();
        throw run_error(path_.string(), "cannot be locked: " + std::generic_category().message(code), {},
                        "The file system does not support locks: choose a folder on another one.");
    }

    /// Whether the part's path is still the locked file. Otherwise another process finished its download
    /// after this one opened the part, and the file must not be modified.
    [[nodiscard]] bool is_in_place() const {
        struct stat locked {
        }, named{};
        return ::fstat(descriptor_, &locked) == 0 && ::lstat(path_.c_str(), &named) == 0 &&
               locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
    }

    fs::path path_;
    int descriptor_ = -1;
};

void wait(std::chrono::milliseconds duration, const std::stop_token& stop) {
    const auto end = Clock::now() + duration;
    while (Clock::now() < end) {
        throw_if_stopped(stop);
        std::this_thread::sleep_for(
            std::min<Clock::duration>(std::chrono::milliseconds(50), end - Clock::now()));
    }
}

/// Downloads one complete file into the part, or throws.
struct Fetch {
    const DownloadRequest& request;
    const ProgressFn& progress;
    const std::stop_token& stop;
    PartFile& part;
    DownloadResult& result;
    std::string validator = {};  ///< ETag or Last-Modified of what this call has received

    /// With the position to continue from.
    HttpRequest next_request() {
        HttpRequest next;
        next.url = request.url;
        next.connect_timeout = request.connect_timeout;
        next.stall = request.stall;
        next.descriptor = part.descriptor();
        next.path = part.path();
        next.expected_size = request.size;
        const bool too_long = request.size >= 0 && part.size() > request.size;
        if (too_long || (validator.empty() && !request.resume)) part.start_anew();
        next.offset = part.size();
        next.if_range = validator;
        return next;
    }

    void run() {
        int failures = 0;
        std::int64_t most = part.size();
        auto pause = request.first_wait;
        result.resumed = 0;
        bool first = true;
        for (int connection = 1;; ++connection) {
            auto next = next_request();
            if (next.offset > 0 && next.offset == request.size) return;  // complete, not yet verified
            ++result.connections;
            const auto answer = http_transfer(next, progress, stop);
            if (answer.received > 0 && !answer.continued) validator = answer.validator;
            if (first) result.resumed = answer.continued ? next.offset : 0;
            if (!answer.continued && answer.received > 0) result.resumed = 0;
            first = false;
            if (answer.outcome == HttpOutcome::complete &&
                (request.size < 0 || part.size() >= request.size || answer.received == 0))
                return;
            if (answer.outcome == HttpOutcome::nothing_left) {
                // The server has no data at this offset: the part is complete, or of another file.
                if (answer.total == part.size()) return;
                part.start_anew();
            }
            if (answer.outcome == HttpOutcome::too_long) {
                part.remove();
                throw input_error(request.url, "the server sends more than the expected size",
                                  std::to_string(request.size) + " bytes",
                                  "The file at that address has changed.");
            }
            // Count only new bytes as progress: a server that ignores ranges sends the same bytes again.
            const bool advanced = part.size() > most;
            most = std::max(most, part.size());
            failures = advanced ? 0 : failures + 1;
            if (advanced) pause = request.first_wait;
            if (failures >= request.attempts || connection >= connection_limit)
                throw run_error(request.url,
                                answer.problem.empty() ? "the connection ended before the end of the file"
                                                       : answer.problem,
                                {},
                                part.size() > 0
                                    ? "The received part is kept: try again later to resume the download."
                                    : "Check the network connection and try again later.");
            wait(pause, stop);
            pause = std::min<std::chrono::milliseconds>(pause * 2, std::chrono::seconds(15));
        }
    }
};

/// Compares digest and size with the expected ones; returns an empty text if they match.
std::string mismatch(const DownloadRequest& request, const PartFile& part, DownloadResult& result,
                     std::string& expected, const ProgressFn& progress, const std::stop_token& stop) {
    result.bytes = part.size();
    if (request.size >= 0 && result.bytes != request.size) {
        expected = std::to_string(request.size) + " bytes";
        return "the file has " + std::to_string(result.bytes) + " bytes";
    }
    result.sha256 = sha256_of_file(part.path(), progress, stop);
    if (!request.sha256.empty() && result.sha256 != request.sha256) {
        expected = request.sha256;
        return "the file's SHA-256 is " + result.sha256;
    }
    if (request.check) try {
            request.check(part.path());
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            expected = problem.parts().expected;
            return problem.parts().found;
        }
    return {};
}

}  // namespace

DownloadResult download(const DownloadRequest& request, const ProgressFn& progress,
                        const std::stop_token& stop) {
    if (!request.url.starts_with("http://") && !request.url.starts_with("https://"))
        throw input_error(request.url, "this address cannot be fetched", "http:// or https://");
    throw_if_stopped(stop);
    const NewFolders made(request.destination.parent_path());
    PartFile part(request.destination);
    for (int round = 0;; ++round) {
        DownloadResult result;
        Fetch{request, progress, stop, part, result}.run();
        std::string expected;
        const auto problem = mismatch(request, part, result, expected, progress, stop);
        if (problem.empty()) {
            store::commit_file(part.path(), request.destination);
            return result;
        }
        // The beginning may be from an earlier version of the server's file: retry once from the start.
        if (result.resumed > 0 && round == 0) {
            part.start_anew();
            continue;
        }
        part.remove();
        throw input_error(
            request.url, problem, expected,
            "The download was removed. The file at that address has changed, or was altered on the "
            "way.");
    }
}

}  // namespace casp::fetch
