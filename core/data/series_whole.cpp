#include "data/series_whole.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "config/config.h"
#include "config/text_utils.h"
#include "util/error.h"

namespace casp::data {

namespace {

Phrase values_text(std::int64_t count) {
    return count == 1 ? Phrase("%1 value", count) : Phrase("%1 values", count);
}

Phrase series_count(std::int64_t count) { return Phrase("%1 series", count); }

/// Missing values of one kind over all series.
struct MissingCount {
    std::int64_t values = 0;
    std::int64_t series = 0;
    std::int64_t first_line = 0;
    std::string first_id;

    void add(std::int64_t count, std::int64_t line, const std::string& id) {
        if (count == 0) return;
        if (series++ == 0) {
            first_line = line;
            first_id = id;
        }
        values += count;
    }
    /// "12 missing values in 3 series, the first in "T1","
    [[nodiscard]] Phrase text() const {
        return values == 1   ? series == 1 ? Phrase("%1 missing value in %2", values, shown_series(first_id))
                                           : Phrase("%1 missing value in %2, the first in %3", values,
                                                    series_count(series), shown_text(first_id))
                 : series == 1 ? Phrase("%1 missing values in %2", values, shown_series(first_id))
                             : Phrase("%1 missing values in %2, the first in %3", values,
                                      series_count(series), shown_text(first_id));
    }
    void warn(std::vector<Warning>& warnings, WarningKind kind, const Phrase& text_after) const {
        if (values > 0) warnings.push_back({kind, first_line, first_id, values, text() + text_after});
    }
};

/// Linear between the known neighbours; the ends are known.
void interpolate_series(std::span<double> values) {
    std::size_t known = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        const double step = (values[i] - values[known]) / static_cast<double>(i - known);
        for (std::size_t k = known + 1; k < i; ++k)
            values[k] = values[known] + step * static_cast<double>(k - known);
        known = i;
    }
}

class Division {
public:
    Division(const WholeSeries& whole, const CollectionOptions& options)
        : whole_(whole), file_(whole.file), where_(whole.path.string()), options_(options) {
        out_.path = whole.path;
        out_.warnings = whole.warnings;
        out_.readings = whole.readings;
        out_.sha256 = file_.sha256;
    }

    SeriesCollection run() {
        const bool replaces =
            options_.missing != MissingPolicy::error && options_.missing != MissingPolicy::keep;
        if (whole_.no_number && !replaces) throw Error(*whole_.no_number);
        places_of(file_, where_);
        trim();
        choose_horizon();
        treat_missing();
        if (kept_.empty())
            throw input_error(where_, "every series has missing values", "a series without",
                              "Set data.missing = \"interpolate\".");
        divide();
        out_.frequency = whole_.frequency.of_horizon(out_.horizon);
        return std::move(out_);
    }

private:
    /// Known part of a series.
    struct Part {
        std::size_t series;
        std::int64_t begin, end;  ///< in the file's values
        [[nodiscard]] std::int64_t length() const { return end - begin; }
    };

    [[nodiscard]] std::int64_t line_of(std::size_t series, std::int64_t value) const {
        return whole_.value_lines.empty() ? file_.lines[series]
                                          : whole_.value_lines[static_cast<std::size_t>(value)];
    }
    [[nodiscard]] const std::string& id_of(const Part& part) const { return file_.ids[part.series]; }
    [[nodiscard]] bool is_missing(std::int64_t value) const {
        return std::isnan(file_.values[static_cast<std::size_t>(value)]);
    }

    void trim() {
        MissingCount front;
        MissingCount back;
        for (std::size_t s = 0; s < file_.ids.size(); ++s) {
            Part part{s, file_.offsets[s], file_.offsets[s + 1]};
            while (part.begin < part.end && is_missing(part.begin)) ++part.begin;
            while (part.begin < part.end && is_missing(part.end - 1)) --part.end;
            if (part.length() == 0)
                throw input_error(at_line(where_, file_.lines[s]),
                                  Phrase("%1 has no values", shown_series(file_.ids[s])),
                                  "a series with values", "Remove the series.");
            front.add(part.begin - file_.offsets[s], line_of(s, file_.offsets[s]), file_.ids[s]);
            back.add(file_.offsets[s + 1] - part.end, line_of(s, file_.offsets[s + 1] - 1), file_.ids[s]);
            kept_.push_back(part);
        }
        front.warn(out_.warnings, WarningKind::missing_value,
                   ": before the first known value; left out, the series begin with it");
        back.warn(out_.warnings, WarningKind::missing_value,
                  ": after the last known value; left out, the test values are the last known ones");
    }

