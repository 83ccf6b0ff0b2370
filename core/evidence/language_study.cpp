#include "evidence/language_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "config/options.h"
#include "evidence/latex.h"
#include "model/descriptor.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/progress.h"

namespace casp::evidence {

namespace {

constexpr const char* kind_key = "backbone.kind";
constexpr const char* whole = "gpt2";

struct KindName {
    const char* kind;
    const char* title;
};
/// In the order of the page.
constexpr std::array kinds{KindName{whole, "as it is"}, KindName{"random", "random weights"},
                           KindName{"block", "one transformer block"},
                           KindName{"attention", "one attention layer"}, KindName{"none", "none"}};

std::string title_of(const std::string& kind) {
    for (const auto& one : kinds)
        if (kind == one.kind) return one.title;
    return kind;
}

bool takes_part(const SettledRun& run) {
    static const auto& option = *config::find_option(kind_key);
    // A model without the key reads it in no configuration; "none" itself is read, too.
    return run.row.state == store::RunState::finished && model::reads(run.config, option);
}

double percent_more(double value, double base) { return 100 * (value / base - 1); }

/// Mean over the runs with a value.
double mean_damage(const std::vector<const store::ResultRow*>& rows, double store::ResultRow::*damaged) {
    std::vector<double> changes;
    for (const auto* row : rows) changes.push_back(percent_more(row->*damaged, row->test_mse));
    return store::statistic_of(changes).mean;
}

using Fields = std::vector<std::string>;

/// "52.9 M", "38 K".
std::string parameters_text(std::int64_t count) {
    if (count < 0) return "–";
    const auto value = static_cast<double>(count);
    if (value >= 1e6) return store::digits(value / 1e6, std::chars_format::fixed, 1) + " M";
    return value >= 1e3 ? store::digits(value / 1e3, std::chars_format::fixed, 0) + " K"
                        : store::shortest(value);
}

std::string interval_percent(const Comparison& change) {
    if (std::isnan(change.interval.low)) return "–";
    const auto part = [&](double bound) { return percent_text(100 * bound / change.mean_base); };
    return part(change.interval.low) + " to " + part(change.interval.high);
}

/// The first columns of the tables for people.
store::TextTable<LanguageRow> table_of_names() {
    store::TextTable<LanguageRow> table;
    table.add(
        "model", [](const auto& row) { return row.model; }, false);
    table.add(
        "task", [](const auto& row) { return row.task; }, false);
    table.add(
        "language model", [](const auto& row) { return title_of(row.kind); }, false);
    return table;
}

/// Errors; below, costs and damaged look-backs.
store::TextTable<LanguageRow> error_table() {
    auto table = table_of_names();
    const auto of_change = [](auto text) {
        return [text](const LanguageRow& row) { return row.change ? text(*row.change) : std::string("–"); };
    };
    table.add("seeds", [](const auto& row) { return std::to_string(row.test_mse.n); });
    table.add("test MSE", [](const auto& row) { return store::mean_and_sd(row.test_mse); });
    table.add("Δ %", of_change([](const Comparison& c) { return percent_text(c.delta_percent); }));
    table.add("95 % interval", of_change(interval_percent));
    table.add("higher", of_change([](const Comparison& c) {
                  return std::to_string(c.n - c.improved - c.test.zeros) + "/" + std::to_string(c.n);
              }));
    table.add("p", of_change([](const Comparison& c) { return p_text(c.test.p); }));
    table.add("p (Holm)", of_change([](const Comparison& c) { return p_text(c.p_holm); }));
    return table;
}

store::TextTable<LanguageRow> cost_table() {
    auto table = table_of_names();
    table.add("seconds of a run", [](const auto& row) { return store::mean_and_sd(row.seconds); });
    table.add("trained parameters",
              [](const auto& row) { return parameters_text(row.parameters_trainable); });
    table.add("all parameters", [](const auto& row) { return parameters_text(row.parameters_total); });
    table.add("shuffled", [](const auto& row) { return percent_text(row.shuffled); });
    table.add("half masked", [](const auto& row) { return percent_text(row.masked); });
    table.add("halves exchanged", [](const auto& row) { return percent_text(row.exchanged); });
    return table;
}

std::string csv_of(const LanguageStudy& study) {
    std::vector<Fields> lines{{"model",
                               "task",
                               "kind",
                               "n",
                               "test_mse_mean",
                               "test_mse_sd",
                               "pairs",
                               "delta",
                               "delta_percent",
                               "ci_low",
                               "ci_high",
                               "improved",
                               "w",
                               "p",
                               "p_holm",
                               "method",
                               "seconds_mean",
                               "parameters_trainable",
                               "parameters_total",
                               "shuffled_percent",
                               "masked_percent",
                               "exchanged_percent",
                               "backbone",
                               "precision"}};
    for (const auto& row : study.rows) {
        const auto change = row.change.value_or(Comparison());
        const auto number = [](double value) { return std::isnan(value) ? "" : store::shortest(value); };
        const auto method = std::isnan(change.test.p) ? "" : change.test.exact ? "exact" : "approximate";
        lines.push_back({row.model,
                         row.task,
                         row.kind,
                         std::to_string(row.test_mse.n),
                         number(row.test_mse.mean),
                         number(row.test_mse.sd),
                         row.change ? std::to_string(change.n) : "",
                         number(change.delta),
                         number(change.delta_percent),
                         number(change.interval.low),
                         number(change.interval.high),
                         row.change ? std::to_string(change.improved) : "",
                         number(change.test.w),
                         number(change.test.p),
                         number(change.p_holm),
                         method,
                         number(row.seconds.mean),
                         row.parameters_trainable < 0 ? "" : std::to_string(row.parameters_trainable),
                         row.parameters_total < 0 ? "" : std::to_string(row.parameters_total),
                         number(row.shuffled),
                         number(row.masked),
                         number(row.exchanged),
                         precisions_text(row.backbones),
                         precisions_text(row.precisions)});
    }
    return store::csv(lines);
}

/// One sentence for each row with a test.
std::vector<Phrase> sentences_of(const LanguageStudy& study) {
    std::vector<Phrase> sentences;
    for (const auto& row : study.rows)
        if (row.change)
            sentences.push_back(
                Phrase("%1, %2, %3: %4", row.model, row.task, title_of(row.kind), verdict(*row.change)));
    return sentences;
}

/// Of the runs with the language model as it is.
std::set<std::string> backbones_of_whole(const LanguageStudy& study) {
    std::set<std::string> backbones;
    for (const auto& row : study.rows)
        if (row.kind == whole) backbones.insert(row.backbones.begin(), row.backbones.end());
    return backbones;
}

std::vector<Phrase> study_notes(const LanguageStudy& study) {
    std::vector<Phrase> notes{
        "Δ: how much higher the test MSE is with this in place of the language model, in per cent of that "
        "with it, over pairs of runs with the same seed and otherwise equal settings. Above zero the "
        "language "
        "model helps. Random weights: the same blocks, drawn anew for each seed, with the same layers "
        "trained: "
        "what pre-training gives. Interval: 95 % paired bootstrap (10,000 resamples). p: two-sided Wilcoxon "
        "signed-rank test; Holm: over the kinds of a model and task.",
        "Shuffled, half masked, halves exchanged: how much higher the test MSE of the trained model is, in "
        "per "
        "cent, with the rows of every look-back in random order, with half of them set to the training mean, "
        "or "
        "with its halves exchanged. A model that loses little does not use the order. Seconds include "
        "validations and these tests, and are "
        "comparable on one kind of device only.",
        backbone_note(backbones_of_whole(study)), precision_note(precisions_of(study.rows))};
    if (backbones_of_whole(study).contains("untrained"))
        notes.emplace_back(
            "\"As it is\" has random weights here, too: this page compares architectures, and says nothing "
            "about "
            "what pre-training gives.");
    std::erase(notes, Phrase());
    return notes;
}

std::string markdown_of(const LanguageStudy& study) {
    std::string text = "# What the language model contributes\n\n" + error_table().markdown(study.rows);
    text += "\n## In words\n\n";
    for (const auto& sentence : sentences_of(study)) text += "* " + sentence + "\n";
    text += "\n## Cost, and damaged look-backs (Δ % of the test MSE)\n\n" + cost_table().markdown(study.rows);
    for (const auto& note : study_notes(study)) text += "\n" + note + "\n";
    return text;
}

std::string latex_of(const LanguageStudy& study) {
    std::vector<Fields> lines{{"Model", "Task", "Language model", "Test MSE", "$\\Delta$ (\\%)",
                               "95\\,\\% interval", "$p$", "$p$ (Holm)", "Seconds", "Trained"},
                              {}};
    const LanguageRow* last = nullptr;
    for (const auto& row : study.rows) {
        if (last != nullptr && (last->model != row.model || last->task != row.task)) lines.emplace_back();
        last = &row;
        Fields line{row.model, row.task, title_of(row.kind), store::mean_and_sd(row.test_mse)};
        const auto change = row.change;
        line.push_back(change ? percent_text(change->delta_percent) : "–");
        line.push_back(change ? interval_percent(*change) : "–");
        line.push_back(change ? p_text(change->test.p) : "–");
        line.push_back(change ? p_text(change->p_holm) : "–");
        line.push_back(store::four_digits(row.seconds.mean));
        line.push_back(parameters_text(row.parameters_trainable));
        for (auto& cell : line) cell = latex_escaped(cell);
        lines.push_back(std::move(line));
    }
    std::string below;
    for (const auto& note : study_notes(study)) below += latex_escaped(note.english()) + "\\par\n";
    const auto text = latex_noted(latex_tabular("lllrrrrrrr", lines), below);
    return latex_head(text) + text;
}

/// The runs of a model in one task.
struct ModelTask {
    std::string model, name;  ///< title; as task_names()
    std::string cell;         ///< "ETTh1-96"
    std::map<std::string, std::vector<const store::ResultRow*>, std::less<>> kinds;  ///< a run for each seed
};

ModelTask& task_of(std::vector<ModelTask>& tasks, const std::string& model, const std::string& name) {
    const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const ModelTask& task) {
        return task.model == model && task.name == name;
    });
    return found != tasks.end() ? *found : tasks.emplace_back(ModelTask{model, name, {}, {}});
}

