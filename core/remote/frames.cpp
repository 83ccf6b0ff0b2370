#include "remote/frames.h"

#include <zlib.h>

#include "util/error.h"
#include "util/json_text.h"

namespace casp::remote {

namespace {

constexpr std::size_t sizes_bytes = 12;

void put(std::string& out, std::size_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 0xFFU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < 4; ++i)
        number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return number;
}

Error broken(const Phrase& found) {
    return run_error("the remote folder", found, "messages of caspstudio --serve",
                     "Use the same version of caspstudio on both machines.");
}

std::string deflated(const std::string& bytes) {
    auto size = ::compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int code =
        ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                    static_cast<uLong>(bytes.size()), Z_BEST_SPEED);
    out.resize(code == Z_OK ? size : 0);
    return out;
}

std::string inflated(std::string_view bytes, std::uint32_t size) {
    std::string out(size, '\0');
    auto got = static_cast<uLongf>(size);
    if (::uncompress(reinterpret_cast<Bytef*>(out.data()), &got, reinterpret_cast<const Bytef*>(bytes.data()),
                     static_cast<uLong>(bytes.size())) != Z_OK ||
        got != size)
        throw broken("a compressed message is damaged");
    return out;
}

}  // namespace

std::string packed(const Frame& frame, bool deflate) {
    const auto header = frame.header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const auto smaller = deflate ? deflated(frame.body) : std::string();
    const bool use = !smaller.empty() && smaller.size() < frame.body.size();
    const auto& body = use ? smaller : frame.body;
    std::string out;
    out.reserve(sizes_bytes + header.size() + body.size());
    put(out, header.size());
    put(out, body.size());
    put(out, use ? frame.body.size() : 0);
    return out.append(header).append(body);
}

std::optional<Frame> FrameReader::next() {
    const auto rest = std::string_view(bytes_).substr(begin_);
    if (rest.size() < sizes_bytes) return std::nullopt;
    const auto header = number_at(rest, 0), body = number_at(rest, 4), whole = number_at(rest, 8);
    if (header > max_bytes || body > max_bytes || whole > max_bytes)
        throw broken(Phrase("a message of %1 bytes", std::max({header, body, whole})));
    const auto size = sizes_bytes + header + body;
    if (rest.size() < size) return std::nullopt;
    Frame frame;
    frame.header = parse_json_or_discard(rest.substr(sizes_bytes, header));
    if (!frame.header.is_object()) throw broken("a message without header");
    const auto bytes = rest.substr(sizes_bytes + header, body);
    frame.body = whole > 0 ? inflated(bytes, whole) : std::string(bytes);
    begin_ += size;
    if (begin_ > bytes_.size() / 2) {
        bytes_.erase(0, begin_);
        begin_ = 0;
    }
    return frame;
}

}  // namespace casp::remote
