#include "figures/recipe_input.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include <QLocale>

namespace casp::figures {

QColor neutral_colour() { return QColor(0x80, 0x80, 0x80); }

QStringList columns_of(const char* names) { return QString::fromLatin1(names).split(QLatin1Char(' ')); }

QString join_names(const std::vector<RunInput>& runs, std::size_t most) {
    QStringList names;
    for (const auto& run : runs) names << run.label;
    return runs.size() > most ? QStringLiteral("%1 runs").arg(runs.size()) : join_names(names, most);
}

QString join_names(const QStringList& names, std::size_t most) {
    if (std::cmp_less_equal(names.size(), most)) return names.join(QStringLiteral(", "));
    const auto rest = static_cast<std::size_t>(names.size()) - most;
    return names.mid(0, static_cast<qsizetype>(most)).join(QStringLiteral(", ")) +
           QStringLiteral(" and %1 more").arg(rest);
}

QString first_step() { return QObject::tr(" Press Run, or show runs from the list on the left (Space)."); }

model::Capabilities capabilities(const RunInput& run) {
    if (run.config) return model::capabilities(*run.config);
    return {.backbone = true, .anchors = true, .coverage = true, .embeddings = true};
}

QString lack_text(const std::vector<RunInput>& runs, bool model::Capabilities::*what, const QString& noun) {
    QStringList models;
    for (const auto& run : runs) {
        if (capabilities(run).*what) return {};
        const auto& model = model::descriptor(*run.config);
        config::Config usual;
        usual.model.name = run.config->model.name;
        auto title = QString::fromUtf8(model.title.data(), static_cast<qsizetype>(model.title.size()));
        if (model.capabilities(usual).*what) title = QObject::tr("%1 with these settings").arg(title);
        if (!models.contains(title)) models << title;
    }
    if (models.isEmpty()) return {};
    return (models.size() == 1 ? QObject::tr("%1 has no %2.") : QObject::tr("%1 have no %2."))
        .arg(models.join(QStringLiteral(", ")), noun);
}

std::vector<RunInput> drawn_in(const Figure& figure, const std::vector<RunInput>& runs) {
    std::set<QString> drawn;
    for (const auto& plot : figure.plots)
        for (const auto& series : plot.series) drawn.insert(series.run);
    std::vector<RunInput> list;
    for (const auto& run : runs)
        if (drawn.count(run.folder) > 0) list.push_back(run);
    return list;
}

void name_omitted(Figure& figure, const std::vector<RunInput>& runs, const std::vector<RunInput>& drawn,
                  bool model::Capabilities::*what, const QString& noun) {
    QStringList lacking, waiting;
    for (const auto& run : runs)
        if (run.record && std::none_of(drawn.begin(), drawn.end(),
                                       [&](const RunInput& other) { return other.folder == run.folder; }))
            (capabilities(run).*what ? waiting : lacking) << run.label;
    const auto add = [&](const QStringList& names, const QString& why) {
        if (names.isEmpty()) return;
        const auto text = QStringLiteral("mitted (%1): %2").arg(why, join_names(names));
        figure.plots.front().remarks.push_back({QLatin1Char('o') + text, {}});
        figure.caption += QStringLiteral(" O") + text + QLatin1Char('.');
    };
    add(lacking, QStringLiteral("no %1").arg(noun));
    add(waiting, QStringLiteral("no values"));
}

std::int64_t top_k(const RunInput& run) {
    if (run.config) return capabilities(run).retrieved;
    for (const auto& probe : run.probes)
        if (probe) return probe->top_k;
    return 0;
}

QString channel_name(const store::DataSection& data, std::int64_t index) {
    if (index >= 0 && index < static_cast<std::int64_t>(data.channel_names.size()))
        return QString::fromStdString(data.channel_names[static_cast<std::size_t>(index)]);
    return QStringLiteral("channel %1").arg(index);
}

QString unit_in(const QString& channel) {
    const auto open = channel.lastIndexOf(QLatin1Char('('));
    if (open < 1 || !channel.endsWith(QLatin1Char(')'))) return QStringLiteral("original units");
    return channel.mid(open + 1, channel.size() - open - 2);
}

QStringList channel_names_of(const std::vector<const store::DataSection*>& data) {
    std::vector<const std::vector<std::string>*> lists;  // each list once: most runs share it
    for (const auto* one : data)
        if (std::none_of(lists.begin(), lists.end(),
                         [&](const auto* list) { return *list == one->channel_names; }))
            lists.push_back(&one->channel_names);
    std::vector<QStringList> names;
    for (const auto* list : lists) {
        names.resize(std::max(names.size(), list->size()));
        for (std::size_t c = 0; c < list->size(); ++c)
            if (const auto name = QString::fromStdString((*list)[c]); !names[c].contains(name))
                names[c] << name;
    }
    QStringList texts;
    for (const auto& those : names) texts << those.join(QStringLiteral(" / "));
    return texts;
}

namespace {

/// Other machines may sum in a different order; a scaler fitted to other rows differs by far more.
bool same_scale(const store::DataSection& a, const store::DataSection& b) {
    constexpr double tolerance = 1e-9;  // of a standard deviation
    for (std::size_t c = 0; c < a.std.size(); ++c)
        if (std::abs(a.std[c] - b.std[c]) > tolerance * a.std[c] ||
            std::abs(a.mean[c] - b.mean[c]) > tolerance * a.std[c])
            return false;
    return true;
}

}  // namespace

QString data_difference(const RunInput& run, const RunInput& other) {
    if (run.record == nullptr || other.record == nullptr) return {};
    const auto &digest = run.record->attributes.dataset_sha256,
               &other_digest = other.record->attributes.dataset_sha256;
    if (!digest.empty() && !other_digest.empty() && digest != other_digest)
        return QObject::tr("it was trained on a different data file");
    const auto &a = run.record->data, &b = other.record->data;
    if (!a.channel_names.empty() && !b.channel_names.empty() && a.channel_names != b.channel_names)
        return QObject::tr("it was trained on different channels");
    const auto n = a.std.size();
    if (n > 0 && a.mean.size() == n && b.mean.size() == n && b.std.size() == n && !same_scale(a, b))
        return QObject::tr("its scaler has a different mean and standard deviation");
    return {};
}

namespace {

/// Bits, so that NaN equals itself.
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

std::size_t shared_steps(const RunInput& run) {
    if (!run.record || !run.parent || run.record == run.parent) return 0;
    const auto &a = run.record->steps, &b = run.parent->steps;
    const auto n = std::min(
        {a.step.size(), b.step.size(), a.total.size(), b.total.size(), a.seconds.size(), b.seconds.size()});
    std::size_t i = 0;
    // Wall times too: two runs with one seed may agree in their losses, but not in these.
    while (i < n && a.step[i] == b.step[i] && same(a.total[i], b.total[i]) &&
           same(a.seconds[i], b.seconds[i]))
        ++i;
    return i;
}

std::size_t shared_epochs(const RunInput& run) {
    if (!run.record || !run.parent || run.record == run.parent) return 0;
    const auto &a = run.record->epochs, &b = run.parent->epochs;
    const auto n = std::min({a.val_mse.size(), b.val_mse.size(), a.seconds.size(), b.seconds.size(),
                             a.epoch.size(), b.epoch.size()});
    std::size_t i = 0;
    while (i < n && a.epoch[i] == b.epoch[i] && same(a.val_mse[i], b.val_mse[i]) &&
           same(a.seconds[i], b.seconds[i]))
        ++i;
    return i;
}

std::shared_ptr<const train::Probe> probe_at(const RunInput& run, std::optional<std::int64_t> step) {
    if (run.probes.empty()) return nullptr;
    if (!step) return run.probes.back();
    auto found = run.probes.front();
    for (const auto& probe : run.probes)
        if (probe->step <= *step) found = probe;
    return found;
}

namespace {

bool is_run_on_collection(const RunInput& run) { return run.record && is_collection(run.record->data); }

/// Whether all of the runs whose data are known are on collections, and at least one is.
bool all_on_collections(const std::vector<RunInput>& runs) {
    return std::any_of(runs.begin(), runs.end(), is_run_on_collection) &&
           std::all_of(runs.begin(), runs.end(),
                       [](const RunInput& run) { return !run.record || is_run_on_collection(run); });
}

}  // namespace

bool is_collection(const store::DataSection& data) {
    // While the run trains, its ids are not known, but no scaler is fitted to a collection.
    const std::vector<double> zero{0}, one{1};
    return !data.series.empty() || (data.mean == zero && data.std == one);
}

QString series_name(const std::vector<std::string>& ids, std::int64_t window) {
    if (window < 0 || window >= std::ssize(ids)) return {};
    const QLocale english(QLocale::English);
    return QStringLiteral("series %1 (%2 of %3)")
        .arg(QString::fromStdString(ids[static_cast<std::size_t>(window)]),
             english.toString(static_cast<qlonglong>(window + 1)),
             english.toString(static_cast<qlonglong>(std::ssize(ids))));
}

QString error_units(const std::vector<RunInput>& runs) {
    if (all_on_collections(runs)) return QStringLiteral("original units");
    return std::any_of(runs.begin(), runs.end(), is_run_on_collection)
               ? QStringLiteral("scaled units (collections of series: original units)")
               : QStringLiteral("scaled units");
}

QString error_title(const QString& metric, const std::vector<RunInput>& runs) {
    return all_on_collections(runs) ? metric + QStringLiteral(" (original units)") : metric;
}

}  // namespace casp::figures
