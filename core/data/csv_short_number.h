#pragma once
// The numbers that most cells hold, read without a search for their end.

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "data/csv_text.h"

namespace casp::data {

#ifdef __SSE2__
/// Reads a cell of at most eight digits, such as 37 or -12.345: almost all cells. The end of the cell is
/// found first, so that the processor can begin the next one meanwhile. Digits and power of ten are exact in
/// double, so their quotient is rounded correctly. nullptr: another text, or too close to `end`.
inline const char* read_short_number(const char* p, const char* end, const Dialect& dialect, double& out) {
    static constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    if (end - p < 16) return nullptr;
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto first = [text](char a, char b) {
        const auto equal = [text](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
        return std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(equal(a), equal(b)))));
    };
    const char* const digits = p + (*p == '-' ? 1 : 0);
    const auto sign = digits - p;
    const auto length = first(dialect.delimiter, '\n') - sign;
    const auto whole = std::min(first(dialect.decimal, dialect.decimal) - sign, length);
    const auto count = length - (whole < length ? 1 : 0);
    const auto decimals = count - whole;
    if (count > 8 || whole < 1 || whole > 7 || (decimals == 0 && whole < length)) return nullptr;
    std::uint64_t v = 0;
    std::uint64_t shifted = 0;
    std::memcpy(&v, digits, sizeof v);
    std::memcpy(&shifted, digits + 1, sizeof shifted);
    const std::uint64_t after_point = ~std::uint64_t{0} << (8 * whole);
    v = (v & ~after_point) | (shifted & after_point);   // without the point
    v = (v ^ 0x3030303030303030U) << (64 - 8 * count);  // digits become 0 to 9, with zeros before them
    if ((((v + 0x7676767676767676U) | v) & 0x8080808080808080U) != 0) return nullptr;
    v = v * 10 + (v >> 8);  // pairs of digits in every other byte
    v = ((v & 0x000000FF000000FFU) * 0x000F424000000064U +
         ((v >> 16) & 0x000000FF000000FFU) * 0x0000271000000001U) >>
        32;
    const double value = static_cast<double>(static_cast<std::int64_t>(v)) / powers[decimals];
    out = sign != 0 ? -value : value;
    return digits + length;
}
#else
inline const char* read_short_number(const char*, const char*, const Dialect&, double&) { return nullptr; }
#endif

}  // namespace casp::data
