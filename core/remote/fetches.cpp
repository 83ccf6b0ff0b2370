#include "remote/fetches.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "util/error.h"

namespace casp::remote {

namespace {

using nlohmann::json;

constexpr std::int64_t piece_bytes = 256 << 10;
/// 4 MiB on their way: 80 MB/s at 50 ms, and the curves that follow them are half a second late at 8 MB/s.
constexpr std::int64_t most_open = 16;

}  // namespace

void Fetches::start(const File& file, const Stamp& stamp) {
    if (const auto at = fetches_.find(file); at != fetches_.end() && at->second.stamp == stamp) return;
    try {
        fetches_.insert_or_assign(
            file, Fetch{stamp, files_.create_copy(file.first, file.second), 0, 0, ++numbers_});
    } catch (const Error& problem) {
        return fail(file, problem.what());
    }
    if (stamp.size == 0) return finish(file, stamp);
    advance();
}

void Fetches::connected() {
    ++connection_;
    open_ = 0;
    for (auto& [file, fetch] : fetches_) {
        fetch.asked = fetch.written;
        fetch.number = ++numbers_;
    }
    advance();
}

void Fetches::advance() {
    // Small files first: curves do not wait for weights.
    std::vector<std::map<File, Fetch>::iterator> order;
    for (auto at = fetches_.begin(); at != fetches_.end(); ++at) order.push_back(at);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a->second.stamp.size < b->second.stamp.size;
    });
    for (const auto& at : order)
        while (open_ < most_open && at->second.asked < at->second.stamp.size) ask(at->first, at->second);
}

void Fetches::ask(const File& file, Fetch& fetch) {
    const auto count = std::min(piece_bytes, fetch.stamp.size - fetch.asked);
    json request{{"op", "read"},
                 {"run", file.first},
                 {"name", file.second},
                 {"time", fetch.stamp.time},
                 {"size", fetch.stamp.size},
                 {"offset", fetch.asked},
                 {"count", count}};
    fetch.asked += count;
    ++open_;
    events_.request(std::move(request), [this, file, number = fetch.number, connection = connection_](
                                            const json& header, const std::string& body) {
        if (connection == connection_) --open_;
        const auto at = fetches_.find(file);
        if (at != fetches_.end() && at->second.number == number) {
            if (header.contains("error")) {
                fail(file, header["error"].get<std::string>());
            } else if (const auto now = header.find("changed"); now != header.end()) {
                const Stamp stamp{now->at(0).get<std::int64_t>(), now->at(1).get<std::int64_t>()};
                stamp.exists() ? start(file, stamp) : fail(file, {});
            } else {
                take(file, at->second, body);
            }
        }
        advance();
    });
}

void Fetches::take(const File& file, Fetch& fetch, const std::string& bytes) {
    if (bytes.empty()) return fail(file, "the file became shorter while it was read");
    if (const int code = write_all(fetch.part.get(), bytes); code != 0)
        return fail(file, files_.path(file.first).string() +
                              ": cannot be written: " + std::generic_category().message(code));
    fetch.written += static_cast<std::int64_t>(bytes.size());
    events_.progress(file, fetch.written, fetch.stamp.size);
    if (fetch.written >= fetch.stamp.size) finish(file, fetch.stamp);
}

void Fetches::finish(const File& file, const Stamp& stamp) {
    const auto copied = stamp;
    fetches_.erase(file);
    try {
        files_.finish_copy(file.first, file.second, copied.time);
    } catch (const Error& problem) {
        return events_.failed(file, problem.what());
    }
    events_.arrived(file);
}

void Fetches::fail(const File& file, const std::string& problem) {
    fetches_.erase(file);
    events_.failed(file, problem);
}

}  // namespace casp::remote
