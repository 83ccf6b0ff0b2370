// Actions on runs: actions, menus, clipboard.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QClipboard>
#include <QColorDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QMenu>

#include "figures/style.h"
#include "panels/runs/runs_columns.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/icons.h"
#include "run/preparation.h"
#include "state/embedding_set.h"
#include "words/amount_text.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

QString resume_help() {
    return RunsPanel::tr(
        "Resumes interrupted, cancelled or failed runs from their last checkpoint, and starts runs left in "
        "the "
        "queue by an earlier session");
}

constexpr qsizetype max_resumed =
    16;  ///< runs whose checkpoints are looked for; of more, each says so itself
constexpr int min_reported_moves = 32;  ///< number of runs; fewer are moved too quickly to report

QString stopping_text() { return RunsPanel::tr("Stopping…"); }

bool can_resume(const RunSummary& run, bool waits_here) {
    const auto state = state_of(run);
    // It may have been left in the queue by an earlier session.
    if (state == store::RunState::queued) return !run.live && !run.ours && !waits_here;
    return state == store::RunState::interrupted || state == store::RunState::cancelled ||
           state == store::RunState::failed;
}

QString discard_help() {
    return RunsPanel::tr("Moves the selected runs to the wastebasket; can be undone (Del)");
}

QString count_text(qsizetype count) {
    return count == 1 ? RunsPanel::tr("1 run") : RunsPanel::tr("%1 runs").arg(count);
}

/// "orange (#e69f00)": the nearest named colour.
QString colour_name(const QColor& colour) {
    static const std::vector<std::pair<const char*, QColor>> words{
        {QT_TRANSLATE_NOOP("core", "black"), {0, 0, 0}},
        {QT_TRANSLATE_NOOP("core", "grey"), {127, 127, 127}},
        {QT_TRANSLATE_NOOP("core", "orange"), {230, 159, 0}},
        {QT_TRANSLATE_NOOP("core", "sky blue"), {86, 180, 233}},
        {QT_TRANSLATE_NOOP("core", "green"), {0, 158, 115}},
        {QT_TRANSLATE_NOOP("core", "yellow"), {240, 228, 66}},
        {QT_TRANSLATE_NOOP("core", "blue"), {0, 114, 178}},
        {QT_TRANSLATE_NOOP("core", "vermilion"), {213, 94, 0}},
        {QT_TRANSLATE_NOOP("core", "purple"), {204, 121, 167}},
        {QT_TRANSLATE_NOOP("core", "indigo"), {51, 34, 136}},
        {QT_TRANSLATE_NOOP("core", "teal"), {68, 170, 153}},
        {QT_TRANSLATE_NOOP("core", "olive"), {153, 153, 51}},
        {QT_TRANSLATE_NOOP("core", "sand"), {221, 204, 119}},
        {QT_TRANSLATE_NOOP("core", "rose"), {204, 102, 119}},
        {QT_TRANSLATE_NOOP("core", "wine"), {136, 34, 85}}};
    const char* best = "";
    int least = 1 << 30;
    for (const auto& [word, at] : words) {
        const int r = colour.red() - at.red(), g = colour.green() - at.green(), b = colour.blue() - at.blue();
        if (const int d = r * r + g * g + b * b; d < least) {
            least = d;
            best = word;
        }
    }
    return QStringLiteral("%1 (%2)").arg(translated(best), colour.name());
}

/// The folder of the batch of which these are all runs, at least two; else empty.
QString batch_of_all(const QStringList& folders, const RunLibrary& library) {
    const auto batch = QFileInfo(folders.front()).path();
    const auto is_in_batch = [&](const QString& run) { return QFileInfo(run).path() == batch; };
    if (folders.size() < 2 || !std::all_of(folders.begin(), folders.end(), is_in_batch)) return {};
    qsizetype runs = 0;
    for (int i = 0; i < library.size(); ++i) runs += is_in_batch(library.at(i).folder) ? 1 : 0;
    return runs == folders.size() ? batch : QString();
}

}  // namespace

