// Figures of sweeps: what tables are of, which seeds pictures show, what is compared with what.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "analysis/pca.h"
#include "batch_fixture.h"
#include "figure_table.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using casp::test::Table;

namespace {

constexpr int channels = 10;  ///< more than a figure draws

QByteArray wide_csv() {
    QByteArray text = "date";
    for (int c = 0; c < channels; ++c) text += ",c" + QByteArray::number(c);
    for (int r = 0; r < 400; ++r) {
        text += "\n" + QByteArray::number(1577836800LL + 3600LL * r);
        for (int c = 0; c < channels; ++c)
            text += "," + QByteArray::number(std::sin(r * 2 * M_PI / (12 + 3 * c)) +
                                                 (0.1 + 0.03 * c) * std::cos(r * (1.1 + 0.2 * c)),
                                             'f', 5);
    }
    return text + "\n";
}

}  // namespace

class TestFigureSweeps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", wide_csv());
        place_.write("wide.toml", test::quick("store_embeddings = true\n[sweep]\n\"loss.lambda_cov\" = [0, "
                                              "0.1]\n\"train.seed\" = [1, 2]\n"));
        const auto r = draw("pca,tsne,usage-strips,forecast");
        VERIFY_CODE(r, 0);
    }

    void variance_covers_all_rows() {
        const auto run = QStringLiteral("lambda_cov-0_seed-1");
        QVERIFY2(QFile::exists(file(run)), qPrintable(QDir(place_.path("out/wide")).entryList().join(' ')));
        const auto all = store::read_embedding(file(run + "/arrays.h5").toStdString(), "test");
        const auto d = all.dimension;
        const Table table(figure("pca-variance.csv")), points(figure("pca.csv"));
        for (const auto& [kind, values] :
             {std::pair{"anchors", &all.anchors}, std::pair{"series", &all.series},
              std::pair{"prompts", &all.prompt}}) {
            const auto n = static_cast<std::int64_t>(values->size()) / d;
            const auto shares = analysis::principal_axes(*values, n, d, 2).shares;
            for (const auto& [centring, share] :
                 {std::pair{"centred", &shares.centred}, std::pair{"uncentred", &shares.uncentred}}) {
                const auto rows =
                    table.where({{"condition", "λ_cov = 0"}, {"kind", kind}, {"centring", centring}});
                QCOMPARE(rows.size(), 1);
                const int r = rows.front();
                QCOMPARE(table.at(r, "n").toLongLong(), n);
                QVERIFY(std::abs(table.number(r, "pc1") - (*share)[0]) < 1e-9);
                QVERIFY(std::abs(table.number(r, "pc2") - (*share)[1]) < 1e-9);
                QCOMPARE(table.at(r, "training_seed"), QString("1"));
            }
        }
        const auto rows = static_cast<int>(static_cast<std::int64_t>(all.series.size()) / d);
        QCOMPARE(rows % channels, 0);
        const auto windows = rows / channels;
        const auto words = QString("all %1 test windows × %2 channels").arg(windows).arg(channels);
        const auto series = table.where({{"condition", "λ_cov = 0"}, {"kind", "series"}});
        QCOMPARE(table.at(series.front(), "sample"), words);
        // Eight channels are drawn, on the axes of all.
        const auto drawn = points.where({{"condition", "λ_cov = 0"}, {"kind", "series"}});
        QCOMPARE(drawn.size(), 8 * windows);
        QCOMPARE(points.at(drawn.front(), "n").toInt(), rows);
        QVERIFY(points.at(drawn.front(), "sample").endsWith("8 of 10 channels"));
        const auto whole = analysis::principal_axes(all.series, rows, d, 2).points(all.series);
        for (const int r : drawn) {
            const auto channel = points.at(r, "channel").mid(1).toInt();
            const auto row = static_cast<std::size_t>(points.at(r, "window").toInt() * channels + channel);
            QVERIFY(std::abs(points.number(r, "pc1") - whole[2 * row]) < 1e-6);
            QVERIFY(std::abs(points.number(r, "pc2") - whole[2 * row + 1]) < 1e-6);
        }
        for (const auto* name : {"pca-variance.txt", "pca.txt"}) {
            const auto text = QString::fromUtf8(figure(name));
            VERIFY_HAS(text, words, QString("%1 series").arg(rows), "Training seed 1, one of 2.");
        }
        const auto tex = QString::fromUtf8(figure("pca-variance.tex"));
        VERIFY_HAS(tex, QString(words).replace("×", "$\\times$"), "Training seed 1, one of 2.",
                   "Backbone of the runs: untrained.", "Precision of the runs: fp32.");
    }

    void pictures_side_by_side_show_one_seed() {
        const auto runs_in = [&](const QString& name) {
            const Table table(figure(name));
            QSet<QString> runs;
            for (int r = 0; r < table.rows.size(); ++r) runs << table.at(r, "run");
            return runs;
        };
        QCOMPARE(runs_in("tsne.csv"), (QSet<QString>{"λ_cov 0 · seed 1", "λ_cov 0.1 · seed 1"}));
        // Seed 1 is gone from λ_cov = 0.1: both plots are of seed 2.
        without({"lambda_cov-0.1_seed-1"}, [&] {
            const auto r = draw("pca,tsne,forecast,usage-strips");
            VERIFY_CODE(r, 0);
            VERIFY_HAS(r.err, "lambda_cov-0.1_seed-1 is omitted from figures");
            for (const auto* name : {"pca", "tsne"})
                QCOMPARE(runs_in(QString(name) + ".csv"),
                         (QSet<QString>{"λ_cov 0 · seed 2", "λ_cov 0.1 · seed 2"}));
            for (const auto* name : {"pca.txt", "tsne.txt", "forecast.txt"})
                VERIFY_HAS(figure(name), "Training seed 2, one of 2.");
            // Its usage is in run.h5, which is there.
            QVERIFY(figure("usage-strips.txt").contains("Training seed 1, one of 2."));
        });
    }

    void strata_change_over_the_windows_of_the_base() {
        place_.write("strata.toml", test::quick("[sweep]\n\"model.trend_length\" = [3, 31]\n"));
        VERIFY_RUN(r, 0, {"--batch", "strata.toml", "--out", "out", "--figures", "strata"});
        const Table table(place_.read("out/strata/figures/strata.csv"));
        const auto of = [&](const QString& condition, const QString& stratum, const QString& column) {
            const auto rows = table.where({{"condition", condition}, {"stratum", stratum}});
            return rows.size() == 1 ? table.number(rows.front(), column) : std::nan("");
        };
        const QString base = "L_tr = 3", other = "L_tr = 31";
        // What the strata say together is what the row of the easiest three says; so it is only where all are
        // of the same windows. The runs' own deciles are not.
        double paired = 0, own = 0, whole = 0, apart = 0;
        for (int i = 1; i <= 10; ++i) {
            const auto stratum = QString::number(i);
            const double weight = of(base, stratum, "windows") * of(base, stratum, "mse");
            const double change = of(other, stratum, "mse_change_percent");
            const double unpaired = 100 * (of(other, stratum, "mse") / of(base, stratum, "mse") - 1);
            QVERIFY(std::isfinite(weight) && std::isfinite(change));
            apart = std::max(apart, std::abs(change - unpaired));
            if (i > 3) continue;
            paired += weight * change;
            own += weight * unpaired;
            whole += weight;
        }
        const double easiest = of(other, "1-3", "mse_change_percent");
        QVERIFY2(std::abs(paired / whole - easiest) < 1e-6 * (1 + std::abs(easiest)),
                 qPrintable(QString("%1 %2").arg(paired / whole).arg(easiest)));
        QVERIFY2(apart > 0.01 && std::abs(own / whole - easiest) > 1e-4,
                 qPrintable(QString("%1 %2").arg(own / whole).arg(easiest)));
    }

    void pool_and_top_k_are_settings_like_others() {
        place_.write("pool.toml",
                     test::quick("[sweep]\n\"model.pool_size\" = [20, 30]\n\"model.top_k\" = [2, 4]\n"));
        VERIFY_RUN(r, 0,
                   {"--batch", "pool.toml", "--out", "out", "--figures",
                    "sensitivity,sensitivity:usage_entropy:model.pool_size,pca"});
        const Table results(place_.read("out/pool/results.csv")),
            numbers(place_.read("out/pool/figures/sensitivity.csv")),
            alone(place_.read("out/pool/figures/sensitivity-usage_entropy-model.pool_size.csv"));
        QCOMPARE(results.rows.size(), 4);
        for (int row = 0; row < 4; ++row) {
            const auto pool = results.at(row, "model.pool_size"), k = results.at(row, "model.top_k");
            QVERIFY(!pool.isEmpty() && !k.isEmpty());
            for (const auto* metric : {"test_mse", "usage_entropy", "key_cosine"})
                for (const auto& [setting, value, others] :
                     {std::tuple{"model.pool_size", pool, "model.top_k=" + k},
                      std::tuple{"model.top_k", k, "model.pool_size=" + pool}}) {
                    const auto found = numbers.where(
                        {{"metric", metric}, {"setting", setting}, {"value", value}, {"others", others}});
                    QVERIFY2(found.size() == 1,
                             qPrintable(QString("%1 %2 %3 %4").arg(metric, setting, value, others)));
                    QCOMPARE(numbers.at(found.front(), "n"), QString("1"));
                    QCOMPARE(numbers.number(found.front(), "mean"), results.number(row, metric));
                }
            const auto found = alone.where({{"value", pool}, {"others", "model.top_k=" + k}});
            QCOMPARE(found.size(), 1);
            QCOMPARE(alone.number(found.front(), "mean"), results.number(row, "usage_entropy"));
        }
        // Pools of different size in one figure: each plot's own number of anchors.
        const auto caption = QString::fromUtf8(place_.read("out/pool/figures/pca.txt"));
        VERIFY_HAS(caption, "V' = 20: 20 anchors", "V' = 30: 30 anchors");
    }

private:
    [[nodiscard]] QString file(const QString& name) const { return place_.path("out/wide/" + name); }
    [[nodiscard]] QByteArray figure(const QString& name) const {
        return place_.read("out/wide/figures/" + name);
    }
    [[nodiscard]] test::Finished draw(const QString& names) const {
        return place_.run({"--batch", "wide.toml", "--out", "out", "--figures", names});
    }
    /// The run's weights and arrays are away while `use` is called.
    template <class Use>
    void without(const QStringList& runs, Use use) const {
        const auto move = [&](const QString& from, const QString& to) {
            for (const auto& run : runs)
                for (const auto* name : {"/best.safetensors", "/arrays.h5"})
                    if (!QFile::rename(file(run) + name + from, file(run) + name + to))
                        qFatal("cannot rename");
        };
        move({}, ".away");
        use();
        move(".away", {});
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestFigureSweeps)
#include "test_figure_sweeps.moc"