bool is_only_one(const ModelTask& task, const std::vector<ModelTask>& tasks) {
    return std::count_if(tasks.begin(), tasks.end(), [&](const ModelTask& other) {
               return other.model == task.model && other.cell == task.cell;
           }) == 1;
}

/// The runs of a kind that are compared in the task: its own, or those of another task of the same model and
/// data that differs only in settings that the kind does not read (backbone.layers). Null: none.
const std::vector<const store::ResultRow*>* compared_runs(const ModelTask& task, const std::string& kind,
                                                          const std::vector<ModelTask>& tasks) {
    if (const auto found = task.kinds.find(kind); found != task.kinds.end()) return &found->second;
    for (const auto& other : tasks)
        if (other.model == task.model && other.cell == task.cell)
            if (const auto found = other.kinds.find(kind); found != other.kinds.end()) return &found->second;
    return nullptr;
}

/// Whether the task's runs of a kind have their rows in other tasks.
bool is_compared_elsewhere(const ModelTask& task, const std::string& kind,
                           const std::vector<ModelTask>& tasks, const std::vector<Comparison>& comparisons) {
    return std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& one) {
        return one.other == kind && std::any_of(tasks.begin(), tasks.end(), [&](const ModelTask& other) {
                   return other.name == one.task && other.model == task.model && other.cell == task.cell &&
                          !other.kinds.contains(kind);
               });
    });
}

