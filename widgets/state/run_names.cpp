#include "state/run_names.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <QHash>
#include <QObject>
#include <QSet>

#include "config/config.h"
#include "config/text_utils.h"
#include "figures/comparison.h"
#include "state/run_library.h"

namespace casp::widgets {

namespace {

constexpr qsizetype longest_label = 48;
constexpr qsizetype max_named = 5;
using store::case_key;
constexpr const char* imported_key = "imported.label";
constexpr const char* fork_key = "train.continue_from";
const QString separator = QStringLiteral(" · ");

QString lambda_text(double lambda_cov) {
    return QStringLiteral("λ_cov ") + QString::fromStdString(config::shortest(lambda_cov));
}

struct NamePart {
    std::string key;  ///< empty: the task
    QString text;
};

/// A swept path or list in a legend: only its end.
QString value_text(const std::string& value) {
    const auto text = QString::fromStdString(value);
    return text.size() > 16 ? QStringLiteral("…") + text.right(15) : text;
}

QString swept_text(const std::string& key, const std::string& value) {
    return figures::setting_text(QString::fromStdString(key),
                                 key == fork_key ? QString::fromStdString(value) : value_text(value));
}

bool sweeps(const store::ResultRow& row, const std::string& key) {
    return std::any_of(row.swept.begin(), row.swept.end(),
                       [&](const auto& setting) { return setting.first == key; });
}

/// Without `with_model`, the model only where it is swept or not the usual one.
std::vector<NamePart> parts_of(const RunSummary& run, bool with_model = false) {
    const auto& row = run.row;
    QString task = row.data.empty() ? run.batch : QString::fromStdString(row.data);
    if (!row.data.empty() && row.horizon > 0) task += QStringLiteral("-%1").arg(row.horizon);
    std::vector<NamePart> parts{{{}, task}};
    static const auto usual = config::Config{}.model.name;
    if (with_model || sweeps(row, "model.name") || row.model != usual)
        if (const auto model = model_of(row); !model.isEmpty()) parts.push_back({"model.name", model});
    if (!row.case_label.empty()) parts.push_back({case_key, QString::fromStdString(row.case_label)});
    bool lambda_named = false, seed_named = false;
    for (const auto& [key, value] : row.swept) {
        // Named already.
        if (key == "data.path" || key == "data.horizon" || key == "preset" || key == "model.name" ||
            key == imported_key || key == case_key)
            continue;
        lambda_named = lambda_named || key == "loss.lambda_cov";
        seed_named = seed_named || key == "train.seed";
        parts.push_back({key, swept_text(key, value)});
    }
    if (!lambda_named && std::isfinite(row.lambda_cov))
        parts.push_back({"loss.lambda_cov", lambda_text(row.lambda_cov)});
    if (!seed_named) parts.push_back({"train.seed", QStringLiteral("seed %1").arg(row.seed)});
    return parts;
}

QString joined_parts(const std::vector<NamePart>& parts) {
    QStringList list;
    for (const auto& part : parts) list << part.text;
    return list.join(separator);
}

QString identity_of(const NamePart& part) {
    return QString::fromStdString(part.key) + QLatin1Char('\n') + part.text;
}

/// Number of runs with each part: counted once, for thousands of runs.
QHash<QString, std::size_t> runs_by_part(const std::vector<std::vector<NamePart>>& all) {
    QHash<QString, std::size_t> count;
    for (const auto& parts : all) {
        QSet<QString> own;
        for (const auto& part : parts) own.insert(identity_of(part));
        for (const auto& part : std::as_const(own)) ++count[part];
    }
    return count;
}

/// Adds `more` to names that several runs have.
template <class More>
void disambiguate(QStringList& names, More more) {
    QHash<QString, int> count;
    for (const auto& name : std::as_const(names)) ++count[name];
    for (qsizetype i = 0; i < names.size(); ++i)
        if (count[names[i]] > 1) names[i] = more(static_cast<std::size_t>(i), names[i]);
}

}  // namespace

QString RunSummary::label() const {
    auto parts = parts_of(*this);
    // Omits whole settings rather than cutting a value; task, model, case, λ_cov and seed always stay.
    bool cut = false;
    while (joined_parts(parts).size() + (cut ? 4 : 0) > longest_label) {
        const auto last = std::find_if(parts.rbegin(), parts.rend(), [](const NamePart& part) {
            return !part.key.empty() && part.key != "loss.lambda_cov" && part.key != "train.seed" &&
                   part.key != "model.name" && part.key != case_key;
        });
        if (last == parts.rend()) break;
        parts.erase(std::next(last).base());
        cut = true;
    }
    return joined_parts(parts) + (cut ? QStringLiteral(" · …") : QString());
}

QString model_of(const store::ResultRow& row) {
    for (const auto& [key, value] : row.swept)
        if (key == imported_key) return QObject::tr("%1 (imported)").arg(value_text(value));
    return figures::model_title(QString::fromStdString(row.model));
}

QString compact_title(const RunSummary& run) {
    const auto& row = run.row;
    QStringList list{run.batch.isEmpty() ? run.name : run.batch};
    const bool task_varies = sweeps(row, "data.path") || sweeps(row, "data.horizon") || sweeps(row, "preset");
    for (const auto& part : parts_of(run))
        if (part.key.empty() ? task_varies && !row.data.empty()
                             : part.key != "loss.lambda_cov" && part.key != "train.seed")
            list << part.text;
    if (!run.parent.isEmpty() && !sweeps(row, fork_key)) list << QStringLiteral("fork");
    if (row.swept.empty() && run.name != QLatin1String("single") && !run.batch.isEmpty()) list << run.name;
    return list.join(separator);
}

QString run_title(const RunSummary& run) {
    const auto& row = run.row;
    auto title = compact_title(run);
    if (std::isfinite(row.lambda_cov)) title += separator + lambda_text(row.lambda_cov);
    if (std::isfinite(row.lambda_cov) || !row.model.empty())  // else nothing is known yet
        title += separator + QStringLiteral("seed %1").arg(row.seed);
    return title;
}

QString run_title(const RunLibrary& library, const QString& folder) {
    const int index = library.index_of(folder);
    return index < 0 ? folder.section(QLatin1Char('/'), -2) : run_title(library.at(index));
}

QStringList names_among(const std::vector<const RunSummary*>& runs) {
    if (runs.size() == 1) return {runs.front()->label()};
    std::vector<std::vector<NamePart>> all;
    all.reserve(runs.size());
    const bool several_models = std::any_of(runs.begin(), runs.end(), [&](const RunSummary* run) {
        return run->row.model != runs.front()->row.model;
    });
    for (const auto* run : runs) all.push_back(parts_of(*run, several_models));
    const auto count = runs_by_part(all);
    QStringList names;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::vector<NamePart> own;
        for (const auto& part : all[i])
            if (count.value(identity_of(part)) < runs.size()) own.push_back(part);
        // A run without swept settings among others: its λ_cov, which is always known.
        if (own.empty())
            std::copy_if(all[i].begin(), all[i].end(), std::back_inserter(own),
                         [](const NamePart& part) { return part.key == "loss.lambda_cov"; });
        names << (own.empty() ? runs[i]->label() : joined_parts(own));
    }
    if (std::all_of(names.begin(), names.end(), [&](const QString& name) { return name == names.front(); }))
        for (std::size_t i = 0; i < runs.size(); ++i) names[static_cast<qsizetype>(i)] = runs[i]->label();
    disambiguate(names,
                 [&](std::size_t i, const QString& name) { return name + separator + runs[i]->batch; });
    disambiguate(names, [&](std::size_t i, const QString& /*name*/) {
        return runs[i]->batch + QLatin1Char('/') + runs[i]->name;
    });
    disambiguate(names, [&](std::size_t i, const QString& /*name*/) { return runs[i]->folder; });
    return names;
}

QString some_names(const QStringList& names) {
    if (names.size() <= max_named) return names.join(QStringLiteral(", "));
    // In one call: a name may contain %1.
    return QObject::tr("%1 and %2 more")
        .arg(names.mid(0, max_named).join(QStringLiteral(", ")), QString::number(names.size() - max_named));
}

QStringList in_sweep_order(const RunLibrary& library, const QStringList& run_folders) {
    std::vector<std::pair<QString, QString>> created;  // time, folder
    bool has_cases = false;
    for (const auto& folder : run_folders) {
        const int index = library.index_of(folder);
        created.emplace_back(index < 0 ? QString() : library.at(index).created, folder);
        has_cases = has_cases || (index >= 0 && !library.at(index).row.case_label.empty());
    }
    if (!has_cases) return run_folders;
    std::stable_sort(created.begin(), created.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    QStringList ordered;
    for (const auto& [time, folder] : created) ordered += folder;
    return ordered;
}

}  // namespace casp::widgets
