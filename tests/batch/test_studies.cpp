// The shipped studies with the real program, in small.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "batch_fixture.h"
#include "evidence/paper_experiments.h"
#include "figure_table.h"
#include "test_program.h"
#include "util/embedded.h"
#include "verify_text.h"

using namespace casp;

namespace {

QStringList arguments_of(const QString& study, const QStringList& further) {
    QStringList arguments{"--batch", "study:" + study, "--out", "runs"};
    for (const char* set :
         {"data.path=series.csv", "data.split=[200,140,140]", "data.lookback=48", "data.horizon=12",
          "backbone.path=untrained", "backbone.layers=1", "backbone.width=12", "backbone.heads=2",
          "backbone.vocabulary=60", "backbone.positions=64", "model.trend_length=13",
          "model.seasonal_length=12", "train.epochs=1", "train.max_steps=2", "train.batch_size=8",
          "run.device=cpu", "run.threads=1"})
        arguments << "--set" << set;
    for (const auto& set : further) arguments << "--set" << set;
    return arguments;
}

const QStringList kinds{"gpt2", "random", "block", "attention", "none"};
const QString two_seeds = QStringLiteral("sweep.train.seed=[2021,2022]");

}  // namespace

class TestStudies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QByteArray text = "date,a,b\n";
        const auto begin = QDateTime(QDate(2016, 7, 1), QTime(0, 0), Qt::UTC);
        for (int row = 0; row < 600; ++row)
            text += begin.addSecs(3600LL * row).toString("yyyy-MM-dd HH:mm:ss").toLatin1() + ',' +
                    QByteArray::number(std::sin(row * 2 * M_PI / 24) + 0.2 * std::sin(0.37 * row * row)) +
                    ',' + QByteArray::number(std::cos(row * 2 * M_PI / 24)) + '\n';
        place_.write("series.csv", text);
    }

    /// Each comment states the number of runs, as those of the paper's experiments do.
    void studies_have_the_runs_they_state() {
        QVERIFY(!evidence::study_names().empty());
        for (const auto& name : evidence::study_names()) {
            const auto target = "study:" + name;
            const auto runs = config::expand(evidence::load_experiment(target), "runs").size();
            const std::string text(embedded_file("resources/experiments/study/" + name + ".toml"));
            QVERIFY2(text.find(std::to_string(runs) + " runs") != std::string::npos, name.c_str());
            QCOMPARE(evidence::target_of_folder("study-" + name), target);
        }
    }

    /// Six models, five kinds, two seeds; the page is recomputed from results.csv.
    void language_model() {
        VERIFY_RUN(r, 0, arguments_of("language-model", {two_seeds}));
        QVERIFY2(!r.err.contains("failed"), r.err.constData());
        VERIFY_HAS(r.out, "# What the language model contributes",
                   "Tables: ", "Backbone of the runs: untrained",
                   "says nothing about what pre-training gives", "Precision of the runs: fp32");
        const test::Table page(place_.read(folder_ + "/language-model.csv"));
        const test::Table results(place_.read(folder_ + "/results.csv"));
        QCOMPARE(results.rows.size(), qsizetype{60});
        QCOMPARE(page.rows.size(), qsizetype{30});
        for (int row = 0; row < page.rows.size(); ++row) {
            const auto kind = page.at(row, "kind");
            QCOMPARE(kind, kinds[row % 5]);
            const auto own = runs_of(results, row / 5, kind), base = runs_of(results, row / 5, "gpt2");
            QCOMPARE(own.size(), qsizetype{2});
            QCOMPARE(page.number(row, "n"), 2.0);
            // OFA reads nothing of GPT-2 where it is replaced.
            const bool reads = row / 5 != 2 || kind == "gpt2" || kind == "random";
            QCOMPARE(page.at(row, "backbone"), QString(reads ? "untrained" : "none"));
            QCOMPARE(page.at(row, "precision"), QString("fp32"));
            double delta = 0, mean = 0, shuffled = 0;
            for (int i = 0; i < 2; ++i) {
                const double mse = results.number(own[i], "test_mse"),
                             whole = results.number(base[i], "test_mse");
                delta += (mse - whole) / 2;
                mean += whole / 2;
                shuffled += 100 * (results.number(own[i], "test_mse_shuffled") / mse - 1) / 2;
            }
            QVERIFY(std::abs(page.number(row, "shuffled_percent") - shuffled) <=
                    1e-9 * (1 + std::abs(shuffled)));
            QVERIFY(std::isfinite(page.number(row, "masked_percent")) &&
                    std::isfinite(page.number(row, "exchanged_percent")));
            QVERIFY(page.number(row, "seconds_mean") > 0 && page.number(row, "parameters_trainable") > 0);
            if (kind == "gpt2") {
                QCOMPARE(page.at(row, "pairs"), QString());
                continue;
            }
            QCOMPARE(page.at(row, "pairs"), QString("2"));
            QVERIFY(std::abs(page.number(row, "delta_percent") - 100 * delta / mean) <=
                    1e-9 * (1 + std::abs(delta)));
            QVERIFY(page.number(row, "p_holm") >= page.number(row, "p"));
        }
        // What replaces GPT-2 has fewer weights, none fewer still.
        for (int model = 0; model < 6; ++model)
            QVERIFY(page.number(5 * model + 4, "parameters_total") <
                    page.number(5 * model + 2, "parameters_total"));
    }

    void page_is_made_again_from_finished_runs() {
        VERIFY_RUN(r, 0, {"--table", "language-model", folder_, "--out", "again"});
        for (const char* ending : {"csv", "md", "tex"})
            QCOMPARE(place_.read(QStringLiteral("again/language-model.%1").arg(ending)),
                     place_.read(folder_ + "/language-model." + ending));
        VERIFY_RUN(checked, 0, {"--verify", folder_});
        QVERIFY2(!checked.out.contains("differs"), checked.out.constData());
        VERIFY_RUN(none, 2, {"--table", "language-model"});
        VERIFY_HAS(none.err, "there are no folders", "study:language-model");
    }

    /// The kind need not be swept, and may be compared with several language models.
    void page_of_batches_with_other_settings() {
        const auto batch = [&](const QString& name, const QString& kind, const QString& layers) {
            auto arguments = arguments_of("language-model", {two_seeds, "sweep.preset=[\"ofa-etth1-96\"]",
                                                             "sweep.backbone.kind=[\"" + kind + "\"]",
                                                             "backbone.layers=" + layers, "name=" + name});
            arguments[3] = "others";
            return place_.run(arguments);
        };
        VERIFY_CODE(batch("one", "gpt2", "1"), 0);
        VERIFY_CODE(batch("two", "gpt2", "2"), 0);
        VERIFY_CODE(batch("random", "random", "1"), 0);
        VERIFY_CODE(batch("none", "none", "1"), 0);
        VERIFY_RUN(r, 0, {"--table", "language-model", "others", "--out", "others-page"});
        const test::Table page(place_.read("others-page/language-model.csv"));
        QStringList compared;
        for (int row = 0; row < page.rows.size(); ++row)
            if (page.at(row, "pairs") == "2") compared << page.at(row, "kind");
        compared.sort();
        // Nothing is compared with both depths, random weights with their own.
        QCOMPARE(compared, (QStringList{"none", "none", "random"}));
        QCOMPARE(page.rows.size(), qsizetype{5});
    }

    void damaged_look_backs_are_compared_like_any_error() {
        VERIFY_RUN(r, 0, {"--compare", folder_, "--by", "backbone.kind", "--metric", "test_mse_shuffled"});
        VERIFY_HAS(r.out, "backbone.kind, compared with gpt2", "test MSE, shuffled");
    }

    void few_shot() {
        VERIFY_RUN(r, 0,
                   arguments_of("few-shot", {two_seeds, "sweep.preset=[\"etth1-720\"]", "data.percent=60"}));
        const auto comparisons = place_.read("runs/study-few-shot/comparisons.csv");
        VERIFY_HAS(comparisons, "λ_cov = 0,coverage,2", "λ_cov = 0,warm-up,2", "λ_cov = 0,β = 0.999,2");
    }

    void prompt_bank() {
        VERIFY_RUN(r, 0,
                   arguments_of("prompt-bank", {two_seeds, "sweep.loss.lambda_cov=[0,0.1]",
                                                "sweep.tempo.top_k=[1,3]", "tempo.pool_size=12"}));
        const auto comparisons = place_.read("runs/study-prompt-bank/comparisons.csv");
        QCOMPARE(comparisons.count("test_mse,0,0.1,2"), 2);
        VERIFY_HAS(place_.read("runs/study-prompt-bank/summary.md"), "best");
    }

    void unknown_studies_are_named() {
        VERIFY_RUN(r, 2, {"--batch", "study:langage-model", "--out", "runs"});
        VERIFY_HAS(r.err, "study:langage-model", "Nearest name: study:language-model");
    }

private:
    /// Rows of results.csv of the model's runs with this kind, by seed.
    [[nodiscard]] static QList<int> runs_of(const test::Table& results, int model, const QString& kind) {
        const QStringList models{"casp-llm", "s2ip-llm", "ofa", "time-llm", "calf", "tempo"};
        QList<int> found;
        for (const char* seed : {"2021", "2022"})
            for (int row = 0; row < results.rows.size(); ++row)
                if (results.at(row, "model") == models[model] && results.at(row, "backbone.kind") == kind &&
                    results.at(row, "seed") == QLatin1String(seed))
                    found << row;
        return found;
    }
    const QString folder_ = QStringLiteral("runs/study-language-model");
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestStudies)
#include "test_studies.moc"
