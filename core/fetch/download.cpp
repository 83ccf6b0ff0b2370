#include "fetch/download.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <curl/curl.h>

#include "store/atomic_file.h"
#include "util/build_info.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/new_folders.h"

namespace casp::fetch {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Limit on the number of connections, even if each makes a little progress.
constexpr int connection_limit = 100;

enum class HttpOutcome {
    complete,      ///< response complete, as far as its length is known
    dropped,       ///< no network, interrupted, stalled, or server error: can be retried
    nothing_left,  ///< the server has no data at `offset` (416) or sent another range
    too_long       ///< more bytes than DownloadRequest::size
};

struct HttpAnswer {
    HttpOutcome outcome = HttpOutcome::dropped;
    bool continued = false;     ///< the server resumed at `offset`; false: the file was emptied first
    std::int64_t received = 0;  ///< bytes received on this connection
    std::int64_t total = -1;    ///< size of the whole file according to the server; -1: unknown
    std::string validator;      ///< strong ETag, or Last-Modified, or empty
    Phrase problem;             ///< message, for `dropped`
};

/// A connection that writes into the open part of a download.
struct HttpRequest {
    const DownloadRequest& wanted;
    int descriptor;
    fs::path path;         ///< of the part, for messages
    std::int64_t offset;   ///< position to resume from
    std::string if_range;  ///< validator of the existing part; empty: unknown
};

std::int64_t number(std::string_view text) {
    std::int64_t value = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? value : -1;
}

/// State shared by the callbacks of one connection. Exceptions must not pass through C, so they are kept in
/// `error`.
struct Transfer {
    const HttpRequest& request;
    const ProgressFn& progress;
    HttpAnswer answer;
    CURL* handle = nullptr;
    bool begun = false;
    std::int64_t position = 0;
    std::exception_ptr error;
    Clock::time_point reported{};

    [[nodiscard]] long status() const {
        long code = 0;
        curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
        if (code == 0) curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &code);  // a proxy's
        return code;
    }
    /// Of the last response, not of redirections.
    [[nodiscard]] std::string header(const char* name) const {
        curl_header* found = nullptr;
        return curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value : "";
    }
    /// Of "bytes 100-199/1000": 100 and 1000; -1: not said.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> range() const {
        const auto text = header("content-range");
        const std::string_view range = std::string_view(text).substr(std::min<std::size_t>(6, text.size()));
        const auto slash = range.find('/');
        return {number(range.substr(0, range.find('-'))),
                slash == std::string_view::npos ? -1 : number(range.substr(slash + 1))};
    }

    void begin() {
        begun = true;
        const auto etag = header("etag"), modified = header("last-modified");
        // If-Range does not accept a weak ETag.
        answer.validator = !etag.empty() && !etag.starts_with("W/") ? etag : modified;
        answer.continued = status() == 206 && request.offset > 0;
        if (answer.continued) {
            position = request.offset;
            answer.total = range().second;
        } else {
            if (::ftruncate(request.descriptor, 0) != 0)
                throw run_error(request.path.string(),
                                Phrase("cannot be emptied: %1", std::generic_category().message(errno)));
            curl_off_t length = -1;
            curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
            answer.total = length;
        }
        const auto whole = std::max(answer.total, request.wanted.size);
        struct statvfs disk {};
        if (whole > 0 && ::fstatvfs(request.descriptor, &disk) == 0) {
            const auto free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
            if (static_cast<std::uint64_t>(whole - position) > free)
                throw run_error(request.path.string(),
                                Phrase("%1 bytes remain to be downloaded, but only %2 are free on this disk",
                                       whole - position, free),
                                {}, "Make room, or choose another folder.");
        }
    }

    /// Returns false to end the connection.
    bool body(const char* bytes, std::size_t size) {
        const auto code = status();
        if (code != 200 && code != 206) return true;  // an error page, discarded
        if (code == 206 && range().first != request.offset) {
            answer.outcome =
                HttpOutcome::nothing_left;  // not the requested range: restart from the beginning
            return false;
        }
        if (!begun) begin();
        if (request.wanted.size >= 0 && position + static_cast<std::int64_t>(size) > request.wanted.size) {
            answer.outcome = HttpOutcome::too_long;
            return false;
        }
        while (size > 0) {
            const auto written = ::pwrite(request.descriptor, bytes, size, static_cast<off_t>(position));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0)
                throw run_error(request.path.string(),
                                Phrase("cannot be written: %1", std::generic_category().message(errno)), {},
                                "Make room on that disk, or choose another folder.");
            bytes += written;
            size -= static_cast<std::size_t>(written);
            position += written;
            answer.received += written;
        }
        tell(false);
        return true;
    }

    void tell(bool always) {
        const auto now = Clock::now();
        if (!progress || (!always && now - reported < std::chrono::milliseconds(50))) return;
        reported = now;
        progress({{Stage::downloading, request.path.stem().string()},
                  position,
                  std::max<std::int64_t>({answer.total, request.wanted.size, 0}),
                  "bytes"});
    }
};

std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* pointer) {
    auto& transfer = *static_cast<Transfer*>(pointer);
    try {
        return transfer.body(bytes, size * count) ? size * count : 0;
    } catch (...) {
        transfer.error = std::current_exception();
        return 0;
    }
}

