#pragma once
// The runs of an output folder, read from their files and fed by this process's own workers.

#include <deque>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include <QFileSystemWatcher>
#include <QSet>
#include <QTimer>

#include "state/background.h"
#include "state/file_run_data.h"
#include "state/run_library.h"
#include "store/run_scan.h"

namespace casp::widgets {

/// Looks at the files every two seconds (more seldom where that takes long) and when the system says that a
/// folder has changed. Colours are given when a run is seen for the first time and kept in its marks.json.
/// GUI thread.
class FileRunLibrary : public RunLibrary {
    Q_OBJECT
public:
    explicit FileRunLibrary(QObject* parent = nullptr);
    /// Waits until the user's notes and colours are written; of runs on their way to the wastebasket or back,
    /// until the one that moves now has come there.
    ~FileRunLibrary() override;

    [[nodiscard]] QString folder() const override { return folder_; }
    void open(const QString& folder) override;
    void refresh() override;
    [[nodiscard]] QString why_empty() const override { return gone_text_; }
    [[nodiscard]] int size() const override { return static_cast<int>(entries_.size()); }
    [[nodiscard]] const RunSummary& at(int index) const override;
    [[nodiscard]] int index_of(const QString& run_folder) const override;
    [[nodiscard]] RunData* data(const QString& run_folder) override;
    bool set_note(const QString& run_folder, const QString& note) override;
    bool set_colour(const QString& run_folder, const QColor& colour) override;
    QStringList discard(const QStringList& run_folders) override;
    [[nodiscard]] QStringList discarded() const override;
    QStringList restore(const QStringList& run_folders) override;
    void start_discard(const QStringList& run_folders) override;
    void start_restore(const QStringList& run_folders) override;
    void cancel_moves() override;
    [[nodiscard]] bool is_moving() const override { return moves_ > 0; }
    [[nodiscard]] bool is_leaving(const QString& run_folder) const override {
        return leaving_.contains(run_folder);
    }
    void empty_wastebasket() override;

public Q_SLOTS:
    // What the queue's signals tell, with the same arguments: connect run_added to live_added, run_started to
    // live_started, and so on. Runs of other folders are passed over.
    /// A run waits here: it is in the list at once.
    void live_added(const QString& run_folder);
    void live_progress(const QString& run_folder, const casp::Progress& progress);
    void live_started(const QString& run_folder, const casp::train::RunStarted& started);
    void live_steps(const QString& run_folder, const std::vector<casp::train::StepReport>& steps);
    void live_epoch(const QString& run_folder, const casp::train::EpochReport& epoch);
    void live_snapshot(const QString& run_folder,
                       const std::shared_ptr<const casp::train::AnchorSnapshot>& snapshot);
    void live_probe(const QString& run_folder, std::shared_ptr<const casp::train::Probe> probe);
    /// The queue has paused it or is about to stop it: "paused", "stopping"; empty where it goes on.
    void live_halted(const QString& run_folder, const QString& how);
    void live_finished(const QString& run_folder, const casp::store::ResultRow& row);
    void live_failed(const QString& run_folder, const QString& text);

Q_SIGNALS:
    /// The folder has been read once since open().
    void loaded();

private:
    static constexpr int scan_threads = 2;
    struct Entry;
    struct Scan;
    /// Marks on their way to the disk.
    struct Unwritten {
        quint64 write = 0;  ///< the last one
        store::RunMarks marks;
        bool note = false, colour = false;  ///< what of it the user has changed
        bool failed = false;                ///< it could not be written and is tried again
    };
    struct MarksWrite;
    /// What the user has changed.
    enum class Mark { note, colour, nothing };

    [[nodiscard]] Entry* find(const QString& run_folder) const;
    [[nodiscard]] bool is_here(const QString& run_folder) const;
    Entry& append(const QString& run_folder);
    FileRunData& data_of(Entry& entry);
    void let_go(Entry& entry);
    Entry* join_live(const QString& run_folder);
    void live_end(Entry& entry);

