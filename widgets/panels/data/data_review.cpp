#include "panels/data/data_review.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/describe.h"
#include "data/known_data.h"
#include "data/prepared.h"
#include "data/scaler.h"
#include "data/table_checks.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

QString native(const std::string& text) { return QString::fromStdString(text); }

bool is_listed(double value, const std::vector<double>& list) {
    return std::ranges::find(list, value) != list.end();
}

/// Counts of one channel in the file.
void look_over(const data::Column& column, const DataChoices& choices, ChannelReview& review) {
    if (!choices.sentinels.empty())
        review.listed =
            std::ranges::count_if(column.values, [&](double v) { return is_listed(v, choices.sentinels); });
    review.missing = column.missing;
    review.gone = review.missing + (choices.missing == "keep" ? 0 : review.listed);
    for (const auto& hit : data::find_sentinels(column.values))
        if (!is_listed(hit.value, choices.sentinels)) review.suspects.push_back(hit);
}

void set_extremes(const std::vector<double>& values, std::int64_t rows, ChannelReview& review) {
    review.min = review.max = std::numeric_limits<double>::quiet_NaN();
    for (std::int64_t i = 0; i < rows; ++i) {
        review.min = std::fmin(review.min, values[static_cast<std::size_t>(i)]);
        review.max = std::fmax(review.max, values[static_cast<std::size_t>(i)]);
    }
}

/// Statistics of the numeric cells in the scaler's rows, if the policy changes none or the run would not use
/// the channel.
void present_moments(const std::vector<double>& values, std::int64_t rows, const DataChoices& choices,
                     ChannelReview& review) {
    std::vector<double> present;
    present.reserve(static_cast<std::size_t>(rows));
    std::copy_if(values.begin(), values.begin() + rows, std::back_inserter(present), [&](double v) {
        return std::isfinite(v) && (choices.missing == "keep" || !is_listed(v, choices.sentinels));
    });
    set_extremes(present, static_cast<std::int64_t>(present.size()), review);
    const auto m = data::moments(present.data(), present.size());
    review.mean = m.mean;
    review.deviation = m.std;
    review.constant = m.std == 0;
}

/// Applies the core's policy to one channel.
void apply(const data::Table& table, const data::Column& column, const DataChoices& choices,
           std::int64_t rows, ChannelReview& review) {
    const auto policy = data::parse_missing_policy(choices.missing);
    data::CleaningOptions options{policy, {}, {}};
    for (const double value : choices.sentinels)
        if (std::ranges::find(column.values, value) != column.values.end())
            options.sentinels.push_back(value);
    if (review.gone > 0 && policy != data::MissingPolicy::interpolate) {
        review.fate =
            policy == data::MissingPolicy::drop_column ? ChannelFate::left_out : ChannelFate::refused;
        present_moments(column.values, rows, choices, review);
        return;
    }
    data::Table one;
    one.path = table.path;
    one.line_anchors = table.line_anchors;
    one.columns.push_back(column);
    try {
        one = data::apply_missing_policy(std::move(one), options, rows);
        const auto scaler = data::fit_scaler(one, rows);
        const auto m = data::moments(one.columns[0].values.data(), static_cast<std::size_t>(rows));
        set_extremes(one.columns[0].values, rows, review);
        review.mean = scaler.mean[0];
        review.deviation = m.std;
        review.constant = m.std == 0;
        review.fate = review.gone > 0 ? ChannelFate::filled : ChannelFate::used;
        data::check_training_rows(one, rows);
        for (const auto& warning : one.warnings) {
            if (warning.kind == data::WarningKind::asleep) {
                review.asleep.push_back(warning);
                continue;
            }
            auto sentence = translated(warning.text);
            if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
            review.remark =
                review.remark.isEmpty() ? sentence : joined_message({}, review.remark, {}, sentence);
        }
    } catch (const Error& error) {
        review.fate = ChannelFate::refused;
        review.remark = translated(error.parts().found);
        present_moments(column.values, rows, choices, review);
    }
}

/// A name of data.targets that no channel of a run has.
DataProblem problem_of_targets(const data::Table& table, const DataReview& review) {
    data::Table names;
    names.path = table.path;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto fate = review.channels[i].fate;
        if (fate != ChannelFate::not_selected && fate != ChannelFate::left_out)
            names.columns.push_back({table.columns[i].name, {}, 0});
    }
    config::Config config;
    config.data = review.choices;
    try {
        (void)data::find_targets(names, config);
        return {};
    } catch (const Error& error) {
        return DataProblem::of(error);
    }
}

}  // namespace

