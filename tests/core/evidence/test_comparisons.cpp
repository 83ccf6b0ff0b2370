// Paired comparisons: pairing, false positives, verdicts and tables.

#include <algorithm>
#include <cmath>

#include <QtTest>

#include "evidence/common_windows.h"
#include "evidence/comparisons.h"
#include "evidence_test.h"
#include "test_program.h"
#include "util/mix.h"

using namespace casp::evidence;
using casp::test::contains;

namespace {

/// Outcomes of "0" and "0.1" whose differences are the given ones, with the seeds 1, 2, ….
std::vector<Outcome> outcomes(const std::string& task, const std::vector<double>& differences,
                              double base = 0.5) {
    std::vector<Outcome> all;
    std::int64_t seed = 0;
    for (const double d : differences) {
        all.push_back({task, "0", ++seed, base});
        all.push_back({task, "0.1", seed, base + d});
    }
    return all;
}

std::string verdict_of(const std::vector<double>& differences, const std::string& metric = "test_mse") {
    const auto rows = compare_pairs(outcomes("ETTh1-96", differences), metric, "0");
    return rows.size() == 1 ? verdict(rows[0]) : "no row";
}

/// Standard normal up to a constant factor: sums of twelve uniform numbers.
class Noise {
public:
    double next() {
        double sum = 0;
        for (int i = 0; i < 12; ++i)
            sum += std::ldexp(static_cast<double>(casp::mix64(state_ += 0x9e3779b97f4a7c15ULL) >> 11), -53);
        return sum;
    }

private:
    std::uint64_t state_ = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto& line : QString::fromStdString(text).split('\n')) lines.push_back(line.toStdString());
    return lines;
}

}  // namespace