    void choose_horizon() {
        const bool demanded = options_.horizon > 0;
        const std::int64_t customary = whole_.horizon > 0             ? whole_.horizon
                                       : whole_.frequency.horizon > 0 ? whole_.frequency.horizon
                                                                      : config::Config().data.horizon;
        out_.horizon = demanded ? options_.horizon : customary;
        const auto shortest = std::ranges::min_element(
            kept_, [](const Part& a, const Part& b) { return a.length() < b.length(); });
        if (demanded && whole_.horizon > 0 && whole_.horizon != out_.horizon)
            warn(Phrase("the file asks for a horizon of %1, data.horizon is %2", whole_.horizon,
                        out_.horizon));
        const std::int64_t most = (shortest->length() - 1) / 2;
        if (most >= out_.horizon) return;
        if (demanded || most == 0)
            throw input_error(
                where_, Phrase("%1 has %2", shown_series(id_of(*shortest)), values_text(shortest->length())),
                Phrase("at least %1: %2 test values (the horizon) and %3 training values",
                       2 * out_.horizon + 1, out_.horizon, out_.horizon + 1),
                "Remove the series, or shorten the horizon.");
        warn(Phrase(
            "a horizon of %1 needs series of %2, and %3 has %4: a horizon of %5 is shown. Set data.horizon",
            out_.horizon, values_text(2 * out_.horizon + 1), shown_series(id_of(*shortest)),
            shortest->length(), most));
        out_.horizon = most;
    }

    void warn(const Phrase& text) { out_.warnings.push_back({WarningKind::policy, 0, {}, 1, text}); }

    void treat_missing() {
        MissingCount missing;
        MissingCount in_test;
        std::vector<Part> complete;
        for (const Part& part : kept_) {
            std::int64_t count = 0;
            std::int64_t of_test = 0;
            std::int64_t first = 0;
            for (auto i = part.begin; i < part.end; ++i) {
                if (!is_missing(i)) continue;
                if (count++ == 0) first = i;
                of_test += i >= part.end - out_.horizon ? 1 : 0;
            }
            if (count == 0) complete.push_back(part);
            missing.add(count, line_of(part.series, first), id_of(part));
            in_test.add(of_test, line_of(part.series, first), id_of(part));
        }
        if (missing.values == 0) return;
        const auto policy = options_.missing.value_or(MissingPolicy::interpolate);
        if (policy == MissingPolicy::drop_column) {
            missing.warn(out_.warnings, WarningKind::policy, ": these series are left out");
            kept_ = std::move(complete);
            return;
        }
        if (policy != MissingPolicy::interpolate)
            throw input_error(missing.first_line > 0 ? at_line(where_, missing.first_line) : where_,
                              Phrase("%1, between known ones", missing.text()),
                              "a number for every time of a series",
                              "Set data.missing = \"interpolate\" to fill them from their neighbours, or "
                              "\"drop-column\" to leave out these series.");
        filled_ = file_.values;
        for (const Part& part : kept_)
            interpolate_series(std::span(filled_).subspan(static_cast<std::size_t>(part.begin),
                                                          static_cast<std::size_t>(part.length())));
        Phrase how = ": filled from the neighbours";
        if (!options_.missing) how += " here; a run needs data.missing = \"interpolate\" or \"drop-column\"";
        if (in_test.values > 0)
            how += Phrase("; %1 of them test values, against which errors are computed", in_test.values);
        missing.warn(out_.warnings, WarningKind::policy, how);
    }

    void divide() {
        const auto& values = filled_.empty() ? file_.values : filled_;
        for (const Part& part : kept_) {
            const auto first = values.begin() + part.begin;
            const auto cut = values.begin() + part.end - out_.horizon;
            out_.values.insert(out_.values.end(), first, cut);
            out_.test.insert(out_.test.end(), cut, values.begin() + part.end);
            out_.offsets.push_back(std::ssize(out_.values));
            out_.ids.push_back(file_.ids[part.series]);
        }
    }

    const WholeSeries& whole_;
    const SeriesFile& file_;
    const std::string where_;
    const CollectionOptions& options_;
    std::vector<Part> kept_;
    std::vector<double> filled_;  ///< values of the file without missing ones; empty: it had none
    SeriesCollection out_;
};

void warn_of_constant_series(SeriesCollection& collection) {
    std::int64_t count = 0;
    std::string first;
    for (std::int64_t s = 0; s < collection.size(); ++s) {
        const auto values = collection.training_of(s);
        if (std::ranges::adjacent_find(values, std::not_equal_to<>()) != values.end()) continue;
        if (count++ == 0) first = collection.ids[static_cast<std::size_t>(s)];
    }
    if (count == 0) return;
    collection.warnings.push_back(
        {WarningKind::constant_column, 0, first, count,
         count == 1
             ? Phrase(
                   "the training values of %1 are constant: its MASE is undefined and left out of the mean",
                   shown_series(first))
             : Phrase("the training values of %1 series are constant, the first is %2: their MASE is "
                      "undefined and left out of the mean",
                      count, shown_text(first))});
}

}  // namespace

Frequency stated_frequency(const std::string& name, const std::string& field,
                           const CollectionOptions& options, const std::string& where) {
    if (const auto* given = find_frequency(options.frequency)) return *given;
    if (const auto known = frequency_of_name(name)) return *known;
    throw frequency_unknown(name.empty() ? Phrase("%1 has no %2", where, field)
                                         : Phrase("%1 of %2 is %3", field, where, shown_text(name)));
}

Error frequency_unknown(const Phrase& why) {
    std::vector<std::string> names;
    for (const auto& frequency : frequencies()) names.push_back(frequency.name);
    return input_error("data.frequency", Phrase("not set, and %1", why), config::either(names),
                       "Set data.frequency.");
}

SeriesCollection divided(const WholeSeries& whole, const CollectionOptions& options) {
    auto collection = whole.test_path.empty() ? Division(whole, options).run() : joined_files(whole, options);
    warn_of_constant_series(collection);
    return collection;
}

}  // namespace casp::data