DataChoices choices_of(const config::Config& config) {
    auto choices = config.data;
    choices.path.clear();
    choices.frequency.clear();
    return choices;
}

DataReview review_data(const data::Table& table, const DataChoices& choices, const std::stop_token& stop) {
    DataReview review;
    review.choices = choices;
    config::Config config;
    config.data = choices;
    try {
        review.known = data::known_data(table);
        review.plan =
            data::plan_split(config, review.known.entry, table.rows(), {table.time, table.step.local});
    } catch (const Error& error) {
        review.no_plan = DataProblem::of(error);
    }
    review.scaler_rows = review.plan ? review.plan->scaler_rows : table.rows();
    for (const auto& name : choices.columns)
        if (table.find_column(name) < 0 && !review.columns.is_set()) try {
                data::Table names;
                names.path = table.path;
                for (const auto& column : table.columns) names.columns.push_back({column.name, {}, 0});
                (void)data::select_columns(std::move(names), {name});
            } catch (const Error& error) {
                review.columns = DataProblem::of(error);
            }
    const auto is_target = [&](const std::string& name) {
        return choices.targets.empty() || std::ranges::find(choices.targets, name) != choices.targets.end();
    };
    for (const auto& column : table.columns) {
        if (stop.stop_requested()) throw Cancelled();
        ChannelReview channel;
        channel.name = native(column.name);
        channel.target = is_target(column.name);
        look_over(column, choices, channel);
        if (!choices.columns.empty() &&
            std::ranges::find(choices.columns, column.name) == choices.columns.end()) {
            channel.fate = ChannelFate::not_selected;
            present_moments(column.values, review.scaler_rows, choices, channel);
        } else {
            apply(table, column, choices, review.scaler_rows, channel);
            review.missing_cells += channel.gone;
            if (channel.fate == ChannelFate::used || channel.fate == ChannelFate::filled) ++review.used;
        }
        review.channels.push_back(std::move(channel));
    }
    if (!review.columns.is_set()) review.columns = problem_of_targets(table, review);
    for (const double value : choices.sentinels)
        if (std::ranges::none_of(table.columns,
                                 [value](const auto& column) { return is_listed(value, column.values); }))
            review.nowhere.push_back(value);
    review.single_channel = data::wants_single_channel(choices.batching, review.known.entry,
                                                       static_cast<std::size_t>(review.used));
    return review;
}

DataProblem DataReview::problem() const {
    if (columns.is_set()) return columns;
    if (no_plan.is_set()) return no_plan;
    std::int64_t refused = 0;
    std::int64_t cells = 0;
    QString first;
    for (const auto& channel : channels)
        if (channel.fate == ChannelFate::refused) {
            if (refused++ == 0) first = channel.name;
            cells += channel.gone;
        }
    if (refused > 0)
        return {QStringLiteral("data.missing"),
                (cells == 1 ? QObject::tr("%1 cell without a value in %2 (%3)")
                            : QObject::tr("%1 cells without a value in %2 (%3)"))
                    .arg(native(data::with_commas(cells)),
                         refused == 1 ? QObject::tr("one channel") : QObject::tr("%1 channels").arg(refused),
                         refused == 1 ? first : first + QStringLiteral(", …")),
                QObject::tr("a number in every cell"),
                QObject::tr("Choose “interpolate” to fill them or “drop-column” to omit these channels.")};
    if (used == 0)
        return {QStringLiteral("data.missing"),
                QObject::tr("every channel has missing cells, so “drop-column” leaves none"),
                {},
                QObject::tr("Choose “interpolate”.")};
    return {};
}

std::vector<DataReview::Suspect> DataReview::suspects() const {
    std::vector<Suspect> all;
    for (const auto& channel : channels) {
        if (channel.fate == ChannelFate::not_selected) continue;
        for (const auto& hit : channel.suspects) {
            auto at = std::ranges::find_if(all, [&](const auto& s) { return s.value == hit.value; });
            if (at == all.end()) at = all.insert(all.end(), Suspect{hit.value, 0, {}});
            at->count += hit.count;
            at->channels.push_back(channel.name);
        }
    }
    return all;
}

}  // namespace casp::widgets
