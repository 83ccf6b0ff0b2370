#include "evidence/strata_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "analysis/strata.h"
#include "analysis/strata_labels.h"
#include "config/text_utils.h"
#include "store/run_folder.h"
#include "util/parallel.h"

namespace casp::evidence {

namespace {

using analysis::StrataAxis;
using analysis::StrataLabel;

constexpr std::string_view changes_table = "strata:trend-change";

struct Column {
    std::string label;
    std::string metric;
};

/// Of each of the two strata and their contrast, with its prefix.
const std::vector<Column>& pooled_columns() {
    static const std::vector<Column> columns{
        {"Pairs", "pairs"}, {"Δ %", "delta_percent"}, {"Improved", "improved"}, {"W", "w"}, {"p", "p"}};
    return columns;
}

/// Of trend changes: means over cells, as add_row() has them.
constexpr std::array change_columns{"Windows %", "Same as union %", "Union κ", "Same as strength %",
                                    "Strength κ"};

struct StratumRow {
    std::string label, prefix;
    std::string share;  ///< measure of the share of windows, of trend changes
};

std::vector<StratumRow> rows_of(const StrataAxis& axis) {
    if (axis.above_zero())
        return {{"With a change", "hard_", "with_percent"},
                {"Without", "easy_", "without_percent"},
                {"Contrast", "contrast_", ""}};
    return {
        {"Highest tenth", "hard_", ""}, {"Lowest three tenths", "easy_", ""}, {"Contrast", "contrast_", ""}};
}

bool is_union(const StrataAxis& axis) { return axis.label == StrataLabel::trend_change_union; }

/// The cells of one row of the table; `pairs` has the runs of strata.
void add_row(PaperTable& table, const PaperCell& pairs, const StrataAxis& axis, const StratumRow& row) {
    PaperCell cell;
    cell.runs = pairs.runs;
    cell.axis = analysis::name_of(axis);
    const auto add = [&](const std::string& metric) {
        cell.metric = metric;
        table.cells.emplace_back(metric.empty() ? std::nullopt : std::optional(cell));
    };
    std::vector<std::string> labels{row.label};
    if (axis.above_zero())
        labels = {is_union(axis) ? "Union of channels" : "Channel average",
                  config::shortest(axis.penalty_factor), row.label};
    table.rows.push_back(std::move(labels));
    cell.base = pairs.base;
    for (const auto& column : pooled_columns()) add(row.prefix + column.metric);
    cell.base.clear();
    if (!axis.above_zero()) return;
    add(row.share);
    const bool is_first = row.prefix == "hard_";
    for (const auto* of : {"union", "strength"})
        for (const auto* measure : {"_percent", "_kappa"})
            add(is_first && !(is_union(axis) && of[0] == 'u') ? std::string(of) + measure : std::string());
}

void add_stratum_errors(PaperRun& run, const StrataAxis& axis, const std::vector<double>& labels,
                        const store::ForecastErrors& errors, const std::vector<std::int64_t>& channels,
                        const std::stop_token& stop) {
    const auto name = analysis::name_of(axis);
    const auto set = [&](const char* measure, double value) {
        run.measures[strata_measure(measure, name)] = value;
    };
    if (axis.above_zero()) {
        const auto n = static_cast<double>(labels.size());
        const auto with = static_cast<double>(
            std::count_if(labels.begin(), labels.end(), [](double label) { return label > 0; }));
        set("with_percent", 100 * with / n);
        set("without_percent", 100 * (n - with) / n);
        set("hard_mse", store::not_known);  // a cell with one group has no contrast
        set("easy_mse", store::not_known);
        if (with == 0 || with == n) return;
    }
    analysis::StrataInput input{errors.start, channels, {}, errors.mse, errors.mae, {}};
    input.label = labels;
    input.above_zero = axis.above_zero();
    const auto strata = analysis::strata_of(input, 10, stop).strata;
    const auto easy = std::max<std::size_t>(1, strata.size() * 3 / 10);
    set("easy_mse", mean_mse(std::span(strata).first(easy)));
    set("hard_mse", mean_mse(std::span(strata).last(1)));
}

}  // namespace

const std::vector<std::string>& strata_axis_tables() {
    static const std::vector<std::string> names{std::string(changes_table), "strata:trend-strength",
                                                "strata:low-frequency"};
    return names;
}

std::vector<StrataAxis> axes_of_table(std::string_view name) {
    if (name == "strata:trend-strength") return {{StrataLabel::trend_strength}};
    if (name == "strata:low-frequency") return {{StrataLabel::low_frequency}};
    std::vector<StrataAxis> axes;
    if (name == changes_table)
        for (const auto label : {StrataLabel::trend_change, StrataLabel::trend_change_union})
            for (const double factor : analysis::penalty_factors) axes.push_back({label, factor});
    return axes;
}

void make_strata_axes(PaperTable& table) {
    const auto pairs = *std::find_if(table.cells.begin(), table.cells.end(),
                                     [](const auto& cell) { return cell.has_value(); });
    table.rows.clear();
    table.columns.clear();
    table.cells.clear();
    for (const auto& column : pooled_columns()) table.columns.push_back({column.label});
    if (table.name == changes_table)
        for (const auto* label : change_columns) table.columns.push_back({label});
    for (const auto& axis : axes_of_table(table.name))
        for (const auto& row : rows_of(axis)) add_row(table, *pairs, axis, row);
}

std::string strata_measure(std::string name, const std::string& axis) {
    return axis.empty() ? name : std::move(name) + '@' + axis;
}

double mean_mse(std::span<const analysis::Stratum> strata) {
    double sum = 0, windows = 0;
    for (const auto& stratum : strata) {
        const auto n = static_cast<double>(stratum.windows.size());
        sum += stratum.mse * n;
        windows += n;
    }
    return sum / windows;
}

Agreement agreement_of(std::span<const double> a, std::span<const double> b) {
    const auto n = static_cast<double>(a.size());
    double same = 0, in_a = 0, in_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        same += (a[i] > 0) == (b[i] > 0) ? 1 / n : 0;
        in_a += a[i] > 0 ? 1 / n : 0;
        in_b += b[i] > 0 ? 1 / n : 0;
    }
    const double by_chance = in_a * in_b + (1 - in_a) * (1 - in_b);
    constexpr double rounding = 1e-9;
    return {100 * same, by_chance > 1 - rounding ? store::not_known : (same - by_chance) / (1 - by_chance)};
}

