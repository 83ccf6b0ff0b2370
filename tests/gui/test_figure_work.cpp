// What is told while figures are made: which of how many, what for, and how long the rest takes.
#include <QtTest>

#include "figure_jobs/figure_work.h"
#include "store/run_file.h"
#include "test_program.h"

using namespace casp;
using figure_jobs::FigureTask;
using figure_jobs::FigureWork;

class TestFigureWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        now_ = 100;
        told_.clear();
        runs_ = {};
        runs_.inputs.resize(2);
        figures::PaperCell cell;
        cell.name = QStringLiteral("ETTh1");
        for (int i = 0; i < 2; ++i)
            cell.conditions.push_back({QStringLiteral("λ_cov = %1").arg(i),
                                       static_cast<double>(i),
                                       {},
                                       {&runs_.inputs[static_cast<std::size_t>(i)]}});
        runs_.cells.push_back(std::move(cell));
    }

    void names_the_figure_and_its_number() {
        auto work = make({"usage-strips", "tsne", "alignment"});
        work.begin_figure(0);
        QCOMPARE(last(), "Figure 1 of 3: Usage-strips");
        work.begin_figure(2);
        QCOMPARE(last(), "Figure 3 of 3: Alignment");
        FigureWork::Step step(work, FigureTask::tsne, "λ_cov 0");
        step.progress({" of series", 0, 1, "t-SNE"})({"t-SNE", 300, 750, "iterations"});
        QCOMPARE(last(), "Figure 3 of 3: Alignment · t-SNE of series (λ_cov 0), 300 of 750 iterations");
    }

    void one_figure_is_not_counted() {
        auto work = make({"tsne"});
        work.begin_figure(0);
        QCOMPARE(last(), "Tsne");
        FigureWork::Step step(work, FigureTask::tsne, "λ_cov 0");
        step.progress({})({"Tsne", 3, 750, "iterations"});  // not said twice
        QCOMPARE(last(), "Tsne (λ_cov 0), 3 of 750 iterations");
    }

    // Two runs: embeddings (4 s each expected) and a layout (12 s each), which here take twice as long.
    void time_left_is_that_of_this_machine() {
        auto work = make({"tsne"});
        work.begin_figure(0);
        QVERIFY(work.seconds_left() < 0);
        for (int run = 0; run < 2; ++run) {
            const FigureWork::Step step(work, FigureTask::embeddings, {});
            now_ += 8;
        }
        // Nothing is known of t-SNE but that everything took twice as long as thought: 2 × 12 × 2.
        QCOMPARE(work.seconds_left(), 48.0);
        {
            FigureWork::Step step(work, FigureTask::tsne, "λ_cov 0");
            const auto progress = step.progress({{}, 0, 1, "t-SNE"});
            progress({"Finding neighbours", 3000, 3000, "points"});
            QCOMPARE(work.share(), 0.25);  // neighbours are not what takes long
            now_ += 6;
            progress({"t-SNE", 375, 750, "iterations"});
            // Half of one layout in 6 s: as fast as thought, so 6 s and 12 s more.
            QCOMPARE(work.seconds_left(), 18.0);
            QCOMPARE(last(), "about 18 s left: Tsne · t-SNE (λ_cov 0), 375 of 750 iterations");
            QCOMPARE(work.share(), (8.0 + 6) / 32);
            now_ += 6;
        }
        QCOMPARE(work.seconds_left(), 12.0);
        work.finish();
        QCOMPARE(work.seconds_left(), 0.0);
        QCOMPARE(told_.back().done, std::int64_t{100});
    }

    // A small model is embedded in no time: that makes no t-SNE faster.
    void what_is_quick_tells_nothing_about_the_rest() {
        auto work = make({"tsne"});
        work.begin_figure(0);
        now_ += 2;
        for (int run = 0; run < 2; ++run) {
            const FigureWork::Step step(work, FigureTask::embeddings, {});
            now_ += 0.1;
        }
        QCOMPARE(work.seconds_left(), 24.0);
    }

    void embeddings_are_counted_once() {
        auto work = make({"score-heatmap", "tsne"});
        work.begin_figure(0);
        for (int run = 0; run < 2; ++run) const FigureWork::Step step(work, FigureTask::embeddings, {});
        for (int run = 0; run < 2; ++run) const FigureWork::Step step(work, FigureTask::scores, {});
        // 2 × (4 + 0.5) of 2 × (4 + 0.5 + 12).
        QCOMPARE(work.share(), 9.0 / 33);
        work.begin_figure(1);
        QCOMPARE(work.share(), 9.0 / 33);
    }

    void what_failed_tells_nothing_about_the_pace() {
        auto work = make({"score-heatmap"});
        work.begin_figure(0);
        now_ += 10;
        try {
            const FigureWork::Step step(work, FigureTask::embeddings, {});
            throw std::runtime_error("no weights");
        } catch (const std::runtime_error&) {
        }
        QVERIFY(work.seconds_left() < 0);
        // The next run of the condition stands in for it: that was not planned.
        for (int run = 0; run < 2; ++run) {
            const FigureWork::Step step(work, FigureTask::embeddings, {});
            now_ += 2;
        }
        QVERIFY(work.seconds_left() > 0);
    }

    void the_share_never_goes_back() {
        auto work = make({"usage-strips", "pca", "tsne", "strata", "errors"}, true);
        const std::vector<FigureTask> tasks{FigureTask::reading, FigureTask::components, FigureTask::tsne,
                                            FigureTask::strata, FigureTask::reading};
        for (std::size_t figure = 0; figure < tasks.size(); ++figure) {
            work.begin_figure(figure);
            for (int run = 0; run < 5; ++run) {  // more than were planned
                FigureWork::Step step(work, tasks[figure], "run");
                for (const int done : {0, 5, 2, 10}) step.progress({})({"stage", done, 10, "things"});
            }
            const FigureWork::Step drawing(work, FigureTask::drawing, {});
        }
        work.finish();
        QVERIFY(told_.size() > 100);
        for (std::size_t i = 1; i < told_.size(); ++i) QVERIFY(told_[i].done >= told_[i - 1].done);
        QVERIFY(told_.front().done < 5);
        QCOMPARE(told_.back().done, std::int64_t{100});
    }

    // A forward pass over the test windows, from what the run's training took for as many: 30 s for 3,000
    // selections, of which the test has 1,000: 10 s forward and backward.
    void strata_are_estimated_from_the_training() {
        for (auto& input : runs_.inputs) {
            auto& record = *runs_.records.emplace_back(std::make_unique<store::RunRecord>());
            record.steps.seconds = {10, 10, 10};
            record.anchors.usage_train = {1000, 2000};
            record.anchors.usage_test = {400, 600};
            input.record = &record;
        }
        auto work = make({"tsne", "strata"});
        work.begin_figure(1);
        // 2 × (4 + 12) done; 2 × 10 / 3 to come.
        QCOMPARE(work.share(), 32 / (32 + 20.0 / 3));
    }

    // Two test windows of one channel: embeddings and errors of the first run lie in its arrays.h5.
    void what_is_stored_is_only_read() {
        QTemporaryDir dir;
        for (auto& input : runs_.inputs) {
            auto& record = *runs_.records.emplace_back(std::make_unique<store::RunRecord>());
            record.data.channel_names = {"OT"};
            record.steps.seconds = {480};
            record.anchors.usage_train = record.anchors.usage_test = {1000};  // a forecast of all: 160 s
            input.record = &record;
        }
        runs_.inputs[0].folder = dir.path();
        runs_.inputs[1].folder = dir.filePath(QStringLiteral("none"));
        store::ArraysRecord arrays;
        auto& forecast = arrays.forecast["test"];
        forecast.windows = 2;
        forecast.horizon = forecast.channels = forecast.top_k = 1;
        forecast.prediction = forecast.truth = forecast.mse = forecast.mae = {1, 2};
        forecast.start = {0, 1};
        forecast.retrieved = {0, 0};
        auto& embedding = arrays.embedding["test"]["best"];
        embedding.dimension = 2;
        embedding.anchors = {1, 2};
        embedding.series = embedding.prompt = {1, 2, 3, 4};
        store::write_arrays_file(dir.path().toStdString(), arrays);
        auto tsne = make({"tsne", "usage-strips"});
        tsne.begin_figure(1);
        // Read in half a second instead of computed in 4 s.
        const double read = 0.5 + 4 + 2 * 12;
        QCOMPARE(tsne.share(), read / (read + 0.5));
        auto strata = make({"strata", "usage-strips"});
        strata.begin_figure(1);
        const double forecast_once = 160.0 / 80 + 160;
        QCOMPARE(strata.share(), forecast_once / (forecast_once + 0.5));
        auto pca = make({"pca", "usage-strips"});
        pca.begin_figure(1);
        const double components = read - 2 * 12 + 2 * 0.5 + 0.5 + 160.0 / 80;
        QCOMPARE(pca.share(), components / (components + 0.5));
    }

private:
    FigureWork make(const std::vector<std::string>& names, bool files = false) {
        std::vector<std::string> titles;
        for (auto title : names) {
            title[0] = static_cast<char>(std::toupper(title[0]));
            titles.push_back(title);
        }
        return {names,
                titles,
                runs_,
                files,
                [this](const Progress& p) { told_.push_back(p); },
                [this] { return now_; }};
    }
    [[nodiscard]] QString last() const { return QString::fromStdString(told_.back().stage); }

    figure_jobs::FigureRuns runs_;
    std::vector<Progress> told_;
    double now_ = 0;
};

TEST_MAIN_WITHOUT_GUI(TestFigureWork)
#include "test_figure_work.moc"
