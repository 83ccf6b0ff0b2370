#pragma once
// Forms of dates beyond year-month-day and day/month/year: month names, quarters, weeks, digits without
// signs.

#include <chrono>
#include <string>
#include <string_view>

namespace casp::data {

/// A date read in one of the forms.
struct FormDate {
    int year = 0, month = 1, day = 1;
    int form = -1;           ///< number of the form, for write_date()
    bool one_digit = false;  ///< a day or month below 10 has one digit
};

[[nodiscard]] FormDate date_of(std::chrono::sys_days day);

/// With zeros in front: "07" is 7 of width 2.
[[nodiscard]] std::string padded(int value, int width);

/// Reads the date at the beginning of `text`, which may begin with the name of a weekday, and removes it.
/// A month is its first day, as are a quarter and a year; a week is its Monday. Two-digit years mean 1970 to
/// 2069. False: none of the forms; `text` is unchanged then.
[[nodiscard]] bool read_date_form(std::string_view& text, FormDate& date);

/// The text behind the name of a weekday; any other text as it is.
[[nodiscard]] std::string_view without_weekday(std::string_view text);

/// Likewise for a number: 20160701123000, 201607011230, 2016070112, 20160701, 201607 or 2016, with the
/// seconds since midnight. False: another number of digits, or no date.
[[nodiscard]] bool read_digits(std::string_view& text, FormDate& date, double& seconds);

/// `date` in the form of `sample`, a text whose beginning read_date_form() accepts; removes that beginning.
/// `one_digit`: days and months below 10 have one digit.
[[nodiscard]] std::string write_date(std::string_view& sample, std::chrono::sys_days date, bool one_digit);

}  // namespace casp::data
