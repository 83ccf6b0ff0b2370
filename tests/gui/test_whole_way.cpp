// The whole way through the window by what a person presses: files are dropped, one is used, a run is started
// and watched, repeated with another λ_cov, compared, exported and taken along.

#include "window_fixture.h"

#include <set>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QProcess>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QXmlStreamReader>

#include "charts/export_dialog.h"
#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "data/npy.h"
#include "data/reader.h"
#include "evidence/verify.h"
#include "figure_jobs/figure_job.h"
#include "figures/figure.h"
#include "inspect/forecast_ahead.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/view_page.h"
#include "store/run_file.h"
#include "test_program.h"
#include "train/observer.h"
#include "train/stop.h"
#include "verify_text.h"

using namespace casp;

namespace {

/// The control of that name, as a screen reader would find it; null where there is none.
template <class Control>
Control* called(const QWidget* in, const QString& name) {
    for (auto* control : in->findChildren<Control*>())
        if (control->accessibleName() == name) return control;
    return nullptr;
}

/// Waits until a button can be pressed, and presses it with the mouse.
[[nodiscard]] bool press(QAbstractButton* button) {
    if (button == nullptr) return false;
    const auto ready = [button] { return button->isVisible() && button->isEnabled(); };
    if (!QTest::qWaitFor(ready, test::run_limit)) return false;
    QTest::mouseClick(button, Qt::LeftButton, {},
                      QPoint(std::min(10, button->width() / 2), button->height() / 2));
    return true;
}

/// Types over what is in a field and leaves it with `end`.
void type(QWidget* field, const QString& text, Qt::Key end) {
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
    QTest::keyClick(field, end);
}

/// All text of an SVG without its blanks; empty where it is no XML.
QString text_of_svg(const QByteArray& svg) {
    QXmlStreamReader xml(svg);
    QString text;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isCharacters()) text += xml.text();
    }
    return xml.hasError() ? QString() : text.remove(QRegularExpression(QStringLiteral("\\s")));
}

constexpr int epochs = 40;  // of five steps: a second or two on a quiet machine

std::string bytes_of(const QString& path) { return test::bytes_of(path.toStdString()); }

}  // namespace

