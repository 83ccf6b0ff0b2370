// Grouping of runs whose forecasts share one truth.
#include <algorithm>
#include <cmath>
#include <map>

#include <QFileInfo>

#include "figures/recipe_forecasts.h"

namespace casp::figures {

namespace {

/// Row of the file at which the horizon starts.
std::int64_t target_of(const ForecastWindow& w) { return w.start + w.lookback_length; }

/// Whether enough is known of the run's data to distinguish them from others.
bool knows_its_data(const RunInput& run) {
    return !run.record->attributes.dataset_sha256.empty() && !run.record->data.channel_names.empty() &&
           !run.record->data.std.empty();
}

/// Whether both have the same values in the rows that both forecast, up to rounding.
bool same_truth(const ForecastWindow& a, const ForecastWindow& b) {
    constexpr float tolerance = 1e-3F;  // of a standard deviation
    const auto n = std::min(a.truth.size(), b.truth.size());
    return std::equal(a.truth.begin(), a.truth.begin() + static_cast<std::ptrdiff_t>(n), b.truth.begin(),
                      [](float x, float y) { return !(std::abs(x - y) > tolerance); });
}

/// Runs that share one truth, the first one in front.
struct Members {
    std::vector<const ForecastOfRun*> runs;
    std::map<std::int64_t, const ForecastWindow*> first;  ///< window of each number
    QString why;
};

/// Why the run cannot join this group; empty: it can.
QString difference(const ForecastOfRun& one, const Members& group) {
    for (const auto* other : group.runs) {
        if (auto text = data_difference(*one.run, *other->run); !text.isEmpty()) return text;
        if (knows_its_data(*other->run)) break;  // the others are equal
    }
    const bool known = knows_its_data(*one.run) && knows_its_data(*group.runs.front()->run);
    for (const auto& w : one.windows) {
        const auto found = group.first.find(w.number);
        if (found == group.first.end()) continue;
        const auto& other = *found->second;
        if (w.channels != other.channels) return QObject::tr("it has a different number of channels");
        if (target_of(w) != target_of(other))
            return QObject::tr("its windows with the same numbers forecast different rows of the file");
        if (!known && !same_truth(w, other)) return QObject::tr("its true values differ");
    }
    return {};
}

void add_to(Members& group, const ForecastOfRun& one) {
    group.runs.push_back(&one);
    for (const auto& w : one.windows) group.first.try_emplace(w.number, &w);
}

QString data_name(const RunInput& run) {
    return run.config ? QFileInfo(QString::fromStdString(run.config->data.path)).fileName() : QString();
}

}  // namespace

QStringList group_names(const std::vector<std::vector<const RunInput*>>& groups) {
    QStringList files, names;
    for (const auto& group : groups) files << data_name(*group.front());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto& file = files[static_cast<qsizetype>(g)];
        if (!file.isEmpty() && files.count(file) == 1) {
            names << file;
            continue;
        }
        QStringList labels;
        for (const auto* run : groups[g]) labels << run->label;
        names << join_names(labels);
    }
    return names;
}

std::vector<ForecastGroup> groups_by_data(const std::vector<ForecastOfRun>& runs) {
    std::vector<Members> found;
    for (const auto& one : runs) {
        if (one.windows.empty()) continue;
        QString why;  // reason it cannot join the first group
        auto group = found.begin();
        for (; group != found.end(); ++group) {
            const auto text = difference(one, *group);
            if (text.isEmpty()) break;
            if (group == found.begin()) why = text;
        }
        if (group == found.end()) {
            group = found.emplace(group);
            group->why = why;
        }
        add_to(*group, one);
    }
    std::vector<std::vector<const RunInput*>> of_groups;
    for (const auto& members : found) {
        auto& of_group = of_groups.emplace_back();
        for (const auto* one : members.runs) of_group.push_back(one->run);
    }
    const auto names = group_names(of_groups);
    std::vector<ForecastGroup> groups;
    for (auto& members : found) {
        ForecastGroup group;
        group.data = &members.runs.front()->run->record->data;
        group.name = names[static_cast<qsizetype>(groups.size())];
        group.why = members.why;
        for (const auto* one : members.runs) {
            group.windows.insert(group.windows.end(), one->windows.begin(), one->windows.end());
            // Names and dates known for one run hold for all: a run that has just started has none yet.
            if (group.data->channel_names.empty()) group.data = &one->run->record->data;
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace casp::figures