void RunsPanel::build_actions() {
    const auto add = [this](const char* name, const QString& text, const QKeySequence& key,
                            const QString& help, auto act) {
        auto* action = new QAction(text, this);
        action->setObjectName(QString::fromLatin1(name));
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(help);
        action->setStatusTip(help);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
        actions_list_ += action;
    };
    heading_ = new QAction(this);
    heading_->setSeparator(true);  // drawn as the heading of a section
    // The list handles Enter, Space and Del only while focused: in the filter they edit text.
    add("runs_open", tr("&Open"), QKeySequence(QStringLiteral("Ctrl+Alt+Return")),
        tr("Shows only this run (Enter)"), &RunsPanel::open_current);
    add("runs_toggle", tr("&Show or hide in the views"), QKeySequence(QStringLiteral("Ctrl+Shift+H")),
        tr("Shows the selected runs in all views, or hides them (Space)"), &RunsPanel::toggle_shown);
    add("runs_only", tr("Show onl&y these"), QKeySequence(QStringLiteral("Ctrl+Shift+Y")),
        tr("Shows the selected runs and hides all others"), [this] { selection_.set_runs(selected_runs()); });
    add("runs_compare", tr("&Compare"), QKeySequence(QStringLiteral("Ctrl+Shift+V")),
        tr("Shows the selected runs on the Compare page"),
        [this] { Q_EMIT compare_requested(selected_runs()); });
    add("runs_difference", tr("&Difference of settings"), QKeySequence(QStringLiteral("Ctrl+Shift+D")),
        tr("Shows the settings in which the selected runs differ, with their results"),
        [this] { Q_EMIT difference_requested(selected_runs()); });
    add("runs_note", tr("Edit &note"), QKeySequence(Qt::Key_F2), tr("Edits the note on this run"),
        &RunsPanel::edit_note);
    add("runs_colour", tr("Choose a colou&r"), QKeySequence(QStringLiteral("Shift+F2")),
        tr("Changes the run's colour in all views"), &RunsPanel::choose_colour);
    add("runs_resume", tr("Contin&ue"), QKeySequence(QStringLiteral("Ctrl+Shift+G")), resume_help(),
        [this] { Q_EMIT resume_requested(selected_runs()); });
    add("runs_fork", tr("&Fork with another λ_cov…"), QKeySequence(QStringLiteral("Ctrl+Shift+F")),
        tr("Starts a new run with another λ_cov from this run's checkpoint"),
        [this] { Q_EMIT fork_requested(selected_runs().front()); });
    add("runs_settings", tr("Lo&ad settings"), QKeySequence(QStringLiteral("Ctrl+Shift+I")),
        tr("Loads this run's settings into the experiment form"),
        [this] { Q_EMIT settings_requested(selected_runs().front()); });
    add("runs_copy_csv", tr("Copy rows as CS&V"), QKeySequence(QKeySequence::Copy),
        tr("Copies the selected rows (Ctrl+A: all) with all digits"), [this] { copy_rows(false); });
    add("runs_copy_markdown", tr("Copy rows as &Markdown"), QKeySequence(QStringLiteral("Ctrl+Shift+C")),
        tr("Copies the selected rows (Ctrl+A: all) as a table for notes"), [this] { copy_rows(true); });
    add("runs_folder", tr("Open in the file mana&ger"), QKeySequence(QStringLiteral("Ctrl+Shift+J")),
        tr("Shows the run's files in the file manager"),
        [this] { Q_EMIT folder_requested(selected_runs().front()); });
    add("runs_export", tr("E&xport as archive…"), QKeySequence(QStringLiteral("Ctrl+Shift+A")),
        tr("Writes the run folder, or the batch if all its runs are selected, into one archive file"),
        &RunsPanel::export_archive);
    add("runs_discard", tr("Move to the &wastebasket"), QKeySequence(QStringLiteral("Ctrl+Shift+Del")),
        discard_help(), [this] { discard(selected_runs()); });
    auto* discard_key = new QAction(this);
    discard_key->setShortcut(QKeySequence(Qt::Key_Delete));
    discard_key->setShortcutContext(Qt::WidgetShortcut);
    connect(discard_key, &QAction::triggered, this, [this] { discard(selected_runs()); });
    view_->addAction(discard_key);
    colour_menu_ = new QMenu(tr("Co&lour"), this);
    colour_menu_->setToolTip(tr("Changes the run's colour in all views"));
    fill_colour_menu();
}

