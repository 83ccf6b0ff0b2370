#include "data/date_forms.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace casp::data {

namespace {

using namespace std::string_view_literals;

/// A new form is a line. Y, y: year of four or two digits; M, D: month and day of one or two digits; m, d: of
/// two; b: name of a month; q: quarter; w: ISO week of two digits; u: day of the week, 1 to 7; j: day of the
/// year of three digits; ~: one of - / . or a blank; _: blanks, or none; any other sign stands for itself, as
/// does the one behind a '.
constexpr std::array forms{
    "D~b~Y"sv,     "D~b~y"sv,  "DbY"sv,         "Dby"sv,           "D._b_Y"sv,   "b_D,_Y"sv, "D._b_y"sv,
    "b/y"sv,       "b.y"sv,    "by"sv,          "qQY"sv,           "qQy"sv,      "Y'MM"sv,   "Y-'MM"sv,
    "b~D~Y"sv,     "Y~b~D"sv,  "YbD"sv,         "D_'de_b_'de_Y"sv,  // Spanish, Portuguese
    "Y年M月D日"sv, "Y年M月"sv, "Y년_M월_D일"sv, "Y년_M월"sv,       "Y._M._D."sv, "Ymd"sv,    "Y-w-u"sv,
    "Y-Www-u"sv,   "YWwu"sv,   "Y-Ww-u"sv,      "Y-Ww"sv,          "YWw"sv,      "Y-j"sv,    "Y-Qq"sv,
    "YQq"sv,       "Y_Qq"sv,   "Y:Qq"sv,        "Qq-Y"sv,          "Qq_Y"sv,     "Qq/Y"sv,   "Y-m"sv,
    "Y/M"sv,       "M/Y"sv,    "m-Y"sv,         "b~Y"sv,           "bY"sv,       "b-y"sv,    "Y~b"sv,
};

/// Names of the months in the languages of common exports; a new language is a line. Names are compared
/// ignoring the case of ASCII letters and a point behind an abbreviation.
constexpr std::array months{
    std::array{"january"sv, "february"sv, "march"sv, "april"sv, "may"sv, "june"sv, "july"sv, "august"sv,
               "september"sv, "october"sv, "november"sv, "december"sv},
    std::array{"jan"sv, "feb"sv, "mar"sv, "apr"sv, "may"sv, "jun"sv, "jul"sv, "aug"sv, "sep"sv, "oct"sv,
               "nov"sv, "dec"sv},
    std::array{"januar"sv, "februar"sv, "märz"sv, "april"sv, "mai"sv, "juni"sv, "juli"sv, "august"sv,
               "september"sv, "oktober"sv, "november"sv, "dezember"sv},
    std::array{"jan"sv, "feb"sv, "mär"sv, "apr"sv, "mai"sv, "jun"sv, "jul"sv, "aug"sv, "sept"sv, "okt"sv,
               "nov"sv, "dez"sv},
    std::array{"jan"sv, "feb"sv, "mrz"sv, "apr"sv, "mai"sv, "jun"sv, "jul"sv, "aug"sv, "sep"sv, "okt"sv,
               "nov"sv, "dez"sv},
    std::array{"janvier"sv, "février"sv, "mars"sv, "avril"sv, "mai"sv, "juin"sv, "juillet"sv, "août"sv,
               "septembre"sv, "octobre"sv, "novembre"sv, "décembre"sv},
    std::array{"janv"sv, "févr"sv, "mars"sv, "avr"sv, "mai"sv, "juin"sv, "juil"sv, "août"sv, "sept"sv,
               "oct"sv, "nov"sv, "déc"sv},
    std::array{"enero"sv, "febrero"sv, "marzo"sv, "abril"sv, "mayo"sv, "junio"sv, "julio"sv, "agosto"sv,
               "septiembre"sv, "octubre"sv, "noviembre"sv, "diciembre"sv},
    std::array{"ene"sv, "feb"sv, "mar"sv, "abr"sv, "may"sv, "jun"sv, "jul"sv, "ago"sv, "sept"sv, "oct"sv,
               "nov"sv, "dic"sv},
    std::array{"gennaio"sv, "febbraio"sv, "marzo"sv, "aprile"sv, "maggio"sv, "giugno"sv, "luglio"sv,
               "agosto"sv, "settembre"sv, "ottobre"sv, "novembre"sv, "dicembre"sv},
    std::array{"gen"sv, "feb"sv, "mar"sv, "apr"sv, "mag"sv, "giu"sv, "lug"sv, "ago"sv, "set"sv, "ott"sv,
               "nov"sv, "dic"sv},
    std::array{"janeiro"sv, "fevereiro"sv, "março"sv, "abril"sv, "maio"sv, "junho"sv, "julho"sv, "agosto"sv,
               "setembro"sv, "outubro"sv, "novembro"sv, "dezembro"sv},
    std::array{"januari"sv, "februari"sv, "maart"sv, "april"sv, "mei"sv, "juni"sv, "juli"sv, "augustus"sv,
               "september"sv, "oktober"sv, "november"sv, "december"sv},
};

/// Beginnings of names of weekdays; the letters behind them, a point, a comma and blanks belong to the name.
constexpr std::array weekdays{"mon"sv, "tue"sv, "wed"sv, "thu"sv, "fri"sv, "sat"sv, "sun"sv,
                              "mo"sv,  "di"sv,  "mi"sv,  "do"sv,  "fr"sv,  "sa"sv,  "so"sv,
                              "lun"sv, "mar"sv, "mer"sv, "jeu"sv, "ven"sv, "sam"sv, "dim"sv,
                              "mié"sv, "jue"sv, "vie"sv, "sáb"sv, "dom"sv, "gio"sv};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_letter(char c) {
    return (small_letter(c) >= 'a' && small_letter(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

bool begins_with(std::string_view text, std::string_view word) {
    if (text.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (small_letter(text[i]) != word[i]) return false;
    return true;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

/// Number of `least` to `most` digits, as many as there are; −1: none.
int take_number(std::string_view& text, std::size_t least, std::size_t most, bool* one_digit = nullptr) {
    int value = 0;
    std::size_t n = 0;
    while (n < most && n < text.size() && is_digit(text[n])) value = value * 10 + (text[n++] - '0');
    if (n < least) return -1;
    text.remove_prefix(n);
    if (one_digit != nullptr) *one_digit |= n == 1;
    return value;
}

struct MonthName {
    std::size_t language = 0;  ///< row of `months`
    int month = 0;
    std::string_view text;
};

/// The longest name of a month at the beginning of `text`.
bool find_month(std::string_view text, MonthName& found) {
    found = {};
    for (std::size_t language = 0; language < months.size(); ++language)
        for (std::size_t month = 0; month < 12; ++month) {
            const auto name = months[language][month];
            if (name.size() <= found.text.size() || !begins_with(text, name)) continue;
            if (name.size() < text.size() && is_letter(text[name.size()])) continue;
            found = {language, static_cast<int>(month) + 1, text.substr(0, name.size())};
        }
    return found.month > 0;
}

/// Letters at the beginning of a text.
std::string_view word_of(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && is_letter(text[n])) ++n;
    return text.substr(0, n);
}

/// Whether a text that begins with a letter can be a date. Nearly all texts of a table are names, so that
/// this decides how long its detection takes.
bool may_begin_date(std::string_view text) {
    const auto word = word_of(text);
    if (word.empty()) return true;
    if (word.size() == 1) return small_letter(word.front()) == 'q';
    const auto behind = text.substr(word.size());
    if (behind.empty()) return false;
    const bool separated = is_blank(behind.front()) || behind.front() == '.' || behind.front() == ',';
    if (separated &&
        std::ranges::any_of(weekdays, [&](std::string_view day) { return begins_with(word, day); }))
        return true;
    for (const auto& language : months)
        for (const auto name : language)
            if (small_letter(word.front()) == name.front() && name.size() == word.size() &&
                begins_with(word, name))
                return true;
    return false;
}

void skip_weekday(std::string_view& text) {
    if (text.empty() || !is_letter(text.front())) return;
    MonthName month;
    if (find_month(text, month)) return;  // "mar" is also a month
    for (const auto day : weekdays) {
        if (!begins_with(text, day)) continue;
        auto rest = text;
        while (!rest.empty() && is_letter(rest.front())) rest.remove_prefix(1);
        const bool separated =
            !rest.empty() && (is_blank(rest.front()) || rest.front() == '.' || rest.front() == ',');
        while (!rest.empty() && (is_blank(rest.front()) || rest.front() == '.' || rest.front() == ','))
            rest.remove_prefix(1);
        if (separated && !rest.empty()) text = rest;
        return;
    }
}

}  // namespace

FormDate date_of(std::chrono::sys_days day) {
    const std::chrono::year_month_day date(day);
    return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
            static_cast<int>(static_cast<unsigned>(date.day()))};
}

std::string padded(int value, int width) {
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%0*d", width, value);
    return buffer.data();
}

std::string_view without_weekday(std::string_view text) {
    if (text.empty() || !is_letter(text.front()) || !may_begin_date(text)) return text;
    skip_weekday(text);
    return text;
}

namespace {

bool exists(int year, int month, int day) { return (std::chrono::year{year} / month / day).ok(); }

std::chrono::sys_days monday_of(int year, int week) {
    using namespace std::chrono;
    const sys_days fourth = std::chrono::year{year} / January / 4;  // always in week 1
    return fourth - (weekday(fourth) - Monday) + days(7 * (week - 1));
}

/// What the signs of a form mean together.
struct Parts {
    int year = -1, month = -1, day = -1, quarter = -1, week = -1, of_week = -1, of_year = -1;

    bool date(FormDate& out) const {
        using namespace std::chrono;
        if (year < 0) return false;
        sys_days found;
        if (week >= 0) {
            if (week < 1 || week > 53 || of_week == 0 || of_week > 7) return false;
            found = monday_of(year, week) + days(of_week > 0 ? of_week - 1 : 0);
        } else if (of_year >= 0) {
            if (of_year < 1 || of_year > 366) return false;
            found = sys_days(std::chrono::year{year} / January / 1) + days(of_year - 1);
        } else {
            const int m = quarter >= 0 ? 3 * quarter - 2 : month < 0 ? 1 : month;
            const int d = day < 0 ? 1 : day;
            if (!exists(year, m, d)) return false;
            out.year = year;
            out.month = m;
            out.day = d;
            return true;
        }
        out = date_of(found);
        return true;
    }
};

bool is_date_sign(char c) { return c == '-' || c == '/' || c == '.' || c == ' '; }

bool take_part(char sign, std::string_view& text, Parts& parts, bool& one_digit) {
    const auto number = [&](int& into, std::size_t least, std::size_t most) {
        into = take_number(text, least, most, most == 2 && least == 1 ? &one_digit : nullptr);
        return into >= 0;
    };
    switch (sign) {
        case 'Y':
            return number(parts.year, 4, 4);
        case 'y':
            if (!number(parts.year, 2, 2) || (!text.empty() && is_digit(text.front()))) return false;
            parts.year += parts.year < 70 ? 2000 : 1900;
            return true;
        case 'M':
            return number(parts.month, 1, 2);
        case 'D':
            return number(parts.day, 1, 2);
        case 'm':
            return number(parts.month, 2, 2);
        case 'd':
            return number(parts.day, 2, 2);
        case 'q':
            return number(parts.quarter, 1, 1);
        case 'w':
            return number(parts.week, 2, 2);
        case 'u':
            return number(parts.of_week, 1, 1);
        case 'j':
            return number(parts.of_year, 3, 3);
        case 'b': {
            MonthName name;
            if (!find_month(text, name)) return false;
            parts.month = name.month;
            text.remove_prefix(name.text.size());
            if (!text.empty() && text.front() == '.' && text.size() > 1 && !is_digit(text[1]))
                text.remove_prefix(1);
            return true;
        }
        default:
            return false;
    }
}

bool is_part(char c) { return "YyMDmdbqwuj"sv.find(c) != std::string_view::npos; }

/// Matches a literal sign of a form, or one of its classes.
bool take_sign(char sign, std::string_view& text) {
    if (sign == '_') {
        skip_blanks(text);
        return true;
    }
    if (text.empty()) return false;
    if (sign == '~' ? !is_date_sign(text.front()) : small_letter(text.front()) != small_letter(sign))
        return false;
    text.remove_prefix(1);
    return true;
}

bool read_form(std::string_view form, std::string_view& text, FormDate& date) {
    auto rest = text;
    Parts parts;
    bool one_digit = false;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool literal = form[i] == '\'';
        const char sign = form[literal ? ++i : i];
        if (!literal && is_part(sign) ? !take_part(sign, rest, parts, one_digit) : !take_sign(sign, rest))
            return false;
    }
    // What follows is the time of day or nothing.
    if (!rest.empty() && (is_digit(rest.front()) || is_letter(rest.front())) &&
        small_letter(rest.front()) != 't' &&
        !(static_cast<unsigned char>(form.back()) >= 0x80 && is_digit(rest.front())))
        return false;
    // "Mar 15 10:00" is the 15th.
    if (form.front() == 'b' && form.back() == 'y' && !rest.empty()) return false;
    if (!parts.date(date)) return false;
    date.one_digit = one_digit;
    text = rest;
    return true;
}

/// Name of a month in the language and letters of `sample`.
std::string name_like(const MonthName& sample, int month) {
    const auto name = months[sample.language][static_cast<std::size_t>(month - 1)];
    std::string text(name);
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const bool first = is_upper(sample.text.front());
    const bool all = first && sample.text.size() > 1 && is_upper(sample.text[1]);
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((all || (first && i == 0)) && text[i] >= 'a' && text[i] <= 'z')
            text[i] = static_cast<char>(text[i] - 32);
    return text;
}

}  // namespace

bool read_date_form(std::string_view& text, FormDate& date) {
    if (!may_begin_date(text)) return false;
    auto rest = text;
    skip_weekday(rest);
    if (rest.size() < 4) return false;
    for (std::size_t i = 0; i < forms.size(); ++i)
        if (read_form(forms[i], rest, date)) {
            date.form = static_cast<int>(i);
            text = rest;
            return true;
        }
    return false;
}

bool read_digits(std::string_view& text, FormDate& date, double& seconds) {
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[n])) ++n;
    if (n < 4 || n > 14 || n % 2 != 0 || (n != 8 && n != text.size())) return false;
    auto rest = text;
    const auto part = [&](int otherwise, std::size_t width = 2) {
        const int value = take_number(rest, width, width);
        return value < 0 ? otherwise : value;
    };
    date = {};
    date.year = part(0, 4);
    date.month = part(1);
    date.day = part(1);
    const int hour = part(0);
    const int minute = part(0);
    const int second = part(0);
    if (date.year < 1000 || !exists(date.year, date.month, date.day) || hour > 24 || minute > 59 ||
        second > 59 || (hour == 24 && (minute > 0 || second > 0)))
        return false;
    seconds = hour * 3600.0 + minute * 60.0 + second;
    text = rest;
    return true;
}

