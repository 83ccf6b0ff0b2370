// Whose the wheel is: a page that can scroll takes the plain turn, the picture on it takes it with Ctrl, or
// where there is nothing to scroll.
#include <QtTest>

#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "charts/figure_view.h"
#include "sample_figures.h"
#include "test_program.h"

using namespace casp::widgets;

namespace {

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

class TestWheel : public QObject {
    Q_OBJECT
private Q_SLOTS:
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

    void nothing_to_scroll() {
        Page page(200);
        QVERIFY(QTest::qWaitForWindowExposed(&page.area));
        QCOMPARE(page.area.verticalScrollBar()->maximum(), 0);
        page.turn(120);
        QVERIFY(page.view->window(0).x.has_value());
    }
};

TEST_MAIN(TestWheel)
#include "test_wheel.moc"
