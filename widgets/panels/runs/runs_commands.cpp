#include "panels/runs/runs_commands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QClipboard>
#include <QColorDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>

#include "figures/style.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/icons.h"
#include "run/preparation.h"
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

RunsCommands::RunsCommands(const Parts& parts) : QObject(&parts.panel), p_(parts) {
    build_actions();
    connect(&p_.table, &QWidget::customContextMenuRequested, this, &RunsCommands::show_menu);
    connect(&p_.table, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        const auto column = static_cast<RunsColumn>(index.column());
        if (column == RunsColumn::note)
            edit_note();
        else if (column == RunsColumn::colour && !p_.table.is_compact())
            show_menu(QPoint());
        else if (column != RunsColumn::shown)
            open_selected();
    });
    connect(&p_.table, &RunsTable::open_requested, this, &RunsCommands::open_selected);
    connect(&p_.table, &RunsTable::toggle_requested, this, &RunsCommands::toggle_shown);
    connect(p_.table.selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsCommands::update);
    connect(&p_.model, &QAbstractItemModel::dataChanged, this, &RunsCommands::update);
    connect(&p_.library, &RunLibrary::moving, this, [this](bool, int done) {
        if (done == 0) update();
    });
    connect(&p_.library, &RunLibrary::moves_ended, this, &RunsCommands::update);
}

void RunsCommands::build_actions() {
    const auto add = [this](const char* name, const QString& text, const auto& key, const QString& help,
                            auto act) {
        auto* action = new QAction(text, &p_.panel);
        action->setObjectName(QString::fromLatin1(name));
        action->setShortcut(QKeySequence(key));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(help);
        action->setStatusTip(help);
        connect(action, &QAction::triggered, this, act);
        p_.panel.addAction(action);
        actions_ += action;
    };
    heading_ = new QAction(&p_.panel);
    heading_->setSeparator(true);  // drawn as the heading of a section
    // The list handles Enter, Space and Del only while focused: in the filter they edit text.
    add("runs_open", RunsPanel::tr("&Open"), "Ctrl+Alt+Return", RunsPanel::tr("Shows only this run (Enter)"),
        &RunsCommands::open_selected);
    add("runs_toggle", RunsPanel::tr("&Show or hide in the views"), "Ctrl+Shift+H",
        RunsPanel::tr("Shows the selected runs in all views, or hides them (Space)"),
        &RunsCommands::toggle_shown);
    add("runs_only", RunsPanel::tr("Show onl&y these"), "Ctrl+Shift+Y",
        RunsPanel::tr("Shows the selected runs and hides all others"),
        [this] { p_.selection.set_runs(p_.table.selected_runs()); });
    add("runs_compare", RunsPanel::tr("&Compare"), "Ctrl+Shift+V",
        RunsPanel::tr("Shows the selected runs on the Compare page"),
        [this] { Q_EMIT compare_requested(p_.table.selected_runs()); });
    add("runs_difference", RunsPanel::tr("&Difference of settings"), "Ctrl+Shift+D",
        RunsPanel::tr("Shows the settings in which the selected runs differ, with their results"),
        [this] { Q_EMIT difference_requested(p_.table.selected_runs()); });
    add("runs_note", RunsPanel::tr("Edit &note"), Qt::Key_F2, RunsPanel::tr("Edits the note on this run"),
        &RunsCommands::edit_note);
    add("runs_colour", RunsPanel::tr("Choose a colou&r"), "Shift+F2",
        RunsPanel::tr("Changes the run's colour in all views"), &RunsCommands::choose_colour);
    add("runs_resume", RunsPanel::tr("Contin&ue"), "Ctrl+Shift+G", resume_help(),
        [this] { Q_EMIT resume_requested(p_.table.selected_runs()); });
    add("runs_fork", RunsPanel::tr("&Fork with another λ_cov…"), "Ctrl+Shift+F",
        RunsPanel::tr("Starts a new run with another λ_cov from this run's checkpoint"),
        [this] { Q_EMIT fork_requested(p_.table.selected_runs().front()); });
    add("runs_settings", RunsPanel::tr("Lo&ad settings"), "Ctrl+Shift+I",
        RunsPanel::tr("Loads this run's settings into the experiment form"),
        [this] { Q_EMIT settings_requested(p_.table.selected_runs().front()); });
    add("runs_copy_csv", RunsPanel::tr("Copy rows as CS&V"), QKeySequence::Copy,
        RunsPanel::tr("Copies the selected rows (Ctrl+A: all) with all digits"),
        [this] { copy_rows(false); });
    add("runs_copy_markdown", RunsPanel::tr("Copy rows as &Markdown"), "Ctrl+Shift+C",
        RunsPanel::tr("Copies the selected rows (Ctrl+A: all) as a table for notes"),
        [this] { copy_rows(true); });
    add("runs_folder", RunsPanel::tr("Open in the file mana&ger"), "Ctrl+Shift+J",
        RunsPanel::tr("Shows the run's files in the file manager"),
        [this] { Q_EMIT folder_requested(p_.table.selected_runs().front()); });
    add("runs_export", RunsPanel::tr("E&xport as archive…"), "Ctrl+Shift+A",
        RunsPanel::tr(
            "Writes the run folder, or the batch if all its runs are selected, into one archive file"),
        &RunsCommands::export_archive);
    add("runs_discard", RunsPanel::tr("Move to the &wastebasket"), "Ctrl+Shift+Del", discard_help(),
        [this] { p_.removal.discard(p_.table.selected_runs()); });
    auto* discard_key = new QAction(&p_.panel);
    discard_key->setShortcut(QKeySequence(Qt::Key_Delete));
    discard_key->setShortcutContext(Qt::WidgetShortcut);
    connect(discard_key, &QAction::triggered, this, [this] { p_.removal.discard(p_.table.selected_runs()); });
    p_.table.addAction(discard_key);
    colour_menu_ = new QMenu(RunsPanel::tr("Co&lour"), &p_.panel);
    colour_menu_->setToolTip(RunsPanel::tr("Changes the run's colour in all views"));
    fill_colour_menu();
}