void RunsPanel::update_actions() {
    const QStringList folders = selected_runs();
    const bool one = folders.size() == 1, some = !folders.isEmpty();
    selection_.highlight(folders);
    heading_->setText(one    ? action_title(library_, folders.front())
                      : some ? count_text(folders.size())
                             : tr("No run is highlighted"));
    bool resumable = some, forkable = false, deletable = some, leaves = false;
    for (const auto& folder : folders) {
        const int row = model_->row_of(folder);
        if (row < 0) continue;
        leaves = leaves || library_.is_leaving(folder);
        const auto& run = model_->run(row);
        resumable = resumable && can_resume(run, model_->is_queued(folder));
        // A model without coverage has no λ_cov to change.
        forkable = one && std::isfinite(run.row.lambda_cov) &&
                   (run.row.steps > 0 || store::is_complete(run.row.state));
        deletable = deletable && state_of(run) != store::RunState::running;
    }
    const auto enable = [this](const char* name, bool on) {
        if (auto* action = this->action(QString::fromLatin1(name))) action->setEnabled(on);
    };
    for (const char* name : {"runs_open", "runs_settings", "runs_folder"}) enable(name, one);
    enable("runs_note", one && !leaves);
    enable("runs_colour", some && !leaves);
    for (const char* name :
         {"runs_toggle", "runs_only", "runs_copy_csv", "runs_copy_markdown", "runs_export"})
        enable(name, some);
    for (const char* name : {"runs_compare", "runs_difference"}) enable(name, folders.size() > 1);
    const auto machine = library_.machine();
    offer_resume(resumable && !leaves && machine.isEmpty() ? folders : QStringList());
    enable("runs_fork", forkable && !leaves);
    enable("runs_discard", deletable && !leaves && machine.isEmpty());
    const auto explain = [this](const char* name, const QString& text) {
        auto* action = this->action(QString::fromLatin1(name));
        if (action == nullptr) return;
        action->setToolTip(text);
        action->setStatusTip(text);
    };
    explain("runs_discard", machine.isEmpty()
                                ? discard_help()
                                : tr("These runs are on %1. Move or remove them there.").arg(machine));
    if (!machine.isEmpty())
        explain("runs_resume",
                tr("These runs are on %1. Resume them there (caspstudio --batch … --resume), or "
                   "fork them.")
                    .arg(machine));
    if (colour_menu_ == nullptr) return;
    colour_menu_->setEnabled(some && !leaves);
    for (auto* colour : colour_menu_->actions()) colour->setEnabled(some && !leaves);
}

/// The tooltip reports a lost checkpoint in advance, instead of a message after pressing.
void RunsPanel::offer_resume(const QStringList& folders) {
    if (const auto looked = folders.size() <= max_resumed ? folders : QStringList(); looked != resumed_) {
        resumed_ = looked;
        resume_problem_.clear();
        look_for_checkpoints();
    }
    auto* resume = action(QStringLiteral("runs_resume"));
    if (resume == nullptr) return;
    const auto& problem = resume_problem_;
    resume->setEnabled(!folders.isEmpty() && problem.isEmpty());
    const auto paragraphs = [](const QString& text) {
        return text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("</p><p>"));
    };
    resume->setToolTip(problem.isEmpty() ? resume_help()
                                         : tr("<p>Cannot be continued. %1</p>").arg(paragraphs(problem)));
    resume->setStatusTip(problem.isEmpty()
                             ? resume_help()
                             : tr("Cannot be continued: %1").arg(problem.section(QLatin1Char('\n'), 0, 0)));
}

