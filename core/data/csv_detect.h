#pragma once
// Detection of a CSV file's format in three stages: dialect (csv_dialect.cpp), structure (csv_structure.cpp)
// and meaning of its columns (csv_meaning.cpp).

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv_import.h"
#include "data/csv_index.h"
#include "data/csv_text.h"
#include "data/table.h"
#include "data/time_columns.h"
#include "data/time_text.h"
#include "util/phrase.h"

namespace casp::data {

/// Advice for a file without rows.
inline constexpr const char* export_again = "Export or download the table again, with its rows.";

/// Likewise, where settings may have taken them away.
[[nodiscard]] Phrase advice_without_rows(const CsvOptions& options);

using Record = std::vector<Cell>;

/// Records of the file, in its order; more of its beginning than of the rest.
struct Sample {
    std::vector<Record> records;
    std::vector<std::int64_t> lines;  ///< where each begins

    [[nodiscard]] bool empty() const { return records.empty(); }
    [[nodiscard]] std::size_t size() const { return records.size(); }
};

/// The most frequent number of cells of the records from `from` on; the larger of two equally frequent ones.
[[nodiscard]] std::size_t usual_width(const std::vector<Record>& records, std::size_t from);

// --- dialect ---

/// Where the table may begin: behind a line "sep=;" and lines of comments.
struct Beginning {
    std::size_t offset = 0;         ///< bytes of the text before it
    std::int64_t line = 1;          ///< of the file
    std::optional<char> delimiter;  ///< of a line "sep=;"
    std::string comment;            ///< sign of lines of comments; empty: there are none
    std::int64_t comments = 0;      ///< lines
    std::string_view last_comment;  ///< without its sign: may hold the names
};
[[nodiscard]] Beginning find_beginning(std::string_view text, const CsvOptions& options);

/// Delimiter, quotes and escapes, from the first lines of `text`. Adds to `readings` and `warnings`.
[[nodiscard]] Dialect detect_dialect(std::string_view text, const Beginning& beginning,
                                     const CsvOptions& options, std::vector<Reading>& readings,
                                     std::vector<Warning>& warnings);

/// Decimal and thousands sign of `records` from `from` on; the rest of `dialect` is given.
void detect_numbers(Dialect& dialect, const std::vector<Record>& records, std::size_t from,
                    const CsvOptions& options, std::vector<Reading>& readings,
                    std::vector<Warning>& warnings);

/// Whether numbers that were read as decimals (1.002 among 439 and 987) have a thousands sign.
[[nodiscard]] bool has_late_groups(const std::vector<double>& values);

// --- structure ---

/// Lines of the file that are its table.
struct Structure {
    bool has_header = true;
    std::vector<std::string> names;  ///< of the columns, joined over the lines of the header; may be empty
    bool joined = false;             ///< they are from several lines
    std::int64_t header_line = 1;
    std::size_t first_row = 0;  ///< record of the sample that is the first row
    std::size_t width = 0;      ///< columns
};

/// Finds header, units and first row in the sample. Adds to `readings` and `warnings`. Throws an input Error
/// for a file with only a header.
[[nodiscard]] Structure detect_structure(const Sample& sample, const Beginning& beginning,
                                         const Dialect& dialect, const std::string& where,
                                         const CsvOptions& options, std::vector<Reading>& readings,
                                         std::vector<Warning>& warnings);

// --- meaning ---

/// Meaning of a column of the file.
enum class Role : std::uint8_t {
    skip,
    number,
    date,  ///< a date, with or without the time of day
    clock  ///< the time of day of a separate date column
};

struct ColumnLayout {
    std::string name;  ///< unique
    Role role = Role::skip;
    bool named = false;  ///< the header has a name for it
    bool whole = false;  ///< all sampled numbers are whole
};

/// Format of the file and its columns, as needed to parse the cells.
struct Layout {
    Dialect dialect;
    bool has_header = true;
    bool joined_names = false;  ///< the names are joined over several lines
    std::int64_t header_line = 1;
    std::string comment;                     ///< lines that begin with it are no rows
    std::vector<std::string> missing_texts;  ///< cells that count as missing besides the usual ones
    std::vector<ColumnLayout> columns;
    TimeReading how;           ///< of the cells of date and clock
    bool short_years = false;  ///< some dates may begin with a year of two digits
    /// Columns with role number that are the time axis or parts of it; empty: none.
    std::vector<std::pair<int, TimePart>> time_numbers;
    const NumberForm* number_form = nullptr;  ///< of the one with TimePart::whole
    int decimals = 0;                         ///< most decimals of that column
    bool hour_ending = false;                 ///< TimePart::hour counts 1 to 24, each the hour's end
    std::vector<Reading> readings;
    std::vector<Warning> warnings;

