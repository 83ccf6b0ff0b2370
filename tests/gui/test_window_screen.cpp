// The window on a small screen, and one that comes back where there is no screen any more.

#include "test_program.h"
#include "window_fixture.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QScreen>

using namespace casp;

namespace {

const QRect small(0, 0, 1280, 720), large(1280, 0, 1920, 1080);

}  // namespace

class TestWindowScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_first_window_fits_the_screen() {
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
            for (const auto* page : {"start", "training", "data", "sweep"}) {
                window->show_dock(page);
                QTest::qWait(50);
                QVERIFY(window->grab().save(folder + "/small-screen-" + page + ".png"));
            }
    }

    void texts_of_empty_pages_are_whole() {
        const test::WindowPlace place;
        auto window = place.open();
        for (const auto* page : {"start", "data", "training", "compare", "paper", "audit"}) {
            window->show_dock(page);
            QTest::qWait(50);
            for (const auto* label : window->dock(page)->findChildren<QLabel*>())
                if (label->isVisible() && label->wordWrap())
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()) - 2,
                             qPrintable(page + (": " + label->text())));
        }
    }

    void sweep_values_are_fully_visible() {
        const test::WindowPlace place;
        auto window = place.open();
        window->show_dock("sweep");
        QTest::qWait(50);
        int fields = 0;
        for (const auto* field : window->dock("sweep")->findChildren<QLineEdit*>()) {
            const auto wanted = field->fontMetrics().horizontalAdvance("2021, 2022, 2023, 2024, 2025");
            constexpr int margins = 12;
            QVERIFY2(field->width() >= wanted + margins,
                     qPrintable(QString("%1 < %2").arg(field->width()).arg(wanted)));
            QCOMPARE(field->visibleRegion().boundingRect(), field->rect());
            ++fields;
        }
        QCOMPARE(fields, 2);  // λ_cov and the seed
    }

    void window_restores_its_size() {
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

    void a_window_comes_back_to_a_screen() {
        const test::WindowPlace place;
        for (const auto& gone : {QRect(6000, 300, 1100, 600), QRect(300, -2500, 1100, 600)}) {
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
};

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
