// The pages with thousands of runs shown: how often they look at them.

#include <QHash>
#include <QLabel>
#include <QTest>

#include "pages_fixture.h"
#include "panels/anchors/anchors_page.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/training/training_page.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;

namespace {

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

class PartsPage : public ViewPage {
public:
    int parts = 0, built = 0;
    PartsPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        add_view(QStringLiteral("one"), QStringLiteral("One"), {}, {RunPart::curves},
                 [this](const std::vector<figures::RunInput>&) {
                     ++built;
                     return figures::Figure();
                 });
    }

protected:
    void part_changed(RunPart) override { ++parts; }
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

class TestViewsMany : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
        QCOMPARE(a.shown_runs(), many.folders().mid(0, ViewPage::most_drawn));
    }

    void many_changes_are_one_rebuild() {
        ManyRuns many(2000);
        Selection selection;
        PartsPage page(&many, &selection);
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

    void the_page_says_how_many_it_draws() {
        ManyRuns many(2000);
        Selection selection;
        TrainingPage page(&many, &selection);
        page.show();
        selection.set_runs(many.folders());
        page.update_now();
        const auto* note = page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY2(note->text().contains(QStringLiteral("256 of the 2,000")), qPrintable(note->text()));
        QCOMPARE(page.shown_runs().size(), qsizetype{256});
        QVERIFY(note->isVisible());
        selection.set_runs(many.folders().mid(0, 3));
        page.update_now();
        QCOMPARE(note->text(), QString());
        QCOMPARE(page.shown_runs().size(), qsizetype{3});
    }

    void a_view_that_draws_fewer_says_so_too() {
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

    void what_goes_on_is_drawn_wherever_it_stands() {
        ManyRuns many(2000);
        many.runs.back()->its_summary.live = true;
        Selection selection;
        TrainingPage page(&many, &selection);
        page.show();
        selection.set_runs(many.folders());
        QCOMPARE(page.shown_runs().value(0), many.folders().back());
        QCOMPARE(page.shown_runs().value(1), many.folders().front());
    }
};

TEST_MAIN(TestViewsMany)
#include "test_views_many.moc"