void RunsPanel::look_for_checkpoints() {
    resume_job_.cancel();
    if (resumed_.isEmpty()) return;
    resume_job_.start(
        [folders = resumed_](const JobContext& job) {
            QStringList problems;
            for (const auto& folder : folders)
                if (const auto why =
                        job.stop.stop_requested() ? Phrase() : run::why_not_resumable(folder.toStdString());
                    !why.empty())
                    problems << translated(why);
            return problems.join(QLatin1Char('\n'));
        },
        {.done = [this](const QString& problem) {
            if (std::exchange(resume_problem_, problem) != problem) update_actions();
        }});
}

void RunsPanel::show_menu(const QPoint& at) {
    look_for_checkpoints();
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    const auto add = [this, &menu](std::initializer_list<const char*> names) {
        for (const char* name : names) menu.addAction(action(QString::fromLatin1(name)));
    };
    menu.addAction(heading_);
    add({"runs_open", "runs_toggle", "runs_only"});
    menu.addSeparator();
    add({"runs_compare", "runs_difference"});
    menu.addSeparator();
    add({"runs_note"});
    menu.addMenu(colour_menu_);
    menu.addSeparator();
    add({"runs_resume", "runs_fork", "runs_settings"});
    menu.addSeparator();
    auto* copy = menu.addMenu(tr("Co&py"));
    for (const char* name : {"runs_copy_csv", "runs_copy_markdown"})
        copy->addAction(action(QString::fromLatin1(name)));
    add({"runs_folder", "runs_export"});
    menu.addSeparator();
    add({"runs_discard"});
    if (at.isNull()) {  // double click on a colour
        colour_menu_->exec(QCursor::pos());
        return;
    }
    menu.exec(view_->viewport()->mapToGlobal(at));
}

void RunsPanel::fill_columns_menu() {
    columns_menu_ = new QMenu(tr("Col&umns of the runs"), this);
    columns_menu_->setToolTipsVisible(true);
    columns_menu_->setToolTip(tr("Columns shown when the list of runs is wide enough"));
    for (const auto& info : runs_columns()) {
        if (info.column == RunsColumn::name) continue;
        auto* action = columns_menu_->addAction(info.title);
        action->setCheckable(true);
        action->setToolTip(info.help);
        const auto show = [this, action, column = info.column] {
            action->setChecked(is_column_visible(column));
            action->setVisible(is_offered(column));
        };
        connect(columns_menu_, &QMenu::aboutToShow, action, show);
        connect(action, &QAction::triggered, this, [this, column = info.column, show] {
            set_column_visible(column, !is_column_visible(column));
            show();
        });
    }
    columns_menu_->addSeparator();
    auto* usual = columns_menu_->addAction(tr("Default columns"));
    usual->setToolTip(tr("Restores the default columns, order and widths"));
    connect(usual, &QAction::triggered, this, [this] {
        auto* header = view_->horizontalHeader();
        order_columns();
        for (const auto& info : runs_columns()) {
            const int logical = static_cast<int>(info.column);
            view_->setColumnHidden(logical, false);
            header->resizeSection(logical, info.width);
            set_column_visible(info.column, info.by_default);
        }
    });
}

void RunsPanel::fill_sort_menu() {
    sort_menu_ = new QMenu(tr("Sor&t the runs by"), this);
    sort_menu_->setToolTipsVisible(true);
    sort_menu_->setToolTip(tr("Sort order of the list of runs"));
    const auto entry = [&](const QString& text, RunsColumn column, Qt::SortOrder order) {
        auto* action = sort_menu_->addAction(text);
        action->setCheckable(true);
        action->setToolTip(info_of(column).help);
        const auto show = [this, action, column, order] {
            action->setChecked(model_->sort_column() == column && model_->sort_order() == order);
        };
        connect(sort_menu_, &QMenu::aboutToShow, action, show);
        connect(action, &QAction::triggered, this, [this, column, order, show] {
            view_->horizontalHeader()->setSortIndicator(static_cast<int>(column), order);
            update_icons();
            show();
        });
    };
    entry(tr("Newest first"), RunsColumn::created, Qt::DescendingOrder);
    entry(tr("Last changed first"), RunsColumn::updated, Qt::DescendingOrder);
    entry(tr("Name"), RunsColumn::name, Qt::AscendingOrder);
    entry(tr("Experiment"), RunsColumn::batch, Qt::AscendingOrder);
    entry(tr("Model"), RunsColumn::model, Qt::AscendingOrder);
    entry(tr("State"), RunsColumn::state, Qt::AscendingOrder);
    entry(tr("Shown first"), RunsColumn::shown, Qt::AscendingOrder);
    entry(tr("λ_cov, smallest first"), result_column("lambda_cov"), Qt::AscendingOrder);
    entry(tr("Validation MSE, best first"), result_column("val_mse"), Qt::AscendingOrder);
    entry(tr("Best (★) first"), RunsColumn::best, Qt::AscendingOrder);
    entry(tr("Test MSE, best first"), result_column("test_mse"), Qt::AscendingOrder);
    entry(tr("Key cosine, lowest first"), result_column("key_cosine"), Qt::AscendingOrder);
    entry(tr("Entropy, highest first"), result_column("usage_entropy"), Qt::DescendingOrder);
}