void RunsCommands::update() {
    const QStringList folders = p_.table.selected_runs();
    const bool one = folders.size() == 1, some = !folders.isEmpty();
    p_.selection.highlight(folders);
    heading_->setText(one    ? action_title(p_.library, folders.front())
                      : some ? runs_text(folders.size())
                             : RunsPanel::tr("No run is highlighted"));
    bool resumable = some, forkable = false, deletable = some, leaves = false;
    for (const auto& folder : folders) {
        const int row = p_.model.row_of(folder);
        if (row < 0) continue;
        leaves = leaves || p_.library.is_leaving(folder);
        const auto& run = p_.model.run(row);
        resumable = resumable && can_resume(run, p_.model.is_queued(folder));
        // A model without coverage has no λ_cov to change.
        forkable = one && std::isfinite(run.row.lambda_cov) &&
                   (run.row.steps > 0 || store::is_complete(run.row.state));
        deletable = deletable && state_of(run) != store::RunState::running;
    }
    const auto enable = [this](const char* name, bool on) { action(name)->setEnabled(on); };
    for (const char* name : {"runs_open", "runs_settings", "runs_folder"}) enable(name, one);
    enable("runs_note", one && !leaves);
    enable("runs_colour", some && !leaves);
    for (const char* name :
         {"runs_toggle", "runs_only", "runs_copy_csv", "runs_copy_markdown", "runs_export"})
        enable(name, some);
    for (const char* name : {"runs_compare", "runs_difference"}) enable(name, folders.size() > 1);
    const auto machine = p_.library.machine();
    offer_resume(resumable && !leaves && machine.isEmpty() ? folders : QStringList());
    enable("runs_fork", forkable && !leaves);
    enable("runs_discard", deletable && !leaves && machine.isEmpty());
    const auto explain = [this](const char* name, const QString& text) {
        action(name)->setToolTip(text);
        action(name)->setStatusTip(text);
    };
    explain("runs_discard",
            machine.isEmpty()
                ? discard_help()
                : RunsPanel::tr("These runs are on %1. Move or remove them there.").arg(machine));
    if (!machine.isEmpty())
        explain("runs_resume",
                RunsPanel::tr("These runs are on %1. Resume them there (caspstudio --batch … --resume), or "
                              "fork them.")
                    .arg(machine));
    colour_menu_->setEnabled(some && !leaves);
    for (auto* colour : colour_menu_->actions()) colour->setEnabled(some && !leaves);
}

/// The tooltip reports a lost checkpoint in advance, instead of a message after pressing.
void RunsCommands::offer_resume(const QStringList& folders) {
    if (const auto looked = folders.size() <= max_resumed ? folders : QStringList(); looked != resumed_) {
        resumed_ = looked;
        resume_problem_.clear();
        look_for_checkpoints();
    }
    auto* resume = action(QStringLiteral("runs_resume"));
    const auto& problem = resume_problem_;
    resume->setEnabled(!folders.isEmpty() && problem.isEmpty());
    const auto paragraphs = [](const QString& text) {
        return text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("</p><p>"));
    };
    resume->setToolTip(problem.isEmpty()
                           ? resume_help()
                           : RunsPanel::tr("<p>Cannot be continued. %1</p>").arg(paragraphs(problem)));
    resume->setStatusTip(
        problem.isEmpty()
            ? resume_help()
            : RunsPanel::tr("Cannot be continued: %1").arg(problem.section(QLatin1Char('\n'), 0, 0)));
}

void RunsCommands::look_for_checkpoints() {
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
            if (std::exchange(resume_problem_, problem) != problem) update();
        }});
}

