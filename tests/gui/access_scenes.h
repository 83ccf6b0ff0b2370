#pragma once
// The window with data, two runs and embeddings, and everything in it that one can look at, for the tests of
// access.

#include <functional>
#include <vector>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QTextEdit>

#include "charts/export_dialog.h"
#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "gui/about_dialog.h"
#include "gui/command_palette.h"
#include "gui/pages.h"
#include "inspect/window_embeddings.h"
#include "panels/data/data_panel.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/fork_popover.h"
#include "panels/experiment/option_form.h"
#include "panels/forecasts/forecasts_ahead.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/runs/runs_panel.h"
#include "panels/submit/submit_dialog.h"
#include "vtk/embedding_view.h"
#include "window_fixture.h"

namespace casp::test {

/// Qt's own small parts (a spin box's field, a tab bar's arrows) speak through what they belong to.
inline bool is_part_of_a_control(const QWidget* widget) {
    for (const auto* above = widget->parentWidget(); above != nullptr; above = above->parentWidget()) {
        if (qobject_cast<const QAbstractSpinBox*>(above) != nullptr ||
            qobject_cast<const QComboBox*>(above) != nullptr ||
            qobject_cast<const QTabBar*>(above) != nullptr ||
            qobject_cast<const QMenuBar*>(above) != nullptr || above->inherits("QLineEdit"))
            return true;
    }
    return widget->objectName().startsWith("qt_") || widget->inherits("QDockWidgetTitleButton") ||
           widget->inherits("QToolBarExtension") || widget->inherits("QTableCornerButton") ||
           widget->inherits("QSplitterHandle");
}

/// What is drawn and picked in: figures, spaces and matrices.
inline bool is_picture(const QWidget* widget) {
    return qobject_cast<const widgets::FigureView*>(widget) != nullptr ||
           qobject_cast<const widgets::EmbeddingView*>(widget) != nullptr;
}

inline bool is_control(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(widget) != nullptr &&
            qobject_cast<const QScrollBar*>(widget) == nullptr) ||
           (qobject_cast<const QAbstractItemView*>(widget) != nullptr &&
            qobject_cast<const QHeaderView*>(widget) == nullptr) ||
           qobject_cast<const QTextEdit*>(widget) != nullptr || widget->inherits("QPlainTextEdit") ||
           is_picture(widget);
}

inline QString describe(const QWidget* widget) {
    QStringList path;
    for (const auto* at = widget; at != nullptr && path.size() < 5; at = at->parentWidget())
        path.prepend(QString::fromLatin1(at->metaObject()->className()) +
                     (at->objectName().isEmpty() ? "" : "#" + at->objectName()));
    QString text;
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) text = button->text();
    if (const auto* label = qobject_cast<const QLabel*>(widget)) text = label->text();
    return path.join(" > ") + (text.isEmpty() ? "" : " \"" + text.left(60) + "\"");
}

/// Something to look at: a panel, one of its pages, or a small window of the main one.
struct Scene {
    QString name;
    std::function<void()> open = [] {};
    std::function<void()> close = [] {};
    /// Once it is open: the part of the window, or the window, whose controls Tab is to come to; null: it has
    /// a keyboard of its own.
    std::function<QWidget*()> inside = [] { return static_cast<QWidget*>(nullptr); };
};

class AccessWindow {
public:
    /// Opens the window and the data, trains two runs, embeds their windows. Returns what went wrong.
    [[nodiscard]] QString make() {
        window_ = place_.open();
        window_->resize(1480, 920);
        window_->open_paths({place_.csv()});
        auto* data = panel<widgets::DataPanel>();
        if (!QTest::qWaitFor([&] { return data->is_settled(); }, run_limit)) return "the data were not read";
        window_->experiment().replace(place_.tiny(), {}, "tiny");
        window_->actions().find("run.start")->trigger();
        (void)window_->experiment().set("loss.lambda_cov", 0.4);
        window_->actions().find("run.lambda")->trigger();
        if (!wait_idle(*window_)) return "the runs did not end";
        runs_ = window_->selection().state().runs;
        if (runs_.size() != 2) return "two runs were to be shown";
        inspect::EmbeddingRequest request;
        request.split = "test";
        request.windows = 10;
        for (const auto& run : std::as_const(runs_)) {
            auto* numbers = window_->library().data(run);
            const auto embedded = [&] {
                return numbers->embeddings() && !numbers->embedding_status().is_busy();
            };
            numbers->compute_embeddings(request);
            if (!QTest::qWaitFor(embedded, run_limit)) return "the windows were not embedded";
        }
        for (const auto& page : gui::pages()) docks_ << page.id;
        if (window_->findChildren<QDockWidget*>().size() != docks_.size()) return "there are other panels";
        make_docks();
        make_pages();
        make_run_scenes();
        make_windows();
        return {};
    }

