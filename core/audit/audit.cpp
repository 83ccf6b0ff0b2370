#include "audit/audit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "audit/prediction_scaling.h"
#include "audit/window_findings.h"
#include "config/text_utils.h"
#include "data/describe.h"
#include "store/result_columns.h"
#include "util/error.h"

namespace casp::audit {

namespace {

using data::with_commas;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::array<std::string_view, 13> code_names{
    "clean",           "dropped-windows", "extra-windows",     "wrong-split",        "wrong-horizon",
    "foreign-scaler",  "original-units",  "reordered-windows", "reordered-channels", "missing-channels",
    "shifted-windows", "not-finite",      "truth-differs"};

std::int64_t column_count(const data::PreparedData& data) { return std::ssize(data.table.columns); }

const std::string& name_of_column(const data::PreparedData& data, std::int64_t column) {
    return data.table.columns[static_cast<std::size_t>(column)].name;
}

/// Columns by the names or numbers of a CSV file. Throws an input Error for one that there is not.
std::vector<std::int64_t> named_columns(const ForeignForecasts& forecasts, const data::PreparedData& data) {
    std::vector<std::int64_t> columns;
    for (const auto& name : forecasts.channels) {
        auto column = data.table.find_column(name);
        std::int64_t number = -1;
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (column < 0 && problem == std::errc() && end == name.data() + name.size() &&
            number < column_count(data))
            column = number;
        if (column < 0) {
            std::vector<std::string> names;
            for (const auto& one : data.table.columns) names.push_back(one.name);
            throw input_error(
                forecasts.path.string(),
                Phrase("channel %1 is no column of %2", config::in_quotes(config::abbreviated(name, 80)),
                       data.table.path.filename().string()),
                config::abbreviated(config::either(names).english(), 400));
        }
        columns.push_back(column);
    }
    return columns;
}

/// The first columns, in order.
std::vector<std::int64_t> first_columns(std::int64_t channels, const data::PreparedData& data) {
    std::vector<std::int64_t> columns(static_cast<std::size_t>(channels), -1);
    std::iota(columns.begin(),
              columns.begin() + static_cast<std::ptrdiff_t>(std::min(channels, column_count(data))), 0);
    return columns;
}

/// "HUFL, HULL, …"
Phrase names_of(const std::vector<std::int64_t>& columns, const data::PreparedData& data) {
    std::vector<std::string> names;
    for (const auto column : columns) names.push_back(column < 0 ? "?" : name_of_column(data, column));
    return config::listed(names);
}

/// `named`: columns by the names in the file; empty: channels have no names, and their order counts.
void add_channel_findings(std::vector<Finding>& findings, const Audit& audit,
                          const std::vector<std::int64_t>& named, const data::PreparedData& data) {
    std::vector<std::int64_t> missing, found;
    const auto& columns = audit.match.column;
    for (const auto column : columns)
        if (column >= 0) found.push_back(column);
    for (std::int64_t column = 0; column < column_count(data); ++column)
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) missing.push_back(column);
    if (!missing.empty())
        findings.push_back(
            {FindingCode::missing_channels,
             missing.size() == 1
                 ? Phrase("%1 of %2 channels is missing: %3", with_commas(std::ssize(missing)),
                          with_commas(column_count(data)), names_of(missing, data))
                 : Phrase("%1 of %2 channels are missing: %3", with_commas(std::ssize(missing)),
                          with_commas(column_count(data)), names_of(missing, data))});
    if (named.empty() ? !std::is_sorted(found.begin(), found.end()) : named != columns && missing.empty())
        findings.push_back({FindingCode::reordered_channels,
                            named.empty() ? Phrase("the order of the channels is %1", names_of(columns, data))
                                          : Phrase("the channels named %1 have the values of %2",
                                                   names_of(named, data), names_of(columns, data))});
    if (const auto unknown = std::count(columns.begin(), columns.end(), -1); unknown > 0)
        findings.push_back({FindingCode::truth_differs,
                            unknown == 1
                                ? Phrase("%1 channel of the arrays is no column of the data set (%2)",
                                         with_commas(unknown), names_of(columns, data))
                                : Phrase("%1 channels of the arrays are no column of the data set (%2)",
                                         with_commas(unknown), names_of(columns, data))});
}

bool has_original_units(const Scaling& scaling) {
    return scaling.kind == Scaling::Kind::original_units || scaling.kind == Scaling::Kind::partly_original;
}

void add_scaling_finding(std::vector<Finding>& findings, const Audit& audit, const data::PreparedData& data,
                         bool in_original_units) {
    using Kind = Scaling::Kind;
    const auto &scaling = audit.match.scaling, &truths = audit.truth_scaling;
    if (!same_scaling(scaling, truths)) {
        const bool original = has_original_units(scaling) || has_original_units(truths);
        findings.push_back(
            {original ? FindingCode::original_units : FindingCode::foreign_scaler,
             Phrase("the predictions are %1, and the truths are %2", units_of(scaling), units_of(truths))});
        return;
    }
    if (scaling.kind == Kind::expected || (scaling.kind == Kind::original_units && in_original_units)) return;
    if (scaling.kind == Kind::original_units) {
        findings.push_back({FindingCode::original_units,
                            "the values are in original units, not scaled with the training rows' mean and "
                            "standard deviation"});
        return;
    }
    if (scaling.kind == Kind::partly_original) {
        findings.push_back({FindingCode::original_units, Phrase("the values are %1", units_of(scaling))});
        return;
    }
    const auto column = static_cast<std::size_t>(
        *std::find_if(audit.match.column.begin(), audit.match.column.end(), [](auto c) { return c >= 0; }));
    const auto pair_of = [column](const data::Scaler& scaler) {
        return Phrase("%1 and %2", store::four_digits(scaler.mean[column]),
                      store::four_digits(scaler.std[column]));
    };
    findings.push_back(
        {FindingCode::foreign_scaler,
         Phrase("scaled with %1: subtracted and divided by %2 in %3 (training rows: %4)", scaling.description,
                pair_of(scaling.scaler), data.table.columns[column].name, pair_of(data.scaler))});
}

/// Counts of values that are not finite, and errors of all and of the shared windows.
class Errors {
public:
    Errors(const ForeignForecasts& forecasts, Audit& audit, const data::PreparedData& data)
        : forecasts_(forecasts),
          audit_(audit),
          data_(data),
          shared_windows_(test_windows(audit, data)),
          channels_(static_cast<std::size_t>(audit.channels)) {}