struct CurlFree {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
/// libcurl calls it at least once a second.
int on_progress(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

bool is_hopeless(CURLcode code) {
    return code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL ||
           code == CURLE_TOO_MANY_REDIRECTS;
}
bool is_distrust(CURLcode code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_SSL_ISSUER_ERROR;
}

/// The system's certificates where libcurl's own place for them, Debian's, does not exist; empty: that place.
std::string certificates() {
    if (const char* chosen = std::getenv("SSL_CERT_FILE"); chosen != nullptr && *chosen != '\0')
        return chosen;
    std::error_code unknown;
    for (const char* file : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                             "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem"})
        if (std::filesystem::exists(file, unknown)) return file;
    return {};
}

/// Throws Cancelled, an input Error for an invalid or rejected (4xx) address, and a run Error if the file
/// cannot be written or the server's certificate is not valid.
HttpAnswer http_transfer(const HttpRequest& request, const ProgressFn& progress,
                         const std::stop_token& stop) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });

    const std::unique_ptr<CURL, CurlFree> easy(curl_easy_init());
    if (!easy) throw run_error("libcurl", "cannot be started");
    CURL* handle = easy.get();
    Transfer transfer{request, progress, {}, handle, false, 0, {}, {}};
    char words[CURL_ERROR_SIZE] = {};
    std::unique_ptr<curl_slist, CurlFree> headers;
    const bool secure = request.wanted.url.starts_with("https://");
    curl_easy_setopt(handle, CURLOPT_URL, request.wanted.url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 8L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, ("caspstudio/" + program_version()).c_str());
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words);
    if (const auto file = certificates(); !file.empty())
        curl_easy_setopt(handle, CURLOPT_CAINFO, file.c_str());
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT,
                     static_cast<long>(request.wanted.connect_timeout.count()));
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.wanted.stall.count()));
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &stop);
    if (request.offset > 0) {
        // Not CURLOPT_RANGE: with it, libcurl treats a response without ranges as a failure.
        headers.reset(
            curl_slist_append(nullptr, ("Range: bytes=" + std::to_string(request.offset) + "-").c_str()));
        if (!request.if_range.empty())
            curl_slist_append(headers.get(), ("If-Range: " + request.if_range).c_str());
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
    }

    const auto code = curl_easy_perform(handle);
    throw_if_stopped(stop);
    if (transfer.error) std::rethrow_exception(transfer.error);
    auto& answer = transfer.answer;
    const auto status = transfer.status();
    if (answer.outcome == HttpOutcome::too_long || answer.outcome == HttpOutcome::nothing_left) return answer;
    const Phrase reason = words[0] != '\0' ? words : curl_easy_strerror(code);
    if (is_hopeless(code))
        throw input_error(request.wanted.url, Phrase("this address cannot be fetched: %1", reason));
    if (is_distrust(code))
        throw run_error(request.wanted.url, Phrase("the server's certificate cannot be verified: %1", reason),
                        {}, "Check the system's clock and certificates (package ca-certificates).");
    if (code == CURLE_OK || status >= 400) {
        if (status == 416 && request.offset > 0) {
            answer.outcome = HttpOutcome::nothing_left;
            answer.total = transfer.range().second;
            return answer;
        }
        const bool for_now = status == 408 || status == 425 || status == 429 || status >= 500;
        if (status == 404 || status == 410)
            throw input_error(request.wanted.url,
                              Phrase("the server does not have this file (HTTP %1)", status), {},
                              "Check the address.");
        if (status >= 400 && !for_now)
            throw input_error(request.wanted.url, Phrase("the server refused the request (HTTP %1)", status),
                              {}, "Check the address and whether it is public.");
        if (for_now) {
            answer.problem = Phrase("the server reported an error (HTTP %1)", status);
            return answer;
        }
        if (status != 200 && status != 206) {
            answer.problem = Phrase("unexpected response of the server (HTTP %1)", status);
            return answer;
        }
        // body() is not called for a response without a body.
        if (!transfer.begun) transfer.begin();
        transfer.tell(true);
        answer.outcome = HttpOutcome::complete;
        return answer;
    }
    if (answer.problem.empty()) answer.problem = Phrase("the connection failed: %1", reason);
    return answer;
}

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
            throw run_error(path_.string(),
                            Phrase("cannot be emptied: %1", std::generic_category().message(errno)));
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
            throw run_error(path_.string(),
                            Phrase("cannot be written: %1", std::generic_category().message(errno)), {},
                            "Choose a folder you may write to.");
        int code = 0;
        do {
            code = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        } while (code == EINTR);
        if (code == 0) return;
        ::close(descriptor_);
        if (code == EWOULDBLOCK) throw another_download();
        throw run_error(path_.string(), Phrase("cannot be locked: %1", std::generic_category().message(code)),
                        {}, "The file system does not support locks: choose a folder on another one.");
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
        const bool too_long = request.size >= 0 && part.size() > request.size;
        if (too_long || (validator.empty() && !request.resume)) part.start_anew();
        return {request, part.descriptor(), part.path(), part.size(), validator};
    }

    void run() {
        int failures = 0;
        std::int64_t most = part.size();
        auto pause = request.first_wait;
        result.resumed = 0;
        bool first = true;
        for (int connection = 1;; ++connection) {
            const auto next = next_request();
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
                                  Phrase("%1 bytes", request.size), "The file at that address has changed.");
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
Phrase mismatch(const DownloadRequest& request, const PartFile& part, DownloadResult& result,
                Phrase& expected, const ProgressFn& progress, const std::stop_token& stop) {
    result.bytes = part.size();
    if (request.size >= 0 && result.bytes != request.size) {
        expected = Phrase("%1 bytes", request.size);
        return Phrase("the file has %1 bytes", result.bytes);
    }
    result.sha256 = sha256_of_file(part.path(), progress, stop);
    if (!request.sha256.empty() && result.sha256 != request.sha256) {
        expected = request.sha256;
        return Phrase("the file's SHA-256 is %1", result.sha256);
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
        Phrase expected;
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
