// caspstudio --batch FILE --figures LIST, without a display: files of every figure, and their numbers against
// those of the runs.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>

#include <QImage>
#include <QtTest>
#include <QXmlStreamReader>

#include "batch_fixture.h"
#include "figure_table.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using casp::test::Table;

namespace {

const QStringList figure_files{
    "usage-strips", "score-heatmap", "score-distribution", "concentration", "pca",    "pca-variance",
    "tsne",         "alignment",     "forecast",           "sensitivity",   "strata", "loss-terms",
    "validation",   "gate-share",    "coverage",           "errors"};

}  // namespace

class TestFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        // What a channel is called is written into every format as it is.
        place_.write("series.csv", test::small_csv().replace("temperature", "T <&λ\U0001F600>"));
        place_.write("figures.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"));
        VERIFY_RUN(r, 0, {"--batch", "figures.toml", "--out", "out", "--figures", "all"});
        VERIFY_HAS(r.out, "Figures: ");
        QVERIFY2(!r.err.contains("no figure"), r.err.constData());
        QVERIFY2(!r.err.contains("XDG_RUNTIME_DIR"), r.err.constData());
    }

    void every_figure_in_every_format_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : figure_files) QTest::newRow(qPrintable(name)) << name;
    }

    void every_figure_in_every_format() {
        QFETCH(QString, name);
        const QDir folder(place_.path("out/figures/figures"));
        const QImage png(folder.filePath(name + ".png"));
        // 84 or 174 mm at 300 dpi.
        QVERIFY2(png.width() == 992 || png.width() == 2055, qPrintable(QString::number(png.width())));
        QVERIFY(png.height() > 300);
        QSet<QRgb> colours;
        for (int y = 0; y < png.height(); y += 3)
            for (int x = 0; x < png.width(); x += 3) colours << png.pixel(x, y);
        QVERIFY2(colours.size() > 12, qPrintable(QString::number(colours.size())));

        QFile svg(folder.filePath(name + ".svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&svg);
        int texts = 0, images = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement) continue;
            texts += reader.name() == QLatin1String("text") ? 1 : 0;
            images += reader.name() == QLatin1String("image") ? 1 : 0;
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(texts > 3);
        if (name == QLatin1String("forecast"))
            QVERIFY(place_.read("out/figures/figures/forecast.svg").contains("&lt;&amp;"));
        // Vectors where it is not an image: only the maps are pictures.
        const bool map = name == "usage-strips" || name == "score-heatmap" || name == "alignment";
        QCOMPARE(images > 0, map);

        QFile pdf(folder.filePath(name + ".pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-");
        const auto numbers = table(name);
        QVERIFY(numbers.columns.size() >= 4 && numbers.rows.size() >= 2);
        for (const auto& row : numbers.rows) QCOMPARE(row.size(), numbers.columns.size());
    }

    void unknown_names_are_refused_before_anything_starts() {
        const QList<std::pair<QString, QByteArray>> wrong{
            {"concentratoin", "Did you mean concentration?"},
            {"pca,tnse", "Did you mean tsne?"},
            {"sensitivity:tset_mae", "Did you mean test_mae?"},
            {"sensitivity:test_mae:model.topk", "Did you mean model.top_k?"},
            {"strata:low-frequencies", "Did you mean low-frequency?"},
            {"strata:trend-change:3", "0.5, 1, 2, 4 or 8"}};
        for (const auto& [names, advice] : wrong) {
            const auto r = place_.run({"--batch", "figures.toml", "--out", "other", "--figures", names});
            QCOMPARE(r.code, 2);
            VERIFY_HAS(r.err, advice);
            QVERIFY(!QFile::exists(place_.path("other")));
        }
    }

    void usage_is_that_of_the_training() {
        const auto strips = table("usage-strips"), top = table("concentration");
        for (const auto& [run, label] :
             {std::pair{"lambda_cov-0", "λ_cov = 0"}, std::pair{"lambda_cov-0.1", "λ_cov = 0.1"}}) {
            const auto anchors = record(run).anchors;
            std::vector<std::int64_t> counts(30, 0);
            for (std::size_t i = 0; i < anchors.usage_train.size(); ++i)
                counts[i % 30] += anchors.usage_train[i];
            const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
            QVERIFY(total > 0);
            const auto rows = strips.where({{"λ_cov", label}});
            QCOMPARE(rows.size(), 30);
            double sum = 0;
            for (const int r : rows) {
                const auto anchor = static_cast<std::size_t>(strips.at(r, "anchor").toInt());
                QCOMPARE(strips.at(r, "selections").toLongLong(), counts[anchor]);
                sum += strips.number(r, "frequency_percent");
            }
            QVERIFY(std::abs(sum - 400) < 1e-9);  // K = 4 anchors in every row
            std::sort(counts.rbegin(), counts.rend());
            const auto ranked = top.where({{"condition", label}});
            QCOMPARE(ranked.size(), 20);
            std::int64_t running = 0;
            for (int i = 0; i < 20; ++i) {
                running += counts[static_cast<std::size_t>(i)];
                QCOMPARE(top.at(ranked[i], "selections").toLongLong(), counts[static_cast<std::size_t>(i)]);
                QCOMPARE(top.at(ranked[i], "cumulative").toLongLong(), running);
                QCOMPARE(top.at(ranked[i], "all_selections").toLongLong(), total);
            }
        }
    }

    void sensitivity_is_that_of_the_tables() {
        const auto numbers = table("sensitivity");
        const Table results(place_.read("out/figures/results.csv"));
        QCOMPARE(results.rows.size(), 2);
        for (const auto* metric :
             {"test_mse", "test_mae", "val_mse", "usage_entropy", "distinct_anchors", "key_cosine", "seconds",
              "last_value_mse", "epochs", "best_epoch", "steps"})
            for (int r = 0; r < 2; ++r) {
                const auto found = numbers.where({{"metric", metric},
                                                  {"setting", "loss.lambda_cov"},
                                                  {"value", results.at(r, "lambda_cov")}});
                QCOMPARE(found.size(), 1);
                QCOMPARE(numbers.at(found.front(), "n"), QString("1"));
                QCOMPARE(numbers.number(found.front(), "mean"), results.number(r, metric));
            }
        VERIFY_RUN(
            one, 0,
            {"--batch", "figures.toml", "--out", "out", "--figures", "sensitivity:test_mae:loss.lambda_cov"});
        const auto alone = table("sensitivity-test_mae-loss.lambda_cov");
        QCOMPARE(alone.rows.size(), 2);
        QCOMPARE(alone.number(1, "mean"), results.number(1, "test_mae"));
        VERIFY_RUN(repeated, 0,
                   {"--batch", "figures.toml", "--out", "out", "--figures",
                    "sensitivity:last_value_mse:loss.lambda_cov"});
        const auto base = table("sensitivity-last_value_mse-loss.lambda_cov");
        QCOMPARE(base.number(0, "mean"), results.number(0, "last_value_mse"));
    }

    void strata_divide_the_test_error() {
        const auto strata = table("strata");
        for (const auto& [run, label] :
             {std::pair{"lambda_cov-0", "λ_cov = 0"}, std::pair{"lambda_cov-0.1", "λ_cov = 0.1"}}) {
            double windows = 0, mse = 0, before = 0;
            int deciles = 0;
            for (const int r : strata.where({{"condition", label}})) {
                if (strata.at(r, "windows").isEmpty()) continue;  // the summary rows
                ++deciles;
                QVERIFY(strata.number(r, "residual_from") >= before);
                before = strata.number(r, "residual_from");
                windows += strata.number(r, "windows");
                mse += strata.number(r, "windows") * strata.number(r, "mse");
            }
            QCOMPARE(deciles, 10);
            const auto results = record(run);
            QVERIFY(results.test.has_value());
            QVERIFY2(std::abs(mse / windows - results.test->mse) < 1e-6 * results.test->mse,
                     qPrintable(QString::number(mse / windows, 'g', 12)));
        }
        // Against λ_cov = 0 of the same seed: in per cent of the decile's own error.
        const auto base = strata.where({{"condition", "λ_cov = 0"}, {"stratum", "10"}}).front(),
                   other = strata.where({{"condition", "λ_cov = 0.1"}, {"stratum", "10"}}).front();
        const double expected = 100 * (strata.number(other, "mse") / strata.number(base, "mse") - 1);
        QVERIFY(std::abs(strata.number(other, "mse_change_percent") - expected) < 1e-9);
        QVERIFY(strata.at(base, "mse_change_percent").isEmpty());
    }

    void strata_by_other_labels() {
        VERIFY_RUN(r, 0,
                   {"--batch", "figures.toml", "--out", "out", "--figures",
                    "strata:trend-strength,strata:low-frequency,strata:trend-change:8"});
        const auto by_residual = table("strata");
        for (const auto* label : {"trend-strength", "low-frequency"}) {
            const auto strata = table(QString("strata-") + label);
            double before = 0, windows = 0, mse = 0;
            bool differs = false;
            for (const int row : strata.where({{"condition", "λ_cov = 0.1"}})) {
                QCOMPARE(strata.at(row, "strata_of"), QString(label));
                if (strata.at(row, "windows").isEmpty()) continue;  // the summary rows
                QVERIFY(strata.at(row, "residual_from").isEmpty());
                const double from = strata.number(row, "label_from"), to = strata.number(row, "label_to");
                QVERIFY(from >= before && to >= from && to <= 1);
                before = from;
                windows += strata.number(row, "windows");
                mse += strata.number(row, "windows") * strata.number(row, "mse");
                differs = differs || strata.at(row, "mse") != by_residual.at(row, "mse");
            }
            // Other windows in each decile, and the same in all.
            const auto results = record("lambda_cov-0.1");
            QVERIFY(differs && std::abs(mse / windows - results.test->mse) < 1e-6 * results.test->mse);
            const auto caption = place_.read(QString("out/figures/figures/strata-%1.txt").arg(label));
            VERIFY_HAS(caption, "never sees the target");
        }
        // This series repeats itself: no window has a trend change.
        VERIFY_HAS(r.err, "windows have the label zero");
        QVERIFY(!QFile::exists(place_.path("out/figures/figures/strata-trend-change-8.csv")));
    }

    void scores_are_all_pairs() {
        const auto heat = table("score-heatmap"), distribution = table("score-distribution");
        for (const auto* label : {"λ_cov = 0", "λ_cov = 0.1"}) {
            const auto cells = heat.where({{"condition", label}});
            QVERIFY(!cells.isEmpty() && cells.size() % 30 == 0);  // the pool is smaller than 100
            double sum = 0;
            for (const int r : cells) {
                const double s = heat.number(r, "similarity");
                QVERIFY(s >= -1.00001 && s <= 1.00001);
                sum += s;
            }
            double pairs = 0, chosen = 0, mean = 0, mean_chosen = 0, area = 0;
            for (const int r : distribution.where({{"condition", label}})) {
                const bool all = distribution.at(r, "of") == "all";
                (all ? pairs : chosen) += distribution.number(r, "pairs");
                (all ? mean : mean_chosen) = distribution.number(r, "mean_of_all_pairs");
                if (all)
                    area += distribution.number(r, "density") *
                            (distribution.number(r, "to") - distribution.number(r, "from"));
            }
            QCOMPARE(pairs, static_cast<double>(cells.size()));
            QCOMPARE(chosen * 30, pairs * 4);
            QVERIFY(std::abs(mean - sum / pairs) < 1e-6);
            QVERIFY(mean_chosen > mean);
            QVERIFY(std::abs(area - 1) < 1e-9);
        }
    }

    void planes_and_layouts_have_every_point() {
        const auto planes = table("pca"), layout = table("tsne"), alignment = table("alignment");
        const auto series = planes.where({{"condition", "λ_cov = 0"}, {"kind", "series"}}).size();
        QVERIFY(series > 20);
        for (const auto* label : {"λ_cov = 0", "λ_cov = 0.1"})
            for (const auto& [kind, n] : {std::pair{"anchors", qsizetype{30}}, std::pair{"series", series},
                                          std::pair{"prompts", series}}) {
                QCOMPARE(planes.where({{"condition", label}, {"kind", kind}}).size(), n);
                QCOMPARE(layout.where({{"condition", label}, {"kind", kind}}).size(), n);
            }
        QCOMPARE(alignment.where({{"condition", "λ_cov = 0"}, {"what", "series"}}).size(), series);
        const auto cells = alignment.where({{"condition", "λ_cov = 0"}, {"what", "cosine"}});
        const auto side = std::lround(std::sqrt(static_cast<double>(cells.size())));
        QCOMPARE(side * side, static_cast<long>(cells.size()));
        for (const int r : cells) QVERIFY(std::abs(alignment.number(r, "cosine")) <= 1.00001);
    }

    void captions_are_written_beside_pictures() {
        for (const auto& name : figure_files) {
            const auto text = place_.read("out/figures/figures/" + name + ".txt");
            QVERIFY2(text.count('\n') >= 3 && text.size() > 80, qPrintable(name + ": " + text));
            QVERIFY2(text.contains("Backbone of the runs: untrained.") &&
                         text.contains("Precision of the runs: fp32."),
                     qPrintable(name + ": " + text));
        }
        // What the guide tells to quote, in words and in the numbers.
        const auto layout = table("tsne");
        const auto windows = [&] {
            QSet<QString> numbers;
            for (const int r : layout.where({{"condition", "λ_cov = 0"}, {"kind", "series"}}))
                numbers << layout.at(r, "window");
            return numbers.size();
        }();
        const auto text = QString::fromUtf8(place_.read("out/figures/figures/tsne.txt"));
        for (const auto& words : {QStringLiteral("KL divergence"), QStringLiteral("Perplexity"),
                                  QStringLiteral("%1 test windows").arg(windows)})
            QVERIFY2(text.contains(words), qPrintable(words + ": " + text));
        for (const auto* label : {"λ_cov = 0", "λ_cov = 0.1"}) {
            const auto rows = layout.where({{"condition", label}});
            QVERIFY(!rows.isEmpty());
            const double kl = layout.number(rows.front(), "kl");
            QVERIFY2(std::isfinite(kl) && kl > 0 && kl < 10, qPrintable(layout.at(rows.front(), "kl")));
            for (const int r : rows) {
                QCOMPARE(layout.number(r, "kl"), kl);
                QCOMPARE(layout.at(r, "seed"), QString("2021"));
                QVERIFY(layout.number(r, "iterations") > 0 && layout.number(r, "perplexity") > 0);
                QVERIFY(layout.at(r, "sample").contains(QStringLiteral("test windows")));
            }
        }
        const auto apart = table("alignment");
        for (const auto* what : {"series", "prompts"}) {
            const auto rows = apart.where({{"condition", "λ_cov = 0"}, {"what", what}});
            QVERIFY(std::isfinite(apart.number(rows.front(), "kl")) && apart.number(rows.front(), "kl") > 0);
        }
        QCOMPARE(QImage(place_.path("out/figures/figures/tsne.png")).text("Description").isEmpty(), false);
    }

    void stored_and_computed_embeddings_agree() {
        place_.write(
            "stored.toml",
            test::small_experiment("store_embeddings = true\n[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"));
        auto r = place_.run({"--batch", "stored.toml", "--out", "out"});
        VERIFY_CODE(r, 0);
        // From arrays.h5 alone, then from the weights alone.
        const auto weights = place_.path("out/stored/lambda_cov-0/best.safetensors"),
                   arrays = place_.path("out/stored/lambda_cov-0/arrays.h5");
        QVERIFY(QFile::rename(weights, weights + ".away"));
        r = place_.run({"--batch", "stored.toml", "--out", "out", "--figures", "pca,score-heatmap"});
        VERIFY_CODE(r, 0);
        QVERIFY2(!r.err.contains("no figure"), r.err.constData());
        const auto variance = place_.read("out/stored/figures/pca-variance.csv"),
                   points = place_.read("out/stored/figures/pca.csv");
        const Table scores(place_.read("out/stored/figures/score-heatmap.csv"));
        QVERIFY(QFile::rename(weights + ".away", weights));
        QVERIFY(QFile::rename(arrays, arrays + ".away"));
        r = place_.run({"--batch", "stored.toml", "--out", "out", "--figures", "pca,score-heatmap"});
        VERIFY_CODE(r, 0);
        QCOMPARE(place_.read("out/stored/figures/pca-variance.csv"), variance);
        QCOMPARE(place_.read("out/stored/figures/pca.csv"), points);
        const Table computed(place_.read("out/stored/figures/score-heatmap.csv"));
        QCOMPARE(computed.rows.size(), scores.rows.size());
        for (int i = 0; i < scores.rows.size(); ++i)
            QVERIFY(std::abs(scores.number(i, "similarity") - computed.number(i, "similarity")) < 1e-5);
        QVERIFY(QFile::rename(arrays + ".away", arrays));
    }

    void stored_prefix_only_prompts_are_not_used() {
        const auto stored = place_.path("out/stored/lambda_cov-0/arrays.h5");
        if (!QFile::exists(stored)) QSKIP("needs the runs of stored_and_computed_embeddings_agree");
        auto set = store::read_embedding(stored.toStdString(), "test");
        // The same run, but that it was not told to store embeddings: these came on request.
        const auto run = place_.path("out/figures/lambda_cov-0"), weights = run + "/best.safetensors";
        const auto keep = [&] {
            store::ArraysWriter writer(run.toStdString(), {"/embedding/test/best"});
            writer.write_embedding("test", "best", set);
            writer.finish();
        };
        const auto draw = [&] {
            return place_.run({"--batch", "figures.toml", "--out", "out", "--figures", "pca"});
        };
        const auto before = place_.read("out/figures/figures/pca-variance.csv");
        keep();
        QVERIFY(QFile::rename(weights, weights + ".away"));
        auto r = draw();
        QVERIFY2(r.code == 0 && !r.err.contains("omitted from figures"), r.err.constData());
        QCOMPARE(place_.read("out/figures/figures/pca-variance.csv"), before);
        // By another definition of the prompt embedding: never under the name of this one.
        for (auto& value : set.prompt) value = value * value + 1;
        set.prefix_only = true;
        keep();
        r = draw();
        VERIFY_HAS(r.err, "lambda_cov-0 is omitted from figures of embeddings");
        QVERIFY(QFile::rename(weights + ".away", weights));
        r = draw();
        VERIFY_CODE(r, 0);
        QCOMPARE(place_.read("out/figures/figures/pca-variance.csv"), before);
    }

    void each_task_has_separate_files() {
        place_.write("tasks.toml", test::small_experiment().replace("epochs = 3", "epochs = 1") +
                                       "[sweep]\n\"data.horizon\" = [12, 24]\n\"loss.lambda_cov\" = [0, "
                                       "0.1]\n\"train.seed\" = [1, 2]\n");
        VERIFY_RUN(r, 0,
                   {"--batch", "tasks.toml", "--out", "out", "--figures",
                    "usage-strips,concentration,sensitivity,strata"});
        for (const auto* file : {"usage-strips.png", "usage-strips-series-h-24.png", "concentration.png",
                                 "strata.csv", "strata-series-h-24.csv"})
            QVERIFY2(QFile::exists(place_.path(QString("out/tasks/figures/") + file)), file);
        const Table top(place_.read("out/tasks/figures/concentration.csv"));
        QCOMPARE(top.rows.size(), 8 * 20);
        const Table sensitivity(place_.read("out/tasks/figures/sensitivity.csv"));
        const auto found = sensitivity.where({{"metric", "test_mse"},
                                              {"setting", "loss.lambda_cov"},
                                              {"value", "0.1"},
                                              {"others", "data.horizon=24"}});
        QCOMPARE(found.size(), 1);
        QCOMPARE(sensitivity.at(found.front(), "n"), QString("2"));
        const Table summary(place_.read("out/tasks/summary.csv"));
        bool equal = false;
        for (const auto& row : summary.rows)
            for (const auto& cell : row) equal = equal || cell == sensitivity.at(found.front(), "mean");
        QVERIFY2(equal, qPrintable(sensitivity.at(found.front(), "mean")));
    }

    void progress_counts_the_figures() {
        // The runs are finished: only their figures are made.
        VERIFY_RUN(r, 0,
                   {"--batch", "figures.toml", "--out", "out", "--figures", "all", "--log-format", "json"});
        std::int64_t share = -1;
        QStringList stages;
        for (const auto& line : r.err_lines()) {
            const auto event = nlohmann::json::parse(line.toStdString(), nullptr, false);
            if (event.is_discarded() || event.value("event", "") != "progress") continue;
            const auto stage = QString::fromStdString(event.value("stage", ""));
            if (!stage.startsWith("Figure")) continue;  // the files of the runs are read before
            QCOMPARE(event.value("unit", std::string()), std::string("%"));
            QCOMPARE(event.value("total", 0), 100);
            QVERIFY(event.value("done", std::int64_t{-1}) >= share);
            share = event.value("done", std::int64_t{-1});
            stages << stage;
        }
        QCOMPARE(share, std::int64_t{100});
        const QRegularExpression form("^Figure (\\d+) of (\\d+): [a-z]");
        const auto total = form.match(stages.last()).captured(2);
        QVERIFY2(total.toInt() > 10, qPrintable(stages.last()));
        for (const auto& stage : stages) {
            const auto match = form.match(stage);
            QVERIFY2(match.hasMatch() && match.captured(2) == total, qPrintable(stage));
        }
        QCOMPARE(form.match(stages.last()).captured(1), total);
    }

    /// A batch from elsewhere may have links where its figures will be.
    void links_are_not_followed() {
        place_.write("victim", "keep");
        const auto victim = place_.path("victim");
        const QDir batch(place_.path("out/figures"));
        const auto names = {"concentration.csv", "concentration.png", "concentration.txt",
                            "pca-variance.tex"};
        for (const auto* name : names) {
            const auto file = batch.filePath(QString("figures/") + name);
            QVERIFY(QFile::remove(file));
            QVERIFY(QFile::link(victim, file));
        }
        const QStringList command{"--batch", "figures.toml", "--out",
                                  "out",     "--figures",    "concentration,pca"};
        auto r = place_.run(command);
        VERIFY_CODE(r, 0);
        QCOMPARE(place_.read("victim"), QByteArray("keep"));
        for (const auto* name : names) {
            const QFileInfo file(batch.filePath(QString("figures/") + name));
            QVERIFY2(file.exists() && !file.isSymLink() && file.size() > 10, name);
        }

        QVERIFY(QDir(batch).rename("figures", "elsewhere"));
        QVERIFY(QFile::link(batch.filePath("elsewhere"), batch.filePath("figures")));
        QVERIFY(QFile::remove(batch.filePath("elsewhere/concentration.csv")));
        r = place_.run(command);
        QCOMPARE(r.code, 2);
        VERIFY_HAS(r.err, "figures: this is a link", "Remove the link");
        QVERIFY(!QFile::exists(batch.filePath("elsewhere/concentration.csv")));
        QVERIFY(QFile::remove(batch.filePath("figures")));
        QVERIFY(QDir(batch).rename("elsewhere", "figures"));
    }

    void interruption_ends_with_130() {
        const QDir folder(place_.path("out/figures/figures"));
        QVERIFY(QDir(folder).removeRecursively());
        QProcess process;
        place_.prepare(process, {"--batch", "figures.toml", "--out", "out", "--figures", "all"});
        process.start();
        QVERIFY(process.waitForStarted());
        for (int i = 0; i < 6000 && !QFile::exists(folder.filePath("usage-strips.png")); ++i) QTest::qWait(5);
        QVERIFY(QFile::exists(folder.filePath("usage-strips.png")));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(!QFile::exists(folder.filePath("errors.csv")));
        // Nothing half-written beside what is complete.
        for (const auto& file : folder.entryList(QDir::Files))
            QVERIFY2(QFileInfo(file).suffix().size() == 3 && QFileInfo(folder.filePath(file)).size() > 0,
                     qPrintable(file));
    }

private:
    [[nodiscard]] Table table(const QString& figure) const {
        return Table(place_.read("out/figures/figures/" + figure + ".csv"));
    }
    [[nodiscard]] store::RunRecord record(const QString& run) const {
        return store::read_run_file(place_.path("out/figures/" + run + "/run.h5").toStdString());
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestFigures)
#include "test_figures.moc"
