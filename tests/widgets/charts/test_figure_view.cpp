// The view and its frame, driven by mouse and keyboard.
#include <QtTest>

#include <set>

#include <QAction>
#include <QClipboard>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/numbers.h"
#include "figures/ticks.h"
#include "sample_figures.h"
#include "test_program.h"

using namespace casp::widgets;
using Ids = std::vector<std::int64_t>;

namespace {

// Shown and laid out.
std::unique_ptr<FigureView> shown(const samples::Figure& figure, QSize size = {500, 360}) {
    auto view = std::make_unique<FigureView>();
    view->resize(size);
    view->set_figure(figure);
    view->show();
    (void)QTest::qWaitForWindowExposed(view.get());
    return view;
}

void drag(QWidget* widget, QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton,
          Qt::KeyboardModifiers modifiers = {}) {
    const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton which, Qt::MouseButtons held) {
        QMouseEvent event(type, at, widget->mapToGlobal(QPointF(at)), which, held, modifiers);
        QApplication::sendEvent(widget, &event);
    };
    send(QEvent::MouseButtonPress, from, button, button);
    for (int i = 1; i <= 4; ++i) send(QEvent::MouseMove, from + (to - from) * i / 4, Qt::NoButton, button);
    send(QEvent::MouseButtonRelease, to, button, {});
}

void wheel(QWidget* widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, delta), {}, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(widget, &event);
}

/// A page with one chart that is `height` high.
struct Page {
    explicit Page(int height) {
        area.setWidgetResizable(true);
        auto* sheet = new QWidget;
        auto* column = new QVBoxLayout(sheet);
        view = new FigureView;
        view->setMinimumHeight(height);
        column->addWidget(view);
        area.setWidget(sheet);
        area.resize(500, 400);
        view->set_figure(samples::usage());
        area.show();
    }
    /// Turns the wheel over the chart as a person would; events that it ignores go to what is around it.
    void turn(int by, Qt::KeyboardModifiers modifiers = {}) {
        const QPointF at = view->painter().area(0).center();
        QWheelEvent event(at, view->mapToGlobal(at), {}, {0, by}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QSpontaneKeyEvent::setSpontaneous(&event);
        qApp->notify(view, &event);
    }
    QScrollArea area;
    FigureView* view;
};

}  // namespace