    void add(std::int64_t window) {
        const auto values = static_cast<std::size_t>(audit_.horizon * audit_.channels);
        prediction_.resize(values);
        forecasts_.prediction.read(window, prediction_);
        count_not_finite(prediction_, window, "pred");
        if (forecasts_.truth) {
            truth_.resize(values);
            forecasts_.truth->read(window, truth_);
            count_not_finite(truth_, window, "true");
            for (std::size_t i = 0; i < values; ++i) {
                const double error = prediction_[i] - truth_[i];
                stored_.add(error);
                auto& channel = channels_[i % channels_.size()];
                channel.least = std::min(channel.least, truth_[i]);
                channel.most = std::max(channel.most, truth_[i]);
                channel.largest_error =
                    std::isfinite(error) ? std::max(channel.largest_error, std::abs(error)) : infinity;
            }
        }
        add_shared(window);
    }

    void finish() {
        audit_.mse = forecasts_.truth ? stored_.mse() : nan;
        audit_.mae = forecasts_.truth ? stored_.mae() : nan;
        audit_.mse_shared = shared_.mse();
        audit_.mae_shared = shared_.mae();
        add_equal_channels();
        if (count_ > 0)
            audit_.findings.push_back(
                {FindingCode::not_finite,
                 count_ == 1 ? Phrase("%1 value is not finite, %2", with_commas(count_), first_)
                             : Phrase("%1 values are not finite, %2", with_commas(count_), first_)});
    }

private:
    struct Sums {
        double squares = 0, absolute = 0, n = 0;
        void add(double error) {
            squares += error * error;
            absolute += std::abs(error);
            ++n;
        }
        [[nodiscard]] double mse() const { return n > 0 ? squares / n : nan; }
        [[nodiscard]] double mae() const { return n > 0 ? absolute / n : nan; }
    };

    /// A model does not forecast so; a channel that does not vary may be forecast without an error.
    void add_equal_channels() {
        std::vector<std::int64_t> equal;
        for (std::size_t i = 0; i < channels_.size(); ++i)
            if (const double range = channels_[i].most - channels_[i].least;
                range > 0 && channels_[i].largest_error <= 1e-6 * range)
                equal.push_back(audit_.match.column[i]);
        if (equal.empty()) return;
        audit_.findings.push_back(
            {FindingCode::truth_differs,
             equal.size() == channels_.size()
                 ? Phrase("the predictions are the truths in all channels: the truths seem to be stored in "
                          "their place")
                 : Phrase("the predictions are the truths in %1: the truths seem to be stored in their place",
                          names_of(equal, data_))});
    }

