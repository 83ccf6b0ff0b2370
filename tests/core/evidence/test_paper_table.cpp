// Tables of the paper: the printed values against each other, the experiments against the tables, and the
// values of runs.

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include <QtTest>

#include "config/experiment.h"
#include "config/options.h"
#include "evidence/missing_time.h"
#include "evidence/paper_experiments.h"
#include "evidence/paper_table.h"
#include "evidence/paper_table_text.h"
#include "paper_table_test.h"
#include "test_program.h"
#include "util/embedded.h"
#include "util/error.h"

using namespace casp;
using namespace casp::evidence;
using namespace casp::test;

namespace {

/// Eight seeds with and without coverage at ETTh1-96; only the third-smallest difference is positive: W = 3.
std::vector<PaperRun> eight_pairs(const std::vector<std::string>& further = {}) {
    std::vector<PaperRun> runs;
    const std::vector<double> differences{-1, -2, 3, -4, -5, -6, -7, -8};
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const auto seed = 2021 + static_cast<std::int64_t>(i);
        auto without = further, with = further;
        without.emplace_back("loss.lambda_cov=0");
        with.emplace_back("loss.lambda_cov=0.1");
        runs.push_back(run_of("etth1-96", without, seed, 0.5));
        runs.push_back(run_of("etth1-96", with, seed, 0.5 + 0.0011 * differences[i]));
    }
    return runs;
}

bool is_setting(const std::string& key) {
    return key != "name" && key != "preset" && key != "train.seed" && !key.starts_with("run.");
}

bool same_settings(const config::Config& a, const config::Config& b) {
    const auto differences = config::differences(a, b);
    return std::none_of(differences.begin(), differences.end(),
                        [](const auto& difference) { return is_setting(difference.key); });
}

std::string experiment_text(const std::string& name) {
    return std::string(embedded_file("resources/experiments/paper/" + name + ".toml"));
}

std::vector<config::RunPlan> plans_of(const std::string& name) {
    return config::expand(load_experiment("paper:" + name));
}

}  // namespace

class TestPaperTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_table_reads() {
        QCOMPARE(paper_table_names().size(), std::size_t{19});
        for (const auto& name : paper_table_names()) {
            const auto table = paper_table(name);
            QVERIFY2(!table.title.empty() && !table.source.empty() && !table.experiments.empty(),
                     name.c_str());
            for (const auto& row : table.rows) QCOMPARE(row.size(), table.headings.size());
            for (const auto& column : table.columns) QVERIFY(column.size() == 1 || column.size() == 2);
            for (const auto& cell : table.cells)
                if (cell) QVERIFY2(!cell->metric.empty() && !cell->runs.empty(), name.c_str());
        }
        QCOMPARE(paper_table("longterm").needs.size(), std::size_t{8 * 24});
    }

    void an_unknown_name_is_an_input_error() {
        try {
            (void)paper_table("longtern");
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY2(has(error.what(), "Nearest name: longterm."), error.what());
        }
    }

    void experiments_have_names() {
        QCOMPARE(load_experiment("paper:crossed").base.name, std::string("paper-crossed"));
        try {
            (void)load_experiment("paper:crosed");
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY2(has(error.what(), "Nearest name: paper:crossed."), error.what());
        }
    }

    void a_finished_run_of_another_table_is_recognised() {
        const auto planned = run_of("etth1-96", {"loss.lambda_cov=0"}, 2021, 0).config;
        auto run = planned;
        run.name = "paper-seeds";
        run.preset = "etth1-192";  // with the same data and horizon
        QVERIFY(!covers(run, planned));
        run.preset.clear();
        run.run.device = "cuda";
        run.run.store_embeddings = true;
        QVERIFY(covers(run, planned));
        QVERIFY(!covers(planned, run));  // without the embeddings
        run.train.seed = 2022;
        QVERIFY(!covers(run, planned));
        run.train.seed = 2021;
        run.run.precision = "bf16";
        QVERIFY(!covers(run, planned));
    }

    /// Their split and batching were "auto", which the catalogue resolves to those of today's presets.
    void runs_of_older_presets_count() {
        auto run = run_of("etth1-96", {"loss.lambda_cov=0"}, 2021, 0.4);
        const auto planned = run.config;
        run.config.data.split.rule = run.config.data.batching = "auto";
        QVERIFY(covers(run.config, planned));
        QVERIFY(fill(paper_table("lambda"), {run}).deviations.empty());
        run.config.data.split.rule = "ratio";
        QVERIFY(!covers(run.config, planned));
        QCOMPARE(fill(paper_table("lambda"), {run}).deviations,
                 std::vector<std::string>{"data.split = \"ratio\""});
    }

    void printed_values() {
        const auto longterm = paper_table("longterm");
        const auto& cell = cell_of(longterm, {"ETTh1", "96"}, {"CASP-LLM", "MSE"});
        QCOMPARE(cell.printed, std::string("0.3714"));
        QCOMPARE(cell.printed_sd, std::string("0.0036"));
        QVERIFY(cell.printed_mark == Mark::none);
        QVERIFY(cell_of(longterm, {"ETTh1", "96"}, {"DLinear", "MSE"}).printed_mark == Mark::bold);
        QCOMPARE(cell_of(paper_table("paired"), {"ETTh1", "336"}, {"Δ"}).paper(), -0.0189);
        QCOMPARE(
            cell_of(paper_table("pca"), {"Anchor embeddings", "centred"}, {"λ_cov = 0.1", "PC2"}).paper(),
            0.4096);
        QVERIFY(std::isnan(cell_of(paper_table("sensitivity"), {"ETTh1", "96"}, {"K", "4"}).paper()));
    }

    /// Every average that is not the mean of its four horizons has a note.
    void averages_are_means_or_noted() {
        const auto longterm = paper_table("longterm");
        const auto averages = paper_table("averages");
        int noted = 0;
        for (const auto& row : averages.rows)
            for (const auto& column : averages.columns) {
                double sum = 0;
                for (const auto* horizon : {"96", "192", "336", "720"})
                    sum += cell_of(longterm, {row.front(), horizon}, column).paper();
                const auto& cell = cell_of(averages, row, column);
                const bool equal = std::abs(sum / 4 - cell.paper()) < 0.5e-4 + 1e-9;
                QCOMPARE(equal, cell.note.empty());
                noted += equal ? 0 : 1;
            }
        QCOMPARE(noted, 3);
    }

    void differences_agree_with_means_or_are_noted() {
        const auto paired = paper_table("paired");
        int noted = 0;
        for (const auto& row : paired.rows) {
            if (row.back().ends_with("cells")) continue;
            const auto mean = cell_of(paired, row, {"CASP-LLM"}).paper();
            const auto base = cell_of(paired, row, {"λ_cov = 0"}).paper();
            const auto& cell = cell_of(paired, row, {"Δ"});
            const bool equal = std::abs(mean - base - cell.paper()) < 1e-9;
            QVERIFY2(equal == cell.note.empty(), row.front().c_str());
            noted += equal ? 0 : 1;
        }
        QCOMPARE(noted, 7);
    }

    /// Each comment states the number of runs.
    void experiments_have_the_runs_they_state() {
        for (const auto& name : paper_experiment_names()) {
            const auto text = experiment_text(name);
            std::smatch found;
            const auto comment = std::regex_replace(text, std::regex("\n# "), " ");
            QVERIFY(std::regex_search(comment, found, std::regex("(\\d+) runs?\\b")));
            QCOMPARE(std::to_string(plans_of(name).size()), found[1].str());
        }
    }

    /// All runs that a table needs are in its experiments, with equal settings.
    void experiments_hold_what_the_tables_need() {
        for (const auto& name : paper_table_names()) {
            const auto table = paper_table(name);
            std::vector<config::RunPlan> plans;
            for (const auto& experiment : table.experiments)
                for (auto& plan : plans_of(experiment)) plans.push_back(std::move(plan));
            for (const auto& need : table.needs) {
                if (!need.problem.empty()) continue;
                for (std::int64_t seed = 2021; seed < 2021 + need.seeds; ++seed)
                    QVERIFY2(
                        std::any_of(plans.begin(), plans.end(),
                                    [&](const auto& plan) {
                                        return plan.config.train.seed == seed &&
                                               plan.config.data == need.config.data &&
                                               same_settings(plan.config, need.config);
                                    }),
                        (name + ": " + need.preset + " " + need.set + ", " + std::to_string(seed)).c_str());
            }
        }
    }

    void only_models_of_this_version_are_needed() {
        for (const auto& name : paper_table_names()) {
            const auto table = fill(paper_table(name), {});
            for (const auto& need : table.needs) QCOMPARE(need.problem, std::string());
            QCOMPARE(table.not_offered, 0);
        }
        QCOMPARE(fill(paper_table("longterm"), {}).missing, 8 * 24 * 3);
        QCOMPARE(fill(paper_table("averages"), {}).missing, 8 * 24 * 3);
        QCOMPARE(fill(paper_table("fewshot"), {}).missing, 7 * 16 * 3);
    }

    /// Each column is filled by its model's runs and by no others.
    void columns_belong_to_models() {
        const std::map<std::string, std::string> names{
            {"CASP-LLM", "casp-llm"}, {"Time-LLM", "time-llm"}, {"S2IP-LLM", "s2ip-llm"},
            {"CALF", "calf"},         {"OFA", "ofa"},           {"iTransformer", "itransformer"},
            {"PatchTST", "patchtst"}, {"DLinear", "dlinear"}};
        for (const auto* name : {"longterm", "averages", "fewshot"}) {
            const auto table = paper_table(name);
            for (std::size_t i = 0; i < table.cells.size(); ++i) {
                if (!table.cells[i]) continue;
                const auto& label = table.columns[i % table.columns.size()].front();
                for (const auto index : table.cells[i]->runs)
                    QCOMPARE(table.needs[index].config.model.name, names.at(label));
            }
        }
        const auto table = fill(paper_table("longterm"), {run_of("ofa-etth1-96", {}, 2021, 0.4)});
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"OFA", "MSE"}).value, 0.4);
        QVERIFY(std::isnan(cell_of(table, {"ETTh1", "96"}, {"CASP-LLM", "MSE"}).value));
    }

    /// Presets differ: ten epochs are OFA's own and not CASP-LLM's, whose batch of 64 is not OFA's.
    void models_deviate_each_from_their_presets() {
        std::vector<PaperRun> runs;
        for (const auto* preset : {"etth1-96", "etth1-192", "ofa-etth1-96"})
            runs.push_back(run_of(preset, {"train.epochs=10", "train.batch_size=64"}, 2021, 0.4));
        runs.push_back(run_of("ofa-etth1-96", {"train.epochs=3"}, 2022, 0.5));
        const auto table = fill(paper_table("longterm"), runs);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"CASP-LLM", "MSE"}).n, 1);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"OFA", "MSE"}).value, 0.4);
        QCOMPARE(table.deviations, (std::vector<std::string>{"train.batch_size = 64", "train.epochs = 10"}));
        QCOMPARE(table.left_out, 1);
    }

    void pairs_over_seeds() {
        const auto table = fill(paper_table("crossed"), eight_pairs());
        const auto& improved = cell_of(table, {"Decomposed", "3-way"}, {"Improved"});
        QCOMPARE(improved.value, 7.0);
        QCOMPARE(improved.n, 8);
        QCOMPARE(improved.wanted, 8);
        const auto& p = cell_of(table, {"Decomposed", "3-way"}, {"p"});
        QVERIFY(std::abs(p.value - 0.0390625) < 1e-12);  // W = 3
        QVERIFY(p.mark == Mark::bold);
        const auto& mse = cell_of(table, {"Decomposed", "3-way"}, {"λ_cov = 0.1"});
        QVERIFY(std::abs(mse.value - (0.5 - 0.033 / 8)) < 1e-12);
        QVERIFY(mse.mark == Mark::bold);
        QVERIFY(std::isnan(cell_of(table, {"Raw", "3-way"}, {"λ_cov = 0"}).value));
        QCOMPARE(table.missing, 32);
        QCOMPARE(table.backbone, std::string("openai-gpt2-small"));
        QVERIFY(table.deviations.empty());
    }

    void single_pair_has_no_p_value() {
        auto runs = eight_pairs();
        std::erase_if(runs, [](const PaperRun& run) { return run.row.seed != 2021; });
        const auto table = fill(paper_table("crossed"), runs);
        QCOMPARE(cell_of(table, {"Decomposed", "3-way"}, {"Improved"}).n, 1);
        QVERIFY(std::isfinite(cell_of(table, {"Decomposed", "3-way"}, {"Improved"}).value));
        QVERIFY(std::isnan(cell_of(table, {"Decomposed", "3-way"}, {"p"}).value));
    }

    void mean_and_deviation_over_seeds() {
        std::vector<PaperRun> runs;
        for (std::int64_t i = 0; i < 4; ++i)  // the fourth seed is not one of the paper's three
            runs.push_back(run_of("etth1-96", {}, 2021 + i, 0.3 + 0.1 * static_cast<double>(i)));
        runs.push_back(run_of("etth1-96", {}, 2021, 9));  // a second run of a seed
        const auto table = fill(paper_table("lambda"), runs);
        const auto& cell = cell_of(table, {"ETTh1", "96", "MSE"}, {"λ_cov = 0.1"});
        QVERIFY(std::abs(cell.value - 0.4) < 1e-12);
        QVERIFY(std::abs(cell.sd - 0.1) < 1e-12);
        QCOMPARE(cell.n, 3);
        QVERIFY(std::isnan(cell_of(table, {"ETTh1", "96", "MSE"}, {"λ_cov = 0.5"}).value));
        QVERIFY(cell.mark == Mark::none);  // nothing to compete with
    }

    void an_average_needs_all_its_parts() {
        std::vector<PaperRun> runs;
        for (const auto* horizon : {"96", "192", "336"})
            runs.push_back(run_of("etth1-" + std::string(horizon), {}, 2021, 0.4));
        const auto mean = [&] {
            return cell_of(fill(paper_table("averages"), runs), {"ETTh1"}, {"CASP-LLM", "MSE"}).value;
        };
        QVERIFY(std::isnan(mean()));
        runs.push_back(run_of("etth1-720", {}, 2021, 0.8));
        QVERIFY(std::abs(mean() - 0.5) < 1e-12);
    }

    /// Small models fill the table, too, but are never mixed with others, and the table shows what they are.
    void deviating_runs_are_not_mixed() {
        auto runs = eight_pairs({"backbone.layers=2", "model.top_k=4"});
        for (auto& run : runs) run.row.backbone = "untrained";
        runs.push_back(run_of(
            "etth1-96", {"model.decomposition=false", "loss.lambda_cov=0", "train.epochs=1"}, 2021, 0.4));
        const auto table = fill(paper_table("crossed"), runs);
        QCOMPARE(table.backbone, std::string("untrained"));
        QCOMPARE(table.deviations, (std::vector<std::string>{"backbone.layers = 2", "model.top_k = 4"}));
        QCOMPARE(cell_of(table, {"Decomposed", "3-way"}, {"Improved"}).value, 7.0);
        QVERIFY(std::isnan(cell_of(table, {"Raw", "3-way"}, {"λ_cov = 0"}).value));
        const auto text = paper_table_markdown(table);
        QVERIFY(has(text, "untrained"));
        QVERIFY(has(text, "backbone.layers = 2"));
        QVERIFY(has(text,
                    "- 1 further run with other settings is left out: backbone = openai-gpt2-small, "
                    "backbone.layers = 6, model.top_k = 8, train.epochs = 1.\n"));
    }

    void the_papers_settings_come_before_many_runs_with_others() {
        auto runs = eight_pairs({"backbone.layers=2"});
        for (auto& run : runs) run.row.backbone = "untrained";
        runs.push_back(run_of("etth1-96", {"loss.lambda_cov=0"}, 2021, 0.375));
        const auto table = fill(paper_table("crossed"), runs);
        QCOMPARE(table.backbone, std::string("openai-gpt2-small"));
        QVERIFY(table.deviations.empty());
        const auto& cell = cell_of(table, {"Decomposed", "3-way"}, {"λ_cov = 0"});
        QCOMPARE(cell.value, 0.375);
        QCOMPARE(cell.n, 1);
        QCOMPARE(table.left_out, 16);
        QVERIFY(has(paper_table_markdown(table),
                    "- 16 further runs with other settings are left out: backbone = untrained, "
                    "backbone.layers = 2.\n"));
    }

    /// A run without a backbone has the paper's settings, and fits a table of untrained runs as well.
    void a_run_without_backbone_does_not_displace_others() {
        auto runs = eight_pairs();
        for (auto& run : runs) run.row.backbone = "untrained";
        runs.push_back(run_of("dlinear-etth1-96", {}, 2021, 0.4));
        runs.back().row.backbone = "none";
        const auto table = fill(paper_table("longterm"), runs);
        QCOMPARE(table.backbone, std::string("untrained"));
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"DLinear", "MSE"}).value, 0.4);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"CASP-LLM", "MSE"}).n, 3);
    }

    /// K and V' are what the table compares: runs with K = 2 are not ones with K = 4 that deviate.
    void a_partial_sweep_fills_its_cells_only() {
        std::vector<PaperRun> runs;
        for (const auto* preset : {"etth1-96", "etth1-336", "ettm1-96", "ettm1-336"})
            runs.push_back(run_of(preset, {"model.top_k=2"}, 2021, 0.4));
        const auto table = fill(paper_table("sensitivity"), runs);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"K", "2"}).value, 0.4);
        for (const auto* k : {"4", "8", "16"})
            QVERIFY(std::isnan(cell_of(table, {"ETTh1", "96"}, {"K", k}).value));
        QVERIFY(std::isnan(cell_of(table, {"ETTm1", "336"}, {"V'", "500"}).value));
        QVERIFY(table.deviations.empty());
        QCOMPARE(table.missing, 24);
        QCOMPARE(table.left_out, 0);
    }

    /// K = 8 and V' = 1000 are one configuration at ETTh1.
    void equal_configurations_are_needed_once() {
        const auto empty = fill(paper_table("sensitivity"), {});
        QCOMPARE(empty.needs.size(), std::size_t{28});
        QCOMPARE(empty.missing, std::int64_t(plans_of("sensitivity").size()));
        const auto table = fill(paper_table("sensitivity"), {run_of("etth1-96", {}, 2021, 0.4)});
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"K", "8"}).value, 0.4);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"V'", "1000"}).value, 0.4);
    }

    void runs_without_the_measures_of_a_table_are_missing() {
        std::vector<PaperRun> runs{run_of("etth1-96", {}, 2021, 0.4)};
        QCOMPARE(fill(paper_table("pca"), runs).missing, 4);
        runs.push_back(runs.front());
        runs.back().measures["pc1_anchors"] = 0.25;
        const auto table = fill(paper_table("pca"), runs);
        QCOMPARE(cell_of(table, {"Anchor embeddings", "centred"}, {"λ_cov = 0.1", "PC1"}).value, 0.25);
        QCOMPARE(table.missing, 3);
    }

    void missing_runs_have_commands() {
        auto table = paper_table("mmr");
        table.missing = 1;
        table.not_offered = 1;
        const auto text = paper_table_markdown(table);
        QVERIFY(has(text,
                    "- 1 run is missing. Command: caspstudio --batch paper:mmr; caspstudio --batch "
                    "paper:mmr-five-seeds\n"));
        QVERIFY(has(text, "- 1 run needs models or data that this version does not have.\n"));
        table.missing = 2;
        QVERIFY(
            has(paper_table_latex(table), "2 runs are missing. Command: caspstudio -{}-batch paper:mmr;"));
    }

    /// Both heads of the raw input are missing, 16 runs each.
    void missing_runs_are_timed() {
        const auto table = fill(paper_table("crossed"), eight_pairs({"train.epochs=2"}));
        bool same_settings_as_found = true;
        const auto time = time_of_missing(table, [&](const config::Config& config, const std::stop_token&) {
            same_settings_as_found = same_settings_as_found && config.train.epochs == 2;
            return config.model.head_ways == 3 ? RunTime{60, {}} : RunTime{0, "no such file"};
        });
        QVERIFY(same_settings_as_found);
        QCOMPARE(time.seconds, 16 * 60.0);
        QCOMPARE(time.unknown, 16);
        QCOMPARE(
            missing_time_text(table, time),
            std::string("32 runs are missing: up to about 16 min 00 s on this computer, one after another "
                        "and without early stopping. The time of 16 of them is unknown: no such file"));
        const auto unknown =
            time_of_missing(table, [](const config::Config& /*config*/, const std::stop_token&) -> RunTime {
                throw input_error("data.path", "no data");
            });
        QCOMPARE(missing_time_text(table, unknown),
                 "32 runs are missing. Their time is unknown: " + unknown.problem);
        QVERIFY(unknown.problem.english().starts_with("data.path: no data"));
        QVERIFY(missing_time_text(paper_table("crossed"), {}).empty());
    }

    void a_note_states_a_common_clause_once() {
        const auto notes = paper_table_notes(paper_table("fewshot"));
        const auto average = [](const std::string& note) {
            return has(note, "probably the average of the four horizons");
        };
        QCOMPARE(std::count_if(notes.begin(), notes.end(), average), 1);
        const auto note = *std::find_if(notes.begin(), notes.end(), average);
        QVERIFY(
            note.starts_with("[5] probably the average of the four horizons; [4] with horizon 96 = 4 × "
                             "0.593 − 0.518 − 0.664 − 0.711 = 0.479; [6] with horizon 96 = "));
        QCOMPARE(note.find("probably", 5), std::string::npos);
    }

    void p_values_have_no_difference() {
        const auto table = fill(paper_table("crossed"), eight_pairs());
        const auto text = paper_table_csv(table);
        const auto at = text.find("crossed,Decomposed|3-way,p,p,0.039,");
        QVERIFY(at != std::string::npos);
        const auto line = text.substr(at, text.find('\n', at) - at);
        QVERIFY2(line.ends_with(",bold,8,8,,,openai-gpt2-small"), line.c_str());
    }

    void unfinished_runs_do_not_count() {
        auto runs = eight_pairs();
        for (auto& run : runs) run.row.state = store::RunState::finished_early;
        const auto table = fill(paper_table("crossed"), runs);
        QCOMPARE(table.missing, 48);
        QCOMPARE(table.backbone, std::string());
    }

    void overlap_of_retrieved_anchors() {
        std::vector<PaperRun> runs{run_of("etth1-96", {"loss.lambda_cov=0"}, 2021, 0.4),
                                   run_of("etth1-96", {"loss.lambda_cov=0.1"}, 2021, 0.4)};
        runs[0].usage_test = {5, 5, 0, 0};
        runs[1].usage_test = {0, 5, 5, 0};
        const auto table = fill(paper_table("jaccard"), runs);
        const auto& cell = cell_of(table, {"ETTh1", "96"}, {"Jaccard"});
        QVERIFY(std::abs(cell.value - 1.0 / 3) < 1e-12);
        QCOMPARE(cell.n, 1);
        QCOMPARE(cell.wanted, 3);
    }

    void first_equal_run_with_measures_is_used() {
        std::vector<PaperRun> runs{run_of("etth1-96", {}, 2021, 0.4), run_of("etth1-96", {}, 2021, 0.4),
                                   run_of("etth1-96", {}, 2021, 0.4)};
        runs[1].measures["pc1_anchors"] = 0.25;
        runs[2].measures["pc1_anchors"] = 0.5;
        const auto table = fill(paper_table("pca"), runs);
        QCOMPARE(cell_of(table, {"Anchor embeddings", "centred"}, {"λ_cov = 0.1", "PC1"}).value, 0.25);
    }

    void problems_of_assigned_runs_are_noted() {
        std::vector<PaperRun> runs{run_of("etth1-96", {}, 2021, 0.4), run_of("weather-96", {}, 2029, 0.4)};
        runs[0].folder = "runs/a_b";
        runs[0].problem = "its data {1} is gone";
        runs[1].problem = "no run of the table";
        const auto table = fill(paper_table("strata"), runs);
        QCOMPARE(table.notes.back(),
                 std::string("1 run is not in the values: runs/a_b: its data {1} is gone"));
        QVERIFY(has(paper_table_latex(table), "runs/a\\_b: its data \\{1\\} is gone"));
        // A message of the system, in any language and with any path.
        runs[0].problem = "C:\\x~y^2";
        QVERIFY(has(paper_table_latex(fill(paper_table("strata"), runs)),
                    "C:\\textbackslash{}x\\textasciitilde{}y\\textasciicircum{}2"));
    }

    void texts() {
        for (const auto& name : paper_table_names()) {
            const auto latex = paper_table_latex(paper_table(name));
            QVERIFY(latex.starts_with("% Compile with pdflatex; needs \\usepackage{booktabs,graphicx}.\n"));
            QVERIFY(has(latex, "\\toprule") && has(latex, "\\resizebox{"));
            QVERIFY2(std::all_of(latex.begin(), latex.end(),
                                 [](char c) { return c == '\n' || (c >= ' ' && c < 127); }),
                     name.c_str());
        }
        const auto table = fill(paper_table("crossed"), eight_pairs());
        const auto latex = paper_table_latex(table);
        QVERIFY(has(latex, "$\\lambda_{\\mathrm{cov}}$ = 0.1"));
        QVERIFY(has(latex, "\\textbf{0.4959 $\\pm$ "));
        const auto text = paper_table_markdown(table);
        QVERIFY(has(text, "**0.3702 ± 0.0026**"));
        QVERIFY(has(text, "+0.1257"));  // 0.495875 − 0.3702 to four decimals
        QVERIFY(has(text, "Backbone of the runs: GPT-2, as in the paper."));
        QVERIFY(has(paper_table_csv(table),
                    "crossed,Decomposed|3-way,Improved,improved,7,,,7,,,8,8,0,,openai-gpt2-small\n"));
        QVERIFY(
            has(paper_table_markdown(paper_table("m4")), "(13.280 / 16.342 + 3.003 / 3.974) / 2 = 0.784"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestPaperTable)
#include "test_paper_table.moc"
