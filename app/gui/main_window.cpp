#include "gui/main_window.h"

#include <algorithm>

#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QPointer>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>

#include "charts/view_frame.h"
#include "gui/cluster_jobs.h"
#include "gui/command_palette.h"
#include "gui/dock_focus.h"
#include "gui/docks.h"
#include "gui/edit_keys.h"
#include "gui/fetch_panel.h"
#include "gui/figure_actions.h"
#include "gui/file_drops.h"
#include "gui/file_exports.h"
#include "gui/file_opener.h"
#include "gui/help_panel.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/notices.h"
#include "gui/pages.h"
#include "gui/preview_source.h"
#include "gui/recovery.h"
#include "gui/run_actions.h"
#include "gui/run_queue.h"
#include "gui/session_keeper.h"
#include "gui/start_page.h"
#include "gui/window_closing.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/difference_panel.h"
#include "panels/data/data_filter.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/fork_popover.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/messages/message_drawer.h"
#include "panels/paper/paper_page.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"

namespace casp::gui {

MainWindow::MainWindow(SessionFile session)
    : first_session_(std::move(session)),
      actions_(new ActionList(this)),
      experiment_(new widgets::ExperimentModel(this)),
      selection_(new widgets::Selection(this)),
      library_(new widgets::FileRunLibrary(this)),
      queue_(new RunQueue(this)),
      launcher_(new Launcher(*experiment_, *queue_, *library_, *selection_, this)) {
    apply_style(*qApp);
    setObjectName("main-window");
    setWindowTitle(QStringLiteral("CASP Studio"));
    setAcceptDrops(true);
    // Not animated: Qt takes a quarter of a second for it.
    setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks |
                   QMainWindow::GroupedDragging);
    const int title = style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, this);
    QSize size(1480, 920);
    if (const auto* screen = QGuiApplication::primaryScreen(); screen != nullptr)
        size = size.boundedTo(screen->availableSize() - QSize(0, title));
    resize(size);

    make_panels();
    make_actions();
    make_toolbar();
    connect_runs();
    connect_launcher();
    connect_start_and_data();
    connect_experiment();
    connect_views();
    connect_paper();
    connect_runs_list();

    add_session_parts();
    restore_session();
    save_soon_after_changes();
    run_actions_->follow();
}

MainWindow::~MainWindow() {
    // Qt moves the focus elsewhere while it takes a window down.
    delete focus_;
    delete drops_;
    session_->end();
    // Pages hold references to library, selection and experiment, which are children of this window, too; the
    // actions hold references to pages.
    delete run_actions_;
    delete cluster_jobs_;
    delete lambda_;
    delete docks_;
    delete takeCentralWidget();
    delete queue_;
}

void MainWindow::make_panels() {
    centre_ = new QMainWindow(this);
    centre_->setWindowFlags(Qt::Widget);  // its constructor makes it a window
    centre_->setObjectName("centre");
    centre_->setDockOptions(dockOptions());
    centre_->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCentralWidget(centre_);

    docks_ = new Docks(*this, *centre_, pages(), {*library_, *selection_, *experiment_});
    start_ = docks_->page<StartPage>("start");
    data_ = docks_->page<widgets::DataPanel>("data");
    compare_ = docks_->page<widgets::ComparePanel>("compare");
    runs_ = docks_->page<widgets::RunsPanel>("runs");
    experiment_panel_ = docks_->page<widgets::ExperimentPanel>("experiment");
    difference_ = docks_->page<widgets::DifferencePanel>("difference");
    paper_ = docks_->page<widgets::PaperPage>("paper");
    sweep_ = docks_->page<widgets::SweepEditor>("sweep");
    queue_panel_ = docks_->page<widgets::QueuePanel>("queue");
    messages_ = docks_->page<widgets::MessageDrawer>("messages");
    fetch_ = docks_->page<FetchPanel>("fetch");
    help_ = docks_->page<HelpPanel>("help");
    lambda_ = new widgets::LambdaCovEdit(*experiment_);
    fork_ = new widgets::ForkPopover(this);
    const auto preview = make_preview_function();
    experiment_panel_->set_preview_function(preview);
    sweep_->set_preview_function(preview);
    focus_ = new DockFocus(*docks_, this);
    info_ = new InfoBar(statusBar());
    notices_ = std::make_unique<Notices>(*library_, *messages_, *info_);
    exports_ = new FileExports(*library_, *notices_, this);
    session_ = new SessionKeeper(first_session_, *notices_, this);
    recovery_ = new Recovery(*session_, *library_, *queue_, *launcher_, *notices_, this);
    closing_ = new WindowClosing(*session_, *queue_, *notices_, *this);
    opener_ = new FileOpener(
        {*session_, *launcher_, *library_, *selection_, *experiment_, *docks_, *notices_, *this});
    drops_ = new FileDrops(*this, [this](const QStringList& paths) { return opener_->drop_text(paths); });
    new EditKeys(this);
    connect(recovery_, &Recovery::resumed, this, [this] { show_dock("training"); });
    connect(docks_, &Docks::centre_filled, this, [this](bool on) {
        compare_->frame()->set_maximised(on);
        for (auto* frame : data_->frames()) frame->set_maximised(on);
    });
}