class TestFigureView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("casp-test"));
        QCoreApplication::setApplicationName(QStringLiteral("figure-view"));
        QSettings().clear();
    }

    /// The mouse in one plot shows the values at the same x in all others with that axis.
    void linked_crosshair() {
        const auto line = [](const QString& title, const QString& x_title, double slope) {
            samples::Plot plot;
            plot.title = title;
            plot.x.title = x_title;
            samples::Series series;
            series.name = title;
            for (int i = 0; i <= 100; ++i) {
                series.x.push_back(i);
                series.y.push_back(slope * i);
            }
            plot.series.push_back(series);
            return plot;
        };
        samples::Figure first, second;
        first.plots = {line("a", "Step", 1), line("b", "Step", 2), line("c", "Epoch", 3)};
        second.plots = {line("d", "Step", 4)};
        const auto view = shown(first, {900, 360}), other = shown(second);
        connect(view.get(), &FigureView::pointed, other.get(), &FigureView::point_at);
        const auto move = [&](QPointF to) {
            QMouseEvent event(QEvent::MouseMove, to, view->mapToGlobal(to), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(view.get(), &event);
        };
        // Away from the line.
        const auto at = view->painter().to_scene(0, 50, 10);
        const auto before = other->grab().toImage();
        move(at);
        QCOMPARE(view->pointed_texts(), QStringList({"", "Step  50\nb  100", ""}));
        QCOMPARE(other->pointed_texts(), QStringList("Step  50\nd  200"));
        QVERIFY(other->grab().toImage() != before);
        // Beyond the visible range there is none.
        other->set_window(0, {Range{60, 100}, {}});
        QCOMPARE(other->pointed_texts(), QStringList(""));
        other->reset_zoom();
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(view.get(), &leave);
        QCOMPARE(other->pointed_texts(), QStringList(""));
        QCOMPARE(view->pointed_texts(), QStringList({"", "", ""}));
        QVERIFY(other->grab().toImage() == before);
        other->point_at("Epoch", 50);
        QCOMPARE(other->pointed_texts(), QStringList(""));
    }

    void a_hidden_view_is_drawn_in_a_new_theme_when_it_is_shown() {
        class Counted : public FigureView {
        public:
            int painted = 0;
            void paintEvent(QPaintEvent* event) override {
                ++painted;
                FigureView::paintEvent(event);
            }
        };
        QStackedWidget tabs;
        auto* view = new Counted;
        view->set_figure(samples::losses());
        tabs.addWidget(view);
        tabs.addWidget(new QWidget);
        tabs.resize(500, 360);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        QTRY_VERIFY(view->painted > 0);
        QSignalSpy heights(view, &FigureView::needed_height_changed);
        tabs.setCurrentIndex(1);
        QCoreApplication::processEvents();
        const int before = view->painted;
        QPalette dark = tabs.palette();
        for (const auto role : {QPalette::Base, QPalette::Window}) dark.setColor(role, QColor(30, 30, 32));
        for (const auto role : {QPalette::Text, QPalette::WindowText})
            dark.setColor(role, QColor(230, 230, 230));
        tabs.setPalette(dark);
        QCoreApplication::processEvents();
        QCOMPARE(view->painted, before);
        QCOMPARE(heights.size(), 0);
        // A picture of it is of the new theme wherever it is.
        QCOMPARE(QColor(view->picture(1).pixel(1, 1)), dark.color(QPalette::Base));
        tabs.setCurrentIndex(0);
        QTRY_VERIFY(view->painted > before);
        QCOMPARE(QColor(view->grab().toImage().pixel(1, 1)), dark.color(QPalette::Base));
    }

    void keyboard_zooms_and_pans() {
        const auto view = shown(samples::concentration());
        QVERIFY(!view->zoomed());
        const double full = std::log(view->painter().scales(0).x.max / view->painter().scales(0).x.min);
        QTest::keyClick(view.get(), Qt::Key_Plus);
        QVERIFY(view->zoomed());
        const auto first = view->painter().scales(0).x;
        QVERIFY(std::abs(std::log(first.max / first.min) / full - 0.8) < 1e-9);
        QTest::keyClick(view.get(), Qt::Key_Right);
        QVERIFY(view->painter().scales(0).x.min > first.min);
        QTest::keyClick(view.get(), Qt::Key_Left);
        QVERIFY(std::abs(view->painter().scales(0).x.min / first.min - 1) < 1e-9);
        QTest::keyClick(view.get(), Qt::Key_Minus);
        QVERIFY(!view->zoomed());
        QTest::keyClick(view.get(), Qt::Key_Plus, Qt::ControlModifier);
        QVERIFY(view->window(0).y.has_value() && !view->window(0).x.has_value());
        QTest::keyClick(view.get(), Qt::Key_Home);
        QVERIFY(!view->zoomed());
        // Panning never leaves the data.
        for (int i = 0; i < 3; ++i) QTest::keyClick(view.get(), Qt::Key_Plus);
        for (int i = 0; i < 40; ++i) QTest::keyClick(view.get(), Qt::Key_Right);
        QVERIFY(view->painter().scales(0).x.max <= 1000 * (1 + 1e-9));
    }

    void wheel_zooms_around_the_pointer() {
        const auto view = shown(samples::usage());
        const QPointF at = view->painter().to_scene(0, 700, 5000);
        wheel(view.get(), at, 120);
        QVERIFY(view->window(0).x.has_value());
        QVERIFY(!view->window(0).y.has_value());
        QVERIFY((view->painter().to_scene(0, 700, 5000) - at).manhattanLength() < 1e-6);
        wheel(view.get(), at, 120, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(view->window(0).y.has_value());
        QTest::mouseDClick(view.get(), Qt::LeftButton, {}, at.toPoint());
        QVERIFY(!view->zoomed());
        // Scatter plots zoom both ways.
        view->set_figure(samples::scatter());
        wheel(view.get(), view->painter().area(0).center(), 120);
        QVERIFY(view->window(0).x.has_value() && view->window(0).y.has_value());
    }

    void drag_zooms_to_a_box() {
        const auto view = shown(samples::concentration());
        const auto& painter = view->painter();
        const QPoint from = painter.to_scene(0, 10, 0.8).toPoint(),
                     to = painter.to_scene(0, 100, 0.4).toPoint();
        drag(view.get(), from, to);
        QVERIFY(std::abs(view->window(0).x->min - 10) < 0.3 && std::abs(view->window(0).x->max - 100) < 3);
        QVERIFY(std::abs(view->window(0).y->min - 0.4) < 0.01 &&
                std::abs(view->window(0).y->max - 0.8) < 0.01);
    }

    void plots_over_the_same_steps_zoom_together() {
        const auto view = shown(samples::losses(), {700, 500});
        view->set_window(0, {Range{100, 200}, Range{0, 1}});
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(view->window(i).x.value().max, 200.0);
            QCOMPARE(view->window(i).y.has_value(), i == 0);
        }
    }

    void zoom_survives_a_new_figure() {
        const auto view = shown(samples::losses(), {700, 500});
        view->set_window(0, {Range{100, 200}, {}});
        auto next = samples::losses();
        next.plots[0].series[0].x.push_back(30010);
        next.plots[0].series[0].y.push_back(0.3);
        view->set_figure(next);
        QVERIFY(view->zoomed());
        view->set_figure(samples::usage());
        QVERIFY(!view->zoomed());
    }

    void middle_button_pans() {
        const auto view = shown(samples::usage());
        view->set_window(0, {Range{200, 400}, {}});
        const QRectF area = view->painter().area(0);
        drag(view.get(), area.center().toPoint(),
             area.center().toPoint() + QPoint(static_cast<int>(area.width() / 4), 0), Qt::MiddleButton);
        QVERIFY(std::abs(view->window(0).x->min - 150) < 2);
        QVERIFY(std::abs(view->window(0).x->max - 350) < 2);
    }

    void escape_cancels_a_drag() {
        QWidget window;
        QAction clear;  // as the window's "Clear selection"
        clear.setShortcut(QKeySequence(Qt::Key_Escape));
        window.addAction(&clear);
        QSignalSpy cleared(&clear, &QAction::triggered);
        auto* view = new FigureView(&window);
        view->resize(500, 360);
        view->set_figure(samples::usage());
        window.resize(500, 360);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        view->setFocus();
        const QPoint from = view->painter().area(0).center().toPoint(), to = from + QPoint(80, 60);
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, view->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton,
                         {});
        QApplication::sendEvent(view, &move);
        QTest::keyClick(view, Qt::Key_Escape);
        QTest::mouseRelease(view, Qt::LeftButton, {}, to);
        QVERIFY(!view->zoomed());
        QCOMPARE(cleared.size(), 0);
        QTest::keyClick(view, Qt::Key_Escape);  // no drag: the window's
        QCOMPARE(cleared.size(), 1);
    }

    void clicking_picks_points() {
        auto figure = samples::scatter();
        // One point apart from all others.
        figure.plots[0].series[2].x.push_back(12);
        figure.plots[0].series[2].y.push_back(-6);
        figure.plots[0].series[2].ids.push_back(777);
        const auto view = shown(figure);
        QSignalSpy picked(view.get(), &FigureView::picked);
        const QPoint at = view->painter().to_scene(0, 12, -6).toPoint();
        QTest::mouseClick(view.get(), Qt::LeftButton, Qt::ShiftModifier, at + QPoint(2, -2));
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].value<Ids>(), Ids{777});
        QCOMPARE(picked[0][1].value<Qt::KeyboardModifiers>(), Qt::KeyboardModifiers(Qt::ShiftModifier));
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, at - QPoint(60, 0));
        QCOMPARE(picked.size(), 2);
        QCOMPARE(picked[1][0].value<Ids>(), Ids{});
    }

    void framing_picks_points() {
        const auto figure = samples::scatter();
        const auto view = shown(figure);
        QSignalSpy picked(view.get(), &FigureView::picked);
        const auto& painter = view->painter();
        const QPoint from = painter.to_scene(0, -1, 1).toPoint(), to = painter.to_scene(0, 1, -1).toPoint();
        drag(view.get(), from, to);
        QCOMPARE(picked.size(), 1);
        std::set<std::int64_t> wanted;
        for (const auto& series : figure.plots[0].series) {
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                const QPointF at = painter.to_scene(0, series.x[i], series.y[i]);
                if (at.x() > from.x() && at.x() < to.x() && at.y() > from.y() && at.y() < to.y())
                    wanted.insert(series.ids[i]);
            }
        }
        const Ids ids = picked[0][0].value<Ids>();
        QVERIFY(wanted.size() > 50);
        QCOMPARE(std::set<std::int64_t>(ids.begin(), ids.end()), wanted);
        QVERIFY(!view->zoomed());
    }

    void bars_and_cells_are_picked() {
        const auto view = shown(samples::usage());
        QSignalSpy picked(view.get(), &FigureView::picked);
        view->set_window(0, {Range{9.5, 20.5}, {}});
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, view->painter().to_scene(0, 12, 9000).toPoint());
        QCOMPARE(picked[0][0].value<Ids>(), Ids{12});
        view->set_figure(samples::heatmap());
        QSignalSpy cells(view.get(), &FigureView::cells_picked);
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, view->painter().to_scene(0, 150.5, 40.5).toPoint());
        QCOMPARE(cells.size(), 1);
        QCOMPARE(cells[0][0].value<Ids>(), Ids{1040});
        QCOMPARE(cells[0][1].value<Ids>(), Ids{150});
        // A row by its label, a column by its, and several of both by a frame.
        const QRectF area = view->painter().area(0);
        const QPointF cell = view->painter().to_scene(0, 150.5, 40.5);
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, QPointF(area.left() - 12, cell.y()).toPoint());
        QCOMPARE(cells[1][0].value<Ids>(), Ids{1040});
        QCOMPARE(cells[1][1].value<Ids>(), Ids{});
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, QPointF(cell.x(), area.bottom() + 10).toPoint());
        QCOMPARE(cells[2][0].value<Ids>(), Ids{});
        QCOMPARE(cells[2][1].value<Ids>(), Ids{150});
        view->set_window(0, {Range{150, 160}, Range{40, 50}});
        drag(view.get(), view->painter().to_scene(0, 152.5, 41.5).toPoint(),
             view->painter().to_scene(0, 153.5, 43.5).toPoint());
        QCOMPARE(cells[3][0].value<Ids>(), (Ids{1041, 1042, 1043}));
        QCOMPARE(cells[3][1].value<Ids>(), (Ids{152, 153}));
        // Those that stand out are marked, however thin.
        for (const double until : {160.0, 300.0}) {
            view->set_window(0, {Range{0, until}, {}});
            view->set_highlight_of_cells({}, {});
            const QImage none = view->picture(1);
            const auto marked = [&] {
                const QImage image = view->picture(1);
                int count = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) != none.pixel(x, y);
                return count;
            };
            view->set_highlight_of_cells({1042}, {});
            const int row = marked();
            view->set_highlight_of_cells({1042}, {152});
            QVERIFY2(row > 0 && marked() > row, qPrintable(QString("%1, %2").arg(row).arg(marked())));
        }
    }

    void lines_pick_their_run() {
        const auto view = shown(samples::losses(), {700, 500});
        QSignalSpy run(view.get(), &FigureView::run_picked);
        QSignalSpy x(view.get(), &FigureView::x_picked);
        const auto& smooth = view->figure().plots[0].series[3];
        const QPointF at = view->painter().to_scene(0, smooth.x[900], smooth.y[900]);
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(run.size(), 1);
        QCOMPARE(run[0][0].toString(), QStringLiteral("/runs/b"));
        QCOMPARE(x.size(), 1);  // and the step that was clicked
        const auto& scale = view->painter().scales(0).x;
        QVERIFY(std::abs(scale.at(x[0][0].toDouble()) - scale.at(smooth.x[900])) *
                    view->painter().area(0).width() <
                3);
        const QRectF area = view->painter().area(0);
        QTest::mouseClick(view.get(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(area.right()) - 3, static_cast<int>(area.top()) + 3));
        QCOMPARE(x.size(), 2);
        QVERIFY(x[1][0].toDouble() > 29000);
    }

    void highlight_dims_the_others() {
        const auto figure = samples::usage();
        const auto view = shown(figure);
        view->set_window(0, {Range{-0.5, 8.5}, Range{0, 10}});
        const auto colour_of = [&](int bar) {
            return QColor(view->picture(1).pixel(view->painter().to_scene(0, bar, 5).toPoint()));
        };
        int low = -1;
        for (int i = 0; i < 8 && low < 0; ++i) {
            if (figure.plots[0].series[0].y[static_cast<std::size_t>(i)] > 10 &&
                figure.plots[0].series[0].y[static_cast<std::size_t>(i + 1)] > 10)
                low = i;
        }
        QVERIFY(low >= 0);
        const QColor before = colour_of(low);
        QCOMPARE(colour_of(low + 1), before);
        view->set_highlight({low});
        QCOMPARE(colour_of(low), before);
        QVERIFY(colour_of(low + 1).lightness() > before.lightness() + 40);
        view->set_highlight({});
        QCOMPARE(colour_of(low + 1), before);
    }

    void tooltip_shows_unsmoothed_values() {
        const auto view = shown(samples::losses(), {700, 500});
        const auto& series = view->figure().plots[0].series[1];
        const QPointF at(view->painter().to_scene(0, series.x[1500], 0.5).x(),
                         view->painter().area(0).top() + 2);
        const double x = view->painter().scales(0).x.value((at.x() - view->painter().area(0).left()) /
                                                           view->painter().area(0).width());
        const auto index = static_cast<std::size_t>(std::lround(x / 10));
        const QString text = view->text_at(at);
        QVERIFY2(text.contains(QStringLiteral("etth1 λ_cov 0.1  ") +
                               casp::figures::number_text(series.raw[index], 5)),
                 qPrintable(text));
        QVERIFY(text.startsWith(QStringLiteral("step  %1").arg(index * 10)));
        QCOMPARE(view->text_at({1, 1}), QString());
    }

    void the_hint_stays_out_of_the_plots() {
        const auto view = shown(samples::losses());
        QVERIFY(view->toolTip().contains(QStringLiteral("arrow keys")));
        const auto ask = [&](QPoint at) {
            QToolTip::hideText();
            QHelpEvent event(QEvent::ToolTip, at, view->mapToGlobal(at));
            QApplication::sendEvent(view.get(), &event);
            return QToolTip::text();
        };
        QCOMPARE(ask(view->painter().cell(0).topLeft().toPoint() + QPoint(2, 2)), view->toolTip());
        QTRY_VERIFY((QToolTip::hideText(), !QToolTip::isVisible()));
        (void)ask(view->painter().area(0).center().toPoint());
        QVERIFY(!QToolTip::isVisible());
        // Nothing to zoom, nothing to say of it.
        samples::Figure empty;
        empty.empty_text = QStringLiteral("Curves appear here.");
        view->set_figure(empty);
        (void)ask(view->rect().center());
        QVERIFY(!QToolTip::isVisible());
    }

    /// Of hourly values midnight is one of 24 moments; of daily ones the date says all.
    void tooltip_shows_the_hour_of_midnight() {
        const double start = 1467331200;  // 2016-07-01 00:00
        for (const double step : {3600.0, 86400.0}) {
            samples::Figure figure;
            samples::Plot plot;
            plot.x.time = true;
            plot.x.title = QStringLiteral("time");
            std::vector<double> x, y;
            for (int i = -30; i <= 30; ++i) {
                x.push_back(start + step * i);
                y.push_back(i);
            }
            plot.series.push_back(samples::line(QStringLiteral("OT"), x, y));
            figure.plots.push_back(plot);
            const auto view = shown(figure, {700, 500});
            const QPointF at(view->painter().to_scene(0, start, 0).x(), view->painter().area(0).top() + 2);
            const QString wanted = step < 86400 ? QStringLiteral("time  2016-07-01 00:00\n")
                                                : QStringLiteral("time  2016-07-01\n");
            QVERIFY2(view->text_at(at).startsWith(wanted), qPrintable(view->text_at(at)));
        }
    }

    void empty_page_shows_its_explanation() {
        samples::Figure empty;
        empty.empty_text = QStringLiteral("Here the loss of a run will be drawn. Press Run to start one.");
        const auto view = shown(empty);
        QCOMPARE(view->accessibleDescription(), empty.empty_text);
        const QImage image = view->grab().toImage();
        int dark = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) dark += image.pixel(x, y) != image.pixel(0, 0);
        }
        QVERIFY(dark > 300);
        QTest::keyClick(view.get(), Qt::Key_Plus);
        QVERIFY(!view->zoomed());
    }

    void busy_dims() {
        const auto view = shown(samples::usage());
        const auto darkest = [&] {
            const QImage image = view->grab().toImage();
            int least = 255;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) least = std::min(least, qGray(image.pixel(x, y)));
            }
            return least;
        };
        const int before = darkest();
        view->set_busy(true);
        QVERIFY(darkest() > before + 60);
        view->set_busy(false);
        QCOMPARE(darkest(), before);
    }

    void updates_are_throttled() {
        const auto view = shown(samples::concentration());
        struct Counter : QObject {
            int paints = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                paints += event->type() == QEvent::Paint;
                return false;
            }
        } counter;
        view->installEventFilter(&counter);
        auto figure = samples::concentration();
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 500) {
            figure.plots[0].series[0].y[5] = 0.001 * static_cast<double>(timer.elapsed());
            view->set_figure(figure);
            QCoreApplication::processEvents();
        }
        QVERIFY2(counter.paints >= 3 && counter.paints <= 12, qPrintable(QString::number(counter.paints)));
        // The last state is shown in the end.
        const int so_far = counter.paints;
        view->set_figure(samples::concentration());
        QTRY_VERIFY(counter.paints > so_far);
    }

    void frame_copies_and_exports() {
        ViewFrame frame(QStringLiteral("Anchor usage"), QStringLiteral("anchors"));
        auto* view = new FigureView;
        view->set_figure(samples::usage());
        frame.set_content(view);
        frame.resize(500, 400);
        frame.show();
        QCOMPARE(frame.figure_view(), view);
        QCOMPARE(frame.current_figure().id, QStringLiteral("usage"));
        QSignalSpy maximise(&frame, &ViewFrame::maximise_requested), help(&frame, &ViewFrame::help_requested),
            message(&frame, &ViewFrame::message);
        for (auto* button : frame.findChildren<QToolButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty());
            QVERIFY(!button->toolTip().isEmpty());
            if (button->isCheckable()) QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(maximise.size(), 1);
        QVERIFY(frame.maximised());
        frame.copy_numbers();
        QCOMPARE(QApplication::clipboard()->text().toUtf8(), casp::figures::csv_of(samples::usage()));
        frame.copy_picture();
        QCOMPARE(QApplication::clipboard()->image().size(), view->size() * 2);
        QCOMPARE(message.size(), 2);
        // Millions of cells are for a file.
        frame.set_figure_source([] {
            samples::Figure large;
            large.title = QStringLiteral("Large");
            large.numbers.emplace();
            large.numbers->columns = {QStringLiteral("a"), QStringLiteral("b")};
            large.numbers->count = 500'001;
            large.numbers->each = [](const auto&) { QFAIL("rows were made that nobody takes"); };
            return large;
        });
        QApplication::clipboard()->setText(QStringLiteral("before"));
        frame.copy_numbers();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("before"));
        QCOMPARE(message.size(), 3);
        QVERIFY(message[2][0].toString().contains(QStringLiteral("1,000,002 cells")));
        QVERIFY(message[2][0].toString().contains(QStringLiteral("Export")));
        frame.set_figure_source({});
        for (QAction* action : frame.menu()->actions()) {
            if (action->text().contains(QStringLiteral("Help"))) action->trigger();
        }
        QCOMPARE(help.size(), 1);
        QCOMPARE(help[0][0].toString(), QStringLiteral("anchors"));
        // Nothing to copy: the entries are off.
        samples::Figure nothing;
        view->set_figure(nothing);
        Q_EMIT frame.menu()->aboutToShow();
        int enabled = 0;
        for (QAction* action : frame.menu()->actions())
            enabled += action->isEnabled() && !action->isSeparator() && action->isVisible();
        QCOMPARE(enabled, 1);
    }

    void the_page_scrolls() {
        Page page(900);
        QVERIFY(QTest::qWaitForWindowExposed(&page.area));
        QTRY_VERIFY(page.area.verticalScrollBar()->maximum() > 0);
        page.turn(-120);
        QVERIFY(page.area.verticalScrollBar()->value() > 0);
        QVERIFY(!page.view->zoomed());
        // Also up again, and no more than that.
        page.turn(120);
        QCOMPARE(page.area.verticalScrollBar()->value(), 0);
        page.turn(120);
        QVERIFY(!page.view->zoomed());
        page.turn(120, Qt::ControlModifier);
        QVERIFY(page.view->window(0).x.has_value() && !page.view->window(0).y.has_value());
        page.turn(120, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(page.view->window(0).y.has_value());
        const auto before = page.view->window(0).x;
        page.turn(-120, Qt::ShiftModifier);
        QVERIFY(page.view->window(0).x->min != before->min);
        QCOMPARE(page.area.verticalScrollBar()->value(), 0);
    }

    void wheel_zooms_where_nothing_scrolls() {
        Page page(200);
        QVERIFY(QTest::qWaitForWindowExposed(&page.area));
        QCOMPARE(page.area.verticalScrollBar()->maximum(), 0);
        page.turn(120);
        QVERIFY(page.view->window(0).x.has_value());
    }
};

TEST_MAIN(TestFigureView)
#include "test_figure_view.moc"