    [[nodiscard]] gui::MainWindow& window() const { return *window_; }
    [[nodiscard]] const QStringList& docks() const { return docks_; }
    [[nodiscard]] const std::vector<Scene>& scenes() const { return scenes_; }

private:
    template <class Panel>
    [[nodiscard]] Panel* panel() const {
        return window_->findChild<Panel*>();
    }
    /// Of a part of the panel `dock`, which is shown first.
    void add(const QString& name, const QString& dock, const std::function<void()>& open,
             const std::function<void()>& close) {
        Scene scene;
        scene.name = name;
        scene.open = [this, dock, open] {
            window_->show_dock(dock);
            if (open) open();
        };
        if (close) scene.close = close;
        scene.inside = [this, dock] { return window_->dock(dock); };
        scenes_.push_back(std::move(scene));
    }
    /// Of a window of its own.
    template <class Window>
    void add_window(const QString& name, const std::function<void()>& open) {
        Scene scene;
        scene.name = name;
        scene.open = open;
        scene.close = [this] { delete panel<Window>(); };
        scene.inside = [this] { return panel<Window>(); };
        scenes_.push_back(std::move(scene));
    }

    void make_docks() {
        for (const auto& name : docks_) add(name, name, {}, {});
    }

    void make_pages() {
        auto* data = panel<widgets::DataPanel>();
        const auto first_page = [data] { data->show_page(widgets::DataPanel::table_page); };
        add(
            "data/channels", "data", [data] { data->show_page(widgets::DataPanel::channels_page); },
            first_page);
        add(
            "data/preparation", "data", [data] { data->show_page(widgets::DataPanel::preparation_page); },
            first_page);
        auto* experiment = panel<widgets::ExperimentPanel>();
        add(
            "experiment/toml", "experiment", [experiment] { experiment->set_toml_visible(true); },
            [experiment] { experiment->set_toml_visible(false); });
        auto* form = experiment->form();
        const auto folded = form->folded_groups();
        add(
            "experiment/all groups", "experiment", [form] { form->set_folded_groups({}); },
            [form, folded] { form->set_folded_groups(folded); });
        const QStringList swept{"loss.lambda_cov", "train.seed", "model.top_k"};
        add(
            "sweep/values", "sweep",
            [this, swept] {
                for (const auto& key : swept) (void)window_->experiment().set_axis(key, {"2", "4"});
            },
            [this, swept] {
                for (const auto& key : swept) (void)window_->experiment().set_axis(key, {});
            });
    }

