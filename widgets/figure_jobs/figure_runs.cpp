#include "figure_jobs/figure_runs.h"

#include <algorithm>

#include "evidence/run_settings.h"
#include "figures/style.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"

namespace casp::figure_jobs {

namespace {

const QString seed_key = QStringLiteral("train.seed"), lambda_key = QStringLiteral("loss.lambda_cov");
using figures::case_key;

QString label_of(const store::ResultRow& row) {
    QStringList parts;
    for (const auto& [key, value] : row.swept)
        parts << (key == store::case_key ? QString::fromStdString(value)
                                         : figures::key_title(QString::fromStdString(key)) + ' ' +
                                               QString::fromStdString(value));
    return parts.isEmpty() ? QString::fromStdString(row.run) : parts.join(QStringLiteral(" · "));
}

/// The swept keys if all runs have the same, else the keys in which the configurations differ.
QStringList swept_keys(const std::vector<figures::CompareRun>& runs) {
    QStringList keys;
    if (runs.empty()) return keys;
    const auto names = [](const figures::CompareRun& run) {
        QStringList list;
        for (const auto& [key, value] : run.row.swept) list << QString::fromStdString(key);
        return list;
    };
    keys = names(runs.front());
    const bool alike = !keys.isEmpty() && std::all_of(runs.begin(), runs.end(),
                                                      [&](const auto& run) { return names(run) == keys; });
    if (!alike) keys = figures::differing_keys(runs);
    keys.removeAll(seed_key);
    for (const auto& first : {lambda_key, case_key})
        if (keys.removeAll(first) > 0) keys.prepend(first);
    return keys;
}

/// Also for swept keys without an option ("preset").
figures::SettingValue value_of(const figures::CompareRun& run, const QString& key) {
    for (const auto& [swept, text] : run.row.swept)
        if (key == QString::fromStdString(swept)) {
            bool is_number = false;
            const auto value = QString::fromStdString(text);
            const double number = value.toDouble(&is_number);
            return {value, is_number ? std::optional(number) : std::nullopt};
        }
    return figures::setting_of(run, key);
}

/// "λ_cov = 0.1"; where the run's model has no such setting, the model.
QString named_value(const figures::CompareRun& run, const QString& key, const QString& equals) {
    const auto text = value_of(run, key).text;
    if (text == QStringLiteral("–"))
        return figures::model_title(QString::fromStdString(run.config->model.name));
    if (key == QLatin1String("train.continue_from")) return figures::setting_text(key, text);
    return figures::key_title(key) + equals + text;
}

/// Label and order of a run's condition: "λ_cov = 0.1", "with coverage", "DLinear".
figures::SettingValue condition_of(const figures::CompareRun& run, const QString& key) {
    const auto value = value_of(run, key);
    if (key == case_key) return value;
    if (key == QLatin1String("coverage.enabled") && value.text == QLatin1String("true"))
        return {QStringLiteral("with coverage"), {}};
    if (key == QLatin1String("coverage.enabled") && value.text == QLatin1String("false"))
        return {QStringLiteral("without coverage"), {}};
    return {named_value(run, key, QStringLiteral(" = ")), value.number};
}

using Members = std::vector<const figures::CompareRun*>;

/// "96", "96, 192", "96, 192, 336 and 3 more": the distinct values of `of` over the runs.
template <class Of>
QString each_once(const Members& runs, Of of) {
    constexpr qsizetype most = 3;
    QStringList texts;
    for (const auto* run : runs)
        if (const QString text = of(run->row); !texts.contains(text)) texts << text;
    const auto rest = texts.size() - most;
    return texts.mid(0, most).join(QStringLiteral(", ")) +
           (rest > 0 ? QStringLiteral(" and %1 more").arg(rest) : QString());
}

/// "ETTh1 · H 96 · K 8": data and horizon (all values if they are compared), and the other settings that
/// distinguish the cell (`keys`, equal in all its runs).
QString cell_name(const Members& runs, const QStringList& keys) {
    QStringList parts;
    bool horizon = false;
    for (const auto& key : keys) {
        horizon = horizon || key == QLatin1String("data.horizon") || key == QLatin1String("preset");
        const bool plain =
            key == QLatin1String("preset") || key == QLatin1String("data.path") || key == case_key;
        parts << (plain ? value_of(*runs.front(), key).text
                        : named_value(*runs.front(), key, QStringLiteral(" ")));
    }
    if (!horizon)
        parts.prepend(QStringLiteral("H ") +
                      each_once(runs, [](const auto& row) { return QString::number(row.horizon); }));
    if (!keys.contains(QStringLiteral("preset")) && !keys.contains(QStringLiteral("data.path")))
        parts.prepend(each_once(runs, [](const auto& row) { return QString::fromStdString(row.data); }));
    return parts.join(QStringLiteral(" · "));
}

void group_into_cells(FigureRuns& runs) {
    const auto key = runs.swept.isEmpty() ? lambda_key : runs.swept.front();
    const auto rest = runs.swept.mid(1);
    std::vector<figures::SettingValue> all;  // of the conditions, for the same colours in all cells
    std::vector<QStringList> settings;       // per cell
    std::vector<Members> members;            // per cell
    for (std::size_t i = 0; i < runs.compared.size(); ++i) {
        const auto& run = runs.compared[i];
        const auto value = condition_of(run, key);
        if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
        QStringList own;
        for (const auto& one : rest) own << named_value(run, one, QStringLiteral(" "));
        auto at =
            static_cast<std::size_t>(std::find(settings.begin(), settings.end(), own) - settings.begin());
        if (at == settings.size()) {
            settings.push_back(own);
            members.emplace_back();
            runs.cells.push_back({{}, figures::key_title(key), {}});
        }
        members[at].push_back(&run);
        auto& conditions = runs.cells[at].conditions;
        const auto& label = value.text;
        auto condition = std::find_if(conditions.begin(), conditions.end(),
                                      [&](const auto& c) { return c.label == label; });
        if (condition == conditions.end())
            condition = conditions.insert(conditions.end(), {label, value.number, {}, {}});
        condition->runs.push_back(&runs.inputs[i]);
    }
    const auto before = [](const auto& a, const auto& b) {
        if (a.number.has_value() != b.number.has_value()) return a.number.has_value();
        return a.number ? *a.number < *b.number : a.text < b.text;
    };
    if (key != case_key) std::stable_sort(all.begin(), all.end(), before);  // the first case is the base
    QStringList labels;
    for (const auto& value : all) labels << value.text;
    for (std::size_t i = 0; i < members.size(); ++i) runs.cells[i].name = cell_name(members[i], rest);
    for (auto& cell : runs.cells) {
        std::stable_sort(cell.conditions.begin(), cell.conditions.end(), [&](const auto& a, const auto& b) {
            return labels.indexOf(a.label) < labels.indexOf(b.label);
        });
        for (auto& condition : cell.conditions)
            condition.colour = figures::run_colour(static_cast<int>(labels.indexOf(condition.label)));
    }
}

}  // namespace

FigureRuns read_figure_runs(const std::vector<std::filesystem::path>& folders, std::vector<Phrase>& notes) {
    FigureRuns runs;
    runs.inputs.reserve(folders.size());
    std::vector<std::string> early;
    for (const auto& path : folders) {
        const store::RunFolder folder(path);
        const auto name = path.filename().string();
        try {
            const auto status = store::read_run_status(folder);
            if (!status || !store::is_complete(status->row.state)) {
                notes.push_back(Phrase("%1 is not finished; omitted from figures", name));
                continue;
            }
            auto record = std::make_unique<store::RunRecord>(store::read_run_file(folder.run_file()));
            const auto config = std::make_shared<const config::Config>(
                evidence::settled_settings(store::read_settings(folder), record->attributes));
            figures::RunInput input;
            input.folder = QString::fromStdString(folder.path().string());
            input.label = label_of(status->row);
            input.colour = figures::run_colour(static_cast<int>(runs.inputs.size()));
            input.record = record.get();
            input.config = config;
            figures::CompareRun run;
            run.folder = input.folder;
            run.row = status->row;
            run.config = config;
            store::set_values(run.row, *record, store::run_file_metrics);
            runs.records.push_back(std::move(record));
            runs.inputs.push_back(std::move(input));
            runs.compared.push_back(std::move(run));
            if (status->row.state == store::RunState::finished_early) early.push_back(name);
        } catch (const Error& problem) {
            notes.push_back(Phrase("%1 is omitted from figures: %2", name, phrase_of(problem)));
        }
    }
    if (!early.empty())
        notes.push_back(
            early.size() == 1
                ? Phrase("%1 was finished early, with fewer training steps than the settings say: excluded "
                         "from means in sensitivity, treated as usual in other figures",
                         early.front())
            : early.size() == 2
                ? Phrase("%1 and %2 other were finished early, with fewer training steps than the settings "
                         "say: excluded from means in sensitivity, treated as usual in other figures",
                         early.front(), early.size() - 1)
                : Phrase("%1 and %2 others were finished early, with fewer training steps than the settings "
                         "say: excluded from means in sensitivity, treated as usual in other figures",
                         early.front(), early.size() - 1));
    runs.swept = swept_keys(runs.compared);
    group_into_cells(runs);
    return runs;
}

}  // namespace casp::figure_jobs
