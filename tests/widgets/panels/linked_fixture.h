#pragma once
// Two tiny runs that differ in λ_cov, perhaps a third of another seed, and the real pages over them with one
// selection.

#include <QTemporaryDir>
#include <QtTest>

#include "core/train/train_fixture.h"
#include "panels/anchors/anchors_page.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/forecasts/forecasts_page.h"
#include "state/file_run_library.h"

namespace casp::widgets::testing {

/// Trains them once; 49 test windows of 3 channels, 30 anchors, K = 4.
class TinyRuns {
public:
    static constexpr std::int64_t windows = test::test_windows, channels = test::small_channels, pool = 30,
                                  k = 4;
    explicit TinyRuns(bool another_seed = false) {
        const auto csv =
            test::write_csv(dir_.filePath("series.csv").toStdString(), test::small_rows, channels);
        for (const auto lambda : {0.0, 0.5}) {
            auto config = test::small_config(csv);
            config.loss.lambda_cov = lambda;
            train(config, QStringLiteral("lambda_cov-%1").arg(lambda));
        }
        if (!another_seed) return;
        auto config = test::small_config(csv);
        config.train.seed += 1;
        train(config, QStringLiteral("another-seed"));
    }
    [[nodiscard]] QString library() const { return dir_.filePath("runs"); }
    [[nodiscard]] const QStringList& folders() const { return folders_; }

private:
    void train(const config::Config& config, const QString& name) {
        folders_ << dir_.filePath(QStringLiteral("runs/tiny/") + name);
        (void)test::run_in(folders_.back().toStdString(), config);
    }
    QTemporaryDir dir_;
    QStringList folders_;
};

/// The three pages as the window has them: one library, one selection, nothing else between them.
struct Pages {
    FileRunLibrary library;
    Selection selection;
    EmbeddingsPage embeddings{&library, &selection};
    AnchorsPage anchors{&library, &selection};
    ForecastsPage forecasts{&library, &selection};

    explicit Pages(const TinyRuns& runs, int shown = 2) {
        library.open(runs.library());
        if (!QTest::qWaitFor([&] { return library.size() == runs.folders().size(); }, 20000))
            qFatal("the runs are not there");
        selection.set_runs(runs.folders().mid(0, shown));
        for (ViewPage* page : pages()) {
            page->resize(1180, 1900);
            page->show();
        }
        const auto read = [&] {
            for (const auto& run : selection.state().runs)
                if (!library.data(run)->is_loaded()) return false;
            return true;
        };
        if (!QTest::qWaitFor(read, 20000)) qFatal("the runs were not read");
        settle();
    }
    [[nodiscard]] std::vector<ViewPage*> pages() { return {&embeddings, &anchors, &forecasts}; }
    RunData& run(int number = 0) { return *library.data(selection.state().runs[number]); }
    void settle() {
        QCoreApplication::processEvents();
        for (ViewPage* page : pages()) page->update_now();
        QCoreApplication::processEvents();
        for (ViewPage* page : pages()) page->update_now();
    }
};

}  // namespace casp::widgets::testing
