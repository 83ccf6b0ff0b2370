#pragma once
// Messages between a mirror and `caspstudio --serve`: a JSON header and bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace casp::remote {

/// Printed by the server before its first frame. The number is the protocol's version; the other side's shell
/// may print text before it.
inline constexpr std::string_view greeting = "caspstudio-serve 2\n";
inline constexpr std::string_view any_greeting = "caspstudio-serve ";

struct Frame {
    nlohmann::json header;
    std::string body;
};

/// As bytes: sizes of the header, the body, and the inflated body (0: it is not deflated) as 32-bit
/// little-endian numbers, then both. `deflate`: the body is compressed if that makes it shorter.
[[nodiscard]] std::string packed(const Frame& frame, bool deflate = false);

/// Splits received bytes into frames. One thread at a time.
class FrameReader {
public:
    static constexpr std::uint32_t max_bytes = 64u << 20u;  ///< of a header or a body

    void add(std::string_view bytes) { bytes_ += bytes; }
    /// The next frame; nothing: it has not arrived completely. Throws a run Error if the bytes are not
    /// frames.
    [[nodiscard]] std::optional<Frame> next();

private:
    std::string bytes_;
    std::size_t begin_ = 0;
};

}  // namespace casp::remote