/// Holm's correction over the kinds of each model and task. Over the whole page, eight seeds could show
/// nothing: their smallest p is 0.0078.
void correct_by_model(std::vector<LanguageRow>& rows) {
    for (auto begin = rows.begin(); begin != rows.end();) {
        const auto end = std::find_if(begin, rows.end(), [&](const LanguageRow& row) {
            return row.model != begin->model || row.task != begin->task;
        });
        std::vector<Comparison*> family;
        for (auto row = begin; row != end; ++row)
            if (row->change && std::isfinite(row->change->test.p)) family.push_back(&*row->change);
        std::vector<double> p;
        for (const auto* one : family) p.push_back(one->test.p);
        const auto corrected = holm(p);
        for (std::size_t i = 0; i < family.size(); ++i) {
            family[i]->p_holm = corrected[i];
            family[i]->family = std::ssize(family);
        }
        begin = end;
    }
}

/// What the runs say without the others.
LanguageRow measured(const std::vector<const store::ResultRow*>& runs) {
    LanguageRow row;
    std::vector<double> errors, seconds;
    for (const auto* run : runs) {
        errors.push_back(run->test_mse);
        seconds.push_back(run->seconds);
        row.backbones.insert(run->backbone);
        if (!run->precision.empty()) row.precisions.insert(run->precision);
    }
    row.test_mse = store::statistic_of(errors);
    row.seconds = store::statistic_of(seconds);
    const auto attributes = store::read_run_attributes(store::RunFolder(runs.front()->run).run_file());
    row.parameters_trainable = attributes.parameters_trainable;
    row.parameters_total = attributes.parameters_total;
    row.shuffled = mean_damage(runs, &store::ResultRow::test_mse_shuffled);
    row.masked = mean_damage(runs, &store::ResultRow::test_mse_masked);
    row.exchanged = mean_damage(runs, &store::ResultRow::test_mse_exchanged);
    return row;
}

}  // namespace

