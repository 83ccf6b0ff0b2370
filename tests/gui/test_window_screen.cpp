// The window on a small screen, and one that comes back where there is no screen any more.

#include "window_fixture.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QScreen>

#include "gui/screen_place.h"
#include "test_program.h"

using namespace casp;

namespace {

const QRect small(0, 0, 1280, 720), large(1280, 0, 1920, 1080);

}  // namespace

class TestWindowScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_place_on_screens_data();
    void a_place_on_screens();
    void the_first_window_fits_the_screen();
    void the_first_window_is_as_large_as_it_was_made();
    void a_window_comes_back_to_a_screen();
};

void TestWindowScreen::a_place_on_screens_data() {
    QTest::addColumn<QRect>("window");
    QTest::addColumn<QList<QRect>>("screens");
    QTest::addColumn<QRect>("place");
    const QList<QRect> both{small, large};
    QTest::newRow("stays") << QRect(1300, 100, 1480, 920) << both << QRect(1300, 100, 1480, 920);
    QTest::newRow("too large") << QRect(0, 24, 1480, 920) << QList{small} << QRect(0, 24, 1280, 696);
    QTest::newRow("too wide") << QRect(-100, 100, 1480, 300) << QList{small} << QRect(0, 100, 1280, 300);
    QTest::newRow("title above") << QRect(0, 0, 800, 500) << both << QRect(0, 24, 800, 500);
    QTest::newRow("beyond the right") << QRect(3000, 100, 600, 400) << both << QRect(2600, 100, 600, 400);
    QTest::newRow("below") << QRect(1400, 1000, 600, 400) << both << QRect(1400, 680, 600, 400);
    QTest::newRow("on none") << QRect(5000, -3000, 600, 400) << both << QRect(680, 24, 600, 400);
    QTest::newRow("mostly on the other") << QRect(1180, 100, 400, 400) << both << QRect(1280, 100, 400, 400);
    QTest::newRow("no screen") << QRect(5000, 0, 600, 400) << QList<QRect>() << QRect(5000, 0, 600, 400);
}

void TestWindowScreen::a_place_on_screens() {
    QFETCH(const QRect, window);
    QFETCH(const QList<QRect>, screens);
    QTEST(gui::placed_on_screen(window, screens, 24), "place");
}

void TestWindowScreen::the_first_window_fits_the_screen() {
    QCOMPARE(QGuiApplication::primaryScreen()->availableGeometry(), small);
    const test::WindowPlace place;
    auto window = place.open();
    QTRY_VERIFY(window->isVisible());
    QTest::qWait(50);  // laid out
    QVERIFY2(window->width() <= small.width() && window->height() < small.height(),
             qPrintable(QString("%1 x %2, at least %3 x %4")
                            .arg(window->width())
                            .arg(window->height())
                            .arg(window->minimumSizeHint().width())
                            .arg(window->minimumSizeHint().height())));
    // What one looks at has the most of it.
    const auto wide = [&](const char* dock) { return window->dock(dock)->width(); };
    const auto centre = window->findChild<QMainWindow*>("centre")->width();
    QVERIFY2(centre > wide("runs") && centre > wide("experiment"),
             qPrintable(QString("%1 %2 %3").arg(wide("runs")).arg(centre).arg(wide("experiment"))));
    if (const auto folder = qEnvironmentVariable("CASP_TEST_PICTURES"); !folder.isEmpty())
        for (const auto* page : {"start", "training", "data"}) {
            window->show_dock(page);
            QTest::qWait(50);
            QVERIFY(window->grab().save(folder + "/small-screen-" + page + ".png"));
        }
}

void TestWindowScreen::the_first_window_is_as_large_as_it_was_made() {
    const test::WindowPlace place;
    {
        auto window = place.open();
        window->setGeometry(large.x() + 60, 60, 1480, 920);
        QTRY_COMPARE(window->size(), QSize(1480, 920));
        window->close();
    }
    auto window = place.open();
    QTRY_COMPARE(window->geometry(), QRect(large.x() + 60, 60, 1480, 920));
}

void TestWindowScreen::a_window_comes_back_to_a_screen() {
    const test::WindowPlace place;
    for (const auto& gone : {QRect(6000, 300, 900, 560), QRect(300, -2500, 900, 560)}) {
        {
            auto window = place.open();
            window->setGeometry(gone);
            window->close();
        }
        auto window = place.open();
        QTest::qWait(20);
        const auto framed = window->geometry().adjusted(0, -2, 0, 0);
        QVERIFY2(small.contains(framed) || large.contains(framed), qPrintable(QString("%1 %2 %3 %4")
                                                                                  .arg(framed.x())
                                                                                  .arg(framed.y())
                                                                                  .arg(framed.width())
                                                                                  .arg(framed.height())));
    }
}

TEST_PROGRAM(TestWindowScreen)(int argc, char** argv) {
    // Of the offscreen platform a file says what screens there are; the first by name is the primary one.
    const QTemporaryDir folder;
    QFile file(folder.filePath("screens.json"));
    if (!file.open(QIODevice::WriteOnly)) return 1;
    const auto screen = [](const char* name, const QRect& place) {
        return QString(R"({"name": "%1", "x": %2, "y": %3, "width": %4, "height": %5})")
            .arg(name)
            .arg(place.x())
            .arg(place.y())
            .arg(place.width())
            .arg(place.height());
    };
    file.write(QString("{\"screens\": [%1, %2]}").arg(screen("1", small), screen("2", large)).toUtf8());
    file.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toUtf8());
    QApplication application(argc, argv);
    QTEST_SET_MAIN_SOURCE_PATH
    TestWindowScreen test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_screen.moc"
