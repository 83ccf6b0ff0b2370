#include "remote/fetches.h"

#include <algorithm>
#include <system_error>

#include "util/error.h"

namespace casp::remote {

namespace {

using nlohmann::json;

constexpr std::int64_t piece_bytes = 256 << 10;
/// 4 MiB on their way: 80 MB/s at 50 ms, and the curves that follow them are half a second late at 8 MB/s.
constexpr std::int64_t most_open = 16;
constexpr int most_differing = 3;

json request_for(const char* op, const Fetches::File& file, const Stamp& stamp) {
    return {
        {"op", op}, {"run", file.first}, {"name", file.second}, {"time", stamp.time}, {"size", stamp.size}};
}

Stamp stamp_in(const json& array) {
    return {array.at(0).get<std::int64_t>(), array.at(1).get<std::int64_t>()};
}

}  // namespace

Fetches::Fetch* Fetches::find(const File& file, std::uint64_t number) {
    const auto at = fetches_.find(file);
    return at == fetches_.end() || at->second.number != number ? nullptr : &at->second;
}

void Fetches::open_part(const File& file, Fetch& fetch) {
    fetch.part = files_.open_part(file.first, file.second, fetch.stamp);
    // An earlier session may have left a part.
    while (fetch.written < fetch.stamp.size) {
        const auto bytes =
            read_part(fetch.part, fetch.written,
                      static_cast<std::size_t>(std::min(piece_bytes, fetch.stamp.size - fetch.written)));
        if (bytes.empty()) break;
        fetch.digest.update(bytes);
        fetch.written += static_cast<std::int64_t>(bytes.size());
    }
    fetch.asked = fetch.written;
}

void Fetches::start(const File& file, const Stamp& stamp) {
    if (const auto at = fetches_.find(file); at != fetches_.end() && at->second.stamp == stamp) return;
    restart(file, stamp);
    advance();
}

void Fetches::restart(const File& file, const Stamp& stamp) {
    const auto before = fetches_.find(file);
    const int differing = before == fetches_.end() ? 0 : before->second.differing;
    if (before != fetches_.end()) fetches_.erase(before);
    Fetch fetch;
    fetch.stamp = stamp;
    fetch.differing = differing;
    fetch.number = ++numbers_;
    try {
        open_part(file, fetch);
    } catch (const Error& problem) {
        return events_.failed(file, problem.what());
    }
    fetches_.emplace(file, std::move(fetch));
}

void Fetches::cancel(const File& file) { fetches_.erase(file); }

void Fetches::connected() {
    ++connection_;
    open_ = 0;
    for (auto& [file, fetch] : fetches_) {
        fetch.asked = fetch.written;
        fetch.verifying = false;
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
    for (const auto& at : order) {
        auto& [file, fetch] = *at;
        while (open_ < most_open && fetch.asked < fetch.stamp.size) ask(file, fetch);
        if (fetch.written >= fetch.stamp.size && !fetch.verifying) verify(file, fetch);
    }
}

void Fetches::ask(const File& file, Fetch& fetch) {
    auto request = request_for("read", file, fetch.stamp);
    const auto count = std::min(piece_bytes, fetch.stamp.size - fetch.asked);
    request["offset"] = fetch.asked;
    request["count"] = count;
    fetch.asked += count;
    ++open_;
    events_.request(std::move(request), [this, file, number = fetch.number, connection = connection_](
                                            const json& header, const std::string& body) {
        if (connection == connection_) --open_;
        if (auto* own = find(file, number)) {
            if (header.contains("error"))
                fail(file, header["error"].get<std::string>());
            else if (const auto now = header.find("changed"); now != header.end())
                stamp_in(*now).exists() ? restart(file, stamp_in(*now)) : fail(file, {});
            else
                take(file, *own, body);
        }
        advance();
    });
}

void Fetches::take(const File& file, Fetch& fetch, const std::string& bytes) {
    if (bytes.empty()) return fail(file, "the file became shorter while it was read");
    if (const int code = write_all(fetch.part.get(), bytes); code != 0)
        return fail(file, files_.path(file.first).string() +
                              ": cannot be written: " + std::generic_category().message(code));
    fetch.digest.update(bytes);
    fetch.written += static_cast<std::int64_t>(bytes.size());
    events_.progress(file, fetch.written, fetch.stamp.size);
}

void Fetches::verify(const File& file, Fetch& fetch) {
    fetch.verifying = true;
    events_.request(request_for("digest", file, fetch.stamp),
                    [this, file, number = fetch.number](const json& header, const std::string&) {
                        auto* own = find(file, number);
                        if (own == nullptr) return;
                        if (header.contains("error")) return fail(file, header["error"].get<std::string>());
                        const auto now = header.find("changed");
                        if (now != header.end() && !stamp_in(*now).exists()) return fail(file, {});
                        const bool same = now == header.end() &&
                                          header.value("sha256", std::string()) == own->digest.finish();
                        if (same) {
                            const auto stamp = own->stamp;
                            fetches_.erase(file);
                            try {
                                files_.finish_part(file.first, file.second, stamp);
                            } catch (const Error& problem) {
                                return events_.failed(file, problem.what());
                            }
                            return events_.arrived(file);
                        }
                        if (now == header.end()) {
                            files_.remove_part(file.first, file.second, own->stamp);
                            if (++own->differing >= most_differing)
                                return fail(file, "its copy differs from the original");
                        }
                        restart(file, now != header.end() ? stamp_in(*now) : own->stamp);
                        advance();
                    });
}

void Fetches::fail(const File& file, const std::string& problem) {
    fetches_.erase(file);
    events_.failed(file, problem);
}

}  // namespace casp::remote
