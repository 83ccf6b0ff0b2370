// A file that is another, or gone, after it was read: the Data page says so and hands nothing on.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "data_files.h"
#include "data_page.h"
#include "panel_test.h"
#include "panels/data/data_panel.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;

namespace {

struct ChangesPage {
    ExperimentModel experiment;
    DataPanel panel{experiment};
    explicit ChangesPage(const QString& path) {
        panel.resize(1000, 720);
        panel.show();
        panel.open({path});
        if (!QTest::qWaitFor([this] { return panel.is_settled(); }, 20000)) qFatal("it was not read");
    }
    [[nodiscard]] QPushButton* button(const QString& name) { return control<QPushButton>(panel, name); }
    [[nodiscard]] int rows() { return panel.preview().preview().rowCount(); }
    void away_and_back() {
        panel.hide();
        panel.show();
    }
};

}  // namespace

class TestDataChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changed_file_is_reported() {
        const auto path = folder_.write("x.csv", test::hourly(100));
        ChangesPage page(path);
        QSignalSpy message(&page.panel, &DataPanel::message);
        page.away_and_back();
        QVERIFY(!page.panel.problem().isVisible());
        QVERIFY(message.isEmpty());
        folder_.write("x.csv", test::hourly(150));
        page.away_and_back();
        QVERIFY(page.panel.problem().isVisible());
        QVERIFY(page.panel.problem().problem().found.contains("changed since it was read"));
        QCOMPARE(page.panel.problem().problem().where, path);
        QCOMPARE(page.rows(), 100);  // the table that was read stays
        QCOMPARE(message.count(), 1);
        QVERIFY(message[0][1].toBool());
        page.away_and_back();
        QCOMPARE(message.count(), 1);  // said once
        // It is not handed on as what is seen here.
        QSignalSpy use(&page.panel, &DataPanel::use_requested);
        page.button("Use this file")->click();
        QCOMPARE(use.count(), 0);
        QVERIFY(page.experiment.config().data.path.empty());
        page.button("Read again")->click();
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(!page.panel.problem().isVisible());
        QCOMPARE(page.rows(), 150);
        page.button("Use this file")->click();
        QCOMPARE(use.count(), 1);
        // Before a run.
        QVERIFY(page.panel.look_again(path));
        folder_.write("x.csv", test::hourly(151));
        QVERIFY(!page.panel.look_again(path));
        QCOMPARE(message.count(), 2);
        QVERIFY(page.panel.look_again(folder_.path("another.csv")));  // not open here
    }

    void removed_file_is_reported() {
        const auto path = folder_.write("y.csv", test::hourly(100));
        ChangesPage page(path);
        QVERIFY(QFile::rename(path, folder_.path("elsewhere.csv")));
        page.away_and_back();
        QVERIFY(page.panel.problem().isVisible());
        QVERIFY(page.panel.problem().problem().found.contains("no longer exists"));
        QCOMPARE(page.rows(), 100);
        QVERIFY(QFile::rename(folder_.path("elsewhere.csv"), path));
        page.away_and_back();
        QVERIFY(!page.panel.problem().isVisible());
    }

    void change_is_reported_when_tab_is_selected() {
        const auto one = folder_.write("one.csv", test::hourly(60));
        const auto two = folder_.write("two.csv", test::hourly(70));
        ChangesPage page(one);
        page.panel.open({two});
        QTRY_VERIFY(page.panel.is_settled());
        folder_.write("one.csv", test::hourly(65));
        QVERIFY(!page.panel.problem().isVisible());
        page.panel.set_current(one);
        QVERIFY(page.panel.problem().isVisible());
        page.panel.set_current(two);
        QVERIFY(!page.panel.problem().isVisible());
    }

    void session_restores_the_current_file() {
        const auto one = folder_.write("first.csv", test::hourly(60));
        const auto two = folder_.write("second.csv", test::hourly(70));
        ChangesPage page(one);
        page.panel.open({two});
        page.panel.set_current(one);
        test::DataPage later;
        later.panel.restore_readings(page.panel.save_readings());
        later.panel.open(page.panel.paths());
        QCOMPARE(later.panel.paths(), (QStringList{one, two}));
        QCOMPARE(later.panel.current_path(), one);
        later.panel.open({two});  // by hand, as ever
        QCOMPARE(later.panel.current_path(), two);
    }

private:
    test::DataFolder folder_;
};

TEST_MAIN(TestDataChanges)
#include "test_data_changes.moc"
