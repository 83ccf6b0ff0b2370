// What a file manager passes to the program is opened as what it is: *Open with*, a double click on run.h5.

#include "window_fixture.h"

#include <QDockWidget>
#include <QIcon>

#include "library_fixture.h"
#include "panels/data/data_panel.h"

using namespace casp;

class TestOpenPaths : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void files_of_a_run_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"", "/run.h5", "/arrays.h5", "/run.json"}) QTest::newRow(file) << file;
    }

    void files_of_a_run() {
        QFETCH(QString, file);
        const auto folder = place_.path("elsewhere/batch/run");
        test::write_run(folder.toStdString(), store::RunState::finished);
        if (!file.isEmpty() && !QFile::exists(folder + file)) {
            QFile empty(folder + file);
            QVERIFY(empty.open(QIODevice::WriteOnly));
        }
        auto window = place_.open();
        window->open_paths({folder + file});
        QCOMPARE(window->selection().state().runs, QStringList{folder});
        QCOMPARE(window->launcher().output_folder(), place_.path("elsewhere/batch"));
        QVERIFY(!window->dock("training")->visibleRegion().isEmpty());
    }

    void invalid_run_h5_is_not_opened_as_run() {
        auto window = place_.open();
        window->open_paths({place_.write("run.h5", "\x89HDF")});
        QVERIFY(window->selection().state().runs.isEmpty());
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
        QCOMPARE(window->launcher().output_folder(), place_.runs());
    }

    void experiments_and_data() {
        auto window = place_.open();
        window->open_paths({place_.write("e.toml", "[train]\nepochs = 7\n"), place_.csv()});
        QCOMPARE(window->experiment().config().train.epochs, 7);
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_COMPARE(data->paths(), QStringList{place_.csv()});
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
    }

    void the_icon_has_all_sizes() {
        const auto icon = gui::application_icon();
        for (const int size : {16, 32, 48, 256}) {
            const auto image = icon.pixmap(size).toImage();
            QCOMPARE(image.width(), size);
            QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
            QVERIFY(qAlpha(image.pixel(size / 2, size / 2)) == 255);
        }
    }

private:
    test::WindowPlace place_;
};

TEST_WINDOW(TestOpenPaths)
#include "test_open_paths.moc"