std::vector<double> strongest(std::span<const double> strength, std::span<const double> changes) {
    const auto count = std::count_if(changes.begin(), changes.end(), [](double label) { return label > 0; });
    std::vector<std::size_t> order(strength.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return strength[a] < strength[b]; });
    std::vector<double> groups(strength.size(), 0);
    std::for_each(order.end() - count, order.end(), [&](auto window) { groups[window] = 1; });
    return groups;
}

LabelsOfRuns::Kept& LabelsOfRuns::kept_for(const StrataAxis& axis, const PaperRun& run,
                                           const std::string& digest) {
    // Test windows of a longer horizon are among those of a shorter one, with the same scaler.
    auto config = run.config;
    if (config.data.percent == 100) config.data.horizon = 1;
    if (axis.label != StrataLabel::trend_strength) config.model.seasonal_length = 1;
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const auto& kept) {
        return kept->axis == axis && kept->digest == digest && kept->config.data == config.data &&
               kept->config.data_csv == config.data_csv &&
               kept->config.model.trend_length == config.model.trend_length &&
               kept->config.model.seasonal_length == config.model.seasonal_length;
    });
    if (known != all_.end()) return **known;
    all_.push_back(std::make_unique<Kept>(Kept{axis, digest, std::move(config), {}}));
    return *all_.back();
}

void LabelsOfRuns::compute(const std::vector<Kept*>& kept, const PaperRun& run,
                           const store::ForecastErrors& errors, const std::stop_token& stop) {
    const auto has_all = [&](const Kept* one) {
        return std::all_of(errors.start.begin(), errors.start.end(),
                           [&](auto start) { return one->of_start.contains(start); });
    };
    if (std::all_of(kept.begin(), kept.end(), has_all)) return;
    const auto data = analysis::data_of_run(run.folder, run.config, {}, stop);
    parallel_for(kept.size(), thread_count(0), [&](std::size_t i, int /*worker*/) {
        auto& known = kept[i]->of_start;
        store::Embeddings of;
        for (const auto start : errors.start)
            if (!known.contains(start)) of.start.push_back(start);
        of.channels.resize(static_cast<std::size_t>(errors.channels));
        std::iota(of.channels.begin(), of.channels.end(), 0);
        if (of.start.empty()) return;
        const auto labels = analysis::strata_labels(data, run.config, kept[i]->axis, of, {}, stop);
        for (std::size_t k = 0; k < labels.size(); ++k) known[of.start[k]] = labels[k];
    });
}

void LabelsOfRuns::add_measures(PaperRun& run, const store::ForecastErrors& errors,
                                const std::stop_token& stop) {
    const auto digest =
        store::read_run_file(store::RunFolder(run.folder).run_file()).attributes.dataset_sha256;
    const bool changes = axes_.front().above_zero();
    auto needed = axes_;
    if (changes) needed.push_back({StrataLabel::trend_strength});
    std::vector<Kept*> kept;
    for (const auto& axis : needed) kept.push_back(&kept_for(axis, run, digest));
    compute(kept, run, errors, stop);
    std::vector<std::int64_t> channels(static_cast<std::size_t>(errors.channels));
    std::iota(channels.begin(), channels.end(), 0);
    std::vector<std::vector<double>> labels(needed.size());
    for (std::size_t i = 0; i < needed.size(); ++i)
        for (const auto start : errors.start) labels[i].push_back(kept[i]->of_start.at(start));
    for (std::size_t i = 0; i < axes_.size(); ++i)
        add_stratum_errors(run, axes_[i], labels[i], errors, channels, stop);
    if (!changes) return;
    const auto set = [&](const StrataAxis& axis, const std::string& with, const Agreement& agreement) {
        const auto name = analysis::name_of(axis);
        run.measures[strata_measure(with + "_percent", name)] = agreement.percent;
        run.measures[strata_measure(with + "_kappa", name)] = agreement.kappa;
    };
    constexpr auto penalties = analysis::penalty_factors.size();
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        set(axes_[i], "strength", agreement_of(labels[i], strongest(labels.back(), labels[i])));
        if (i < penalties) set(axes_[i], "union", agreement_of(labels[i], labels[i + penalties]));
    }
}

}  // namespace casp::evidence