void RunsCommands::show_menu(const QPoint& at) {
    look_for_checkpoints();
    QMenu menu(&p_.panel);
    menu.setToolTipsVisible(true);
    const auto add = [this, &menu](std::initializer_list<const char*> names) {
        for (const char* name : names) menu.addAction(action(name));
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
    auto* copy = menu.addMenu(RunsPanel::tr("Co&py"));
    for (const char* name : {"runs_copy_csv", "runs_copy_markdown"}) copy->addAction(action(name));
    add({"runs_folder", "runs_export"});
    menu.addSeparator();
    add({"runs_discard"});
    if (at.isNull())  // double click on a colour
        colour_menu_->exec(QCursor::pos());
    else
        menu.exec(p_.table.viewport()->mapToGlobal(at));
}

void RunsCommands::fill_colour_menu() {
    const auto colours = figures::palette(figures::palette_names().value(0));
    for (std::size_t i = 0; i < colours.size() && i < 12; ++i) {
        auto* action = colour_menu_->addAction(swatch_icon(colours[i]), colour_name(colours[i]));
        connect(action, &QAction::triggered, this,
                [this, colour = colours[i]] { set_colour(p_.table.selected_runs(), colour); });
    }
    colour_menu_->addSeparator();
    auto* other = colour_menu_->addAction(RunsPanel::tr("Other…"));
    connect(other, &QAction::triggered, this, [this] {
        auto* dialog = new QColorDialog(&p_.panel);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        // Others may be selected when it is closed.
        connect(dialog, &QColorDialog::colorSelected, this,
                [this, folders = p_.table.selected_runs()](const QColor& colour) {
                    set_colour(folders, colour);
                });
        dialog->open();
    });
}

void RunsCommands::set_colour(const QStringList& folders, const QColor& colour) {
    qsizetype refused = 0;
    for (const auto& folder : folders) refused += p_.library.set_colour(folder, colour) ? 0 : 1;
    // They may have been removed while the dialog was open.
    if (refused > 0)
        p_.banner.show_text(
            RunsPanel::tr(
                "%1 kept the previous colour: no longer in the list, or being moved to the wastebasket.")
                .arg(runs_text(refused)),
            true);
}

void RunsCommands::copy_rows(bool markdown) {
    std::vector<const RunSummary*> runs;
    for (const auto& folder : p_.table.selected_runs())
        runs.push_back(&p_.model.run(p_.model.row_of(folder)));
    if (runs.empty()) return;
    const auto columns = p_.table.chosen_columns();
    QGuiApplication::clipboard()->setText(markdown ? runs_markdown(runs, columns) : runs_csv(runs, columns));
    p_.banner.show_text(RunsPanel::tr("Copied %1 as %2.")
                            .arg(runs_text(static_cast<qsizetype>(runs.size())),
                                 markdown ? RunsPanel::tr("Markdown") : RunsPanel::tr("CSV")));
}

void RunsCommands::open_selected() {
    // Not the current row: that is a neighbour once its run has gone.
    if (const auto folders = p_.table.selected_runs(); folders.size() == 1)
        Q_EMIT open_requested(folders.front());
}

void RunsCommands::toggle_shown() {
    const auto folders = p_.table.selected_runs();
    bool any_hidden = false;
    for (const auto& folder : folders) any_hidden = any_hidden || !p_.model.is_shown(folder);
    if (!folders.isEmpty()) p_.model.set_shown(folders, any_hidden);
}

void RunsCommands::edit_note() {
    const auto folders = p_.table.selected_runs();
    if (folders.isEmpty() || p_.library.is_leaving(folders.front())) return;
    const auto& folder = folders.front();
    auto* dialog = new QInputDialog(&p_.panel);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(RunsPanel::tr("Note"));
    dialog->setLabelText(
        RunsPanel::tr("Note on %1, stored in its folder").arg(run_title(p_.library, folder)));
    dialog->setTextValue(p_.model.run(p_.model.row_of(folder)).note);
    dialog->findChild<QLineEdit*>()->setAccessibleName(RunsPanel::tr("Note"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, folder](const QString& text) {
        if (p_.library.set_note(folder, text.simplified())) return;
        p_.banner.show_text(
            RunsPanel::tr("The note on %1 cannot be saved: the run is no longer in the list, or is being "
                          "moved to the wastebasket. Your text: %2")
                .arg(folder, text),
            true);
    });
    dialog->show();
}

void RunsCommands::choose_colour() {
    const auto row = p_.table.visualRect(p_.table.currentIndex());
    colour_menu_->popup(p_.table.viewport()->mapToGlobal(row.bottomLeft()));
}

void RunsCommands::export_archive() {
    const auto folders = p_.table.selected_runs();
    if (folders.isEmpty()) return;
    const auto batch = batch_of_all(folders, p_.library);
    Q_EMIT export_requested(batch.isEmpty() ? folders : QStringList{batch});
}

}  // namespace casp::widgets
