#include "panels/runs/runs_removal.h"

#include <utility>

#include "panels/runs/runs_panel.h"
#include "state/embedding_set.h"
#include "words/amount_text.h"

namespace casp::widgets {

namespace {

constexpr int min_reported_moves = 32;  ///< number of runs; fewer are moved too quickly to report

QString stopping_text() { return RunsPanel::tr("Stopping…"); }

}  // namespace

RunsRemoval::RunsRemoval(RunLibrary& library, RunsModel& model, RunsWastebasket& wastebasket,
                         RunsBanner& banner, QObject* parent)
    : QObject(parent), library_(library), model_(model), banner_(banner) {
    connect(&library_, &RunLibrary::moving, this, &RunsRemoval::show_moving);
    connect(&library_, &RunLibrary::moves_ended, this, &RunsRemoval::end_moves);
    connect(&wastebasket, &RunsWastebasket::problem, this,
            [this](const QString& text) { banner_.show_text(text, true); });
    // Its offer to undo no longer applies.
    connect(&wastebasket, &RunsWastebasket::restored, &banner_, &QWidget::hide);
}

void RunsRemoval::discard(const QStringList& folders) {
    if (folders.isEmpty()) return;
    for (const auto& folder : folders)
        if (model_.is_shown(folder)) were_shown_.insert(folder);
    library_.start_discard(folders);
}

/// No progress for a few runs: they are moved before it could be read.
void RunsRemoval::show_moving(bool back, int done, int total) {
    // Waiting moves start with 0 while others are running.
    if (done == 0 && move_clock_.isValid()) return;
    if (!move_clock_.isValid()) {
        move_clock_.start();
        moved_before_ = done;
    }
    if (total < min_reported_moves || !library_.is_moving() || stopping_) return;
    QString text = (back ? RunsPanel::tr("Restoring %1 of %2 runs")
                         : RunsPanel::tr("Moving %1 of %2 runs to the wastebasket"))
                       .arg(counted(done), counted(total));
    if (done > moved_before_) {
        const double seconds = static_cast<double>(move_clock_.elapsed()) / 1000 * (total - done) /
                               static_cast<double>(done - moved_before_);
        if (const auto left = time_left_text(seconds); !left.isEmpty()) text += QStringLiteral(", ") + left;
    }
    banner_.show_text(text, false, RunsPanel::tr("Cancel"), [this] {
        stopping_ = true;
        banner_.show_text(stopping_text());
        library_.cancel_moves();
    });
}

void RunsRemoval::end_moves(const RunMoves& moves) {
    move_clock_.invalidate();
    if (std::exchange(stopping_, false) && banner_.text() == stopping_text()) banner_.hide();
    const auto before = [&](QSet<QString>& kept) {
        QStringList were;
        for (const auto& folder : moves.moved)
            if (kept.contains(folder)) were += folder;
        for (const auto& folder : moves.moved + moves.failed) kept.remove(folder);
        if (!library_.is_moving()) kept.clear();  // runs that were not processed
        return were;
    };
    if (moves.back) {
        if (const auto again = before(show_again_); !again.isEmpty()) model_.set_shown(again, true);
        return;  // the wastebasket reports the rest
    }
    const auto were_shown = before(were_shown_);
    QStringList lines;
    if (!moves.moved.isEmpty())
        lines += runs_text(moves.moved.size()) + RunsPanel::tr(" moved to the wastebasket.");
    if (moves.left > 0)
        lines += RunsPanel::tr("Cancelled: %1 remain in the list.").arg(runs_text(moves.left));
    lines += some_problems(moves.problems);
    const bool warns = !moves.problems.isEmpty();
    if (moves.moved.isEmpty()) {
        if (!lines.isEmpty()) banner_.show_text(lines.join(QLatin1Char('\n')), warns);
        return;
    }
    model_.set_shown(moves.moved, false);
    // Another folder may have been opened meanwhile.
    if (moves.folder == library_.folder())
        banner_.show_text(lines.join(QLatin1Char('\n')), warns, RunsPanel::tr("Undo"),
                          [this, gone = moves.moved, were_shown] { undo_discard(gone, were_shown); });
    else
        banner_.show_text(lines.join(QLatin1Char('\n')), warns);
    Q_EMIT discarded(moves.moved);
}

void RunsRemoval::undo_discard(const QStringList& folders, const QStringList& were_shown) {
    for (const auto& folder : were_shown) show_again_.insert(folder);
    library_.start_restore(folders);
}

}  // namespace casp::widgets
