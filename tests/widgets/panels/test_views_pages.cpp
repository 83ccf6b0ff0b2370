// The pages over runs in memory: what they show, and when they rebuild.

#include <algorithm>
#include <functional>
#include <utility>

#include <QCheckBox>
#include <QHash>
#include <QLabel>
#include <QSlider>
#include <QTest>
#include <QTimer>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "pages_fixture.h"
#include "panels/anchors/anchors_page.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/training/training_page.h"
#include "panels/training/training_progress.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;

namespace {

/// Counts how often its one view is built, and the reports on parts of runs.
class CountingPage : public ViewPage {
public:
    int built = 0, parts = 0;
    CountingPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        add_view(QStringLiteral("one"), QStringLiteral("One"), {}, {RunPart::curves},
                 [this](const std::vector<figures::RunInput>&) {
                     ++built;
                     figures::Figure figure;
                     figure.empty_text = QStringLiteral("nothing");
                     return figure;
                 });
    }

protected:
    void part_changed(RunPart) override { ++parts; }
};

/// Notes in which turn of the event loop each of its four views is built.
class TurnsPage : public ViewPage {
public:
    int turn = 0;
    std::vector<std::pair<int, int>> built;  ///< view and turn
    std::function<void()> after_second;      ///< called once, in the turn after
    TurnsPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        for (int i = 0; i < 4; ++i)
            add_view(
                QString::number(i), QString::number(i), {}, {RunPart::curves},
                [this, i](const std::vector<figures::RunInput>&) {
                    built.emplace_back(i, turn);
                    if (i == 1 && after_second)
                        QTimer::singleShot(0, this, std::exchange(after_second, nullptr));
                    return figures::Figure();
                },
                120);
    }
};

/// Of two views: the second has something to say about run "a" that is missing from it.
class MissingPage : public ViewPage {
public:
    MissingPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        add_view(QStringLiteral("one"), QStringLiteral("One"), {}, {RunPart::curves},
                 [](const std::vector<figures::RunInput>&) { return figures::Figure(); });
        add_view(QStringLiteral("two"), QStringLiteral("Two"), {}, {RunPart::curves},
                 [this](const std::vector<figures::RunInput>& runs) {
                     const bool of_a = !runs.empty() && runs[0].folder.endsWith(QStringLiteral("/a"));
                     set_missing(QStringLiteral("two"),
                                 of_a ? QStringLiteral("a is not compared") : QString());
                     return figures::Figure();
                 });
    }
};

/// Counts how often a run is looked up.
class ManyRuns : public PagesLibrary {
public:
    mutable int asked = 0;
    explicit ManyRuns(int count) {
        for (int i = 0; i < count; ++i) {
            auto& run = make(QString::number(i));
            run.its_summary.row.seed = i;
            places_.insert(run.folder(), i);
        }
    }
    int index_of(const QString& folder) const override {
        ++asked;
        return places_.value(folder, -1);
    }
    RunData* data(const QString& folder) override {
        ++asked;
        const int i = places_.value(folder, -1);
        return i < 0 ? nullptr : runs[static_cast<std::size_t>(i)].get();
    }
    [[nodiscard]] QStringList folders() const {
        QStringList all;
        for (const auto& run : runs) all << run->its_summary.folder;
        return all;
    }
    /// As when every run.h5 has been read.
    void tell_all() {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            Q_EMIT runs[i]->changed(RunPart::everything);
            Q_EMIT changed(static_cast<int>(i));
            Q_EMIT runs[i]->changed(RunPart::summary);
        }
    }

private:
    QHash<QString, int> places_;
};

/// How often runs are looked up when all have been read that a page shows.
template <class Page>
void count_looks(int count, int& looks) {
    ManyRuns many(count);
    Selection selection;
    Page page(&many, &selection);
    page.resize(1100, 800);
    page.show();
    selection.set_runs(many.folders());
    page.update_now();
    many.asked = 0;
    many.tell_all();
    QCOMPARE(many.asked, 0);  // one look at all for each would be the square of their number
    page.update_now();
    looks = many.asked;
    QVERIFY(looks > 0);
}

