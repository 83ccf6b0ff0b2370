#pragma once
// All runs of one output folder (DIR/<name>/<run>/…): the list that the Runs panel shows, kept in step with
// the files.
//
// Reads only run.json of each run (a few kB), on a thread pool; notices runs that other processes start,
// change or remove. GUI thread.

#include <QObject>

#include "state/run_data.h"

namespace casp::widgets {

/// What became of runs that were to be moved. Those in neither list a stop came before: they are where they
/// were.
struct RunMoves {
    QString folder;        ///< the output folder
    bool back = false;     ///< out of the wastebasket
    QStringList moved;     ///< folders of the runs, as they were given
    QStringList failed;    ///< likewise
    QStringList problems;  ///< why those failed, a line each
    qsizetype left = 0;    ///< how many a stop came before
};

/// More than 25 methods: the interface to one folder: its runs, their marks, its wastebasket, and signals.
class RunLibrary : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual QString folder() const = 0;  ///< DIR; empty: none open
    /// For display: "login1: ~/runs" for a remote folder, and its whole address.
    [[nodiscard]] virtual QString folder_title() const { return folder(); }
    [[nodiscard]] virtual QString shown_folder() const { return folder(); }
    /// The machine of a remote folder, of which folder() is a copy; empty: this one.
    [[nodiscard]] virtual QString machine() const { return {}; }
    virtual void open(const QString& folder) = 0;  ///< reads it anew; added() and changed() follow
    virtual void refresh() = 0;                    ///< looks at the files now instead of in a moment
    /// Why the list is empty where that is not as it should be: the folder is gone. Empty: nothing is wrong.
    [[nodiscard]] virtual QString why_empty() const { return {}; }

    [[nodiscard]] virtual int size() const = 0;
    [[nodiscard]] virtual const RunSummary& at(int index) const = 0;  ///< in the order of arrival, stable
    [[nodiscard]] virtual int index_of(const QString& run_folder) const = 0;  ///< −1: not there
    /// The run's numbers, made on first request; null where there is no such run.
    [[nodiscard]] virtual RunData* data(const QString& run_folder) = 0;

    /// Whether this file of the run is here and current; if not (remote folders), it is being copied.
    [[nodiscard]] virtual bool provide(const QString& /*run_folder*/, const char* /*name*/) { return true; }

    /// Kept in the run's folder. False: there is no such run (any more), or it is leaving.
    virtual bool set_note(const QString& run_folder, const QString& note) = 0;
    virtual bool set_colour(const QString& run_folder, const QColor& colour) = 0;  ///< likewise
    /// Moves runs to DIR/.wastebasket, or back, in the background: rows leave the list as their runs are
    /// moved, and moves_ended() reports the outcome. Several calls are done one after another.
    virtual void start_discard(const QStringList& run_folders) = 0;
    virtual void start_restore(const QStringList& run_folders) = 0;
    [[nodiscard]] virtual QStringList discarded() const = 0;  ///< run folders as they were called
    /// Ends what was started after the run that moves now; the others stay where they are.
    virtual void cancel_moves() {}
    [[nodiscard]] virtual bool is_moving() const { return false; }
    /// Whether this one was started on its way to the wastebasket and has not come there: nothing must begin
    /// to write it.
    [[nodiscard]] virtual bool is_leaving(const QString& /*run_folder*/) const { return false; }
    virtual void empty_wastebasket() = 0;

Q_SIGNALS:
    void reset();                     ///< another folder, or everything was read anew
    void added(int first, int last);  ///< indices of at()
    void changed(int index);
    void removed(const QString& run_folder);  ///< its index is gone; those after it moved down
    void loading(int done, int total);
    void moving(bool back, int done, int total);  ///< runs to the wastebasket, or back
    void moves_ended(const casp::widgets::RunMoves& moves);
    void problem(const QString& text);
};

/// Runs with cases in the order in which they were created, which is that of their sweep: the first case is
/// the base of comparisons. Others as given.
[[nodiscard]] QStringList in_sweep_order(const RunLibrary& library, const QStringList& run_folders);

}  // namespace casp::widgets
