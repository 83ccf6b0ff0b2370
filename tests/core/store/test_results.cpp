#include <clocale>
#include <cmath>
#include <set>

#include <QtTest>

#include "store/result_columns.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp::store;
using namespace store_test;

namespace {

ResultRow row(const std::string& lambda, std::int64_t seed, double val, double test,
              RunState state = RunState::finished) {
    ResultRow r;
    r.run = "lambda_cov-" + lambda + "_seed-" + std::to_string(seed);
    r.state = state;
    r.data = "ETTh1";
    r.model = "casp-llm";
    r.lookback = 512;
    r.horizon = 96;
    r.lambda_sim = 0.05;
    r.lambda_cov = std::stod(lambda);
    r.seed = seed;
    r.epochs = 3;
    r.best_epoch = 2;
    r.steps = 100;
    r.val_mse = val;
    r.test_mse = test;
    r.test_mae = test + 0.02;
    r.last_value_mse = 1.2945;
    r.seconds = 12345.678;
    r.backbone = "untrained";
    r.swept = {{"loss.lambda_cov", lambda}, {"train.seed", std::to_string(seed)}};
    return r;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto& line : QString::fromStdString(text).split('\n')) lines.push_back(line.toStdString());
    return lines;
}

}  // namespace

class TestResults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statistics() {
        const auto none = statistic_of({NAN});
        QCOMPARE(none.n, std::int64_t{0});
        QVERIFY(std::isnan(none.mean));
        const auto one = statistic_of({0.5, NAN});
        QCOMPARE(one.mean, 0.5);
        QVERIFY(std::isnan(one.sd));
        // 2, 4, 4, 4, 5, 5, 7, 9: squares about the mean 5 sum to 32; n - 1 = 7.
        const auto eight = statistic_of({2, 4, 4, 4, 5, 5, 7, 9});
        QCOMPARE(eight.mean, 5.0);
        QCOMPARE(eight.sd, std::sqrt(32.0 / 7.0));
        // A large offset costs no digits.
        QCOMPARE(statistic_of({1e9 + 1, 1e9 + 2, 1e9 + 3}).sd, 1.0);
    }

    void numbers_as_text() {
        QCOMPARE(shortest(0.1), std::string("0.1"));
        QCOMPARE(shortest(0.1 + 0.2), std::string("0.30000000000000004"));
        QCOMPARE(shortest(NAN), std::string("nan"));
        QCOMPARE(shortest(96), std::string("96"));
        QCOMPARE(four_digits(0.37214), std::string("0.3721"));
        QCOMPARE(four_digits(0.372), std::string("0.3720"));
        QCOMPARE(four_digits(12.345678), std::string("12.35"));
        QCOMPARE(four_digits(9.99996), std::string("10.00"));
        QCOMPARE(four_digits(12345.6), std::string("12346"));
        QCOMPARE(four_digits(0.00012346), std::string("0.0001235"));
        QCOMPARE(four_digits(1.23456e-9), std::string("1.235e-09"));
        QCOMPARE(four_digits(-0.5), std::string("-0.5000"));
        QCOMPARE(four_digits(0), std::string("0"));
        QCOMPARE(four_digits(NAN), std::string("–"));
        QCOMPARE(mean_and_sd({3, 0.37214, 0.00123}), std::string("0.3721 ± 0.0012"));
        QCOMPARE(mean_and_sd({3, 0.37214, 0.0000123}), std::string("0.3721 ± 0.000012"));
        QCOMPARE(mean_and_sd({3, 0.37214, 0.00000123}), std::string("0.3721 ± 1.2e-06"));
        QCOMPARE(mean_and_sd({2, 0.37214, 0}), std::string("0.3721 ± 0.0000"));
        QCOMPARE(mean_and_sd({1, 0.37214, NAN}), std::string("0.3721"));
        QCOMPARE(mean_and_sd({}), std::string("–"));
    }

    void results_csv_has_the_columns_of_the_interface() {
        auto first = row("0", 2021, 0.1 + 0.2, 0.4);
        first.data = "a, \"b\"";
        first.swept.emplace_back("model.top_k", "4");
        first.peak_memory = 123456789;
        auto second = row("0.1", 2021, NAN, NAN, RunState::queued);
        second.epochs = second.best_epoch = second.steps = -1;
        second.swept.emplace_back("model.top_k", "8");
        const auto lines = lines_of(results_csv({first, second}));
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[0],
                 std::string("run,state,data,model,lookback,horizon,lambda_sim,lambda_cov,seed,epochs,"
                             "best_epoch,steps,val_mse,test_mse,test_mae,last_value_mse,usage_entropy,"
                             "distinct_anchors,key_cosine,seconds,backbone,model.top_k,case,peak_memory"));
        QCOMPARE(lines[1],
                 std::string("lambda_cov-0_seed-2021,finished,\"a, \"\"b\"\"\",casp-llm,512,96,0.05,0,2021,"
                             "3,2,100,0.30000000000000004,0.4,0.42000000000000004,1.2945,nan,nan,nan,"
                             "12345.678,untrained,4,,123456789"));
        QCOMPARE(lines[2],
                 std::string("lambda_cov-0.1_seed-2021,queued,ETTh1,casp-llm,512,96,0.05,0.1,2021,,,,nan,nan,"
                             "nan,1.2945,nan,nan,nan,12345.678,untrained,8,,"));
    }

    void the_table_of_columns_is_sound() {
        std::set<std::string> names;
        std::set<int> compared, listed;
        const auto check = [&](const ResultColumn& column) {
            QVERIFY2(names.insert(column.name).second, column.name);
            QCOMPARE(find_column(column.name), &column);
            QVERIFY2(column.compare == 0 || compared.insert(column.compare).second, column.name);
            QVERIFY2(column.list == 0 || listed.insert(column.list).second, column.name);
            const bool has_title = *column.title != '\0', has_help = *column.help != '\0';
            QVERIFY2(has_title || (column.compare == 0 && column.list == 0), column.name);
            QVERIFY2((has_help && column.width > 0) || column.list == 0, column.name);
            QVERIFY2(column.source.metric == nullptr || column.real() != nullptr, column.name);
        };
        for (const auto& column : result_columns) check(column);
        for (const auto& column : run_file_metrics) check(column);
        // Text, JSON and the row itself agree in every column.
        const auto original = row("0.1", 7, 0.25, 0.5);
        ResultRow copy;
        copy.swept = original.swept;
        for (const auto& column : result_columns) set_from_text(copy, column, exact_text(original, column));
        QVERIFY(equal_rows(copy, original));
        for (const auto& column : result_columns) forget(copy, column);
        QVERIFY(!equal_rows(copy, original) && !is_known(copy, *find_column("test_mse")));
        QCOMPARE(axis_title(*find_column("usage_entropy")), std::string("usage entropy (nats)"));
    }

    void tables_name_the_precision() {
        auto first = row("0", 2021, 0.1, 0.4), second = row("0", 2022, 0.2, 0.5);
        first.precision = second.precision = "fp32";
        const auto of = [&] { return std::vector<ResultRow>{first, second}; };
        QVERIFY(lines_of(results_csv(of()))[0].ends_with(",peak_memory,precision"));
        QVERIFY(lines_of(results_csv(of()))[1].ends_with(",fp32"));
        QVERIFY(lines_of(summary_csv(summarise(of())))[0].ends_with(",finished_early,precision"));
        QVERIFY(summary_text(summarise(of())).find("  fp32\n") != std::string::npos);
        // A mean over both is not passed over in silence.
        second.precision = "bf16";
        QVERIFY(lines_of(summary_csv(summarise(of())))[1].ends_with(",fp32 + bf16"));
        for (const auto& text : {summary_text(summarise(of())), summary_markdown(summarise(of()))}) {
            QVERIFY2(text.find("fp32 + bf16") != std::string::npos, text.c_str());
            QVERIFY(text.find("Means over runs of different precisions") != std::string::npos);
        }
        first.precision = "bf16";
        const auto text = summary_text(summarise(of()));
        QVERIFY(text.find("bf16") != std::string::npos && text.find("different") == std::string::npos);
    }

    /// Not 0, which tracks coverage without weighing it.
    void rows_without_coverage_carry_no_lambda() {
        auto without = row("0.1", 2021, 0.5, 0.4), again = row("0.1", 2022, 0.5, 0.6),
             zero = row("0", 2021, 0.5, 0.4);
        without.lambda_cov = again.lambda_cov = NAN;
        without.swept = {{"coverage.enabled", "false"}, {"train.seed", "2021"}};
        again.swept = {{"coverage.enabled", "false"}, {"train.seed", "2022"}};
        zero.swept = {{"coverage.enabled", "true"}, {"train.seed", "2021"}};
        const auto lines = lines_of(results_csv({without, zero}));
        QVERIFY2(lines[1].find(",0.05,nan,2021,") != std::string::npos, lines[1].c_str());
        QVERIFY2(lines[2].find(",0.05,0,2021,") != std::string::npos, lines[2].c_str());
        const auto table = lines_of(results_markdown({without, zero}));
        QVERIFY2(QString::fromStdString(table[2]).simplified().contains("| 0.05 | – | 2021 |"),
                 table[2].c_str());
        QVERIFY2(QString::fromStdString(table[3]).simplified().contains("| 0.05 | 0 | 2021 |"),
                 table[3].c_str());
        // Cells go by swept values: the missing number neither joins nor parts them.
        const auto cells = summarise({without, zero, again});
        QCOMPARE(cells.size(), std::size_t{2});
        QCOMPARE(cells[0].n, std::int64_t{2});
        QCOMPARE(cells[0].of_metric(&ResultRow::test_mse).mean, 0.5);
    }

    void cells_gather_seeds() {
        const std::vector<ResultRow> rows{row("0", 1, 0.5, 0.40), row("0.1", 1, 0.3, 0.36),
                                          row("0", 2, 0.6, 0.42), row("0.1", 2, 0.4, 0.38),
                                          row("0.1", 3, 0.01, 0.01, RunState::failed)};
        const auto cells = summarise(rows);
        QCOMPARE(cells.size(), std::size_t{2});
        QCOMPARE(cells[0].n, std::int64_t{2});
        QCOMPARE(cells[1].runs, std::int64_t{3});
        QCOMPARE(cells[1].n, std::int64_t{2});
        QCOMPARE(cells[1].of_metric(&ResultRow::test_mse).mean, 0.37);
        QVERIFY(std::abs(cells[1].of_metric(&ResultRow::test_mse).sd - 0.02 / std::sqrt(2.0)) < 1e-15);
        QVERIFY(!cells[0].best && cells[1].best);
        const auto lines = lines_of(summary_csv(cells));
        QCOMPARE(
            lines[0],
            std::string(
                "data,horizon,lambda_cov,runs,n,val_mse_mean,val_mse_sd,test_mse_mean,test_"
                "mse_sd,"
                "test_mae_mean,test_mae_sd,last_value_mse_mean,last_value_mse_sd,usage_entropy_mean,"
                "usage_entropy_sd,distinct_anchors_mean,distinct_anchors_sd,key_cosine_mean,key_cosine_sd,"
                "seconds_mean,seconds_sd,best,backbone,finished_early"));
        QVERIFY(lines[1].starts_with("ETTh1,96,0,2,2,0.55,"));
        QVERIFY(lines[2].ends_with(",yes,untrained,0"));
    }

    void a_cell_of_one_run_has_no_deviation() {
        const auto lines = lines_of(summary_csv(summarise({row("0", 1, 0.5, 0.4)})));
        QVERIFY2(lines[1].starts_with("ETTh1,96,0,1,1,0.5,,0.4,,0.42000000000000004,,1.2945,,nan,,"),
                 lines[1].c_str());
        const auto none = lines_of(summary_csv(summarise({row("0", 1, 0.5, 0.4, RunState::interrupted)})));
        QVERIFY2(none[1].starts_with("ETTh1,96,0,1,0,nan,,nan,,"), none[1].c_str());
        QVERIFY(none[1].ends_with(",no,untrained,0"));
    }

    /// Trained for fewer steps than the settings say: no repetition of the others, and never the best.
    void runs_finished_early_are_counted_and_in_no_mean() {
        const std::vector<ResultRow> rows{row("0", 1, 0.5, 0.40), row("0", 2, 0.6, 0.42),
                                          row("0", 3, 0.1, 0.10, RunState::finished_early),
                                          row("0.1", 1, 0.01, 0.01, RunState::finished_early)};
        const auto cells = summarise(rows);
        QCOMPARE(cells[0].runs, std::int64_t{3});
        QCOMPARE(cells[0].n, std::int64_t{2});
        QCOMPARE(cells[0].early, std::int64_t{1});
        QCOMPARE(cells[0].of_metric(&ResultRow::test_mse).mean, 0.41);
        QCOMPARE(cells[1].n, std::int64_t{0});
        QCOMPARE(cells[1].data, std::string("ETTh1"));
        QVERIFY(cells[0].best && !cells[1].best);
        const auto lines = lines_of(summary_csv(cells));
        QVERIFY2(lines[1].starts_with("ETTh1,96,0,3,2,0.55,") && lines[1].ends_with(",1"), lines[1].c_str());
        QVERIFY2(lines[2].starts_with("ETTh1,96,0.1,1,0,nan,,") && lines[2].ends_with(",1"),
                 lines[2].c_str());
        QVERIFY(contains(summary_text(cells), "2 of 3"));
        for (const auto& text : {summary_text(cells), summary_markdown(cells)})
            QVERIFY2(contains(text, "2 runs were finished early"), text.c_str());
        const auto one = summarise({rows[0], rows[2]});
        QVERIFY(contains(summary_text(one), "1 run was finished early"));
        QVERIFY(!contains(summary_text(summarise({rows[0]})), "finished early"));
    }

    /// "Run again" in the window gives the same numbers under another name.
    void repeated_run_is_counted_once() {
        auto again = row("0", 1, 0.5, 0.4);
        again.run += "-2";
        const auto cells = summarise({row("0", 1, 0.5, 0.4), again, row("0", 2, 0.5, 0.6)});
        QCOMPARE(cells.size(), std::size_t{1});
        QCOMPARE(cells[0].runs, std::int64_t{3});
        QCOMPARE(cells[0].n, std::int64_t{2});
        QCOMPARE(cells[0].of_metric(&ResultRow::test_mse).n, std::int64_t{2});
        QCOMPARE(cells[0].of_metric(&ResultRow::test_mse).mean, 0.5);
    }

    void each_value_of_the_terminals_table_is_below_its_name() {
        auto one = row("0", 1, 0.5, 0.4, RunState::finished);
        one.test_smape = 11.1;
        one.test_mase = 2.2;
        one.test_owa = 3.3;
        one.val_smape = 44.4;  // not shown
        one.usage_entropy = 5.5;
        one.key_cosine = 0.6;
        const auto lines = lines_of(summary_text(summarise({one})));
        const auto ends_at = [&](const std::string& line, const std::string& text) {
            const auto place = line.find(text);
            return place == std::string::npos ? -1 : static_cast<int>(place + text.size());
        };
        for (const auto& [name, value] :
             std::vector<std::pair<std::string, std::string>>{{"sMAPE", "11.100"},
                                                              {"MASE", "2.200"},
                                                              {"OWA", "3.300"},
                                                              {"usage entropy", "5.500"},
                                                              {"key cosine", "0.6000"}})
            QCOMPARE(ends_at(lines.at(1), value), ends_at(lines.at(0), name));
        QVERIFY(!contains(lines.at(1), "44.4"));
    }

    /// Who ends the one run of a batch wants to see what it came to.
    void the_only_result_is_shown_though_it_was_finished_early() {
        const auto early = row("0", 1, 0.5, 0.4321, RunState::finished_early);
        const auto line_of = [](const std::vector<ResultRow>& rows) {
            return lines_of(summary_text(summarise(rows))).at(1);
        };
        const auto alone = line_of({early});
        QVERIFY2(contains(alone, "0.4321") && contains(alone, "finished early"), alone.c_str());
        const auto failed = line_of({early, row("0", 2, 0, 0, RunState::failed)});
        QVERIFY2(contains(failed, "0.4321") && contains(failed, "0 of 2, 1 finished early"), failed.c_str());
        // Two such runs repeat nothing, and beside a finished one they do not count.
        auto second = early;
        second.seed = 2;
        for (const auto& other : {second, row("0", 2, 0.5, 0.38)})
            for (const auto& rows : {std::vector{early, other}, std::vector{other, early}}) {
                const auto line = line_of(rows);
                QVERIFY2(!contains(line, "0.4321") && !contains(line, "finished early"), line.c_str());
            }
        const auto csv = lines_of(summary_csv(summarise({early})));
        QVERIFY2(csv.at(1).starts_with("ETTh1,96,0,1,0,nan,,nan,,"), csv.at(1).c_str());
    }

    void best_is_marked_per_task() {
        auto a = row("0", 1, 0.5, 0.4), b = row("0.1", 1, 0.4, 0.4), c = row("0", 1, 0.9, 0.4),
             d = row("0.1", 1, 0.8, 0.4);
        for (auto* r : {&a, &b}) r->swept.emplace_back("data.horizon", "96");
        for (auto* r : {&c, &d}) {
            r->horizon = 192;
            r->swept.emplace_back("data.horizon", "192");
        }
        const auto cells = summarise({a, b, c, d});
        QCOMPARE(cells.size(), std::size_t{4});
        QVERIFY(!cells[0].best && cells[1].best && !cells[2].best && cells[3].best);
        // A lookback does not change what is forecast: one best among all.
        auto e = row("0", 1, 0.5, 0.4), f = row("0", 1, 0.4, 0.4);
        e.swept.emplace_back("data.lookback", "96");
        f.swept.emplace_back("data.lookback", "512");
        const auto two = summarise({e, f});
        QVERIFY(!two[0].best && two[1].best);
    }

    void cases_have_rows_and_a_last_column() {
        std::vector<ResultRow> rows{row("0", 1, 0.5, 0.40), row("0.1", 1, 0.3, 0.36), row("0", 2, 0.6, 0.42)};
        QVERIFY(!contains(results_markdown(rows), "case"));  // only in the CSV, for programs
        const std::vector<std::string> labels{"without, coverage", "coverage", "without, coverage"};
        for (std::size_t i = 0; i < rows.size(); ++i)
            set_swept(
                rows[i],
                {{"model.top_k", "4"}, {"train.seed", std::to_string(rows[i].seed)}, {"case", labels[i]}});
        QCOMPARE(rows[1].case_label, std::string("coverage"));
        const auto csv = lines_of(results_csv(rows));
        QVERIFY2(csv[0].ends_with(",backbone,model.top_k,case,peak_memory"), csv[0].c_str());
        QVERIFY2(csv[1].ends_with(",untrained,4,\"without, coverage\","), csv[1].c_str());
        QVERIFY(contains(lines_of(results_markdown(rows))[0], " case "));
        const auto cells = summarise(rows);
        QCOMPARE(cells.size(), std::size_t{2});
        QCOMPARE(cells[0].n, std::int64_t{2});
        QVERIFY(!cells[0].best && cells[1].best);
        const auto summary = lines_of(summary_csv(cells));
        QVERIFY2(summary[0].starts_with("data,horizon,model.top_k,case,runs,"), summary[0].c_str());
        QVERIFY2(summary[1].starts_with("ETTh1,96,4,\"without, coverage\",2,2,"), summary[1].c_str());
        // A case with another forecast target is another task.
        set_swept(rows[1], {{"model.top_k", "4"}, {"data.columns", "OT"}, {"case", "coverage"}});
        const auto two = summarise(rows);
        QVERIFY(two[0].best && two[1].best);
    }

    void summaries_in_markdown_and_text() {
        const std::vector<ResultRow> rows{row("0", 1, 0.5, 0.40), row("0", 2, 0.6, 0.42),
                                          row("0.1", 1, 0.3, 0.36)};
        const auto cells = summarise(rows);
        const auto markdown = lines_of(summary_markdown(cells));
        QCOMPARE(markdown[0].substr(0, 45), std::string("| data  | horizon | lambda_cov |   n |       "));
        QVERIFY(contains(markdown[2], "| 0.4100 ± 0.0141 |"));
        QVERIFY(contains(markdown[2], "| – |") || contains(markdown[2], " – |"));
        QVERIFY(contains(markdown[3], "**best**"));
        for (std::size_t i = 1; i < 4; ++i)  // aligned
            QCOMPARE(QString::fromStdString(markdown[i]).size(), QString::fromStdString(markdown[0]).size());
        const auto results = results_markdown(rows);
        QVERIFY(contains(results, " 12346 |"));
        QVERIFY(contains(results, " 0.05 |"));
        auto odd = row("0", 1, 0.5, 0.4);
        odd.data = "a|b";
        QVERIFY(contains(results_markdown({odd}), "a\\|b"));

        const auto text = summary_text(cells);
        QVERIFY(contains(text, "persistence MSE"));
        QVERIFY(contains(text, "0.4100 ± 0.0141"));
        QVERIFY(contains(text, "untrained"));
        QVERIFY(contains(text, "random weights"));
        QVERIFY(contains(text, "\n*  ETTh1"));
        auto trained = rows;
        for (auto& r : trained) r.backbone = "openai-gpt2-small";
        QVERIFY(!contains(summary_text(summarise(trained)), "random weights"));
        auto partly = rows;
        partly[1].state = RunState::interrupted;
        QVERIFY(contains(summary_text(summarise(partly)), "1 of 2"));
    }

    void tables_are_rebuilt_from_run_json() {
        Folder folder;
        std::vector<std::string> names;
        for (const auto& r : {row("0.1", 1, 0.3, 0.36), row("0", 1, 0.5, 0.40)}) {
            const RunFolder run(folder / r.run);
            run.create();
            write_run_status(run, {r, {}, {}});
            names.push_back(r.run);
        }
        names.push_back("not_started");
        const auto rows = collect_rows(folder.path(), names);
        QCOMPARE(rows.size(), std::size_t{2});
        const auto csv = lines_of(table_texts(rows, summarise(rows)).at("results.csv"));
        QVERIFY(csv[1].starts_with("lambda_cov-0.1_seed-1,"));
        QVERIFY(csv[2].starts_with("lambda_cov-0_seed-1,"));
    }

    void empty_tables() {
        QCOMPARE(lines_of(results_csv({})).size(), std::size_t{2});
        QVERIFY(contains(summary_markdown({}), "test_mse"));
        QVERIFY(contains(summary_text({}), "test MSE"));
    }

    /// Qt sets the user's locale; numbers must not follow it.
    void locale_does_not_change_numbers() {
        const char* set = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
        if (set == nullptr) set = std::setlocale(LC_NUMERIC, "fr_FR.UTF-8");
        if (set == nullptr) QSKIP("no locale with a decimal comma is installed");
        const auto text = shortest(0.5) + four_digits(0.5) + mean_and_sd({2, 0.5, 0.1});
        std::setlocale(LC_NUMERIC, "C");
        QCOMPARE(text, std::string("0.50.50000.5000 ± 0.1000"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestResults)
#include "test_results.moc"
