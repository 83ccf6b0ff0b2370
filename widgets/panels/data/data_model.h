#pragma once
// The data files open in the window, and the threads that read them.
//
// Files are read on worker threads; tables and collections of series arrive as immutable shared values. A
// file keeps its last good content during another reading and after a failed one. GUI thread only.

#include <memory>
#include <vector>

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "data/catalog.h"
#include "data/file_bytes.h"
#include "data/series_collection.h"
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

/// One open file: a table, or a collection of series.
struct DataFile {
    QString path;                              ///< absolute; its identity. Of M4: the training file
    config::Config::DataCsv options;           ///< the user's corrections of a table; defaults: as detected
    std::shared_ptr<const data::Table> table;  ///< of the last successful reading; null before it
    std::shared_ptr<const data::SeriesCollection> collection;  ///< likewise; null: a table
    const data::CatalogEntry* entry = nullptr;                 ///< of `table`: the known data set; null: none
    bool is_series = false;              ///< a collection of series, as far as the current reading knows
    config::Config::DataCsv read_with;   ///< corrections used to read `table`
    DataProblem problem;                 ///< of the last reading
    bool busy = false;                   ///< a reading is in progress
    double share = 0;                    ///< progress of the reading, 0 … 1; negative: unknown
    double seconds_left = -1;            ///< negative: unknown
    std::vector<data::FileState> state;  ///< of the file when it was read; of M4: of both files
    bool outdated = false;               ///< `problem` says that the file was removed or changed since

    [[nodiscard]] QString name() const;  ///< of the file, without folders
    /// Whether a reading was successful: there is a table or a collection.
    [[nodiscard]] bool is_read() const { return table != nullptr || collection != nullptr; }
    /// Whether `table` was read with corrections. A run reads the file in this way with the same corrections
    /// in [data.csv].
    [[nodiscard]] bool is_corrected() const;
};

/// Training files in a folder of M4 (Train/NAME-train.csv), one per frequency; empty: another folder or a
/// file.
[[nodiscard]] QStringList training_files(const QString& folder);

class DataModel : public QObject {
    Q_OBJECT
public:
    explicit DataModel(QObject* parent = nullptr);
    ~DataModel() override;  ///< stops readings and waits for them (milliseconds)

    [[nodiscard]] int count() const { return static_cast<int>(files_.size()); }
    [[nodiscard]] const DataFile& at(int index) const;
    [[nodiscard]] int index_of(const QString& path) const;  ///< −1: not open

    /// Starts reading files; an open file is read again with its corrections. A folder of M4 opens its
    /// training_files(). Returns the index of the last file, −1 for an empty list.
    int open(const QStringList& paths);
    /// Corrections for the next time this file is opened (of a restored session or of the experiment).
    void expect(const QString& path, const config::Config::DataCsv& options);
    /// Those of files that have not been opened since.
    [[nodiscard]] const QHash<QString, config::Config::DataCsv>& expected() const { return expected_; }
    /// Reads the file again with other corrections.
    void correct(int index, const config::Config::DataCsv& options);
    void retry(int index);  ///< reads the file again with the same corrections
    /// Whether the file on disk is still the one that was read, by size and modification time. If not, its
    /// problem says so. True also for a file that was never read.
    bool look_again(int index);
    /// Stops reading. A file that was read before keeps its content and corrections; another one is closed.
    void cancel(int index);
    /// Clears the problem of a failed reading and returns to the corrections of the last successful one.
    void forget_problem(int index);
    void close(int index);

Q_SIGNALS:
    void added(int index);
    void changed(int index);     ///< content, problem or busy
    void progressed(int index);  ///< share, seconds_left
    void removed(int index);     ///< the indices after it decreased by one
    void cancelled(const QString& path);

private:
    struct Entry;
    struct Outcome {
        std::shared_ptr<const data::Table> table;
        std::shared_ptr<const data::SeriesCollection> collection;
        std::vector<data::FileState> state;
        const data::CatalogEntry* entry = nullptr;
    };
    int open_file(const QString& path);
    void start(Entry& entry);
    void note_kind(Entry& entry, bool is_series);
    void finish(Entry& entry, Outcome outcome);
    void report(Entry& entry, const Progress& progress);
    void release(std::shared_ptr<const void> content);

    std::vector<std::unique_ptr<Entry>> files_;
    QHash<QString, config::Config::DataCsv> expected_;
    WorkPool pool_;
    Job<Outcome> job_;  ///< a request per file that is being read
};

}  // namespace casp::widgets
