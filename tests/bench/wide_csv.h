#pragma once
// A wide CSV file like Electricity's: one date and 321 columns of numbers.

#include <cstdint>
#include <filesystem>

namespace casp::bench {

/// Rows for about 67 MB.
constexpr std::int64_t wide_csv_rows = 26304;

/// Hourly dates and uniform numbers in [0, 99999] with one decimal, the same bytes every time.
void write_wide_csv(const std::filesystem::path& path, std::int64_t rows = wide_csv_rows);

/// `chosen`, or such a file in a temporary folder of this process, made once and removed at its end.
[[nodiscard]] const std::filesystem::path& wide_csv(const std::filesystem::path& chosen = {});

}  // namespace casp::bench
