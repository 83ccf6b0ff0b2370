#pragma once
// The data files open in the window, and the threads that read them.
//
// Files are read on worker threads; tables arrive as immutable shared values. A file keeps its last good
// table during another reading and after a failed one. GUI thread only.

#include <cstdint>
#include <memory>
#include <vector>

#include <QDateTime>
#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include "data/csv_import.h"
#include "data/table.h"
#include "state/job.h"
#include "util/error.h"

namespace casp::widgets {

/// A problem and its remedy: the parts of casp::Error as text.
struct DataProblem {
    QString where;     ///< file, line, or setting
    QString found;     ///< empty: no problem
    QString expected;  ///< may be empty
    QString advice;    ///< may be empty

    [[nodiscard]] bool is_set() const { return !found.isEmpty(); }
    /// "where: found; expected … advice", for logs and screen readers.
    [[nodiscard]] QString text() const;
    [[nodiscard]] static DataProblem of(const std::exception& error);
};

/// One open file.
struct DataFile {
    QString path;                              ///< absolute; its identity
    data::CsvOptions options;                  ///< the user's corrections; defaults: as detected
    std::shared_ptr<const data::Table> table;  ///< of the last successful reading; null before it
    data::CsvOptions read_with;                ///< corrections used to read `table`
    DataProblem problem;                       ///< of the last reading
    bool busy = false;                         ///< a reading is in progress
    double share = 0;                          ///< progress of the reading, 0 … 1; negative: unknown
    double seconds_left = -1;                  ///< negative: unknown
    qint64 size = -1;                          ///< of the file when `table` was read
    QDateTime modified;                        ///< modification time, likewise
    bool outdated = false;                     ///< `problem` says that the file was removed or changed since

    [[nodiscard]] QString name() const;  ///< of the file, without folders
    /// Whether `table` was read with corrections. A run reads the file in this way with the same corrections
    /// in [data.csv].
    [[nodiscard]] bool is_corrected() const;
};

/// Whether two sets of options read a file in the same way.
[[nodiscard]] bool same_reading(const data::CsvOptions& a, const data::CsvOptions& b);

class DataModel : public QObject {
    Q_OBJECT
public:
    explicit DataModel(QObject* parent = nullptr);
    ~DataModel() override;  ///< stops readings and waits for them (milliseconds)

    [[nodiscard]] int count() const { return static_cast<int>(files_.size()); }
    [[nodiscard]] const DataFile& at(int index) const;
    [[nodiscard]] int index_of(const QString& path) const;  ///< −1: not open

    /// Starts reading files; an open file is read again with its corrections. Returns the index of the last
    /// file, −1 for an empty list.
    int open(const QStringList& paths);
    /// Corrections for the next time this file is opened (of a restored session or of the experiment).
    void expect(const QString& path, const data::CsvOptions& options);
    /// Those of files that have not been opened since.
    [[nodiscard]] const QHash<QString, data::CsvOptions>& expected() const { return expected_; }
    /// Reads the file again with other corrections.
    void correct(int index, const data::CsvOptions& options);
    void retry(int index);  ///< reads the file again with the same corrections
    /// Whether the file on disk is still the one that was read, by size and modification time. If not, its
    /// problem says so. True also without a table to compare with.
    bool look_again(int index);
    /// Stops reading. A file with a table keeps the table and its corrections; a file without one is closed.
    void cancel(int index);
    /// Clears the problem of a failed reading and returns to the corrections of the table.
    void forget_problem(int index);
    void close(int index);

Q_SIGNALS:
    void added(int index);
    void changed(int index);     ///< table, problem or busy
    void progressed(int index);  ///< share, seconds_left
    void removed(int index);     ///< the indices after it decreased by one
    void cancelled(const QString& path);

private:
    struct Entry;
    struct Outcome {
        std::shared_ptr<const data::Table> table;
        qint64 size = -1;
        QDateTime modified;
    };
    void start(Entry& entry);
    void finish(Entry& entry, Outcome outcome);
    void report(Entry& entry, const Progress& progress);
    void release(std::shared_ptr<const data::Table> table);

    std::vector<std::unique_ptr<Entry>> files_;
    QHash<QString, data::CsvOptions> expected_;
    WorkPool pool_;
    Job<Outcome> job_;  ///< a request per file that is being read
};

}  // namespace casp::widgets
