#pragma once
// Model of messages: notes, warnings and errors with time and run. GUI thread.

#include <deque>

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>

namespace casp::widgets {

enum class Severity { note, warning, error };

/// "note", "warning", "error" in the window's language.
[[nodiscard]] QString severity_word(Severity severity);

struct Message {
    QDateTime time;  ///< invalid: set when added
    Severity severity = Severity::note;
    QString run;      ///< folder; empty: no run
    QString name;     ///< display name of the run
    QString text;     ///< message text
    QString advice;   ///< what to do; may be empty
    int repeats = 1;  ///< consecutive equal messages of a run are merged
};

class MessageLog : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { time_column, severity_column, run_column, text_column, column_count };
    /// Maximum number of messages; the oldest are dropped.
    static constexpr std::size_t most = 5000;

    using QAbstractTableModel::QAbstractTableModel;

    void add(Message message);
    void clear();
    [[nodiscard]] const Message& at(int row) const { return messages_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int errors() const { return errors_; }
    [[nodiscard]] int warnings() const { return warnings_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// One line for the clipboard: time, severity, run, text, advice; tabs between.
    [[nodiscard]] QString line(int row) const;

Q_SIGNALS:
    void counts_changed();

private:
    void count(const Message& message, int by);
    std::deque<Message> messages_;  ///< oldest first
    int errors_ = 0, warnings_ = 0;
};

}  // namespace casp::widgets