    void count_not_finite(const std::vector<double>& values, std::int64_t window, const char* array) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i])) continue;
            const auto channels = static_cast<std::size_t>(audit_.channels);
            if (count_++ == 0)
                first_ = Phrase("the first in %1, window %2, step %3, channel %4", array, with_commas(window),
                                i / channels, i % channels);
        }
    }

    void add_shared(std::int64_t window) {
        const auto row = audit_.row[static_cast<std::size_t>(window)];
        const auto place = row - data_.plan.test.target_begin;
        if (row < 0 || place < 0 || place >= data_.plan.test.windows) return;
        if (shared_windows_[static_cast<std::size_t>(place)] != window) return;
        ++audit_.shared;
        rescale_window(prediction_, audit_.match, data_, own_);
        const auto columns = data_.table.columns.size();
        for (std::size_t c = 0; c < columns; ++c) {
            if (!has_column(static_cast<std::int64_t>(c))) continue;
            const double mean = data_.scaler.mean[c], std = data_.scaler.std[c];
            const double* const values = data_.table.columns[c].values.data() + row;
            for (std::size_t h = 0; h < static_cast<std::size_t>(audit_.horizon); ++h)
                shared_.add(own_[h * columns + c] - (values[h] - mean) / std);
        }
    }

    [[nodiscard]] bool has_column(std::int64_t column) const {
        const auto& columns = audit_.match.column;
        return std::find(columns.begin(), columns.end(), column) != columns.end();
    }

    const ForeignForecasts& forecasts_;
    Audit& audit_;
    const data::PreparedData& data_;
    std::vector<double> prediction_, truth_, own_;
    std::vector<std::int64_t> shared_windows_;
    Sums stored_, shared_;
    struct ChannelRange {
        double least = infinity, most = -infinity;  ///< of the truths
        double largest_error = 0;
    };
    std::vector<ChannelRange> channels_;
    std::int64_t count_ = 0;
    Phrase first_;
};

/// Sets the scaling of the predictions.
void scale_predictions(Audit& audit, const ForeignForecasts& forecasts, const data::PreparedData& data) {
    audit.truth_scaling = audit.match.scaling;
    auto [scaling, is_shown] = scaling_of_predictions(forecasts.prediction, audit.match, audit.row, data);
    audit.match.scaling = std::move(scaling);
    if (!forecasts.truth) audit.truth_scaling = audit.match.scaling;
    if (!is_shown)
        audit.notes.emplace_back("The predictions follow the data too little to show their units.");
}

/// Without truths: windows by their numbers.
void assume_rows(Audit& audit, const ForeignForecasts& forecasts, const data::PreparedData& data) {
    const auto first = data.plan.test.target_begin;
    const auto& numbers = forecasts.window_numbers;
    for (std::int64_t w = 0; w < audit.windows; ++w) {
        const auto number = numbers.empty() ? w : numbers[static_cast<std::size_t>(w)];
        audit.row.push_back(number < data.plan.test.windows ? first + number : -1);
    }
    audit.match.scaling = possible_scalings(data).front();
    auto findings = window_count_findings(forecasts, audit.expected_windows);
    std::move(findings.begin(), findings.end(), std::back_inserter(audit.findings));
    audit.notes.emplace_back(
        "There are no truths (true.npy): order, split and exact scaling of the windows could not be "
        "checked.");
}

void match_truths(Audit& audit, const ForeignForecasts& forecasts, const data::PreparedData& data,
                  const ProgressFn& progress, const std::stop_token& stop) {
    if (auto match = match_channels(*forecasts.truth, forecasts.window_numbers, data, stop)) {
        audit.match = std::move(*match);
        auto rows = match_rows(*forecasts.truth, forecasts.window_numbers, audit.match, data, progress, stop);
        audit.row = std::move(rows.row);
        if (rows.ambiguous > 0)
            audit.notes.push_back(
                rows.ambiguous == 1
                    ? Phrase("%1 window has values that occur at several rows of the data set. The row after "
                             "the previous window is preferred, then the expected one.",
                             with_commas(rows.ambiguous))
                    : Phrase("%1 windows have values that occur at several rows of the data set. The row "
                             "after the previous window is preferred, then the expected one.",
                             with_commas(rows.ambiguous)));
        auto findings = window_findings(audit, data);
        std::move(findings.begin(), findings.end(), std::back_inserter(audit.findings));
        return;
    }
    audit.match = {first_columns(audit.channels, data), possible_scalings(data).front()};
    audit.row.assign(static_cast<std::size_t>(audit.windows), -1);
    audit.findings.push_back(
        {FindingCode::truth_differs, Phrase("no window of true that was tried is a sequence of rows of %1, "
                                            "up to a shift and a factor per channel",
                                            data.table.path.filename().string())});
}

