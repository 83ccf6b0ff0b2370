#pragma once
// What goes wrong with the disk under the monkey, and is put right again: one fault at a time.

#include <functional>

#include <QString>
#include <QStringList>

#include "monkey_base.h"

namespace casp::monkey {

/// Root may write everywhere; without this right folders that may not be written are so for root as well.
/// For the whole process, when called before any other thread is there.
void obey_permissions();

class Faults {
public:
    /// `place`: a folder of its own, in which the session's file and `data_file` lie.
    Faults(const QString& place, const QString& data_file, Choices& choices);

    /// One that has begun.
    struct Begun {
        QString what;      ///< for the journal; begins with "skipped" where this machine does not permit it
        QStringList drop;  ///< to be dropped on the window now
    };
    /// Begins a random one. `output`: the folder of runs that is open now.
    [[nodiscard]] Begun begin(const QString& output);
    /// Puts right what begin() did; afterwards none is going on.
    void end();
    [[nodiscard]] bool is_on() const { return undo_ != nullptr; }
    /// The session's folder may not be written now: a window that goes leaves its lock there, which a process
    /// that ends could not be said to hold any more, but this one can.
    [[nodiscard]] bool keeps_locks() const { return keeps_locks_; }

private:
    using Kind = Begun (Faults::*)(const QString& output);
    Begun bad_files(const QString& output);
    Begun folder_away(const QString& output);
    Begun folder_removed(const QString& output);
    Begun read_only(const QString& output);
    Begun full_disk(const QString& output);
    Begun foreign_run(const QString& output);
    Begun damaged_run(const QString& output);
    Begun data_file_changes(const QString& output);

    /// The folder of runs, one of its experiments or a single run; "" where there is none.
    [[nodiscard]] QString any_folder(const QString& output);
    [[nodiscard]] QString aside(const QString& path);
    void bring_back(const QString& aside, const QString& path);

    QString place_, data_file_;
    Choices& choices_;
    QStringList bad_files_;
    std::function<void()> undo_;
    bool keeps_locks_ = false;
    int count_ = 0;  ///< for names
};

}  // namespace casp::monkey
