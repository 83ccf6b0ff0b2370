#pragma once
// The CSV files that are open in the window, and the threads that read them.
//
// Files are read on threads of its own; tables arrive as immutable shared values. A file keeps its last
// good table while it is read again or when that fails. GUI thread only.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include <QDateTime>
#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include "data/csv_import.h"
#include "data/table.h"
#include "state/background.h"
#include "util/error.h"

namespace casp::widgets {

/// What is wrong and how to repair it: the parts of casp::Error as text.
struct DataProblem {
    QString where;     ///< file, line, or setting
    QString found;     ///< empty: there is no problem
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
    data::CsvOptions options;                  ///< corrections that the user asked for; defaults: as detected
    std::shared_ptr<const data::Table> table;  ///< last good reading; null until then
    data::CsvOptions read_with;                ///< the corrections `table` was read with
    DataProblem problem;                       ///< of the last reading
    bool busy = false;                         ///< it is being read now
    double share = 0;                          ///< 0 … 1 of that, negative: not known yet
    double seconds_left = -1;                  ///< negative: not known yet
    qint64 size = -1;                          ///< of the file when `table` was read
    QDateTime modified;                        ///< likewise
    bool outdated = false;                     ///< `problem` says that the file is gone or another since then

    [[nodiscard]] QString name() const;  ///< of the file, without folders
    /// True where `table` was read with corrections, so that a run (which reads by content) would read the
    /// file otherwise.
    [[nodiscard]] bool is_corrected() const;
};

/// True where two ways to read a file are the same.
[[nodiscard]] bool same_reading(const data::CsvOptions& a, const data::CsvOptions& b);

class DataModel : public QObject {
    Q_OBJECT
public:
    explicit DataModel(QObject* parent = nullptr);
    ~DataModel() override;  ///< stops what is being read and waits for it (milliseconds)

    [[nodiscard]] int count() const { return static_cast<int>(files_.size()); }
    [[nodiscard]] const DataFile& at(int index) const;
    [[nodiscard]] int index_of(const QString& path) const;  ///< −1: not open

    /// Begins to read files; one that is open already is read again as it was corrected. Returns the index of
    /// the last; −1 for an empty list.
    int open(const QStringList& paths);
    /// Corrections with which these files are read when they are opened next (a session that comes back).
    void expect(const QString& path, const data::CsvOptions& options);
    /// Those that were not opened since.
    [[nodiscard]] const QHash<QString, data::CsvOptions>& expected() const { return expected_; }
    /// Reads it again with other corrections.
    void correct(int index, const data::CsvOptions& options);
    void retry(int index);  ///< reads it again as it is set
    /// Whether the file on the disk is still the one that was read, by size and time; else its problem says
    /// what has become of it. True also where there is nothing to compare.
    bool look_again(int index);
    /// Stops reading. A file with a table keeps it, and its corrections; one without is closed.
    void cancel(int index);
    /// After a failure: forgets it and goes back to the corrections of the table.
    void forget_problem(int index);
    void close(int index);

Q_SIGNALS:
    void added(int index);
    void changed(int index);     ///< table, problem or busy
    void progressed(int index);  ///< share, seconds_left
    void removed(int index);     ///< those after it moved down
    void cancelled(const QString& path);

private:
    struct Entry;
    struct Outcome;
    void start(Entry& entry);
    void finish(std::int64_t number, Outcome outcome);
    void report(std::int64_t number, double share);
    [[nodiscard]] int index_of_import(std::int64_t number) const;
    void release(std::shared_ptr<const data::Table> table);

    std::vector<std::unique_ptr<Entry>> files_;
    QHash<QString, data::CsvOptions> expected_;
    std::int64_t last_number_ = 0;
    Inbox inbox_;
    WorkPool pool_;
};

}  // namespace casp::widgets
