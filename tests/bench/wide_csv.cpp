#include "bench/wide_csv.h"

#include <chrono>
#include <fstream>
#include <string>

#include "bench/temporary_folder.h"
#include "util/error.h"

namespace casp::bench {

namespace {

constexpr int columns = 321;

/// xorshift64*: the file is the same on every platform.
class Numbers {
public:
    std::int64_t up_to(std::int64_t most) {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::int64_t>((state_ * 2685821657736338717ULL) >> 33) % (most + 1);
    }

private:
    std::uint64_t state_ = 1;
};

void put_two(std::string& line, unsigned value, char before) {
    if (before != '\0') line += before;
    line += static_cast<char>('0' + value / 10);
    line += static_cast<char>('0' + value % 10);
}

void put_date(std::string& line, std::int64_t hour) {
    using namespace std::chrono;
    const auto day = sys_days(year{2016} / July / 1) + days(hour / 24);
    const year_month_day date(day);
    line += std::to_string(static_cast<int>(date.year()));
    put_two(line, static_cast<unsigned>(date.month()), '-');
    put_two(line, static_cast<unsigned>(date.day()), '-');
    put_two(line, static_cast<unsigned>(hour % 24), ' ');
    line += ":00:00";
}

}  // namespace

void write_wide_csv(const std::filesystem::path& path, std::int64_t rows) {
    std::ofstream file(path, std::ios::binary);
    std::string line = "date";
    for (int column = 0; column < columns; ++column) line.append(1, ',').append(std::to_string(column));
    Numbers numbers;
    for (std::int64_t row = 0; row < rows; ++row) {
        file << line << '\n';
        line.clear();
        put_date(line, row + 2);
        for (int column = 0; column < columns; ++column) {
            const auto tenths = numbers.up_to(999'990);
            line += ',';
            line += std::to_string(tenths / 10);
            line += '.';
            line += static_cast<char>('0' + tenths % 10);
        }
    }
    file << line << '\n';
    if (!file.flush()) throw run_error(path.string(), "cannot be written");
}

const std::filesystem::path& wide_csv(const std::filesystem::path& chosen) {
    static const TemporaryFolder folder;
    static const std::filesystem::path path = [&] {
        if (!chosen.empty()) return chosen;
        write_wide_csv(folder.path() / "wide.csv");
        return folder.path() / "wide.csv";
    }();
    return path;
}

}  // namespace casp::bench
