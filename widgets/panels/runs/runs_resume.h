#pragma once
// Check whether selected runs can be resumed.

#include <functional>

#include <QStringList>

#include "state/job.h"

namespace casp::widgets {

/// Looks for the checkpoints of a few runs in the background. GUI thread.
class ResumeLook {
public:
    /// Maximum number of runs. With more nothing is checked; each reports its problem when it is resumed.
    static constexpr qsizetype most = 16;

    /// `changed` is called after a change of problem().
    explicit ResumeLook(std::function<void()> changed);

    /// Checks these runs unless they were the last ones checked; drops the result of others.
    void check(const QStringList& folders);
    /// Checks the same runs again, e.g. after a checkpoint was copied back.
    void check_again();
    /// Why runs cannot be resumed, one paragraph per run; empty: all can, or it is not known yet.
    [[nodiscard]] const QString& problem() const { return problem_; }

private:
    std::function<void()> changed_;
    QStringList folders_;
    QString problem_;
    Job<QString> job_;
};

}  // namespace casp::widgets