void RunsPanel::fill_colour_menu() {
    const auto colours = figures::palette(figures::palette_names().value(0));
    for (std::size_t i = 0; i < colours.size() && i < 12; ++i) {
        auto* action = colour_menu_->addAction(swatch_icon(colours[i]), colour_name(colours[i]));
        connect(action, &QAction::triggered, this, [this, colour = colours[i]] { set_colour(colour); });
    }
    colour_menu_->addSeparator();
    auto* other = colour_menu_->addAction(tr("Other…"));
    connect(other, &QAction::triggered, this, [this] {
        auto* dialog = new QColorDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QColorDialog::colorSelected, this, &RunsPanel::set_colour);
        dialog->open();
    });
}

void RunsPanel::set_colour(const QColor& colour) {
    qsizetype refused = 0;
    for (const auto& folder : selected_runs()) refused += library_.set_colour(folder, colour) ? 0 : 1;
    // They may have been removed while the dialog was open.
    if (refused > 0)
        banner_->show_text(
            tr("%1 kept the previous colour: no longer in the list, or being moved to the wastebasket.")
                .arg(count_text(refused)),
            true);
}

void RunsPanel::copy_rows(bool markdown) {
    std::vector<const RunSummary*> runs;
    for (const auto& folder : selected_runs()) runs.push_back(&model_->run(model_->row_of(folder)));
    if (runs.empty()) return;
    const auto* header = view_->horizontalHeader();
    std::vector<RunsColumn> columns;
    for (int visual = 0; visual < header->count(); ++visual) {
        const int logical = header->logicalIndex(visual);
        const auto column = static_cast<RunsColumn>(logical);
        if (!hidden_.contains(logical) && is_offered(column)) columns.push_back(column);
    }
    QGuiApplication::clipboard()->setText(markdown ? runs_markdown(runs, columns) : runs_csv(runs, columns));
    banner_->show_text(
        tr("Copied %1 as %2.")
            .arg(count_text(static_cast<qsizetype>(runs.size())), markdown ? tr("Markdown") : tr("CSV")));
}

void RunsPanel::discard(const QStringList& folders) {
    if (folders.isEmpty()) return;
    for (const auto& folder : folders)
        if (model_->is_shown(folder)) were_shown_.insert(folder);
    library_.start_discard(folders);
}

/// No progress for a few runs: they are moved before it could be read.
void RunsPanel::show_moving(bool back, int done, int total) {
    if (done == 0) update_actions();
    // Waiting moves start with 0 while others are running.
    if (done == 0 && move_clock_.isValid()) return;
    if (!move_clock_.isValid()) {
        move_clock_.start();
        moved_before_ = done;
    }
    if (total < min_reported_moves || !library_.is_moving() || stopping_) return;
    QString text = (back ? tr("Restoring %1 of %2 runs") : tr("Moving %1 of %2 runs to the wastebasket"))
                       .arg(counted(done), counted(total));
    if (done > moved_before_) {
        const double seconds = static_cast<double>(move_clock_.elapsed()) / 1000 * (total - done) /
                               static_cast<double>(done - moved_before_);
        if (const auto left = time_left_text(seconds); !left.isEmpty()) text += QStringLiteral(", ") + left;
    }
    banner_->show_text(text, false, tr("Cancel"), [this] {
        stopping_ = true;
        banner_->show_text(stopping_text());
        library_.cancel_moves();
    });
}

