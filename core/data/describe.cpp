#include "data/describe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "config/text_utils.h"
#include "data/csv_text.h"
#include "data/scaler.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

constexpr std::size_t width = 100;
constexpr std::size_t label_width = 12;
constexpr std::int64_t shown_warnings = 25;  // per kind

/// Characters of UTF-8 text, each taken as one column wide.
std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string left(const std::string& text, std::size_t columns) {
    const std::size_t n = letters(text);
    return n < columns ? text + std::string(columns - n, ' ') : text;
}

std::string right(const std::string& text, std::size_t columns) {
    const std::size_t n = letters(text);
    return n < columns ? std::string(columns - n, ' ') + text : text;
}

std::string shortened(const std::string& text, std::size_t most) {
    if (letters(text) <= most) return text;
    std::string out;
    std::size_t n = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u && ++n > most - 3) break;
        out += c;
    }
    return out + "...";
}

/// Wraps at spaces; continuation lines are indented by `indent`.
std::string wrapped(const std::string& text, std::size_t used, std::size_t indent) {
    std::string out;
    std::size_t at = used;
    std::size_t begin = 0;
    bool first = true;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const std::size_t n = letters(word);
        if (!first && at + 1 + n > width) {
            out += '\n';
            out.append(indent, ' ');
            at = indent;
        } else if (!first) {
            out += ' ';
            ++at;
        }
        out += word;
        at += n;
        first = false;
        begin = end + 1;
    }
    return out;
}

std::string entry_line(const std::string& label, const std::string& text) {
    return left(label, label_width) + wrapped(text, label_width, label_width) + "\n";
}

std::string format_text(const Format& format) {
    return format.encoding + (format.bom ? " with byte-order mark" : "") + ", " + format.line_ending + ", " +
           sign_name(format.delimiter) + " between cells, decimal " + sign_name(format.decimal) + ", " +
           (format.has_header ? "header" : "no header");
}

std::string short_number(double value) {
    std::array<char, 40> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.6g", value);
    return buffer.data();
}

std::string describe_time(const Table& table) {
    if (table.time.empty()) {
        auto text = entry_line("time", "no date column found");
        if (table.step.is_known())
            text += entry_line("frequency",
                               frequency_name(table.step) + ", of column \"" +
                                   (table.row_numbers ? table.row_numbers->name : std::string()) + "\"");
        return text;
    }
    std::string columns;
    for (const auto& name : table.format.time_columns)
        columns += (columns.empty() ? "\"" : "\" and \"") + name;
    std::string text = entry_line("time", "column " + columns + "\", " + table.format.time_format);
    double least = NAN;
    double most = NAN;
    for (const double t : table.time) {
        least = std::fmin(least, t);  // fmin and fmax ignore NaN
        most = std::fmax(most, t);
    }
    const auto& local = table.step.local;
    text += entry_line("", local.text(least) + " to " + local.text(most) +
                               (local.zone != nullptr ? " (" + local.zone_name() + ")" : std::string()));
    return text + entry_line("frequency", frequency_name(table.step));
}

/// How the file was read: a line per decision, with its reason and the setting that changes it.
std::string describe_readings(const std::vector<Reading>& readings) {
    if (readings.empty()) return {};
    std::string text = "\nread as\n";
    for (const auto& reading : readings) {
        const auto line = reading.found + (reading.why.empty() ? "" : ": " + reading.why) +
                          (reading.key.empty() ? "" : " [" + reading.key + "]");
        text += "  " + left(reading.what, 22) + wrapped(line, 24, 24) + "\n";
    }
    return text;
}

std::string border_line(const char* name, std::int64_t first, std::int64_t rows, const SplitPart& part,
                        std::size_t channels) {
    return "  " + left(name, 12) + right(with_commas(first) + " .. " + with_commas(first + rows - 1), 23) +
           right(with_commas(part.begin) + " .. " + with_commas(part.end - 1), 23) +
           right(with_commas(part.windows), 14) +
           right(with_commas(part.windows * static_cast<std::int64_t>(channels)), 24) + "\n";
}

std::string describe_split(const SplitPlan& plan, const Table& table) {
    const std::size_t channels = table.columns.size();
    const auto [train, val, test] = plan.part_rows;
    std::string text = entry_line(
        "split", split_name(plan.rule) + ", lookback " + std::to_string(plan.lookback) + ", horizon " +
                     std::to_string(plan.horizon) +
                     (plan.percent < 100 ? ", first " + std::to_string(plan.percent) + " % of training"
                                         : std::string()));
    text += "  " + left("", 12) + right("rows", 23) + right("rows read", 23) + right("windows", 14) +
            right("x " + with_commas(static_cast<std::int64_t>(channels)) + " channels", 24) + "\n";
    text += border_line("training", 0, train, plan.train, channels);
    text += border_line("validation", train, val, plan.val, channels);
    text += border_line("test", train + val, test, plan.test, channels);
    if (plan.unused_rows() > 0)
        text += "  " + left("never used", 12) +
                right(with_commas(plan.rows - plan.unused_rows()) + " .. " + with_commas(plan.rows - 1), 23) +
                "\n";
    return text + entry_line("scaler",
                             "mean and standard deviation of rows 0 .. " + with_commas(plan.scaler_rows - 1));
}

struct ChannelSummary {
    std::string least = "-", mean = "-", std = "-", most = "-";
};