class TestWholeWay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        place_ = std::make_unique<test::WindowPlace>();
        window_ = place_->open();
        window_->resize(1480, 920);
    }
    void cleanup() {
        window_.reset();
        place_.reset();
    }

    void several_files_at_once() {
        const auto second = place_->path("second.csv");
        QVERIFY(QFile::copy(place_->csv(), second));
        QVERIFY(drop({place_->csv(), second, place_->path("nowhere.csv")}));
        auto* data = panel<widgets::DataPanel>();
        QCOMPARE(data->paths(), (QStringList{place_->csv(), second}));
        QCOMPARE(data->current_path(), second);
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled() && !data->model().at(0).busy, test::run_limit);
        QVERIFY(is_seen("data"));
        // What is not there keeps nothing else from being opened, and is told.
        VERIFY_HAS(window_->info().text("error"), "nowhere.csv");
        for (const int file : {0, 1}) {
            QVERIFY(data->model().at(file).table != nullptr);
            QCOMPARE(data->model().at(file).table->rows(), test::small_rows);
        }
        auto* tabs = called<QTabBar>(data, "Open files");
        QVERIFY(tabs != nullptr);
        QCOMPARE(tabs->count(), 2);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
        QCOMPARE(data->current_path(), place_->csv());
        // The one that is looked at is the one that is used.
        QVERIFY(press(called<QPushButton>(data, "Use this file")));
        QCOMPARE(QString::fromStdString(window_->experiment().config().data.path), place_->csv());
        QVERIFY(is_seen("experiment"));
        QVERIFY(called<QPushButton>(data, "This file is in use") != nullptr);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QTRY_VERIFY_WITH_TIMEOUT(called<QPushButton>(data, "Use this file") != nullptr, test::run_limit);
    }

    void dropped_file_to_exported_figures() {
        const auto* problem = drop_and_use(epochs);
        QVERIFY2(problem == nullptr, problem);
        auto* form = panel<widgets::ExperimentPanel>();
        QVERIFY(is_seen("experiment"));
        // λ_cov in the toolbar, then Run in the form.
        type(panel<widgets::LambdaCovEdit>()->number(), "0.3", Qt::Key_Return);
        QCOMPARE(window_->experiment().config().loss.lambda_cov, 0.3);
        QVERIFY(press(form->run_button()));
        watch_a_run(0.3, 1);
        if (QTest::currentTestFailed()) return;

        // Another λ_cov in the form, then the form's button that repeats the run with it.
        form->show_option("loss.lambda_cov");
        auto* lambda = form->form()->row("loss.lambda_cov")->findChild<QLineEdit*>();
        QVERIFY(lambda != nullptr);
        type(lambda, "0.7", Qt::Key_Return);
        QCOMPARE(window_->experiment().config().loss.lambda_cov, 0.7);
        QVERIFY(press(form->run_with_lambda_button()));
        watch_a_run(0.7, 2);
        if (QTest::currentTestFailed()) return;
        const auto runs = window_->selection().state().runs;
        const auto settings = [](const QString& run) {
            return config::load((run + "/config.toml").toStdString()).base;
        };
        const auto differences = config::differences(settings(runs[0]), settings(runs[1]));
        QCOMPARE(differences.size(), std::size_t{1});
        QCOMPARE(differences.front().key, std::string("loss.lambda_cov"));

        // Both rows of the list, then Compare.
        auto* list = panel<widgets::RunsPanel>();
        mark_runs(2);
        QCOMPARE(list->selected_runs().size(), 2);
        QVERIFY(list->action("runs_compare")->isEnabled());
        list->action("runs_compare")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(is_seen("compare"), test::run_limit);
        auto* compare = panel<widgets::ComparePanel>();
        QTRY_VERIFY_WITH_TIMEOUT(
            compare->comparison().lines.size() == 1 && compare->comparison().lines[0].points.size() == 2,
            test::run_limit);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& point = compare->comparison().lines[0].points[i];
            const auto& row = window_->library().data(runs[static_cast<qsizetype>(i)])->summary().row;
            QCOMPARE(point.x.number.value_or(-1), row.lambda_cov);
            QCOMPARE(point.statistic.n, std::int64_t{1});
            QCOMPARE(point.statistic.mean, row.test_mse);
        }

        // The view's ⋯ menu, Export…, every format.
        auto* menu = compare->frame()->findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(menu != nullptr);
        menu->popup(compare->frame()->mapToGlobal(QPoint(40, 20)));
        QTRY_VERIFY_WITH_TIMEOUT(menu->isVisible(), test::run_limit);
        const auto entries = menu->actions();
        const auto entry = std::find_if(entries.begin(), entries.end(),
                                        [](const QAction* one) { return one->text().contains("xport"); });
        QVERIFY(entry != entries.end() && (*entry)->isEnabled());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(*entry).center());
        widgets::ExportDialog* dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (dialog = window_->findChild<widgets::ExportDialog*>()) != nullptr && dialog->isVisible(),
            test::run_limit);
        for (const auto format : widgets::figure_formats()) {
            auto* box = called<QAbstractButton>(dialog, "Format " + widgets::suffix_of(format).toUpper());
            QVERIFY(box != nullptr);
            if (!box->isChecked()) QVERIFY(press(box));
            QVERIFY(box->isChecked());
        }
        type(called<QDoubleSpinBox>(dialog, "Width"), "84", Qt::Key_Tab);
        type(called<QDoubleSpinBox>(dialog, "Height"), "60", Qt::Key_Tab);
        type(called<QSpinBox>(dialog, "Resolution"), "150", Qt::Key_Tab);
        const auto base = place_->path("out/compared");
        type(called<QLineEdit>(dialog, "File name"), base, Qt::Key_Tab);
        QVERIFY(press(called<QPushButton>(dialog, "Export")));
        for (const auto format : widgets::figure_formats())
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(base + '.' + widgets::suffix_of(format)), test::run_limit);
        check_files(base, compare->figure());
        if (QTest::currentTestFailed()) return;
        QVERIFY(press(called<QPushButton>(dialog, "Close")));

        // The weights, and a run as a whole, as they lie in its folder.
        mark_runs(1);
        window_->actions().find("file.export-weights")->trigger();
        const auto weights = place_->path("out/weights.safetensors");
        QVERIFY(choose(weights));
        QTRY_VERIFY_WITH_TIMEOUT(window_->info().text("note").contains(weights), test::run_limit);
        const auto first = list->selected_runs().value(0);
        QVERIFY(bytes_of(weights) == bytes_of(first + "/best.safetensors"));
        QVERIFY(!bytes_of(weights).empty());
        export_forecasts_of(first);
        if (QTest::currentTestFailed()) return;
        const auto packed = list->selected_runs();
        QCOMPARE(packed.size(), 1);
        QVERIFY(QFile::link(place_->csv(), packed[0] + "/a link"));
        list->action("runs_export")->trigger();
        const auto archive = place_->path("out/run.tar.gz");
        QVERIFY(choose(archive));
        QTRY_VERIFY_WITH_TIMEOUT(window_->info().text("note").contains(archive), test::run_limit);
        QVERIFY2(window_->info().text("note").contains(QRegularExpression("Omitted: .*/a link")),
                 qPrintable(window_->info().text("note")));
        QVERIFY(QFile::remove(packed[0] + "/a link"));
        QProcess tar;
        tar.setWorkingDirectory(place_->path("out"));
        tar.start("tar", {"-xzf", archive});
        QVERIFY(tar.waitForFinished(test::run_limit));
        QVERIFY2(tar.exitCode() == 0, tar.readAllStandardError().constData());
        const auto unpacked = place_->path("out/") + QFileInfo(packed[0]).fileName();
        for (const auto* name : {"run.h5", "arrays.h5", "best.safetensors", "config.toml", "run.json"}) {
            QVERIFY2(!bytes_of(packed[0] + '/' + name).empty(), name);
            QVERIFY2(bytes_of(packed[0] + '/' + name) == bytes_of(unpacked + '/' + name), name);
        }
    }

    /// From data to compared runs and an exported figure: no mouse, no call of an action.
    void whole_task_by_keyboard_alone() {
        const auto key = [this](Qt::Key which, Qt::KeyboardModifiers modifiers = {}) {
            auto* focus = QApplication::focusWidget();
            QTest::keyClick(focus != nullptr ? focus : window_.get(), which, modifiers);
        };
        constexpr auto ctrl = Qt::ControlModifier;
        key(Qt::Key_L, ctrl | Qt::ShiftModifier);  // the sample data
        auto* data = panel<widgets::DataPanel>();
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled() && !data->current_path().isEmpty(), test::run_limit);
        key(Qt::Key_Y, ctrl | Qt::AltModifier);  // try it
        QTRY_COMPARE(window_->queue().items().size(), std::size_t{6});
        QTRY_VERIFY(is_seen("training"));
        const auto& items = window_->queue().items();
        QTRY_VERIFY_WITH_TIMEOUT(items.front().state == gui::QueueState::done, test::run_limit);
        auto* list = panel<widgets::RunsPanel>();
        key(Qt::Key_R, ctrl | Qt::ShiftModifier);
        QTRY_VERIFY(list->isAncestorOf(QApplication::focusWidget()));
        while (QApplication::focusWidget() != list->view()) key(Qt::Key_Tab);
        key(Qt::Key_A, ctrl);
        QCOMPARE(list->selected_runs().size(), 6);
        key(Qt::Key_V, ctrl | Qt::ShiftModifier);  // compare
        QTRY_VERIFY(is_seen("compare"));
        auto* compare = panel<widgets::ComparePanel>();
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison().lines.size() == 1, test::run_limit);
        key(Qt::Key_K, ctrl);  // the palette, by a few letters
        for (const auto letter : {Qt::Key_E, Qt::Key_X, Qt::Key_P, Qt::Key_O, Qt::Key_R, Qt::Key_T,
                                  Qt::Key_Space, Qt::Key_T, Qt::Key_H, Qt::Key_I, Qt::Key_S})
            QTest::keyClick(QApplication::focusWidget(), letter);
        key(Qt::Key_Return);
        widgets::ExportDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = window_->findChild<widgets::ExportDialog*>()) != nullptr &&
                    dialog->isVisible());
        QApplication::setActiveWindow(dialog);  // as a window manager does
        const auto base = place_->path("out/by-keyboard");
        auto* name = called<QLineEdit>(dialog, "File name");
        for (int i = 0; i < 40 && QApplication::focusWidget() != name; ++i) key(Qt::Key_Tab);
        QVERIFY(name->hasFocus());
        key(Qt::Key_A, ctrl);
        QTest::keyClicks(name, base);
        key(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(base + ".png"), test::run_limit);
        key(Qt::Key_Escape);
        QTRY_VERIFY(!dialog->isVisible());
        QApplication::setActiveWindow(window_.get());
        key(Qt::Key_Z, ctrl);  // the settings of before
        QTRY_COMPARE(window_->experiment().config(), config::Config());
        for (const auto& item : items) window_->queue().cancel(item.id);
        QVERIFY(test::wait_idle(*window_));
    }

    /// Page, estimate, runs, look-backs, figure and forecast ahead share what the page has read.
    void the_file_is_read_once() {
        const auto before = data::data_sets_read();
        const auto* problem = drop_and_use(2);
        QVERIFY2(problem == nullptr, problem);
        auto* form = panel<widgets::ExperimentPanel>();
        QVERIFY(press(form->run_button()));
        QVERIFY(test::wait_idle(*window_));
        QTRY_COMPARE_WITH_TIMEOUT(window_->library().size(), 1, test::run_limit);
        const auto run = window_->queue().items().front().request.folder;
        std::vector<Phrase> notes;
        QCOMPARE(figure_jobs::draw_figures(run.parent_path(), {run.filename().string()}, {"forecast"}, notes)
                     .size(),
                 std::size_t{1});
        train::TrainObserver quiet;
        const auto csv = place_->csv().toStdString();
        const inspect::ForecastRequest ahead{
            .checkpoint = run, .data = csv, .levels = {50}, .sets = {}, .sets_threads = false};
        QVERIFY(!inspect::forecast_ahead(ahead, quiet, train::StopControl()).values.empty());
        QVERIFY(evidence::verify(run.parent_path()).findings.empty());
        QCOMPARE(data::data_sets_read() - before, 1);
    }

    void a_sweep_is_queued_by_its_button() {
        const auto* problem = drop_and_use(1);
        QVERIFY2(problem == nullptr, problem);
        QVERIFY(press(panel<widgets::ExperimentPanel>()->sweep_button()));
        QTRY_VERIFY_WITH_TIMEOUT(is_seen("sweep"), test::run_limit);
        auto* sweep = panel<widgets::SweepEditor>();
        auto* queue = sweep->queue_button();
        QTRY_VERIFY_WITH_TIMEOUT(!sweep->is_pending(), test::run_limit);
        QVERIFY(!queue->isEnabled());
        type(sweep->values_field(0), "0, 0.4", Qt::Key_Tab);  // λ_cov is the first row
        type(sweep->values_field(1), "7", Qt::Key_Tab);       // train.seed the second
        QTRY_VERIFY_WITH_TIMEOUT(queue->isEnabled() && !sweep->is_pending(), test::run_limit);
        VERIFY_HAS(queue->text(), "2 runs");
        const auto names = sweep->run_names();
        QVERIFY(press(queue));
        QTRY_COMPARE_WITH_TIMEOUT(window_->queue().items().size(), std::size_t{2}, test::run_limit);
        QTRY_VERIFY_WITH_TIMEOUT(is_seen("queue"), test::run_limit);
        QVERIFY(test::wait_idle(*window_));
        QTRY_COMPARE_WITH_TIMEOUT(window_->library().size(), 2, test::run_limit);
        for (const auto& item : window_->queue().items()) {
            QCOMPARE(item.state, gui::QueueState::done);
            QVERIFY(names.contains(QString::fromStdString(item.request.name)));
            QCOMPARE(item.request.config.train.seed, std::int64_t{7});
        }
        QCOMPARE(window_->queue().items()[0].request.config.loss.lambda_cov, 0.0);
        QCOMPARE(window_->queue().items()[1].request.config.loss.lambda_cov, 0.4);
    }

