// Figures of trained runs say where their computations stand, and end where they are told to.
#include <QtTest>

#include "core/train/train_fixture.h"
#include "figure_jobs/figure_embeddings.h"
#include "figure_jobs/figure_job.h"
#include "figure_jobs/figure_recipes.h"
#include "test_program.h"

using namespace casp;

class TestFigureProgress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(dir_.isValid());
        const auto csv = test::write_csv(dir_.filePath("series.csv").toStdString(), test::small_rows,
                                         test::small_channels);
        for (const auto lambda : {0.0, 0.5}) {
            auto config = test::small_config(csv);
            config.loss.lambda_cov = lambda;
            const auto folder = dir_.filePath(QStringLiteral("lambda_cov-%1").arg(lambda)).toStdString();
            (void)test::run_in(folder, config);
            folders_.emplace_back(folder);
        }
        runs_ = figure_jobs::read_figure_runs(folders_, notes_);
        QCOMPARE(runs_.inputs.size(), std::size_t{2});
    }

    void computations_report_progress_and_stop_data() {
        QTest::addColumn<QString>("figure");
        QTest::addColumn<QString>("stage");
        QTest::newRow("strata") << "strata"
                                << "Difficulty strata";
        QTest::newRow("strata of two runs") << "strata"
                                            << "Comparing strata";
        QTest::newRow("scores") << "score-distribution"
                                << "Distribution of scores";
        QTest::newRow("cosines") << "alignment"
                                 << "Cosine similarity";
    }
    void computations_report_progress_and_stop() {
        QFETCH(QString, figure);
        QFETCH(QString, stage);
        notes_.clear();
        std::vector<Progress> told;
        QVERIFY(!make(figure, [&](const Progress& p) { told.push_back(p); }, {}).empty());
        QCOMPARE(left_out(), QString());
        const auto is_of_stage = [&](const Progress& p) {
            return QString::fromStdString(p.stage.text()).contains(stage + QStringLiteral(" (lambda_cov-"));
        };
        QVERIFY(std::any_of(told.begin(), told.end(), is_of_stage));

        std::stop_source stop;
        int later = 0;
        const auto stop_there = [&](const Progress& p) {
            later += stop.stop_requested() ? 1 : 0;
            if (is_of_stage(p)) stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)make(figure, stop_there, stop.get_token()));
        QCOMPARE(later, 0);
        QCOMPARE(left_out(), QString());  // a run that was left because of the stop is not one that failed
    }

    void the_line_names_figure_task_and_subject() {
        Progress told;
        figure_jobs::FigureWork work({"PCA", "t-SNE"}, [&](const Progress& p) { told = p; });
        work.begin_figure(1);
        QCOMPARE(told.stage.text(), "Figure 2 of 2: t-SNE");
        QCOMPARE(told.done, std::int64_t{50});
        work.progress("λ_cov 0", " of series")({Stage::tsne, 300, 750, "iterations"});
        QCOMPARE(told.stage.text(), "Figure 2 of 2: t-SNE of series (λ_cov 0), 300 of 750 iterations");
        work.progress({})({Stage::reading, 0, 0, {}});
        QCOMPARE(told.stage.text(), "Figure 2 of 2: t-SNE · reading");
        work.finish();
        QCOMPARE(told.done, std::int64_t{100});
    }

    void stopped_job_returns_finished_figures() {
        figure_jobs::FigureJob job;
        job.set_synchronous(true);
        figure_jobs::DrawnFigures drawn;
        std::vector<std::string> stages;
        job.start(figure_jobs::figure_work({folders_, {"concentration", "strata"}}),
                  {.done = [&](figure_jobs::DrawnFigures made) { drawn = std::move(made); },
                   .progress =
                       [&](const Progress& p) {
                           stages.push_back(p.stage.text());
                           if (p.stage.text().rfind("Figure 2 of 2", 0) == 0) job.request_stop();
                       }});
        QVERIFY(!stages.empty() && stages.front().rfind("Figure 1 of 2: Concentration", 0) == 0);
        QCOMPARE(drawn.figures.size(), std::size_t{1});
        QVERIFY(drawn.files.empty());
        QVERIFY(drawn.failure != nullptr);
        QVERIFY_THROWS_EXCEPTION(Cancelled, std::rethrow_exception(drawn.failure));
    }

private:
    std::vector<figures::Figure> make(const QString& figure, const ProgressFn& progress,
                                      const std::stop_token& stop) {
        const auto name = figure.toStdString();
        figure_jobs::FigureWork work({name}, progress);
        figure_jobs::FigureSource source(notes_, work, stop);
        return figure_jobs::make_figures(name, runs_, source);
    }
    /// Of the runs that something was wrong with; empty: none.
    [[nodiscard]] QString left_out() const {
        for (const auto& note : notes_)
            if (note.english().find("omitted from figures") != std::string::npos)
                return QString::fromStdString(note);
        return {};
    }

    QTemporaryDir dir_;
    std::vector<std::filesystem::path> folders_;
    std::vector<Phrase> notes_;
    figure_jobs::FigureRuns runs_;
};

TEST_MAIN_WITHOUT_GUI(TestFigureProgress)
#include "test_figure_progress.moc"