ChannelSummary summary_of(const Column& column) {
    std::vector<double> without_missing;
    if (column.missing > 0) {
        without_missing.reserve(column.values.size());
        for (const double v : column.values)
            if (!std::isnan(v)) without_missing.push_back(v);
    }
    const auto& values = column.missing > 0 ? without_missing : column.values.all();
    if (values.empty()) return {};
    const Moments m = fast_moments(values.data(), values.size());
    const auto [least, most] = extremes(values.data(), values.size());
    return {short_number(least), short_number(m.mean), short_number(m.std), short_number(most)};
}

std::string describe_channels(const Table& table) {
    std::vector<ChannelSummary> summaries(table.columns.size());
    parallel_for(summaries.size(), thread_count(0),
                 [&](std::size_t i, int) { summaries[i] = summary_of(table.columns[i]); });
    std::size_t name_width = 8;
    for (const auto& column : table.columns)
        name_width = std::max(name_width, std::min<std::size_t>(letters(column.name), 30));
    std::string text = '\n' + left("channel", name_width + 2) + right("min", 13) + right("mean", 13) +
                       right("std", 13) + right("max", 13) + right("missing", 12) + "\n";
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        const auto& column = table.columns[i];
        const auto& [least, mean, std, most] = summaries[i];
        text += left(shortened(column.name, name_width), name_width + 2) + right(least, 13) +
                right(mean, 13) + right(std, 13) + right(most, 13) + right(with_commas(column.missing), 12) +
                "\n";
    }
    return text;
}

std::string describe_warnings(const std::vector<Warning>& warnings) {
    if (warnings.empty()) return "\nno warnings\n";
    std::string text = '\n' + with_commas(static_cast<std::int64_t>(warnings.size())) +
                       (warnings.size() == 1 ? " warning\n" : " warnings\n");
    std::map<WarningKind, std::int64_t> count;
    for (const auto& warning : warnings) ++count[warning.kind];
    std::map<WarningKind, std::int64_t> shown;
    for (const auto& warning : warnings) {
        const std::int64_t n = shown[warning.kind]++;
        if (n >= shown_warnings && count[warning.kind] > shown_warnings + 1) {
            if (n == shown_warnings)
                text += "  " + left("", 12) + "... and " + with_commas(count[warning.kind] - n) +
                        " more of the kind " + to_string(warning.kind) + "\n";
            continue;
        }
        const std::string line = warning.line > 0 ? "line " + std::to_string(warning.line) : "";
        text += "  " + left(line, 12) + wrapped(warning.text, 14, 14) + "\n";
    }
    return text;
}

}  // namespace

std::string with_commas(std::int64_t number) {
    std::string text = std::to_string(number);
    const std::size_t first = text[0] == '-' ? 1 : 0;
    for (std::size_t i = text.size(); i > first + 3;) {
        i -= 3;
        text.insert(i, 1, ',');
    }
    return text;
}

std::string describe(const SeriesCollection& collection, const CatalogEntry* entry,
                     const std::string& m4_stopping) {
    const auto& frequency = collection.frequency;
    const auto horizon = with_commas(collection.horizon);
    std::vector<std::int64_t> lengths;
    for (std::int64_t i = 0; i < collection.size(); ++i) lengths.push_back(collection.length(i));
    std::ranges::sort(lengths);
    std::string text = entry_line("file", collection.path.string());
    text += entry_line("data set", entry == nullptr ? "not in the catalogue"
                                                    : entry->name + " (" + entry->title +
                                                          "), by number and ids of its series");
    text += entry_line("sha256", collection.sha256);
    text += entry_line("frequency", frequency.name + ", season of " + with_commas(frequency.season) +
                                        (frequency.season == 1 ? " value" : " values"));
    text += entry_line("series", with_commas(collection.size()) + ", of " + with_commas(lengths.front()) +
                                     " to " + with_commas(lengths.back()) + " training values");
    text += entry_line("lengths", "training values: " + with_commas(lengths.front()) + " to " +
                                      with_commas(lengths.back()) + ", median " +
                                      with_commas(lengths[lengths.size() / 2]) + ", " +
                                      with_commas(std::ssize(collection.values)) + " in all");
    text += "\n";
    text += entry_line("training", "a window of each series per epoch, cut within the last " +
                                       with_commas(frequency.history) + " values");
    text += entry_line("validation", m4_stopping == "holdout"
                                         ? "the last " + horizon + " training values of each series"
                                         : "the test values (data.m4_stopping = \"paper\")");
    text += entry_line("test", horizon + " values of each series");
    text += describe_readings(collection.readings);
    return text + describe_warnings(collection.warnings);
}

std::string describe(const Table& table, const SplitPlan* plan, const KnownData& known,
                     const std::string& no_plan, const std::vector<std::int64_t>& targets) {
    std::string text;
    if (!table.path.empty()) text += entry_line("file", table.path.string());
    text += entry_line("data set", origin_text(known));
    if (known.entry != nullptr && !known.entry->note.empty()) text += entry_line("", known.entry->note);
    if (!table.sha256.empty()) text += entry_line("sha256", table.sha256);
    text += entry_line("format", format_text(table.format));
    text += entry_line("rows", with_commas(table.rows()));
    text += entry_line("channels", with_commas(static_cast<std::int64_t>(table.columns.size())));
    std::vector<std::string> names;
    for (const auto target : targets) names.push_back(table.columns[static_cast<std::size_t>(target)].name);
    if (!names.empty()) text += entry_line("targets", config::listed(names));
    text += describe_time(table);
    text += describe_readings(table.readings);
    text += "\n";
    text += plan != nullptr ? describe_split(*plan, table)
                            : entry_line("split", no_plan.empty() ? "none" : no_plan);
    text += describe_channels(table);
    return text + describe_warnings(table.warnings);
}

}  // namespace casp::data