    void make_run_scenes() {
        auto* runs = panel<widgets::RunsPanel>();
        add(
            "runs/wastebasket", "runs", [runs] { runs->show_wastebasket(true); },
            [runs] { runs->show_wastebasket(false); });
        add("difference/two runs", "difference",
            [this, runs] {
                runs->select_runs(runs_);
                runs->action("runs_difference")->trigger();
            },
            {});
        add(
            "anchors/one", "anchors", [this] { window_->selection().set_anchors({3}); },
            [this] { window_->selection().set_anchors({}); });
        auto* forecasts = panel<widgets::ForecastsPage>();
        add(
            "forecasts/ahead", "forecasts",
            [forecasts] {
                forecasts->forecast_ahead();
                QVERIFY(QTest::qWaitFor([&] { return !forecasts->ahead().is_busy(); }, run_limit));
            },
            [forecasts] {
                const auto close = widgets::ForecastAhead::tr("Close");
                for (auto* button : forecasts->frames().front()->findChildren<QToolButton*>())
                    if (button->text() == close) button->click();
            });
        auto* page = panel<widgets::EmbeddingsPage>();
        add(
            "embeddings/t-SNE", "embeddings",
            [page] { page->layout_bar().set_method(widgets::LayoutMethod::tsne); },
            [page] { page->layout_bar().set_method(widgets::LayoutMethod::pca); });
        // While it goes on there are other buttons; paused, it is at the same place for everybody.
        add(
            "embeddings/t-SNE goes on", "embeddings",
            [page] {
                auto& work = page->layout_work();
                page->layout_bar().set_method(widgets::LayoutMethod::tsne);
                const auto iterations = widgets::LayoutBar::tr("Iterations");
                for (auto* box : page->layout_bar().findChildren<QSpinBox*>())
                    if (box->accessibleName() == iterations) box->setValue(box->maximum());
                page->update_now();
                page->start_tsne();
                using State = widgets::LayoutWork::State;
                QVERIFY(QTest::qWaitFor([&] { return work.state() == State::running; }, run_limit));
                work.pause();
                QVERIFY(QTest::qWaitFor([&] { return work.state() == State::paused; }, run_limit));
            },
            [page] {
                page->layout_work().stop();
                QVERIFY(QTest::qWaitFor([&] { return !page->layout_work().is_busy(); }, run_limit));
                page->layout_bar().set_method(widgets::LayoutMethod::pca);
            });
    }

    void make_windows() {
        Scene message;
        message.name = "message with buttons";
        message.open = [this] {
            window_->info().show_message(
                "access", "A run was cut off, and what is to be done about it takes a line that is long.",
                true,
                {{"Continue", "Goes on from the checkpoint", {}}, {"Not now", "They stay as they are", {}}});
        };
        message.close = [this] { window_->info().remove("access"); };
        message.inside = [this] { return &window_->info(); };
        scenes_.push_back(message);
        Scene palette;
        palette.name = "palette";
        palette.open = [this] { window_->palette_of_actions().open(); };
        palette.close = [this] { window_->palette_of_actions().hide(); };
        scenes_.push_back(palette);
        auto* runs = panel<widgets::RunsPanel>();
        auto* fork = panel<widgets::ForkPopover>();
        Scene popover;
        popover.name = "fork";
        popover.open = [this, runs, fork] {
            window_->show_dock("runs");
            runs->select_runs(runs_.mid(0, 1));
            runs->action("runs_fork")->trigger();
            QVERIFY(QTest::qWaitFor([&] { return fork->isVisible(); }, run_limit));
        };
        popover.close = [fork] { fork->close(); };
        popover.inside = [fork] { return fork; };
        scenes_.push_back(popover);
        add_window<gui::AboutDialog>("about", [this] { window_->actions().find("help.about")->trigger(); });
        add_window<widgets::SubmitDialog>("submit", [this] {
            window_->actions().find("run.submit")->trigger();
            auto* dialog = panel<widgets::SubmitDialog>();
            QVERIFY(QTest::qWaitFor([&] { return dialog->is_settled(); }, run_limit));
        });
        add_window<widgets::ExportDialog>("export/one figure", [this] {
            window_->show_dock("training");
            auto* frame = window_->dock("training")->findChild<widgets::ViewFrame*>();
            QVERIFY(QTest::qWaitFor([&] { return !frame->current_figure().plots.empty(); }, run_limit));
            frame->export_figure();
        });
        add_window<widgets::ExportDialog>("export/several figures", [this] {
            auto* page = qobject_cast<widgets::ViewPage*>(window_->dock("training")->widget());
            (void)page->prepare();
            const auto figures = page->figures();
            QVERIFY(figures.size() > 1);
            (new widgets::ExportDialog(figures, window_.get()))->show();
        });
    }

    WindowPlace place_;
    std::unique_ptr<gui::MainWindow> window_;
    QStringList docks_;  ///< of every page
    QStringList runs_;
    std::vector<Scene> scenes_;
};

}  // namespace casp::test