private:
    template <class Panel>
    [[nodiscard]] Panel* panel() const {
        return window_->findChild<Panel*>();
    }
    /// As a file manager lets files go over the window.
    [[nodiscard]] bool drop(const QStringList& files) {
        QMimeData mime;
        QList<QUrl> urls;
        for (const auto& file : files) urls << QUrl::fromLocalFile(file);
        mime.setUrls(urls);
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &enter);
        QDropEvent end(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &end);
        return enter.isAccepted() && end.isAccepted();
    }
    [[nodiscard]] bool is_seen(const QString& dock) const {
        return !window_->dock(dock)->visibleRegion().isEmpty();
    }
    /// Drops the data and an experiment that names none, and presses "Use this file". Null: all went well.
    const char* drop_and_use(std::int64_t max_epochs) {
        auto config = place_->tiny(max_epochs);
        config.data.path.clear();
        config.run.snapshot_steps = 50;
        const auto toml = place_->write("small.toml", QByteArray::fromStdString(config::to_toml(config)));
        if (!drop({place_->csv(), toml})) return "the drop was refused";
        auto* data = panel<widgets::DataPanel>();
        if (!QTest::qWaitFor([&] { return data->model().count() == 1 && data->is_settled(); },
                             test::run_limit))
            return "the dropped file was not read";
        if (window_->experiment().config().model.pool_size != config.model.pool_size)
            return "the dropped experiment was not opened";
        if (panel<widgets::ExperimentPanel>()->run_button()->isEnabled()) return "Run without data";
        if (!is_seen("data")) return "the Data page is not in front";
        return press(called<QPushButton>(data, "Use this file")) ? nullptr : "the file cannot be used";
    }
    /// Answers the dialog that asks for a file's name.
    [[nodiscard]] bool choose(const QString& path) {
        QFileDialog* dialog = nullptr;
        const auto there = [&] {
            for (auto* one : window_->findChildren<QFileDialog*>())
                if (one->isVisible()) dialog = one;
            return dialog != nullptr;
        };
        if (!QTest::qWaitFor(there, test::run_limit)) return false;
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
        return press(dialog->findChild<QDialogButtonBox*>("buttonBox")->button(QDialogButtonBox::Save));
    }
    /// Marks these many rows of the list of runs, from the first on, with the mouse.
    void mark_runs(int count) {
        const auto* view = panel<widgets::RunsPanel>()->view();
        for (int row = 0; row < count; ++row) {
            int column = 0;
            while (view->isColumnHidden(column)) ++column;
            QTest::mouseClick(view->viewport(), Qt::LeftButton,
                              row == 0 ? Qt::NoModifier : Qt::ControlModifier,
                              view->visualRect(view->model()->index(row, column)).center());
        }
    }

    /// Waits for the end of the run that has just begun and looks at its curve meanwhile; `shown` runs are
    /// drawn.
    void watch_a_run(double lambda_cov, qsizetype shown) {
        QTRY_COMPARE_WITH_TIMEOUT(window_->selection().state().runs.size(), shown, test::run_limit);
        const auto folder = window_->selection().state().runs.last();
        QTRY_VERIFY_WITH_TIMEOUT(is_seen("training"), test::run_limit);
        auto* page = qobject_cast<widgets::ViewPage*>(window_->dock("training")->widget());
        const auto* view = page->view("loss-terms");
        const auto length_of = [view](const QString& run) {  // of its curve, the strong one
            const auto& plots = view->figure().plots;
            if (!plots.empty())
                for (const auto& series : plots.front().series)
                    if (series.run == run && !series.name.isEmpty()) return series.x.size();
            return std::size_t{0};
        };
        std::set<std::size_t> grown;  // lengths of the curve that were seen while it went on
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            if (const auto now = length_of(folder); now > 0 && window_->queue().is_running())
                grown.insert(now);
        });
        look.start(5);
        QVERIFY(test::wait_idle(*window_));
        look.stop();
        QVERIFY2(grown.size() > 1, "the curve was not seen growing");
        auto* run = window_->library().data(folder);
        QTRY_COMPARE_WITH_TIMEOUT(run->summary().row.state, store::RunState::finished, test::run_limit);
        QCOMPARE(run->summary().row.lambda_cov, lambda_cov);
        QCOMPARE(run->record().steps.step.size(), std::size_t{5 * epochs});
        for (const auto& one : window_->selection().state().runs)
            QTRY_COMPARE_WITH_TIMEOUT(length_of(one), std::size_t{5 * epochs}, test::run_limit);
    }

    /// The type in the dialog decides between the table and a folder of arrays, and changes the proposed
    /// name.
    void export_forecasts_of(const QString& run) {
        const auto shape = store::read_forecast_shape((run + "/arrays.h5").toStdString(), "test");
        const auto csv = place_->path("out/forecasts.csv"), folder = place_->path("out/forecasts");
        window_->actions().find("file.export-forecasts")->trigger();
        QVERIFY(choose(csv));
        QTRY_VERIFY_WITH_TIMEOUT(window_->info().text("note").contains(csv + " is written"), test::run_limit);
        const auto table = QByteArray::fromStdString(bytes_of(csv));
        QVERIFY(table.startsWith("unique_id,ds,cutoff,y,casp-llm\n"));
        QCOMPARE(table.count('\n'), shape.windows * shape.horizon * shape.channels + 1);

        window_->actions().find("file.export-forecasts")->trigger();
        QComboBox* filters = nullptr;
        for (auto* one : window_->findChildren<QComboBox*>("fileTypeCombo"))
            if (one->isVisible()) filters = one;
        QVERIFY(filters != nullptr && filters->count() == 2);
        filters->setCurrentIndex(1);
        Q_EMIT filters->activated(1);  // as a choice with the mouse
        Q_EMIT filters->textActivated(filters->currentText());
        const auto* name = filters->window()->findChild<QLineEdit*>("fileNameEdit");
        QVERIFY2(!name->text().isEmpty() && !name->text().endsWith(".csv"), qPrintable(name->text()));
        QVERIFY(choose(folder));
        QTRY_VERIFY_WITH_TIMEOUT(window_->info().text("note").contains("are written to " + folder),
                                 test::run_limit);
        for (const auto* file : {"/pred.npy", "/true.npy"}) {
            const auto bytes = bytes_of(folder + file);
            const auto header = data::parse_npy_header(bytes, bytes.size(), file);
            QVERIFY(header.shape ==
                    (std::vector<std::int64_t>{shape.windows, shape.horizon, shape.channels}));
        }
    }

    /// The four files of a figure of 84 × 60 mm at 150 dpi hold what it shows.
    void check_files(const QString& base, const figures::Figure& figure) {
        QCOMPARE(figure.plots.size(), std::size_t{1});
        const auto x = figure.plots[0].x.title, y = figure.plots[0].y.title;
        VERIFY_HAS(x, "λ_cov");
        QCOMPARE(QImage(base + ".png").size(), QSize(496, 354));  // 84 and 60 / 25.4 · 150
        const auto text = text_of_svg(QByteArray::fromStdString(bytes_of(base + ".svg")));
        for (auto wanted : {x, y}) VERIFY_HAS(text, wanted.remove(' '));
        QVERIFY(QByteArray::fromStdString(bytes_of(base + ".pdf")).startsWith("%PDF"));

        QFile table(base + ".csv");
        QVERIFY(table.open(QIODevice::ReadOnly));
        const auto lines = QString::fromUtf8(table.readAll()).remove('\r').trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        const auto& points = panel<widgets::ComparePanel>()->comparison().lines[0].points;
        for (qsizetype i = 0; i < 2; ++i) {
            std::set<double> numbers;
            for (const auto& cell : lines[i + 1].split(',')) numbers.insert(cell.toDouble());
            const auto& point = points[static_cast<std::size_t>(i)];
            QVERIFY2(numbers.count(*point.x.number) > 0 && numbers.count(point.statistic.mean) > 0,
                     qPrintable(lines[i + 1] + ", " + QString::number(point.statistic.mean, 'g', 17)));
        }
    }

    std::unique_ptr<test::WindowPlace> place_;
    std::unique_ptr<gui::MainWindow> window_;
};

TEST_MAIN(TestWholeWay)
#include "test_whole_way.moc"
