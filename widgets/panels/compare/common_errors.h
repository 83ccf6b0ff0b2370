#pragma once
// Errors of compared runs over the test windows that all have, where imported forecasts lack some.

#include <vector>

#include <QHash>
#include <QObject>
#include <QStringList>

#include "evidence/common_windows.h"
#include "figures/comparison.h"
#include "state/job.h"

namespace casp::widgets {

/// Reads the files of runs in the background, only if one of them is imported. GUI thread.
class CommonErrors : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Replaces the test errors of the runs by those over common windows, as far as they are read, and reads
    /// the others.
    void apply(std::vector<figures::CompareRun>& runs);
    /// A sentence for each task whose errors were replaced.
    [[nodiscard]] const QStringList& notes() const { return result_.notes; }
    [[nodiscard]] bool is_pending() const { return job_.is_running(); }

Q_SIGNALS:
    void changed();

private:
    struct Result {
        QHash<QString, evidence::MeanErrors> errors;  ///< by folder
        QStringList notes;
    };
    static Result read(const QStringList& folders, const JobContext& job);

    QStringList key_;  ///< folders and errors of the runs that were or are being read
    Result result_;
    Job<Result> job_;
};

}  // namespace casp::widgets