void MainWindow::make_toolbar() {
    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName("toolbar");
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [&](const char* id, const QString& text) {
        auto* action = actions_->find(id);
        action->setIconText(text);
        bar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        button->setAccessibleName(text);
        button->setFocusPolicy(Qt::TabFocus);
        return button;
    };
    add("file.open", tr("Open…"));
    bar->addSeparator();
    add("run.start", tr("▶ Run"));
    lambda_->setMaximumWidth(230);
    auto* knob = bar->addWidget(lambda_);
    add("run.lambda", tr("Run with this λ_cov"));
    const auto offer_lambda = [this, knob](bool used) {
        knob->setVisible(used);
        for (const auto* id : {"run.lambda", "run.go-to-lambda"}) actions_->find(id)->setVisible(used);
        experiment_panel_->run_with_lambda_button()->setVisible(used);
    };
    connect(lambda_, &widgets::LambdaCovEdit::used_changed, bar, offer_lambda);
    offer_lambda(lambda_->is_used());
    add("run.sweep", tr("Queue…"));
    bar->addSeparator();
    // As wide for either text, so that its neighbours do not move.
    auto* pause = add("run.pause", tr("▶ Resume"));
    const int wide = pause->sizeHint().width();
    auto* pause_action = actions_->find("run.pause");
    connect(pause_action, &QAction::changed, pause,
            [pause, pause_action] { pause->setAccessibleName(pause_action->iconText()); });
    pause_action->setIconText(tr("❚❚ Pause"));
    pause->setMinimumWidth(std::max(wide, pause->sizeHint().width()));
    add("run.cancel", tr("■ Cancel"));
    add("run.finish", tr("⚑ Finish early and evaluate"));
}

QDockWidget* MainWindow::dock(const QString& name) const { return docks_->dock(name); }

void MainWindow::show_dock(const QString& name) { docks_->show(name); }

void MainWindow::reset_layout() { docks_->reset_layout(focus_->last_dock()); }

void MainWindow::fill_with_centre(bool on) { docks_->fill_with_centre(on); }

bool MainWindow::focusNextPrevChild(bool next) { return DockFocus::focus_next(this, next); }

std::vector<figures::Figure> MainWindow::open_figures() const { return figure_actions_->open_figures(); }

void MainWindow::set_theme(Theme theme) {
    session_->state().theme = theme_name(theme);
    apply_theme(*qApp, theme);
    for (const auto* name : {"system", "light", "dark"})
        actions_->find(QStringLiteral("view.theme-") + name)->setChecked(session_->state().theme == name);
    session_->save_soon();
}

void MainWindow::set_output_folder(const QString& folder) { opener_->set_output_folder(folder); }

void MainWindow::open_paths(const QStringList& paths) { opener_->open(paths); }

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    drops_->take(*event->mimeData());
}

void MainWindow::say(const QString& text, bool is_error, const QString& run) {
    notices_->say(text, is_error, run);
}

bool MainWindow::save_session() { return session_->save(); }

void MainWindow::close_for_signal() { closing_->close_for_signal(); }

void MainWindow::set_program_of_other_windows(const QString& program, const QStringList& arguments) {
    recovery_->set_program(program, arguments);
}

void MainWindow::report_unexpected(const QString& problem) {
    if (notices_->report_unexpected(problem)) session_->keep_saving_soon();
}

void MainWindow::closeEvent(QCloseEvent* event) { closing_->handle(event); }

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && session_ != nullptr &&
        theme_from(session_->state().theme) == Theme::system)
        follow_system_palette(*qApp);
    if (event->type() != QEvent::Close) return QMainWindow::event(event);
    // Some fields are read when the keyboard leaves them: before the session is saved, not when the window
    // hides.
    const QPointer<QWidget> field = QApplication::focusWidget();
    if (field != nullptr) field->clearFocus();
    const bool handled = QMainWindow::event(event);
    if (field != nullptr && isVisible() && !event->isAccepted()) field->setFocus();
    return handled;
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) session_->save_soon();
}

}  // namespace casp::gui