    [[nodiscard]] bool is_time_number(int column) const;
    [[nodiscard]] bool has_time() const;
};

/// Content of a column's sampled cells.
struct Content {
    std::int64_t numbers = 0;
    std::int64_t text = 0;
    std::int64_t dates = 0;                 ///< dates without time of day
    std::int64_t clocks = 0;                ///< times of day without date
    bool short_years = false;               ///< some dates may begin with a year of two digits
    std::int64_t instants = 0;              ///< dates with time of day
    std::int64_t dotted = 0;                ///< cells like 12.30.00
    std::int64_t repeats = 0;               ///< dates or numbers equal to the one before
    std::int64_t ones = 0;                  ///< steps of 1 or −1
    std::int64_t new_years = 0;             ///< steps of 89 or −89, as from 202112 to 202201
    std::int64_t wholes = 0;                ///< numbers without a decimal sign
    std::array<std::int32_t, 101> small{};  ///< cells with the whole numbers 0 to 100, as parts of times are
    bool whole = true;                      ///< all numbers are integers
    bool rising = true;                     ///< no number is less than the one before
    bool falling = true;                    ///< no number is greater than the one before
    int digits = -1;   ///< digits of every number, if all are dates for read_digits(); 0: they are not
    int decimals = 0;  ///< most decimals of a number
    double least = 1e300;
    double most = -1e300;
    double last = 0;
    std::string_view last_date;
    std::string_view first_text;  ///< a cell that is neither number nor time
    bool one_text = true;         ///< all such cells are equal, as a marker of missing values is
    std::int64_t text_line = 0;   ///< its line

    void add(const Cell& cell, std::int64_t line, const Dialect& dialect);
    [[nodiscard]] std::int64_t times() const { return dates + clocks + instants; }
    [[nodiscard]] bool is_time() const { return times() > numbers && times() >= text; }
    /// Also true for an empty column.
    [[nodiscard]] bool is_number() const {
        return !is_time() && (numbers >= text || (one_text && numbers * 10 >= text));
    }
    [[nodiscard]] bool is_instant() const { return is_time() && instants > 0 && instants >= dates + clocks; }
    [[nodiscard]] bool is_date() const { return is_time() && !is_instant() && dates >= clocks; }
    [[nodiscard]] bool is_clock() const { return is_time() && !is_instant() && !is_date(); }
    /// Least and greatest of the whole numbers from 0 to 100, without rare ones; {0, −1}: nearly all numbers
    /// are others.
    [[nodiscard]] std::pair<int, int> small_range() const;
    /// Whether most numbers are next to the one before; between the sampled parts of a file they are not.
    [[nodiscard]] bool counts() const { return ones * 5 >= (numbers - 1) * 4; }
    [[nodiscard]] bool is_empty() const { return numbers + text + times() == 0; }
};

/// [width] contents of the records from `from` on, and before `most`.
[[nodiscard]] std::vector<Content> contents(const Sample& sample, std::size_t from, std::size_t width,
                                            const Dialect& dialect,
                                            std::size_t most = std::numeric_limits<std::size_t>::max());

/// Chooses time axis and channels. Throws an input Error for a time column that is not there.
void detect_meaning(Layout& layout, const std::vector<Content>& body, const std::string& where,
                    const CsvOptions& options);

/// Whether a month in digits is the 13th, as some statistics call the total of a year: 202113.
[[nodiscard]] bool is_year_total(std::string_view cell);

/// Whether the text in a column of times is a note, "Total" or "1) revised", and not only a bad time.
[[nodiscard]] bool is_note(std::string_view cell);

/// How a record relates to columns of these contents.
struct RowFit {
    std::int64_t good = 0;  ///< cells with the column's kind of value
    std::int64_t bad = 0;   ///< texts in columns of values
    bool has_time = false;  ///< there is a column of times; what follows is of its cell
    bool time_is_good = false;
    bool time_is_text = false;  ///< it is a text that is no time
    bool time_is_missing = false;
};
[[nodiscard]] RowFit fit_of(const Record& record, const std::vector<Content>& body, const Dialect& dialect);

/// All stages after the dialect, from lines sampled from the whole file. Removes the lines before the first
/// row and those at the end that are no rows from `chunks`. Throws an input Error for a file with only a
/// header, too many columns, or a missing date column.
[[nodiscard]] Layout detect_layout(std::vector<Chunk>& chunks, const Dialect& dialect,
                                   const Beginning& beginning, const std::string& where,
                                   const CsvOptions& options);

}  // namespace casp::data
