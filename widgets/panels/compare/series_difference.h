#pragma once
// Two runs on one collection compared over its series, in the background.

#include <array>
#include <memory>

#include <QObject>
#include <QPointer>
#include <QStringList>

#include "state/job.h"
#include "state/run_library.h"

namespace casp::widgets {

/// GUI thread.
class SeriesDifference : public QObject {
    Q_OBJECT
public:
    /// The library must outlive it.
    explicit SeriesDifference(RunLibrary& library, QObject* parent = nullptr);

    /// Compares the second of two finished runs on collections with the first; other lists have no text.
    void set_runs(const QStringList& folders);
    /// A line for sMAPE and one for MASE, then what they say; or why the runs are not compared. Empty: not
    /// two runs on collections.
    [[nodiscard]] const QString& text() const { return text_; }

Q_SIGNALS:
    void changed();

private:
    void read();
    void compare();
    void show_text(const QString& text);

    RunLibrary& library_;
    QStringList folders_;
    std::array<QPointer<RunData>, 2> runs_;
    std::array<std::shared_ptr<const store::SeriesScores>, 2> scores_;  ///< compared ones
    QString text_;
    Job<QString> job_;
};

}  // namespace casp::widgets