std::string write_date(std::string_view& sample, std::chrono::sys_days date, bool one_digit) {
    using namespace std::chrono;
    FormDate read;
    auto behind = sample;
    if (!read_date_form(behind, read)) return {};
    const auto ymd = date_of(date);
    const sys_days new_year = std::chrono::year{ymd.year} / January / 1;
    const auto of_week = static_cast<int>(weekday(date).iso_encoding());
    const int thursday_year = date_of(date + days(4 - of_week)).year;
    auto rest = sample;
    skip_weekday(rest);
    std::string text;
    const auto form = forms[static_cast<std::size_t>(read.form)];
    const bool in_weeks = form.find('w') != std::string_view::npos;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool literal = form[i] == '\'';
        const char sign = form[literal ? ++i : i];
        const auto before = rest;
        Parts parts;
        bool short_part = false;
        const bool part = !literal && is_part(sign);
        if (part ? !take_part(sign, rest, parts, short_part) : !take_sign(sign, rest)) return {};
        const auto as_it_was = before.substr(0, before.size() - rest.size());
        switch (part ? sign : '\0') {
            case 'Y':
                text += padded(in_weeks ? thursday_year : ymd.year, 4);
                break;
            case 'y':
                text += padded(ymd.year % 100, 2);
                break;
            case 'M':
            case 'm':
                text += padded(ymd.month, sign == 'M' && one_digit ? 1 : 2);
                break;
            case 'D':
            case 'd':
                text += padded(ymd.day, sign == 'D' && one_digit ? 1 : 2);
                break;
            case 'q':
                text += padded((ymd.month + 2) / 3, 1);
                break;
            case 'w':
                text += padded(static_cast<int>((date - monday_of(thursday_year, 1)).count() / 7 + 1), 2);
                break;
            case 'u':
                text += padded(of_week, 1);
                break;
            case 'j':
                text += padded(static_cast<int>((date - new_year).count() + 1), 3);
                break;
            case 'b': {
                MonthName name;
                if (!find_month(as_it_was, name)) return {};
                text += name_like(name, ymd.month);
                if (as_it_was.size() > name.text.size()) text += as_it_was.back();
                break;
            }
            default:
                text += as_it_was;
        }
    }
    sample = behind;
    return text;
}

}  // namespace casp::data