LanguageStudy language_study(const std::vector<SettledRun>& runs, const std::stop_token& stop) {
    std::vector<SettledRun> own;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(own), takes_part);
    LanguageStudy study;
    auto rows = as_one_sweep(own, kind_key);
    const auto tasks = task_names(rows, kind_key);
    const auto comparisons = compare_rows(rows, {kind_key, whole}, {"test_mse"});
    std::vector<ModelTask> order;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].run = own[i].folder.string();
        const auto& kind = own[i].config.backbone.kind;
        auto& task = task_of(order, std::string(model::descriptor(own[i].config).title), tasks[i]);
        task.cell = rows[i].data + "-" + std::to_string(rows[i].horizon);
        auto& seeds = task.kinds[kind];
        const auto has_seed = [&](const auto* row) { return row->seed == rows[i].seed; };
        if (std::none_of(seeds.begin(), seeds.end(), has_seed)) seeds.push_back(&rows[i]);
    }
    for (const auto& task : order)
        for (const auto& one_kind : kinds) {
            const std::string kind = one_kind.kind;
            throw_if_stopped(stop);
            const auto change = std::find_if(comparisons.begin(), comparisons.end(), [&](const auto& one) {
                return one.task == task.name && one.other == kind;
            });
            const bool compared = change != comparisons.end();
            const auto own_runs = task.kinds.find(kind);
            if (!compared &&
                (own_runs == task.kinds.end() || is_compared_elsewhere(task, kind, order, comparisons)))
                continue;
            const auto* runs = compared ? compared_runs(task, kind, order) : &own_runs->second;
            if (runs == nullptr) continue;
            auto row = measured(*runs);
            row.model = task.model;
            // Several tasks of a model with the same data and horizon need their whole names.
            row.task = is_only_one(task, order) ? task.cell : task.name;
            row.kind = kind;
            if (compared) row.change = *change;
            study.rows.push_back(std::move(row));
        }
    correct_by_model(study.rows);
    return study;
}

TableTexts language_study_texts(const LanguageStudy& study) {
    const std::string name = language_study_name;
    return {
        {name + ".md", markdown_of(study)}, {name + ".csv", csv_of(study)}, {name + ".tex", latex_of(study)}};
}

}  // namespace casp::evidence
