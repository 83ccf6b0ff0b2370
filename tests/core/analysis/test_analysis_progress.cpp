// What goes over many rows says how far it is, leaves where it is told to, and finds the same to the bit
// whether anybody listens or not.
#include <cmath>
#include <cstring>

#include <QtTest>

#include "analysis/scores.h"
#include "analysis/strata.h"
#include "analysis/usage.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using Doubles = std::vector<double>;

namespace {

constexpr std::int64_t windows = 30000, channels = 3, rows = windows * channels, top_k = 4, pool = 20;

template <class T>
void append(Doubles& to, const std::vector<T>& from) {
    for (const auto value : from) to.push_back(static_cast<double>(value));
}

Doubles flat(const analysis::Strata& s) {
    Doubles all = s.difficulty;
    append(all, s.stratum_of);
    append(all, s.edges);
    for (const auto& one : s.strata) {
        append(all, one.windows);
        append(all, one.usage);
        append(all, Doubles{one.lowest, one.highest, one.difficulty, one.mse, one.mae, one.summary.entropy});
    }
    return all;
}

Doubles flat(const analysis::StrataDifference& d) {
    return {static_cast<double>(d.windows),
            d.mse_a,
            d.mse_b,
            d.mae_a,
            d.mae_b,
            d.difference,
            d.standard_error,
            d.relative,
            d.improved,
            d.jaccard,
            d.entropy_a,
            d.entropy_b};
}

Doubles flat(const analysis::PairedStrata& p) {
    auto all = flat(p.strata);
    for (const auto& one : p.difference) append(all, flat(one));
    for (const auto* one : {&p.all, &p.easiest, &p.hardest}) append(all, flat(*one));
    return all;
}

Doubles flat(const analysis::Distribution& d) {
    Doubles all{static_cast<double>(d.count), d.mean, d.sd, d.lowest, d.highest};
    append(all, d.quantile);
    append(all, d.histogram);
    return all;
}

bool same_bits(const Doubles& a, const Doubles& b) {
    return a.size() == b.size() && !a.empty() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// `call(stop, progress)` returns its numbers.
template <class Call>
void check(const char* stage, Call call) {
    std::vector<Progress> told;
    const Doubles silent = call(std::stop_token(), ProgressFn());
    const Doubles heard = call(std::stop_token(), ProgressFn([&](const Progress& p) { told.push_back(p); }));
    QVERIFY(same_bits(silent, heard));
    QVERIFY2(told.size() >= 3, qPrintable(QString::number(told.size())));
    for (std::size_t i = 0; i < told.size(); ++i) {
        QCOMPARE(QString::fromStdString(told[i].stage.text()), QString::fromUtf8(stage));
        QCOMPARE(told[i].total, told.front().total);
        if (i > 0) QVERIFY(told[i].done > told[i - 1].done);  // the end is reached once, at the end
    }
    QCOMPARE(told.back().done, told.back().total);

    std::stop_source source;
    int reports = 0;
    const ProgressFn stop_at_once = [&](const Progress&) {
        ++reports;
        source.request_stop();
    };
    QVERIFY_EXCEPTION_THROWN((void)call(source.get_token(), stop_at_once), Cancelled);
    QCOMPARE(reports, 1);
    QVERIFY_EXCEPTION_THROWN((void)call(source.get_token(), stop_at_once), Cancelled);
    QCOMPARE(reports, 1);  // stopped before it began
}

}  // namespace

class TestAnalysisProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const auto wave = [](std::int64_t i, double pace) {
            return static_cast<float>(std::abs(std::sin(static_cast<double>(i) * pace)));
        };
        for (std::int64_t w = 0; w < windows; ++w) start_.push_back(w);
        for (std::int64_t i = 0; i < rows; ++i) {
            residual_.push_back(wave(i, 0.37));
            mse_.push_back(wave(i, 0.71));
            mse_b_.push_back(wave(i, 0.73));
            mae_.push_back(wave(i, 0.11));
            for (std::int64_t k = 0; k < top_k; ++k) {
                selected_.push_back(static_cast<std::int32_t>((i * i + k) % pool));
                selected_b_.push_back(static_cast<std::int32_t>((3 * i + 2 * k) % pool));
            }
        }
        for (std::int64_t i = 0; i < rows * pool; ++i) similarity_.push_back(wave(i, 0.013));
    }

    void strata() {
        check("Difficulty strata", [&](const std::stop_token& stop, const ProgressFn& progress) {
            return flat(analysis::strata_of(input(), 10, stop, progress));
        });
    }

    void strata_without_errors() {
        auto bare = input();
        bare.mse = bare.mae = {};
        check("Difficulty strata", [&](const std::stop_token& stop, const ProgressFn& progress) {
            return flat(analysis::strata_of(bare, 10, stop, progress));
        });
    }

    void strata_of_two_runs() {
        check("Comparing strata", [&](const std::stop_token& stop, const ProgressFn& progress) {
            return flat(analysis::compare_strata(input(), input(true), 10, stop, progress));
        });
    }

    // The easiest three tenths are read once more: however the windows divide among the strata, the end is
    // told when it is reached.
    void strata_in_other_numbers() {
        auto a = input(), b = input(true);
        a.mae = {};
        b.retrieved = {};
        for (const std::int64_t count : {1, 3, 7, 11})
            check("Comparing strata", [&](const std::stop_token& stop, const ProgressFn& progress) {
                return flat(analysis::compare_strata(a, b, count, stop, progress));
            });
        QVERIFY_EXCEPTION_THROWN((void)analysis::compare_strata(a, b, 0), std::invalid_argument);
    }

    // A window of more rows than are read at once is read as a whole.
    void strata_of_wide_windows() {
        std::vector<std::int64_t> many;
        for (std::int64_t c = 0; c < rows; ++c) many.push_back(c);
        const std::vector<std::int64_t> one{5};
        const analysis::StrataInput wide{one, many, residual_, mse_, mae_, {}, 0, 0};
        check("Difficulty strata", [&](const std::stop_token& stop, const ProgressFn& progress) {
            return flat(analysis::strata_of(wide, 1, stop, progress));
        });
    }

    void alignment() {
        const std::span<const float> series(residual_), prompts(mse_);
        check("Cosine similarity", [&](const std::stop_token& stop, const ProgressFn& progress) {
            const auto map = analysis::cosine_map(series, prompts, 5, 100, stop, progress);
            Doubles all{map.diagonal_mean, map.mean, map.off_diagonal_mean};
            append(all, map.values);
            append(all, map.diagonal);
            return all;
        });
    }

    void distributions() {
        check("Distribution of scores", [&](const std::stop_token& stop, const ProgressFn& progress) {
            const auto d =
                analysis::score_distributions(similarity_, pool, selected_, top_k, 50, {}, stop, progress);
            auto all = flat(d.all);
            append(all, flat(d.chosen));
            append(all, d.edges);
            return all;
        });
    }

    void distributions_without_a_selection() {
        check("Distribution of scores", [&](const std::stop_token& stop, const ProgressFn& progress) {
            const auto d = analysis::score_distributions(similarity_, pool, {}, 0, 50, {}, stop, progress);
            if (d.chosen.count != 0) return Doubles{};
            return flat(d.all);
        });
    }

private:
    [[nodiscard]] analysis::StrataInput input(bool second = false) const {
        return {start_, channel_, residual_, second ? mse_b_ : mse_, mae_, second ? selected_b_ : selected_,
                top_k,  pool};
    }
    std::vector<std::int64_t> start_, channel_{0, 1, 2};
    std::vector<float> residual_, mse_, mse_b_, mae_, similarity_;
    std::vector<std::int32_t> selected_, selected_b_;
};

TEST_MAIN_WITHOUT_GUI(TestAnalysisProgress)
#include "test_analysis_progress.moc"
