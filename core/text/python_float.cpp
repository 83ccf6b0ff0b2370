#include "text/python_float.h"

#include <array>
#include <charconv>
#include <cmath>

namespace casp::text {

std::string python_float(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    std::array<char, 64> buffer{};
    const auto written = [&](std::chars_format format) {
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
        return std::string(buffer.data(), end);
    };
    // Python switches to an exponent by the number's size, to_chars by the text's length.
    auto text = written(std::chars_format::scientific);
    const auto exponent = std::stoi(text.substr(text.find('e') + 1));
    if (value != 0 && (exponent < -4 || exponent >= 16)) return text;
    text = written(std::chars_format::fixed);
    return text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace casp::text
