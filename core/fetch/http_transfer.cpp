#include "fetch/http_transfer.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include <curl/curl.h>

#include "util/build_info.h"
#include "util/error.h"

namespace casp::fetch {

namespace {

using Clock = std::chrono::steady_clock;

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
                                "cannot be emptied: " + std::generic_category().message(errno));
            curl_off_t length = -1;
            curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
            answer.total = length;
        }
        const auto whole = std::max(answer.total, request.expected_size);
        struct statvfs disk {};
        if (whole > 0 && ::fstatvfs(request.descriptor, &disk) == 0) {
            const auto free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
            if (static_cast<std::uint64_t>(whole - position) > free)
                throw run_error(request.path.string(),
                                std::to_string(whole - position) +
                                    " bytes remain to be downloaded, but only " + std::to_string(free) +
                                    " are free on this disk",
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
        if (request.expected_size >= 0 &&
            position + static_cast<std::int64_t>(size) > request.expected_size) {
            answer.outcome = HttpOutcome::too_long;
            return false;
        }
        while (size > 0) {
            const auto written = ::pwrite(request.descriptor, bytes, size, static_cast<off_t>(position));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0)
                throw run_error(request.path.string(),
                                "cannot be written: " + std::generic_category().message(errno), {},
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
        progress({"downloading " + request.path.stem().string(), position,
                  std::max<std::int64_t>({answer.total, request.expected_size, 0}), "bytes"});
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

}  // namespace

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
    const bool secure = request.url.starts_with("https://");
    curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 8L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, ("caspstudio/" + program_version()).c_str());
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words);
    if (const auto file = certificates(); !file.empty())
        curl_easy_setopt(handle, CURLOPT_CAINFO, file.c_str());
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, static_cast<long>(request.connect_timeout.count()));
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.stall.count()));
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
    const std::string reason = words[0] != '\0' ? words : curl_easy_strerror(code);
    if (is_hopeless(code)) throw input_error(request.url, "this address cannot be fetched: " + reason);
    if (is_distrust(code))
        throw run_error(request.url, "the server's certificate cannot be verified: " + reason, {},
                        "Check the system's clock and certificates (package ca-certificates).");
    if (code == CURLE_OK || status >= 400) {
        if (status == 416 && request.offset > 0) {
            answer.outcome = HttpOutcome::nothing_left;
            answer.total = transfer.range().second;
            return answer;
        }
        const bool for_now = status == 408 || status == 425 || status == 429 || status >= 500;
        if (status == 404 || status == 410)
            throw input_error(request.url,
                              "the server does not have this file (HTTP " + std::to_string(status) + ")", {},
                              "Check the address.");
        if (status >= 400 && !for_now)
            throw input_error(request.url,
                              "the server refused the request (HTTP " + std::to_string(status) + ")", {},
                              "Check the address and whether it is public.");
        if (for_now) {
            answer.problem = "the server reported an error (HTTP " + std::to_string(status) + ")";
            return answer;
        }
        if (status != 200 && status != 206) {
            answer.problem = "unexpected response of the server (HTTP " + std::to_string(status) + ")";
            return answer;
        }
        // body() is not called for a response without a body.
        if (!transfer.begun) transfer.begin();
        transfer.tell(true);
        answer.outcome = HttpOutcome::complete;
        return answer;
    }
    if (answer.problem.empty()) answer.problem = "the connection failed: " + reason;
    return answer;
}

}  // namespace casp::fetch
