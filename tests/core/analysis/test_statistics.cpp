// Strata, scores, clustering, alignment, selections and explained variance: against numpy, SciPy and
// scikit-learn (tests/oracle/make_analysis.py) and cases worked out by hand.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "analysis/pca.h"
#include "analysis/scores.h"
#include "analysis/strata.h"
#include "analysis/usage.h"
#include "analysis_test.h"
#include "core/analysis/analysis_golden.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using analysis::AnchorOrder;
using casp::test::farthest;
using casp::test::near;
using casp::test::says;
using Numbers = std::vector<std::int64_t>;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

namespace {

constexpr std::int64_t windows = 43, channels = 3, pool = 40, top_k = 4, width = 20;

Numbers up_to(std::int64_t n) {
    Numbers all(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    return all;
}

template <class Call>
std::string words_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::input ? error.what() : "no input Error";
    }
    return "nothing was thrown";
}

std::stop_token stopped() {
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

}  // namespace

class TestStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 0 < s < c̃ per anchor, over the rows; at either border the gate does not press.
    void gate_is_active_between_zero_and_the_statistic() {
        const std::vector<float> similarity{0.1F, 0.3F, -0.2F, 0.2F, 0.1F, 0.0F, 0.05F, 0.29F, 0.4F};
        const std::vector<float> statistic{0.2F, 0.3F, 0.5F};
        QCOMPARE(analysis::active_shares(similarity, statistic),
                 (std::vector<double>{2.0 / 3, 2.0 / 3, 1.0 / 3}));
        QVERIFY_EXCEPTION_THROWN((void)analysis::active_shares(similarity, {}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::active_shares(std::span(similarity).first(4), statistic),
                                 std::invalid_argument);
    }

    void strata_agree_with_numpy() {
        const auto a = golden_run("mse", "selected"), b = golden_run("mse_b", "selected_b");
        const auto paired = analysis::compare_strata(a.input(), b.input());
        const auto& strata = paired.strata;
        QVERIFY(strata.stratum_of == golden_.get<std::int32_t>("strata.labels"));
        QVERIFY(farthest(strata.edges, golden_.doubles("strata.edges")) < 1e-12);
        std::vector<double> lines, pairs;
        std::int64_t all = 0;
        for (std::size_t i = 0; i < 10; ++i) {
            const auto& s = strata.strata[i];
            const auto& d = paired.difference[i];
            all += d.windows;
            lines.insert(lines.end(), {s.mse, s.mae, s.difficulty, s.summary.entropy,
                                       static_cast<double>(s.summary.distinct)});
            pairs.insert(pairs.end(), {d.difference, d.standard_error, d.relative, d.improved, d.jaccard});
        }
        QCOMPARE(all, windows);
        QVERIFY(farthest(lines, golden_.doubles("strata.lines")) < 1e-12);
        QVERIFY(farthest(pairs, golden_.doubles("strata.pairs")) < 1e-12);
        QVERIFY(near(paired.hardest.difference, pairs[45]) &&
                paired.hardest.windows == paired.difference[9].windows);
        QCOMPARE(paired.easiest.windows, std::int64_t{4 + 4 + 4});
        const double three = (4 * pairs[0] + 4 * pairs[5] + 4 * pairs[10]) / 12;
        QVERIFY(near(paired.easiest.difference, three));
    }

    void deciles_of_a_known_series() {
        const auto run = plain_run(100);
        const auto s = analysis::strata_of(run.input());
        QCOMPARE(s.strata.size(), std::size_t{10});
        for (std::size_t i = 0; i < 10; ++i) {
            QCOMPARE(s.strata[i].windows.size(), std::size_t{10});
            QCOMPARE(s.strata[i].lowest, 10.0 * static_cast<double>(i));
            QCOMPARE(s.strata[i].highest, 10.0 * static_cast<double>(i) + 9);
            QVERIFY(near(s.strata[i].difficulty, 10.0 * static_cast<double>(i) + 4.5));
        }
        QVERIFY(s.edges == (std::vector<double>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 99}));
        // 25 windows: ranks 0-1, 2-4, 5-6, 7-9, …
        const auto uneven = analysis::strata_of(plain_run(25).input());
        for (std::size_t i = 0; i < 10; ++i)
            QCOMPARE(uneven.strata[i].windows.size(), std::size_t{i % 2 == 0 ? 2U : 3U});
    }

    void ties_rank_by_place() {
        auto run = plain_run(6);
        run.residual = {5, 1, 5, 1, 5, 1};
        const auto s = analysis::strata_of(run.input(), 2);
        QVERIFY(s.strata[0].windows == (Numbers{1, 3, 5}) && s.strata[1].windows == (Numbers{0, 2, 4}));
        run.residual.assign(6, 3);
        const auto same = analysis::strata_of(run.input(), 3);
        QVERIFY(same.stratum_of == (Ints{0, 0, 1, 1, 2, 2}));
    }

    void strata_by_hand() {
        // Two windows of two channels: difficulty is the mean over the channels.
        Run run{{10, 11}, {0, 1}, {4, 0, 1, 1}, {1, 3, 5, 7}, {1, 1, 2, 2}, {0, 1, 2, 2}, 1, 3};
        const auto s = analysis::strata_of(run.input(), 2);
        QVERIFY(s.difficulty == (std::vector<double>{2, 1}) && s.stratum_of == (Ints{1, 0}));
        QVERIFY(s.strata[0].mse == 6 && s.strata[0].mae == 2 && s.strata[1].mse == 2 && s.strata[1].mae == 1);
        QVERIFY(s.strata[0].usage == (Numbers{0, 0, 2}) && s.strata[0].summary.entropy == 0);
        QVERIFY(s.strata[1].usage == (Numbers{1, 1, 0}) && near(s.strata[1].summary.entropy, std::log(2.0)));
        run.mse.clear();
        run.retrieved.clear();
        const auto less = analysis::strata_of(run.input(), 1);
        QVERIFY(std::isnan(less.strata[0].mse) && less.strata[0].usage.empty() && less.strata[0].mae == 1.5);
    }

    void differences_by_hand() {
        auto a = plain_run(4), b = plain_run(4);
        b.mse = {0, 2, 1, 0.5F};
        b.retrieved = {1, 1, 1, 0};
        const auto p = analysis::compare_strata(a.input(), b.input(), 2);
        QVERIFY(p.difference[0].difference == 0 && p.difference[0].improved == 0.5 &&
                p.difference[0].jaccard == 0);
        QVERIFY(near(p.difference[0].standard_error, 1));  // of −1 and 1: √2 / √2
        QVERIFY(p.difference[1].difference == -0.25 && p.difference[1].relative == -0.25 &&
                p.difference[1].improved == 0.5);
        QVERIFY(p.difference[1].jaccard == 0.5 && near(p.difference[1].entropy_b, std::log(2.0)));
        QVERIFY(p.all.windows == 4 && near(p.all.difference, -0.125) && p.all.mse_a == 1);
        // A run and itself.
        const auto same = analysis::compare_strata(a.input(), a.input(), 2);
        QVERIFY(same.all.difference == 0 && same.all.standard_error == 0 && same.all.jaccard == 1 &&
                same.all.improved == 0);
    }

    void strata_refusals() {
        const auto a = plain_run(12);
        auto b = plain_run(12);
        b.start[5] = 77;
        QVERIFY(says(words_of([&] { (void)analysis::compare_strata(a.input(), b.input()); }),
                     "window 5 begins at row 5 in one and at row 77 in the other"));
        b = plain_run(11);
        QVERIFY(says(words_of([&] { (void)analysis::compare_strata(a.input(), b.input()); }),
                     "one has 12 windows, the other 11"));
        b = plain_run(12);
        b.channel = {1};
        QVERIFY(says(words_of([&] { (void)analysis::compare_strata(a.input(), b.input()); }),
                     "their channels differ"));
        b = plain_run(12);
        b.mse.clear();
        QVERIFY(says(words_of([&] { (void)analysis::compare_strata(a.input(), b.input()); }),
                     "no errors to compare"));
        QVERIFY(
            says(words_of([&] { (void)analysis::strata_of(plain_run(9).input()); }), "there are 9 windows"));
        b = plain_run(12);
        b.residual[3] = NAN;
        QVERIFY(says(words_of([&] { (void)analysis::strata_of(b.input()); }), "window 3 is not finite"));
        b.residual.pop_back();
        QVERIFY_EXCEPTION_THROWN((void)analysis::strata_of(b.input()), std::invalid_argument);
        b = plain_run(12);
        b.retrieved[0] = 2;
        QVERIFY_EXCEPTION_THROWN((void)analysis::strata_of(b.input()), std::invalid_argument);
    }

    void scores_agree_with_numpy() {
        const auto s = golden_.floats("similarity");
        const auto retrieved = golden_.get<std::int32_t>("selected");
        const auto m =
            analysis::score_matrix(s, pool, retrieved, top_k, {12, 20000, AnchorOrder::mean_similarity});
        QVERIFY(m.anchor == golden_.get<std::int64_t>("scores.top"));
        QVERIFY(farthest(m.mean_similarity, golden_.doubles("scores.mean")) < 1e-12);
        QVERIFY(m.row == up_to(windows * channels) && m.rows_total == windows * channels);
        QCOMPARE(m.values.size(), m.anchor.size() * m.row.size());
        for (std::size_t line = 0; line < m.anchor.size(); ++line)
            for (std::size_t row = 0; row < m.row.size(); ++row)
                QVERIFY(m.values[line * m.row.size() + row] ==
                        s[row * static_cast<std::size_t>(pool) + static_cast<std::size_t>(m.anchor[line])]);
        QVERIFY(m.lowest == *std::min_element(m.values.begin(), m.values.end()));
        QVERIFY(m.highest == *std::max_element(m.values.begin(), m.values.end()));
        const auto c =
            analysis::score_matrix(s, pool, retrieved, top_k, {12, 20000, AnchorOrder::clustering});
        QVERIFY(c.anchor == golden_.get<std::int64_t>("scores.clustered"));
        QVERIFY(c.values[0] == s[static_cast<std::size_t>(c.anchor[0])]);
    }

    void anchor_orders() {
        // Means .5, .1, .9, .5: the three best are 2, then 0 and 3, which are equal.
        const Floats s{0.4F, 0, 1, 0.5F, 0.6F, 0.2F, 0.8F, 0.5F};
        const Ints retrieved{
            2,
            3,
            3,
            2,
        };
        const auto order = [&](AnchorOrder by, std::int64_t count = 3) {
            return analysis::score_matrix(s, 4, retrieved, 2, {count, 100, by}).anchor;
        };
        QVERIFY(order(AnchorOrder::mean_similarity) == (Numbers{2, 0, 3}));
        QVERIFY(order(AnchorOrder::index) == (Numbers{0, 2, 3}));
        QVERIFY(order(AnchorOrder::usage) == (Numbers{2, 3, 0}));
        QVERIFY(order(AnchorOrder::index, 0) == (Numbers{0, 1, 2, 3}));
        QVERIFY(order(AnchorOrder::index, 99) == (Numbers{0, 1, 2, 3}));
        QVERIFY(order(AnchorOrder::clustering, 1) == (Numbers{2}));
        const auto m = analysis::score_matrix(s, 4, retrieved, 2, {3, 100, AnchorOrder::usage});
        QVERIFY(m.usage == (Numbers{2, 2, 0}));
    }

    void score_matrix_is_bounded_and_reports_totals() {
        Floats s;
        Ints retrieved;
        for (int row = 0; row < 11; ++row) {
            s.push_back(static_cast<float>(row));
            retrieved.push_back(0);
        }
        const auto m = analysis::score_matrix(s, 1, retrieved, 1, {100, 3, AnchorOrder::index});
        QVERIFY(m.row == (Numbers{0, 5, 10}) && m.values == (Floats{0, 5, 10}) && m.rows_total == 11);
        QVERIFY(m.mean_similarity[0] == 5 && m.usage[0] == 3);  // of the rows shown
        QVERIFY(analysis::evenly_spaced(5, 9) == up_to(5) && analysis::evenly_spaced(9, 1) == (Numbers{4}));
        QVERIFY(analysis::evenly_spaced(0, 4).empty());
    }

    void distributions_agree_with_numpy() {
        const auto d = analysis::score_distributions(golden_.floats("similarity"), pool,
                                                     golden_.get<std::int32_t>("selected"), top_k, 25);
        QVERIFY(farthest(d.edges, golden_.doubles("distribution.edges")) < 1e-12);
        const auto check = [&](const analysis::Distribution& mine, const std::string& name) {
            const auto at = "distribution." + name + ".";
            const auto moments = golden_.doubles(at + "moments");
            return mine.histogram == golden_.get<std::int64_t>(at + "histogram") &&
                   farthest(mine.quantile, golden_.doubles(at + "quantiles")) < 1e-12 &&
                   near(mine.mean, moments[0]) && near(mine.sd, moments[1]) &&
                   mine.lowest == mine.quantile.front() && mine.highest == mine.quantile.back();
        };
        QVERIFY(check(d.all, "all"));
        QVERIFY(check(d.chosen, "chosen"));
        QCOMPARE(d.all.count, windows * channels * pool);
        QCOMPARE(d.chosen.count, windows * channels * top_k);
    }

    void distributions_by_hand() {
        const Floats s{0, 1, 2, 4, 0, 2};
        const Ints retrieved{1, 0};
        auto d = analysis::score_distributions(s, 3, retrieved, 1, 4);
        QVERIFY(d.edges == (std::vector<double>{0, 1, 2, 3, 4}));
        QVERIFY(d.all.histogram == (Numbers{2, 1, 2, 1}) && d.chosen.histogram == (Numbers{0, 1, 0, 1}));
        QVERIFY(d.all.quantile[4] == 1.5 && d.chosen.mean == 2.5 && d.all.count == 6);
        d = analysis::score_distributions(s, 3, retrieved, 1, 2, {{1, 2}});
        QVERIFY(d.all.histogram == (Numbers{1, 2}));  // the last bin holds both its edges
        QVERIFY(d.all.highest == 4 && d.all.count == 6);
        d = analysis::score_distributions(Floats{3, 3}, 1, {}, 0, 3);
        QVERIFY(d.all.histogram == (Numbers{0, 2, 0}) && d.all.sd == 0 && d.edges.front() == 2.5);
        QVERIFY(d.chosen.count == 0 && std::isnan(d.chosen.mean) && std::isnan(d.chosen.quantile[0]));
    }

    void score_refusals() {
        const Floats s{0, 1, NAN, 3};
        QVERIFY(says(words_of([&] { (void)analysis::score_matrix(s, 2, {}, 0); }), "not all finite"));
        QVERIFY(says(words_of([&] { (void)analysis::score_distributions(s, 2, {}, 0); }), "not all finite"));
        QVERIFY(says(words_of([&] { (void)analysis::score_matrix({}, 2, {}, 0); }), "no similarities"));
        QVERIFY_EXCEPTION_THROWN((void)analysis::score_matrix(s, 3, {}, 0), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::score_matrix(Floats{1, 2}, 2, Ints{2}, 1),
                                 std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::score_matrix(Floats{1, 2}, 2, {}, 0, {}, stopped()),
                                 Cancelled);
        QVERIFY_EXCEPTION_THROWN(
            (void)analysis::score_distributions(Floats{1, 2}, 2, {}, 0, 4, {}, stopped()), Cancelled);
    }

    void clustering_reports_progress() {
        constexpr std::int64_t rows = 3000, anchors = 6;
        Floats s;
        for (std::int64_t i = 0; i < rows * anchors; ++i)
            s.push_back(static_cast<float>(std::sin(static_cast<double>(i * i % 977))));
        const analysis::ScoreOptions clustered{0, 20000, AnchorOrder::clustering};
        std::vector<std::int64_t> done;
        const auto told = analysis::score_matrix(s, anchors, {}, 0, clustered, {}, [&](const Progress& p) {
            QCOMPARE(p.total, rows);
            done.push_back(p.done);
        });
        QVERIFY(done.size() >= 4 && done.front() == 0 && done.back() == rows);
        QVERIFY(std::is_sorted(done.begin(), done.end()));
        QVERIFY(told.anchor == analysis::score_matrix(s, anchors, {}, 0, clustered).anchor);
        // It stops where it is told to, not only before it begins.
        std::stop_source source;
        std::size_t reports = 0;
        const auto stop_at_second = [&](const Progress&) {
            if (++reports == 2) source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(
            (void)analysis::score_matrix(s, anchors, {}, 0, clustered, source.get_token(), stop_at_second),
            Cancelled);
        QCOMPARE(reports, std::size_t{2});
    }

    void clustering_agrees_with_scipy() {
        const auto s = golden_.floats("similarity");
        const auto rows = static_cast<std::size_t>(windows * channels), n = static_cast<std::size_t>(pool);
        std::vector<double> distances(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::size_t r = 0; r < rows; ++r) {
                    const double difference =
                        static_cast<double>(s[r * n + i]) - static_cast<double>(s[r * n + j]);
                    sum += difference * difference;
                }
                distances[i * n + j] = std::sqrt(sum);
            }
        const auto c = analysis::average_linkage(distances, pool);
        const auto tree = golden_.doubles("linkage");  // [n − 1, 4]: left, right, height, size
        for (std::size_t i = 0; i + 1 < n; ++i) {
            QCOMPARE(static_cast<double>(c.left[i]), tree[i * 4]);
            QCOMPARE(static_cast<double>(c.right[i]), tree[i * 4 + 1]);
            QVERIFY(near(c.height[i], tree[i * 4 + 2], 1e-10));
        }
        QVERIFY(c.order == golden_.get<std::int64_t>("linkage.leaves"));
    }

    void clustering_by_hand() {
        // On a line at 0, 10, 1, 12: {0, 2} at 1, {1, 3} at 2, both at the mean of 10, 12, 9, 11.
        const std::vector<double> place{0, 10, 1, 12};
        std::vector<double> distances;
        for (const double a : place)
            for (const double b : place) distances.push_back(std::abs(a - b));
        const auto c = analysis::average_linkage(distances, 4);
        QVERIFY(c.left == (Numbers{0, 1, 4}) && c.right == (Numbers{2, 3, 5}));
        QVERIFY(c.height == (std::vector<double>{1, 2, 10.5}) && c.order == (Numbers{0, 2, 1, 3}));
        QVERIFY(analysis::average_linkage(std::vector<double>{0}, 1).order == (Numbers{0}));
        QVERIFY(analysis::average_linkage({}, 0).order.empty());
        QVERIFY(analysis::average_linkage(std::vector<double>(9, 0), 3).order.size() == 3);  // all the same
        QVERIFY_EXCEPTION_THROWN((void)analysis::average_linkage(distances, 3), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::average_linkage(distances, 4, stopped()), Cancelled);
    }

    void alignment_agrees_with_sklearn() {
        const auto map = analysis::cosine_map(golden_.floats("series"), golden_.floats("prompt"), width);
        QVERIFY(farthest(map.values, golden_.doubles("alignment.map")) < 1e-6);
        const auto means = golden_.doubles("alignment.means");
        QVERIFY(near(map.diagonal_mean, means[0], 1e-7) && near(map.mean, means[1], 1e-12) &&
                near(map.off_diagonal_mean, means[2], 1e-7));
        QVERIFY(map.row == up_to(windows * channels));
        // Fewer rows shown: the means are still of all.
        const auto less = analysis::cosine_map(golden_.floats("series"), golden_.floats("prompt"), width, 3);
        QVERIFY(less.row == (Numbers{0, 64, 128}) && less.rows_total == 129 && less.values.size() == 9);
        QVERIFY(near(less.mean, map.mean) && near(less.values[3 * 1 + 2], map.values[64 * 129 + 128], 1e-6));
        QVERIFY(less.diagonal == map.diagonal);
    }

    void alignment_by_hand() {
        const Floats series{1, 0, 0, 2}, prompts{3, 0, 1, 1};
        const auto map = analysis::cosine_map(series, prompts, 2);
        const double half = std::sqrt(0.5);
        QVERIFY(farthest(map.values, std::vector<double>{1, half, 0, half}) < 1e-7);
        QVERIFY(near(map.diagonal_mean, (1 + half) / 2, 1e-7) && near(map.off_diagonal_mean, half / 2, 1e-7));
        const auto same = analysis::cosine_map(series, series, 2);
        QVERIFY(near(same.diagonal_mean, 1, 1e-7) && near(same.mean, 0.5) &&
                near(same.off_diagonal_mean, 0, 1e-7));
        const auto zero = analysis::cosine_map(Floats{0, 0}, Floats{1, 1}, 2);
        QVERIFY(zero.values == (Floats{0}) && std::isnan(zero.off_diagonal_mean));
        QVERIFY(std::isnan(analysis::cosine_map({}, {}, 2).mean));
        QVERIFY(says(words_of([&] {
                         (void)analysis::cosine_map(Floats{NAN, 1}, Floats{1, 1}, 2);
                     }),
                     "not all finite"));
        QVERIFY_EXCEPTION_THROWN((void)analysis::cosine_map(series, Floats{1, 1}, 2), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::cosine_map(series, prompts, 2, 10, stopped()), Cancelled);
    }

    void alignment_reports_progress() {
        const std::int64_t rows = 5000;
        Floats series, prompts;
        for (std::int64_t i = 0; i < 2 * rows; ++i) {
            series.push_back(static_cast<float>(std::sin(static_cast<double>(i))));
            prompts.push_back(static_cast<float>(std::cos(static_cast<double>(i) * 1.3)));
        }
        std::vector<Progress> told;
        const auto map =
            analysis::cosine_map(series, prompts, 2, 100, {}, [&](const Progress& p) { told.push_back(p); });
        QVERIFY(map.values == analysis::cosine_map(series, prompts, 2, 100).values);
        QVERIFY(told.size() >= 4);
        for (std::size_t i = 1; i < told.size(); ++i)
            QVERIFY(told[i].done > told[i - 1].done && told[i].total == rows + 100);
        QCOMPARE(told.back().done, rows + 100);
        QCOMPARE(QString::fromStdString(told.back().stage.text()), QStringLiteral("Cosine similarity"));
        // It stops where it is told to, not only before it begins.
        std::stop_source source;
        std::size_t reports = 0;
        const auto stop_at_second = [&](const Progress&) {
            if (++reports == 2) source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(
            (void)analysis::cosine_map(series, prompts, 2, 100, source.get_token(), stop_at_second),
            Cancelled);
        QCOMPARE(reports, std::size_t{2});
    }

    void one_set_has_entropy_ln_k() {
        // Eight anchors, the same for every row: ln 8 = 2.079, the floor of the paper's table.
        Numbers counts(1000, 0);
        for (std::size_t i = 100; i < 108; ++i) counts[i] = 2785 * 7;
        QVERIFY(near(analysis::usage_entropy(counts), std::log(8.0)) && near(std::log(8.0), 2.079, 5e-4));
        const auto c = analysis::compare_usage(counts, counts);
        QVERIFY(c.jaccard == 1 && c.jaccard_top == 1 && c.total_variation == 0 && c.both == 8 &&
                c.only_a == 0);
    }

    void usage_comparison_by_hand() {
        const auto c = analysis::compare_usage(Numbers{4, 4, 0, 0}, Numbers{0, 0, 1, 1});
        QVERIFY(c.jaccard == 0 && c.total_variation == 1 && c.both == 0 && c.only_a == 2 && c.only_b == 2);
        const auto part = analysis::compare_usage(Numbers{3, 1, 0}, Numbers{1, 0, 1}, 1);
        QVERIFY(near(part.jaccard, 1.0 / 3) && part.jaccard_top == 1 && near(part.total_variation, 0.5));
        QVERIFY(std::isnan(analysis::compare_usage(Numbers{0}, Numbers{1}).total_variation));
        QVERIFY_EXCEPTION_THROWN((void)analysis::compare_usage(Numbers{1}, Numbers{1, 2}),
                                 std::invalid_argument);
        QVERIFY(analysis::retrieved_set(Numbers{0, 2, 0, 1}) == (Numbers{1, 3}));
    }

    void explained_variance_agrees_with_sklearn_data() {
        QTest::addColumn<int>("rows");
        QTest::newRow("tall") << 90;
        QTest::newRow("wide") << 30;
    }

    void explained_variance_agrees_with_sklearn() {
        QFETCH(int, rows);
        const auto at = std::string("pca.") + QTest::currentDataTag() + ".";
        const auto e = analysis::principal_axes(golden_.floats(at + "values"), rows, 64, 3).shares;
        QVERIFY(farthest(e.centred, golden_.doubles(at + "centred")) < 1e-10);
        QVERIFY(farthest(e.uncentred, golden_.doubles(at + "uncentred")) < 1e-10);
        QVERIFY(e.centred[0] != e.uncentred[0]);
    }

    void explained_variance_by_hand() {
        // (3, 1) and (3, −1): about their mean all is along y; about zero 18 along x and 2 along y.
        const auto e = analysis::principal_axes(Floats{3, 1, 3, -1}, 2, 2, 2).shares;
        QVERIFY(near(e.centred[0], 1) && e.centred[1] == 0 && near(e.uncentred[0], 0.9) &&
                near(e.uncentred[1], 0.1));
        QVERIFY(near(e.uncentred[0] + e.uncentred[1], 1));
        const auto one = analysis::principal_axes(Floats{3, 4}, 1, 2, 2).shares;
        QVERIFY(std::isnan(one.centred[0]) && near(one.uncentred[0], 1));
        const auto none = analysis::principal_axes({}, 0, 2, 2).shares;
        QVERIFY(std::isnan(none.centred[0]) && std::isnan(none.uncentred[0]));
        const auto zeros = analysis::principal_axes(Floats{0, 0, 0, 0}, 2, 2, 2).shares;
        QVERIFY(std::isnan(zeros.centred[0]) && std::isnan(zeros.uncentred[0]));
    }

private:
    struct Run {
        Numbers start, channel;
        Floats residual, mse, mae;
        Ints retrieved;
        std::int64_t k = 1, size = 1;
        [[nodiscard]] analysis::StrataInput input() const {
            return {start, channel, residual, mse, mae, retrieved, k, size};
        }
    };
    [[nodiscard]] Run golden_run(const std::string& mse, const std::string& retrieved) const {
        return {up_to(windows),
                up_to(channels),
                golden_.floats("residual"),
                golden_.floats(mse),
                golden_.floats("mae"),
                golden_.get<std::int32_t>(retrieved),
                top_k,
                pool};
    }
    /// One channel, n windows, residual i, one anchor of two.
    [[nodiscard]] static Run plain_run(std::int64_t n) {
        Run run{up_to(n), {0}, {}, {}, {}, {}, 1, 2};
        for (std::int64_t i = 0; i < n; ++i) {
            run.residual.push_back(static_cast<float>(i));
            run.mse.push_back(1);
            run.mae.push_back(0.5F);
            run.retrieved.push_back(0);
        }
        return run;
    }
    const test::AnalysisGolden golden_;
};

TEST_MAIN_WITHOUT_GUI(TestStatistics)
#include "test_statistics.moc"