    void scan();
    void scan_ended(double seconds);
    /// Looks at single runs at once.
    void scan_runs(const QStringList& folders);
    [[nodiscard]] static Scan look(store::RunScanner& scanner, const ProgressFn& progress,
                                   const std::stop_token& stop);
    void take(const std::vector<store::ScannedRun>& found, quint64 number);
    /// Returns whether anything that is shown has changed.
    bool update(Entry& entry, const store::ScannedRun& run, quint64 number);
    /// `number`: of the look at the files that missed them.
    void remove(const QStringList& folders, quint64 number);
    void folder_gone(quint64 number);
    void folder_is_there(quint64 number);
    void cannot_read_folder(const QString& text);
    void number_entries();
    void look_at_open_runs();
    void watch();

    void set_task(Entry& entry);
    void mark_best();
    void touch(Entry& entry);
    void tell();

    [[nodiscard]] QStringList movable(const QStringList& run_folders, QStringList& problems) const;
    void take_moved(const QStringList& run_folders, bool back);
    void start_moves(const QStringList& run_folders, bool back, const QStringList& problems);

    void take_marks(Entry& entry, const store::RunMarks& marks);
    void give_colour(Entry& entry);
    [[nodiscard]] int next_free_colour();
    void save_colours();
    void write_marks(const std::vector<Entry*>& entries, Mark changed);
    void write_marks(std::vector<MarksWrite> writes, bool by_user, bool again);
    void marks_written(const std::vector<MarksWrite>& writes, bool again);
    void write_failed_marks();

    QString folder_;
    std::vector<std::unique_ptr<Entry>> entries_;
    mutable QHash<QString, int> indices_;  ///< rebuilt when it is empty and there are entries
    QSet<QString> batches_;                ///< folders above runs
    QHash<QString, int> tasks_;
    std::vector<Entry*> best_;             ///< by task
    std::set<int> taken_colours_;          ///< indices in the palette of runs
    std::deque<QString> unsaved_colours_;  ///< run folders
    int lowest_free_colour_ = 0;
    bool saving_colours_ = false;
    // By run folder, and not in the entries: these outlive a run's row (wastebasket and back, another folder
    // and back).
    QHash<QString, Unwritten> unwritten_marks_;
    /// Marks that reached the disk; looks up to this one may have seen older ones.
    struct WrittenMarks {
        quint64 look = 0;
        store::RunMarks marks;
    };
    QHash<QString, WrittenMarks> written_marks_;
    QHash<QString, quint64> moved_looks_;  ///< looks up to this one were before a move to or from the basket
    quint64 marks_written_ = 0;

    std::shared_ptr<WorkPool> readers_;
    std::unique_ptr<WorkPool> writer_;   ///< one thread: what is written twice ends as the later
    std::unique_ptr<WorkPool> cleaner_;  ///< fills and empties the wastebasket, which may take long
    std::stop_source move_stop_;
    QSet<QString> leaving_;  ///< given to start_discard(), until its end
    int moves_ = 0;          ///< of start_discard() and start_restore() that have not ended
    std::shared_ptr<DataTables> tables_;
    std::shared_ptr<SliceBudget> budget_;
    QString scan_problem_;  ///< told already
    QString gone_text_;     ///< the folder with its runs is gone; told already
    std::shared_ptr<store::RunScanner> scanner_;
    std::stop_source scan_stop_;
    bool scanning_ = false, scan_again_ = false, first_scan_ = false;
    quint64 generation_ = 0;  ///< of open()
    quint64 scans_ = 0;       ///< begun so far
    quint64 folder_seen_ =
        0;  ///< the newest look that found the folder; 0: none since open() or since it went
    QTimer tick_, soon_, teller_;
    QFileSystemWatcher watcher_;
    std::set<Entry*> touched_;
    std::unique_ptr<Inbox> inbox_;
};

}  // namespace casp::widgets
