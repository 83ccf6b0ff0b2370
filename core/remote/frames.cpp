#include "remote/frames.h"

#include <algorithm>

#include "util/error.h"
#include "util/json_text.h"

namespace casp::remote {

namespace {

constexpr std::size_t sizes_bytes = 8;

void put(std::string& out, std::size_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 0xFFU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < 4; ++i)
        number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return number;
}

Error broken(const std::string& found) {
    return run_error("the remote folder", found, "messages of caspstudio --serve",
                     "Use the same version of caspstudio on both machines.");
}

}  // namespace

std::string packed(const Frame& frame) {
    const auto header = frame.header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string out;
    out.reserve(sizes_bytes + header.size() + frame.body.size());
    put(out, header.size());
    put(out, frame.body.size());
    return out.append(header).append(frame.body);
}

std::optional<Frame> FrameReader::next() {
    const auto rest = std::string_view(bytes_).substr(begin_);
    if (rest.size() < sizes_bytes) return std::nullopt;
    const auto header = number_at(rest, 0), body = number_at(rest, 4);
    if (header > most_bytes || body > most_bytes)
        throw broken("a message of " + std::to_string(std::max(header, body)) + " bytes");
    const auto size = sizes_bytes + header + body;
    if (rest.size() < size) return std::nullopt;
    Frame frame;
    frame.header = parse_json_or_discard(rest.substr(sizes_bytes, header));
    if (!frame.header.is_object()) throw broken("a message without header");
    frame.body = rest.substr(sizes_bytes + header, body);
    begin_ += size;
    if (begin_ > bytes_.size() / 2) {
        bytes_.erase(0, begin_);
        begin_ = 0;
    }
    return frame;
}

}  // namespace casp::remote