template <class Page>
void expect_linear() {
    int few = 0, many = 0;
    count_looks<Page>(500, few);
    count_looks<Page>(2000, many);
    QVERIFY2(many <= 4 * few, qPrintable(QStringLiteral("%1 for 500, %2 for 2000").arg(few).arg(many)));
}

}  // namespace

class TestViewsPages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void empty_views_explain_themselves() {
        PagesLibrary library;
        Selection selection;
        TrainingPage a(&library, &selection);
        AnchorsPage b(&library, &selection);
        ForecastsPage c(&library, &selection);
        EmbeddingsPage d(&library, &selection);
        for (ViewPage* page : {static_cast<ViewPage*>(&a), static_cast<ViewPage*>(&b),
                               static_cast<ViewPage*>(&c), static_cast<ViewPage*>(&d)}) {
            page->show();
            page->update_now();
            QVERIFY(page->figures().empty());
            QVERIFY(!page->frames().isEmpty());
            for (auto* frame : page->frames()) {
                if (frame->figure_view() == nullptr) continue;  // test_embeddings_*.cpp
                QVERIFY(frame->figure_view()->figure().empty_text.size() > 40);
                QVERIFY(!frame->isWindow());
            }
        }
    }

    void selected_runs_are_shown_and_read() {
        Shown<TrainingPage> t;
        QVERIFY(t.run.loads > 0);
        QCOMPARE(t.figure("loss-terms").plots.size(), std::size_t{4});
        QCOMPARE(t.figure("loss-terms").plots[0].series.back().x.size(), std::size_t{10});
        auto& second = t.library.make(QStringLiteral("b"));
        t.selection.set_runs({t.run.folder(), second.folder()});
        QCOMPARE(t.page.shown_runs().folders().size(), 2);
        QCOMPARE(t.figure("loss-terms").plots[0].series.size(), std::size_t{2});
        t.selection.set_runs({});
        QVERIFY(t.figure("loss-terms").plots.empty());
    }

    void the_live_run_is_shown_without_a_selection() {
        Shown<TrainingPage> t;
        t.selection.set_runs({});
        auto& live = t.library.make(QStringLiteral("live"), false);
        live.its_summary.live = live.its_summary.ours = true;
        live.its_pace.step = 10;
        live.its_pace.epochs = 2;
        live.its_pace.steps_per_epoch = 20;
        live.its_pace.last_step = 35;  // train.max_steps ends it within the second epoch
        live.its_pace.device = QStringLiteral("cuda:0");
        live.its_pace.precision = QStringLiteral("bf16");
        live.its_pace.steps_per_second = 21;
        live.its_pace.seconds_left = 240;
        live.its_pace.memory_bytes = 3'100'000'000;
        Q_EMIT t.library.changed(1);
        QCOMPARE(t.page.shown_runs().folders(), QStringList{live.folder()});
        const auto* progress = t.page.findChild<TrainingProgress*>();
        QVERIFY(progress->isVisible());
        for (const char* part : {"cuda:0 bf16", "step 10/35", "21 steps/s", "4 min left", "3.1 GB"})
            QVERIFY2(progress->text().contains(QString::fromLatin1(part)), part);
        live.its_summary.live = false;
        Q_EMIT live.changed(RunPart::summary);
        QVERIFY(!progress->isVisible());
    }

    void new_steps_arrive_throttled_and_only_while_visible() {
        Shown<TrainingPage> t;
        PagesLibrary::extend(t.run, 5);
        Q_EMIT t.run.changed(RunPart::curves);
        QTRY_COMPARE_WITH_TIMEOUT(
            t.page.view(QStringLiteral("loss-terms"))->figure().plots[0].series.back().x.size(),
            std::size_t{15}, 2000);
        t.page.hide();
        PagesLibrary::extend(t.run, 5);
        Q_EMIT t.run.changed(RunPart::curves);
        QTest::qWait(200);
        QCOMPARE(t.page.view(QStringLiteral("loss-terms"))->figure().plots[0].series.back().x.size(),
                 std::size_t{15});
        QCOMPARE(t.page.figures()[0].plots[0].series.back().x.size(),
                 std::size_t{20});  // for export up to date
        t.page.show();
        QTRY_COMPARE_WITH_TIMEOUT(
            t.page.view(QStringLiteral("loss-terms"))->figure().plots[0].series.back().x.size(),
            std::size_t{20}, 2000);
    }

    void the_event_loop_has_its_turn_between_two_views() {
        Shown<TurnsPage> t;
        QTest::qWait(100);
        t.page.built.clear();
        QTimer turns;
        connect(&turns, &QTimer::timeout, this, [&] { ++t.page.turn; });
        turns.start(0);
        Q_EMIT t.run.changed(RunPart::curves);
        QTRY_COMPARE(t.page.built.size(), std::size_t{4});
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(t.page.built[static_cast<std::size_t>(i)].first, i);
            if (i > 0)
                QVERIFY(t.page.built[static_cast<std::size_t>(i)].second >
                        t.page.built[static_cast<std::size_t>(i) - 1].second);
        }
        // What changes meanwhile holds up none of them, and is drawn after.
        t.page.built.clear();
        t.page.after_second = [&] { Q_EMIT t.run.changed(RunPart::curves); };
        Q_EMIT t.run.changed(RunPart::curves);
        QTest::qWait(50);
        QTRY_VERIFY(t.page.built.size() >= 6);
        QTest::qWait(300);
        QVERIFY(t.page.built.size() <= 8);  // and then it is quiet
        for (int i = 0; i < 4; ++i) QCOMPARE(t.page.built[static_cast<std::size_t>(i)].first, i);
        // Asked for at once, all are.
        t.page.built.clear();
        Q_EMIT t.run.changed(RunPart::curves);
        t.page.update_now();
        QCOMPARE(t.page.built.size(), std::size_t{4});
        QCOMPARE(t.page.built.front().second, t.page.built.back().second);
    }

    void list_updates_do_not_rebuild_views() {
        Shown<CountingPage> t;
        const int before = t.page.built;
        for (int i = 0; i < 10; ++i) {
            t.run.its_summary.row.steps = i;  // as the list tells of a run that goes on
            t.run.its_summary.updated = QString::number(i);
            Q_EMIT t.library.changed(0);
            Q_EMIT t.run.changed(RunPart::summary);
            Q_EMIT t.run.changed(RunPart::embedding_work);
            t.page.update_now();
        }
        QCOMPARE(t.page.built, before);
        t.run.its_summary.colour = QColor(Qt::red);
        Q_EMIT t.library.changed(0);
        t.page.update_now();
        QCOMPARE(t.page.built, before + 1);
        Q_EMIT t.run.changed(RunPart::curves);
        t.page.update_now();
        QCOMPARE(t.page.built, before + 2);
    }

    void export_during_a_run_draws_each_view_once() {
        Shown<CountingPage> t;
        t.page.hide();
        const int before = t.page.built;
        Q_EMIT t.run.changed(RunPart::curves);
        QVERIFY(t.page.prepare());
        QCOMPARE(t.page.built, before + 1);
        Q_EMIT t.run.changed(RunPart::curves);
        QVERIFY(t.page.prepare(true));
        QCOMPARE(t.page.built, before + 1);
        QVERIFY(t.page.prepare());  // the next export
        QCOMPARE(t.page.built, before + 2);
        // One that is being read is drawn when it is there.
        const auto record = std::exchange(t.run.its_record, {});
        t.run.loaded = false;
        Q_EMIT t.run.changed(RunPart::everything);
        QVERIFY(!t.page.prepare());
        t.run.its_record = record;
        t.run.loaded = true;
        Q_EMIT t.run.changed(RunPart::everything);
        QVERIFY(t.page.prepare(true));
        QCOMPARE(t.page.built, before + 3);
    }

    void omission_note_covers_only_shown_runs() {
        Shown<MissingPage> t;
        const auto& other = t.library.make(QStringLiteral("b"));
        const auto* problems = t.page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(problems->text().contains(QStringLiteral("a is not compared")));
        Q_EMIT t.page.frames()[0]->maximise_requested(true);  // the view that says it is not drawn now
        t.selection.set_runs({other.folder()});
        t.page.update_now();
        QCOMPARE(problems->text(), QString());
    }

    void old_picture_is_dimmed_while_another_run_is_read() {
        Shown<TrainingPage> t;
        auto& second = t.library.make(QStringLiteral("b"));
        second.loaded = false;
        const auto record = second.its_record;
        second.its_record = {};
        t.selection.set_runs({second.folder()});
        t.page.update_now();
        auto* view = t.page.view(QStringLiteral("loss-terms"));
        QVERIFY(view->busy());
        QCOMPARE(view->figure().plots[0].series.back().run, t.run.folder());
        second.its_record = record;
        second.loaded = true;
        Q_EMIT second.changed(RunPart::everything);
        t.page.update_now();
        QVERIFY(!view->busy());
        QCOMPARE(view->figure().plots[0].series.back().run, second.folder());
    }

    void unreadable_run_is_reported_with_reason() {
        Shown<TrainingPage> t;
        auto& broken = t.library.make(QStringLiteral("b"));
        broken.its_record = {};
        broken.loaded = false;
        broken.its_problem = QStringLiteral("run.h5 is truncated");
        t.selection.set_runs({broken.folder()});
        QVERIFY(t.figure("loss-terms").empty_text.contains(QStringLiteral("truncated")));
    }

    void one_bad_run_beside_a_good_one_is_named() {
        Shown<TrainingPage> t;
        auto* note = t.page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(note != nullptr && !note->isVisible());
        auto& broken = t.library.make(QStringLiteral("broken"));
        const auto record = broken.its_record;
        broken.its_record = {};
        broken.its_problem = QStringLiteral("run.h5 is of a newer version");
        t.selection.set_runs({t.run.folder(), broken.folder()});
        QVERIFY(!t.figure("loss-terms").plots.empty());
        QVERIFY(note->isVisible());
        QVERIFY2(note->text().contains(broken.summary().label()) &&
                     note->text().contains(QStringLiteral("newer version")),
                 qPrintable(note->text()));
        // Repaired.
        broken.its_record = record;
        broken.its_problem.clear();
        Q_EMIT broken.changed(RunPart::everything);
        t.page.update_now();
        QVERIFY(!note->isVisible());
    }

    void training_state_comes_back() {
        Shown<TrainingPage> t;
        figures::TrainingOptions options;
        options.x = figures::TrainingAxis::time;
        options.log_x = true;
        options.smoothing = 0.5;
        t.page.set_options(options);
        const auto state = t.page.save_state();
        Shown<TrainingPage> other;
        QVERIFY(other.page.restore_state(state));
        QCOMPARE(other.page.options().x, figures::TrainingAxis::time);
        QVERIFY(other.page.options().log_x && !other.page.options().log_y);
        QCOMPARE(other.page.options().smoothing, std::optional(0.5));
        QVERIFY(other.figure("loss-terms").plots[0].x.log);
        QVERIFY(!other.page.restore_state("no json"));
    }

    /// Until a weight is chosen, it follows from the length of the runs.
    void smoothing_follows_the_length() {
        Shown<TrainingPage> t;
        auto* slider = t.page.findChild<QSlider*>();
        const auto boxes = t.page.findChildren<QCheckBox*>();
        auto* by_length = *std::find_if(boxes.begin(), boxes.end(), [](const auto* box) {
            return box->text() == QStringLiteral("B&y length");
        });
        QVERIFY(by_length->isChecked() && !t.page.options().smoothing);
        QCOMPARE(slider->value(), 0);
        PagesLibrary::extend(t.run, 390);
        Q_EMIT t.run.changed(RunPart::curves);
        QCOMPARE(slider->value(), 50);
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(!by_length->isChecked());
        QCOMPARE(t.page.options().smoothing, std::optional(0.51));
        QTest::keyClick(by_length, Qt::Key_Space);
        QVERIFY(!t.page.options().smoothing);
        QCOMPARE(slider->value(), 50);
    }

    void a_frame_fills_the_page_and_goes_back() {
        Shown<TrainingPage> t;
        const auto frames = t.page.frames();
        Q_EMIT frames[1]->maximise_requested(true);
        QVERIFY(!frames[0]->isVisible() && frames[1]->isVisible() && frames[1]->maximised());
        const auto state = t.page.save_state();
        Q_EMIT frames[1]->maximise_requested(false);
        QVERIFY(frames[0]->isVisible() && !frames[1]->maximised());
        QVERIFY(t.page.restore_state(state));
        QVERIFY(!frames[0]->isVisible());
    }

    void the_training_page_is_linear() { expect_linear<TrainingPage>(); }
    void the_anchors_page_is_linear() { expect_linear<AnchorsPage>(); }
    void the_forecasts_page_is_linear() { expect_linear<ForecastsPage>(); }
    void the_embeddings_page_is_linear() { expect_linear<EmbeddingsPage>(); }

    void hidden_pages_do_nothing_until_they_are_seen() {
        ManyRuns many(2000);
        Selection selection;
        TrainingPage a(&many, &selection);
        AnchorsPage b(&many, &selection);
        ForecastsPage c(&many, &selection);
        EmbeddingsPage d(&many, &selection);
        many.asked = 0;
        selection.set_runs(many.folders());
        many.tell_all();
        QCoreApplication::processEvents();
        QCOMPARE(many.asked, 0);
        for (const auto& run : many.runs) QCOMPARE(run->loads, 0);
        c.show();
        QVERIFY(many.asked > 0);
        QCOMPARE(many.runs.front()->loads > 0, true);
        QCOMPARE(many.runs.back()->loads, 0);
        // Asked for what it shows, a hidden one is up to date as well.
        QCOMPARE(a.shown_runs().folders(), many.folders().mid(0, ShownRuns::max_drawn));
    }

    void many_changes_are_one_rebuild() {
        ManyRuns many(2000);
        Selection selection;
        CountingPage page(&many, &selection);
        page.show();
        selection.set_runs(many.folders());
        page.update_now();
        QTest::qWait(50);  // what showing brought with it
        page.update_now();
        page.parts = page.built = 0;
        many.tell_all();
        QCOMPARE(page.parts, 0);
        QTRY_COMPARE(page.built, 1);
        QVERIFY2(page.parts <= 3, qPrintable(QString::number(page.parts)));
        QTest::qWait(200);
        QCOMPARE(page.built, 1);
    }

    void page_reports_the_number_of_shown_runs() {
        ManyRuns many(2000);
        Selection selection;
        TrainingPage page(&many, &selection);
        page.show();
        selection.set_runs(many.folders());
        page.update_now();
        const auto* note = page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY2(note->text().contains(QStringLiteral("256 of the 2,000")), qPrintable(note->text()));
        QCOMPARE(page.shown_runs().folders().size(), qsizetype{256});
        QVERIFY(note->isVisible());
        selection.set_runs(many.folders().mid(0, 3));
        page.update_now();
        QCOMPARE(note->text(), QString());
        QCOMPARE(page.shown_runs().folders().size(), qsizetype{3});
    }

    void view_reports_omitted_runs() {
        ManyRuns many(10);
        Selection selection;
        AnchorsPage page(&many, &selection);
        page.resize(1100, 800);
        page.show();
        selection.set_runs(many.folders());
        page.update_now();
        const auto* note = page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY2(note->text().contains(QStringLiteral("first 6 of 10 runs")), qPrintable(note->text()));
        QVERIFY(note->text().contains(QStringLiteral("Sorted")));
        selection.set_runs(many.folders().mid(0, 6));
        page.update_now();
        QVERIFY(!note->text().contains(QStringLiteral("first 6")));
    }

    void running_run_is_always_shown() {
        ManyRuns many(2000);
        many.runs.back()->its_summary.live = true;
        Selection selection;
        TrainingPage page(&many, &selection);
        page.show();
        selection.set_runs(many.folders());
        QCOMPARE(page.shown_runs().folders().value(0), many.folders().back());
        QCOMPARE(page.shown_runs().folders().value(1), many.folders().front());
    }
};

TEST_MAIN(TestViewsPages)
#include "test_views_pages.moc"