class TestComparisons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Six values of K on one data set are not six independent tasks: with one seed each, nothing is known.
    void tasks_of_one_cell_are_averaged_first() {
        std::vector<Outcome> runs;
        const auto add = [&](const std::string& task, const std::string& cell, double base, double other) {
            runs.push_back({task, "0", 1, base, {}, cell});
            runs.push_back({task, "0.1", 1, other, {}, cell});
        };
        for (int k = 1; k <= 6; ++k) add("A-96, top_k " + std::to_string(k), "A-96", 0.5, 0.5 - 0.01 * k);
        QCOMPARE(compare_pairs(runs, "test_mse", "0").size(), std::size_t{6});
        add("B-96, top_k 1", "B-96", 0.8, 0.9);
        const auto rows = compare_pairs(runs, "test_mse", "0");
        QCOMPARE(rows.size(), std::size_t{8});
        const auto& all = rows.back();
        QVERIFY(all.task == all_tasks && all.n == 2 && all.improved == 1);
        QVERIFY(std::abs(all.differences[0] - -0.035) < 1e-12 && std::abs(all.differences[1] - 0.1) < 1e-12);
    }

    /// No error over all windows stays beside those over some of them.
    void errors_over_common_windows_replace_all_of_the_test_split() {
        casp::store::ResultRow row;
        for (const auto& column : casp::store::result_columns)
            if (column.real() != nullptr) row.*column.real() = 1;
        for (const auto& column : casp::store::run_file_metrics) row.*column.real() = 1;
        set_test_errors(row, {0.25, 0.5});
        QCOMPARE(row.test_mse, 0.25);
        QCOMPARE(row.test_mae, 0.5);
        for (const double error :
             {row.last_value_mse, row.last_value_mae, row.test_smape, row.test_mase, row.test_owa})
            QVERIFY(std::isnan(error));
        for (const double other : {row.val_mse, row.val_mae, row.usage_entropy, row.seconds})
            QCOMPARE(other, 1.0);
    }

    void pairs_by_seed() {
        const std::vector<Outcome> runs{{"A", "0", 3, 0.50},         {"A", "0.1", 1, 0.30},
                                        {"A", "0", 1, 0.40},         {"A", "0.1", 3, 0.55},
                                        {"A", "0.1", 2, 0.10},  // no base
                                        {"A", "0", 1, 9.0},     // a repetition
                                        {"A", "0", 4, std::nan("")}, {"A", "0.1", 4, 0.2}};
        const auto rows = compare_pairs(runs, "test_mse", "0");
        QCOMPARE(rows.size(), std::size_t{1});
        const auto& row = rows[0];
        QVERIFY(row.task == "A" && row.metric == "test_mse" && row.base == "0" && row.other == "0.1");
        QVERIFY(row.n == 2 && row.improved == 1);
        QCOMPARE(row.mean_base, 0.45);
        QCOMPARE(row.mean_other, 0.425);
        QCOMPARE(row.differences.size(), std::size_t{2});
        QCOMPARE(row.differences[0], -0.1);
        QCOMPARE(row.differences[1], 0.05);
        QCOMPARE(row.delta, -0.025);
        QCOMPARE(row.delta_percent, -0.025 / 0.45 * 100);
        QCOMPARE(row.sd, 0.15 / std::sqrt(2.0));
        QVERIFY(row.interval.low <= row.delta && row.delta <= row.interval.high);
        QCOMPARE(row.test.w, 1.0);
        QCOMPARE(row.p_holm, row.test.p);
        QVERIFY(compare_pairs(runs, "test_mse", "5").empty());
        QVERIFY(compare_pairs({}, "test_mse", "0").empty());
    }

    void several_tasks_and_groups() {
        auto runs = outcomes("B-96", {-0.1, -0.1, -0.2, -0.3, -0.4, -0.5});
        for (const auto& more : outcomes("A-96", {0.1, 0.2})) runs.push_back(more);
        runs.push_back({"A-96", "1", 1, 0.25});
        const auto rows = compare_pairs(runs, "test_mae", "0");
        std::vector<std::string> names;
        for (const auto& row : rows) names.push_back(row.task + ":" + row.other);
        QCOMPARE(names, (std::vector<std::string>{"B-96:0.1", "A-96:0.1", "A-96:1", "all:0.1"}));
        const auto& all = rows.back();
        QVERIFY(all.n == 2 && all.improved == 1 && std::isnan(all.p_holm));
        QVERIFY(std::abs(all.delta - (rows[0].delta + rows[1].delta) / 2) < 1e-15);
        QCOMPARE(all.differences.size(), std::size_t{2});
        // Two tests of single tasks are the family; one pair is no test.
        QVERIFY(rows[0].test.p < rows[1].test.p);
        QCOMPARE(rows[0].p_holm, std::min(1.0, 2 * rows[0].test.p));
        QVERIFY(rows[0].family == 2 && rows[2].n == 1);
        QVERIFY(std::isnan(rows[2].interval.low) && std::isnan(rows[2].sd));
        QVERIFY(std::isnan(rows[2].test.w) && std::isnan(rows[2].test.p) && std::isnan(rows[2].p_holm));
        QVERIFY2(contains(lines_of(comparisons_csv(rows)).at(3), ",nan,nan,nan,nan,nan,"),
                 comparisons_csv(rows).c_str());
    }

    void groups_are_compared_with_the_given_base() {
        const auto runs = outcomes("A", {0.1, 0.2});
        const auto rows = compare_pairs(runs, "test_mse", "0.1");
        QCOMPARE(rows.size(), std::size_t{1});
        QVERIFY(rows[0].other == "0" && rows[0].improved == 2 && rows[0].delta < 0);
    }

    /// Sweeps without any difference between their two values. Attainable levels are discrete: at most 3.9 %
    /// for 8 pairs (W ≤ 3) and 4.8 % for 20 (W ≤ 52).
    void false_positives_data() {
        QTest::addColumn<int>("pairs");
        QTest::newRow("8 pairs") << 8;
        QTest::newRow("20 pairs") << 20;
    }
    void false_positives() {
        QFETCH(int, pairs);
        constexpr int sweeps = 2000;
        Noise noise;
        int found = 0, suggested = 0;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            std::vector<Outcome> runs;
            for (int seed = 1; seed <= pairs; ++seed)
                for (const char* group : {"0", "0.1"})
                    runs.push_back({"ETTh1-96", group, seed, noise.next()});
            const auto rows = compare_pairs(runs, "test_mse", "0");
            if (rows.at(0).test.p < 0.05) ++found;
            const auto words = verdict(rows.at(0));
            if (!contains(words, "within seed noise") && !contains(words, "not distinguishable")) ++suggested;
        }
        QVERIFY2(found >= 0.03 * sweeps && found <= 0.07 * sweeps, qPrintable(QString::number(found)));
        QCOMPARE(suggested, found);
    }

    void verdicts() {
        QCOMPARE(verdict_of({-0.3}), std::string("1 pair: says nothing about seed noise"));
        QCOMPARE(verdict_of({-0.1, -0.2, -0.3}),
                 std::string("3 pairs: too few for p < 0.05 (at least 6); p = 0.25"));
        QCOMPARE(verdict_of({-0.1, -0.2, -0.3, -0.4, -0.5}),
                 std::string("5 pairs: too few for p < 0.05 (at least 6); p = 0.062"));
        QCOMPARE(verdict_of({0, -1, -1, -1, -1, -1}),
                 std::string("6 pairs, 1 of them equal: too few for p < 0.05 (at least 6 that differ)"));
        // Five equal changes: the approximation would give 0.037.
        QCOMPARE(verdict_of({-1, -1, -1, -1, -1}), std::string("5 pairs: too few for p < 0.05 (at least 6)"));
        QCOMPARE(verdict_of({0, 0}), std::string("2 pairs: equal results"));
        const std::vector<double> ranks{1, 2, -3, 4, 5, 6, 7, 8};  // W = 3
        std::vector<double> small;
        for (const double rank : ranks) small.push_back(-rank / 1000);
        QCOMPARE(verdict_of(small), std::string("8 pairs: lower by 0.75 % (p = 0.039)"));
        QCOMPARE(verdict_of(small, "usage_entropy"), std::string("8 pairs: lower by 0.75 % (p = 0.039)"));
        QCOMPARE(verdict_of(ranks), std::string("8 pairs: higher by 750 % (p = 0.039)"));
        QCOMPARE(verdict_of(ranks, "key_cosine"), std::string("8 pairs: higher by 3.8 (p = 0.039)"));
        QCOMPARE(verdict_of({1, -2, 3, -4, 5, -6, 7, -8}),
                 std::string("8 pairs: within seed noise (p = 0.84)"));
        QCOMPARE(
            verdict_of({-0.0015, -0.0017, -0.0008, -0.0020, -0.0006, 0.0007}),
            std::string("6 pairs: not distinguishable (p = 0.094), although the 95 % interval excludes 0"));
        std::vector<double> many;
        for (int i = 1; i <= 12; ++i) many.push_back(-0.001 * i);
        QCOMPARE(verdict_of(many), std::string("12 pairs: lower by 1.3 % (p < 0.001)"));
    }

    /// Eleven ranks against the largest one, whose difference decides the mean.
    void outlier_does_not_reverse_the_verdict() {
        std::vector<double> lower{0.2}, higher{-0.2};
        for (int i = 1; i <= 11; ++i) {
            lower.push_back(-0.001 * i);
            higher.push_back(0.001 * i);
        }
        QCOMPARE(verdict_of(lower), std::string("11 of 12 pairs lower (p = 0.034), but the mean is higher"));
        QCOMPARE(verdict_of(higher), std::string("11 of 12 pairs higher (p = 0.034), but the mean is lower"));
        QCOMPARE(verdict_of(higher, "key_cosine"),
                 std::string("11 of 12 pairs higher (p = 0.034), but the mean is lower"));
    }

    void verdict_names_results_lost_after_holm_correction() {
        std::vector<Outcome> runs;
        for (const char* task : {"A", "B", "C", "D"}) {
            for (const auto& outcome : task[0] == 'A' ? outcomes(task, {-0.001, -0.002, 0.003, -0.004, -0.005,
                                                                        -0.006, -0.007, -0.008})
                                                      : outcomes(task, {1, -2, 3, -4, 5, -6, 7, -8}))
                runs.push_back(outcome);
        }
        const auto rows = compare_pairs(runs, "test_mse", "0");
        QCOMPARE(rows.size(), std::size_t{5});
        QCOMPARE(rows[0].family, std::int64_t{4});
        QCOMPARE(
            verdict(rows[0]),
            std::string("8 pairs: lower by 0.75 % (p = 0.039), but p = 0.16 after Holm's correction over 4 "
                        "tests"));
        const auto header = [](const std::string& text, std::size_t line) { return lines_of(text)[line]; };
        QVERIFY(contains(header(comparisons_text(rows), 1), "p (Holm)"));
        QVERIFY(contains(comparisons_text(rows), "  0.039      0.16  "));
        QVERIFY(contains(comparisons_latex(rows), "& $p$ & $p$ (Holm) \\\\") &&
                contains(comparisons_latex(rows), "& $0.039$ & $0.16$ \\\\"));
        // One test has no family.
        const auto one = compare_pairs(outcomes("A", {-1, -2, -3, -4, -5, -6}), "test_mse", "0");
        QVERIFY(!contains(comparisons_text(one), "Holm") && !contains(comparisons_latex(one), "Holm"));
    }

    void the_tables_name_the_backbones() {
        auto runs = outcomes("A", {-0.25, 0.125});
        QVERIFY(!contains(comparisons_text(compare_pairs(runs, "test_mse", "0")), "ackbone"));
        for (auto& run : runs) run.backbone = run.group == "0" ? "untrained" : "none";
        const auto untrained = compare_pairs(runs, "test_mse", "0");
        for (const auto& text :
             {comparisons_text(untrained), comparisons_markdown(untrained), comparisons_latex(untrained)})
            QVERIFY2(
                contains(text,
                         "Backbone of the runs: untrained. Random weights are not a language model; these "
                         "numbers do not apply to GPT-2."),
                text.c_str());
        QVERIFY(!contains(comparisons_csv(untrained), "untrained"));
        for (auto& run : runs) run.backbone = run.group == "0" ? "openai-gpt2-small" : "untrained";
        QVERIFY(contains(comparisons_text(compare_pairs(runs, "test_mse", "0")),
                         "Backbones of the runs: openai-gpt2-small, untrained. Random weights"));
        for (auto& run : runs) run.backbone = "openai-gpt2-small";
        QVERIFY(contains(comparisons_text(compare_pairs(runs, "test_mse", "0")),
                         "Backbone of the runs: GPT-2, as in the paper."));
    }

    void the_tables_name_the_precisions() {
        auto runs = outcomes("A", {-0.25, 0.125});
        for (auto& run : runs) run.precision = "fp32";
        const auto same = compare_pairs(runs, "test_mse", "0");
        QVERIFY(contains(comparisons_text(same), "Precision of the runs: fp32."));
        QVERIFY(lines_of(comparisons_csv(same))[0].ends_with(",precision,method"));
        for (auto& run : runs) run.precision = run.group == "0" ? "fp32" : "tf32";
        const auto mixed = compare_pairs(runs, "test_mse", "0");
        for (const auto& text :
             {comparisons_text(mixed), comparisons_markdown(mixed), comparisons_latex(mixed)})
            QVERIFY2(contains(text, "The runs have different precisions (fp32 + tf32)"), text.c_str());
        QVERIFY(contains(lines_of(comparisons_csv(mixed))[1], ",fp32 + tf32,"));
    }

    void percentages() {
        QCOMPARE(percent_text(-0.004), std::string("0.00"));
        QCOMPARE(percent_text(0.004), std::string("0.00"));
        QCOMPARE(percent_text(-0.006), std::string("-0.01"));
        QCOMPARE(percent_text(12.5), std::string("+12.50"));
        QCOMPARE(percent_text(std::nan("")), std::string("–"));
    }

    void verdicts_over_tasks() {
        std::vector<Outcome> runs;
        for (int task = 1; task <= 8; ++task)
            for (const auto& outcome :
                 outcomes("T" + std::to_string(task), {task % 2 == 0 ? -0.01 * task : 0.01 * task}))
                runs.push_back(outcome);
        const auto rows = compare_pairs(runs, "test_mse", "0");
        QCOMPARE(rows.size(), std::size_t{9});
        QCOMPARE(verdict(rows[0]), std::string("1 pair: says nothing about seed noise"));
        QCOMPARE(verdict(rows.back()), std::string("8 tasks: no consistent difference (p = 0.84)"));
    }

    void p_is_not_rounded_across_the_level() {
        QCOMPARE(p_text(0.0390625), std::string("0.039"));
        QCOMPARE(p_text(0.04974), std::string("0.0497"));
        QCOMPARE(p_text(0.0503), std::string("0.05"));
        QCOMPARE(p_text(1), std::string("1"));
        QCOMPARE(p_text(0.00099), std::string("< 0.001"));
        QCOMPARE(p_text(0.001), std::string("0.001"));
        QCOMPARE(p_text(std::nan("")), std::string("–"));
    }

    void csv() {
        const auto rows = compare_pairs(outcomes("ETTh1-96", {-0.25, 0.125}), "test_mse", "0");
        const auto lines = lines_of(comparisons_csv(rows));
        QCOMPARE(lines.size(), std::size_t{3});
        QCOMPARE(lines[0], std::string("task,metric,base,other,n,improved,mean_base,mean_other,delta,"
                                       "delta_percent,ci_low,ci_high,w,p,p_holm,method"));
        QCOMPARE(lines[1],
                 std::string("ETTh1-96,test_mse,0,0.1,2,1,0.5,0.4375,-0.0625,-12.5,-0.25,0.125,1,1,1,"
                             "exact"));
        const auto one = lines_of(comparisons_csv(compare_pairs(outcomes("a,b", {0}), "test_mse", "0")));
        QCOMPARE(one[1], std::string("\"a,b\",test_mse,0,0.1,1,0,0.5,0.5,0,0,nan,nan,nan,nan,nan,"));
        QCOMPARE(lines_of(comparisons_csv({})).size(), std::size_t{2});
    }

    void approximate_p_names_its_corrections() {
        const auto tables_of = [](const std::vector<double>& differences) {
            const auto rows = compare_pairs(outcomes("ETTh1-96", differences), "test_mse", "0");
            return std::vector<std::string>{comparisons_markdown(rows), comparisons_latex(rows),
                                            comparisons_text(rows)};
        };
        for (const auto& text : tables_of({-0.25, 0.125}))
            QVERIFY(!contains(text, "corrections for ties and continuity"));
        for (const auto& text : tables_of({-0.25, 0.125, 0.125}))
            QVERIFY2(contains(text, "corrections for ties and continuity"), text.c_str());
    }

    void markdown_and_text() {
        const auto rows = compare_pairs(outcomes("ETTh1-96", {-0.25, 0.125}), "test_mse", "0");
        const auto markdown = comparisons_markdown(rows);
        QVERIFY(contains(markdown, "| ETTh1-96 | test_mse | 0    | 0.1   |"));
        QVERIFY(contains(markdown, "1/2") && contains(markdown, "-12.50") && contains(markdown, "seed 2021"));
        QVERIFY(contains(markdown, "2 pairs: too few for p < 0.05 (at least 6); p = 1"));
        const auto text = comparisons_text(rows);
        QVERIFY(contains(text, "-12.50") && contains(text, "2 pairs: too few"));
        QVERIFY(comparisons_text({}).empty());
        auto both = rows;
        both.push_back(rows[0]);
        both[1].metric = "val_mse";
        const auto lines = lines_of(comparisons_text(both));
        QCOMPARE(lines[0], std::string("test MSE"));
        QCOMPARE(lines[4], std::string("validation MSE"));
        QCOMPARE(lines[2], lines[6]);
    }

    void latex() {
        auto runs = outcomes("national_illness-24, [50%] λ", {-0.25, 0.125});
        for (auto& run : runs)
            if (run.group == "0") run.group = "*a & b";
        const auto text = comparisons_latex(compare_pairs(runs, "test_mse", "*a & b"));
        QVERIFY(contains(text,
                         "national\\_illness-24, {[}50\\%] $\\lambda$ & test\\_mse & {*}a \\& b & 0.1 & 2"));
        QVERIFY(contains(text, "$-12.50$") && contains(text, "\\bottomrule\n\\end{tabular}"));
        for (const auto& line : lines_of(text))
            if (contains(line, "test\\_mse"))
                QCOMPARE(std::count(line.begin(), line.end(), '&') - 1, std::ptrdiff_t{11});
        QCOMPARE(lines_of(text)[0],
                 std::string("% Compile with pdflatex; needs \\usepackage{booktabs,graphicx}."));
        for (auto& run : runs)
            if (run.group == "0.1") run.group = "基线";
        const auto other = comparisons_latex(compare_pairs(runs, "test_mse", "*a & b"));
        QVERIFY(other.starts_with("% Compile with lualatex; needs ") && contains(other, " & 基线 & "));
    }

    /// Metric and base are the same in both rows; the differences are 0, −10⁻⁷ and 10⁻⁷.
    void latex_states_common_labels_once() {
        auto runs = outcomes("A-96", {-0.25, 0.125});
        for (const auto& more : outcomes("B-96", {0, -1e-7})) runs.push_back(more);
        const auto text = comparisons_latex(compare_pairs(runs, "test_mse", "0"));
        QVERIFY2(contains(text, "\nTask & $n$ & Improved &") && contains(text, "\nA-96 & 2 & 1/2 &"),
                 text.c_str());
        QVERIFY(contains(text, "\nMetric: test\\_mse. Base: 0. Other: 0.1. Intervals:"));
        QVERIFY2(contains(text, "[$-1.000\\cdot 10^{-7}$, $0$]$^\\dagger$"), text.c_str());
    }

    void intervals_of_few_pairs_are_marked() {
        const auto five = compare_pairs(outcomes("A", {-0.1, -0.2, -0.3, -0.4, 0.5}), "test_mse", "0");
        const auto six = compare_pairs(outcomes("A", {-0.1, -0.2, -0.3, -0.4, 0.5, 0.6}), "test_mse", "0");
        for (const auto& text : {comparisons_text(five), comparisons_markdown(five)})
            QVERIFY2(contains(text, "† ") && contains(text, "\n† Fewer than 6 pairs"), text.c_str());
        QVERIFY(contains(comparisons_latex(five), "]$^\\dagger$ &") &&
                contains(comparisons_latex(five), "\n$^\\dagger$ Fewer than 6 pairs"));
        for (const auto& text : {comparisons_text(six), comparisons_markdown(six), comparisons_csv(five)})
            QVERIFY2(!contains(text, "†"), text.c_str());
        QVERIFY(!contains(comparisons_latex(six), "dagger"));
        // A single pair has no interval.
        QVERIFY(!contains(comparisons_markdown(compare_pairs(outcomes("A", {0.1}), "test_mse", "0")), "†"));
    }

    /// Base 0.5: a difference of 0.005 with the sample deviation 0.01 · √(8/7) takes 38 pairs:
    /// (2.8016 · 0.010690 / 0.005)² · π/3 = 37.57.
    void further_seeds_in_words() {
        const std::vector<double> noise{0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.01, -0.01};
        const auto rows = compare_pairs(outcomes("A", noise), "test_mse", "0");
        QCOMPARE(pairs_for_stated_effect(rows[0]), std::int64_t{38});
        for (const auto& text : {comparisons_text(rows), comparisons_markdown(rows)})
            QVERIFY2(contains(text, "; finding a difference of 1 % takes about 30 more seeds") &&
                         contains(text, "\nMore seeds: with them, the test finds"),
                     text.c_str());
        QVERIFY(!contains(comparisons_latex(rows), "more seeds"));
        QVERIFY(!contains(comparisons_latex(rows), "More seeds"));
        // Found, or no metric of which 1 % means something.
        const auto found = compare_pairs(outcomes("A", {-1, -2, -3, -4, -5, -6}), "test_mse", "0");
        QVERIFY(!contains(comparisons_text(found), "seeds"));
        QCOMPARE(pairs_for_stated_effect(compare_pairs(outcomes("A", noise), "key_cosine", "0")[0]),
                 std::int64_t{0});
    }

    /// One lower, one equal, two higher.
    void only_errors_are_improved() {
        const std::vector<double> differences{-0.1, 0, 0.2, 0.3};
        const auto errors = comparisons_markdown(compare_pairs(outcomes("A", differences), "test_mae", "0"));
        QVERIFY(contains(errors, " improved ") && contains(errors, " 1/4 ") &&
                contains(errors, "Improved: "));
        const auto rows = compare_pairs(outcomes("A", differences), "usage_entropy", "0");
        QCOMPARE(rows[0].improved, std::int64_t{1});
        const auto other = comparisons_markdown(rows);
        QVERIFY(contains(other, " larger ") && contains(other, " 2/4 ") && contains(other, "Larger: ") &&
                !contains(other, "mproved"));
        QVERIFY(contains(comparisons_latex(rows), "& Larger &") &&
                contains(comparisons_latex(rows), "& 2/4 &"));
        QVERIFY(contains(lines_of(comparisons_csv(rows))[0], ",improved,"));
    }

    void an_empty_value_has_a_name() {
        auto runs = outcomes("A", {-0.25, 0.125});
        for (auto& run : runs)
            if (run.group == "0") run.group.clear();
        const auto rows = compare_pairs(runs, "test_mse", "");
        QVERIFY(contains(comparisons_text(rows), "A     (none)  0.1") &&
                contains(comparisons_markdown(rows), "(none)"));
        QVERIFY(contains(comparisons_csv(rows), "A,test_mse,,0.1,"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestComparisons)
#include "test_comparisons.moc"