/// What float16 and other coarse values hide.
void add_precision_note(Audit& audit, const ForeignForecasts& forecasts) {
    const auto text = [](const std::string& of, const Rounding& rounding) {
        const bool decimal = rounding.absolute > 0;
        return decimal ? Phrase("The %1 have %2: differences of less than %3 cannot be seen.", of,
                                rounding.name, config::shortest(rounding.absolute))
               : rounding.bits < 11
                   ? Phrase("The %1 are in %2: differences of less than 0.4 % of a value cannot be seen.", of,
                            rounding.name)
                   : Phrase("The %1 are in %2: differences of less than 0.05 % of a value cannot be seen.",
                            of, rounding.name);
    };
    if (audit.match.rounding.is_coarse()) audit.notes.push_back(text("truths", audit.match.rounding));
    if (forecasts.prediction.is_half())
        audit.notes.push_back(text("predictions", rounding_of(forecasts.prediction)));
}

void add_horizon_finding(Audit& audit, std::int64_t horizon) {
    if (audit.horizon == horizon) return;
    audit.findings.push_back(
        {FindingCode::wrong_horizon,
         Phrase("the arrays have %1 steps, and data.horizon is %2 (if %3 is intended: --set data.horizon=%4)",
                with_commas(audit.horizon), with_commas(horizon), with_commas(audit.horizon),
                audit.horizon)});
}

}  // namespace

std::vector<std::int64_t> test_windows(const Audit& audit, const data::PreparedData& data) {
    std::vector<std::int64_t> windows(static_cast<std::size_t>(data.plan.test.windows), -1);
    for (std::size_t window = 0; window < audit.row.size(); ++window) {
        const auto place = audit.row[window] - data.plan.test.target_begin;
        if (audit.row[window] < 0 || place < 0 || place >= data.plan.test.windows) continue;
        auto& first = windows[static_cast<std::size_t>(place)];
        if (first < 0) first = static_cast<std::int64_t>(window);
    }
    return windows;
}

std::string_view to_string(FindingCode code) { return code_names[static_cast<std::size_t>(code)]; }

Audit audit_forecasts(const ForeignForecasts& forecasts, const data::PreparedData& data, std::int64_t horizon,
                      const ProgressFn& progress, const std::stop_token& stop) {
    Audit audit;
    audit.windows = forecasts.prediction.windows();
    audit.horizon = forecasts.prediction.horizon();
    audit.channels = forecasts.prediction.channels();
    audit.expected_windows = data.plan.test.windows;
    add_horizon_finding(audit, horizon);
    if (forecasts.are_exchanged)
        audit.findings.push_back(
            {FindingCode::truth_differs,
             "the predictions are the test windows of the data set, and the truths are not: "
             "taken the other way round"});
    const auto named = named_columns(forecasts, data);
    if (forecasts.truth) {
        match_truths(audit, forecasts, data, progress, stop);
    } else {
        audit.match.column = named.empty() ? first_columns(audit.channels, data) : named;
        assume_rows(audit, forecasts, data);
    }
    scale_predictions(audit, forecasts, data);
    add_channel_findings(audit.findings, audit, named, data);
    add_scaling_finding(audit.findings, audit, data, forecasts.in_original_units);
    add_precision_note(audit, forecasts);
    Errors errors(forecasts, audit, data);
    for (std::int64_t window = 0; window < audit.windows; ++window) {
        if (window % 256 == 0) {
            throw_if_stopped(stop);
            if (progress) progress({Stage::computing_errors, window, audit.windows, "windows"});
        }
        errors.add(window);
    }
    errors.finish();
    if (audit.findings.empty())
        audit.findings.push_back(
            {FindingCode::clean, audit.match.scaling.kind == Scaling::Kind::original_units
                                     ? Phrase("the %1 windows are those of the test split, in order, in "
                                              "original units, as files of this form have them",
                                              with_commas(audit.windows))
                                     : Phrase("the %1 windows are those of the test split, in order, scaled "
                                              "with the training rows' mean and standard deviation",
                                              with_commas(audit.windows))});
    return audit;
}

}  // namespace casp::audit