void RunsPanel::end_moves(const RunMoves& moves) {
    move_clock_.invalidate();
    if (std::exchange(stopping_, false) && banner_->text() == stopping_text()) banner_->hide();
    update_actions();
    const auto before = [&](QSet<QString>& kept) {
        QStringList were;
        for (const auto& folder : moves.moved)
            if (kept.contains(folder)) were += folder;
        for (const auto& folder : moves.moved + moves.failed) kept.remove(folder);
        if (!library_.is_moving()) kept.clear();  // runs that were not processed
        return were;
    };
    if (moves.back) {
        if (const auto again = before(show_again_); !again.isEmpty()) model_->set_shown(again, true);
        return;  // the wastebasket reports the rest
    }
    const auto were_shown = before(were_shown_);
    QStringList lines;
    if (!moves.moved.isEmpty()) lines += count_text(moves.moved.size()) + tr(" moved to the wastebasket.");
    if (moves.left > 0) lines += tr("Cancelled: %1 remain in the list.").arg(count_text(moves.left));
    lines += some_problems(moves.problems);
    const bool warns = !moves.problems.isEmpty();
    if (moves.moved.isEmpty()) {
        if (!lines.isEmpty()) banner_->show_text(lines.join(QLatin1Char('\n')), warns);
        return;
    }
    model_->set_shown(moves.moved, false);
    // Another folder may have been opened meanwhile.
    if (moves.folder == library_.folder())
        banner_->show_text(lines.join(QLatin1Char('\n')), warns, tr("Undo"),
                           [this, gone = moves.moved, were_shown] { undo_discard(gone, were_shown); });
    else
        banner_->show_text(lines.join(QLatin1Char('\n')), warns);
    Q_EMIT discarded(moves.moved);
}

void RunsPanel::undo_discard(const QStringList& folders, const QStringList& were_shown) {
    for (const auto& folder : were_shown) show_again_.insert(folder);
    library_.start_restore(folders);
}

void RunsPanel::open_current() {
    const auto folders = selected_runs();
    const QModelIndex current = view_->currentIndex();
    if (current.isValid())
        Q_EMIT open_requested(model_->run(current.row()).folder);
    else if (!folders.isEmpty())
        Q_EMIT open_requested(folders.front());
}

void RunsPanel::toggle_shown() {
    const auto folders = selected_runs();
    bool any_hidden = false;
    for (const auto& folder : folders) any_hidden = any_hidden || !model_->is_shown(folder);
    if (!folders.isEmpty()) model_->set_shown(folders, any_hidden);
}

void RunsPanel::edit_note() {
    const auto folders = selected_runs();
    if (folders.isEmpty() || library_.is_leaving(folders.front())) return;
    const auto& folder = folders.front();
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Note"));
    dialog->setLabelText(tr("Note on %1, stored in its folder").arg(run_title(library_, folder)));
    dialog->setTextValue(model_->run(model_->row_of(folder)).note);
    dialog->findChild<QLineEdit*>()->setAccessibleName(tr("Note"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, folder](const QString& text) {
        if (library_.set_note(folder, text.simplified())) return;
        banner_->show_text(tr("The note on %1 cannot be saved: the run is no longer in the list, or is being "
                              "moved to the wastebasket. Your text: %2")
                               .arg(folder, text),
                           true);
    });
    dialog->show();
}

void RunsPanel::choose_colour() {
    const auto row = view_->visualRect(view_->currentIndex());
    colour_menu_->popup(view_->viewport()->mapToGlobal(row.bottomLeft()));
}

void RunsPanel::export_archive() {
    const auto folders = selected_runs();
    if (folders.isEmpty()) return;
    const auto batch = batch_of_all(folders, library_);
    Q_EMIT export_requested(batch.isEmpty() ? folders : QStringList{batch});
}

}  // namespace casp::widgets
