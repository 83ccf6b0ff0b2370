#pragma once
// Whether chosen runs can be continued, as far as their folders tell before it is tried.

#include <functional>
#include <memory>

#include <QStringList>

#include "state/background.h"

namespace casp::widgets {

/// Looks for the checkpoints of a few runs beside the GUI thread. GUI thread.
class ResumeLook {
public:
    /// Runs; of more nothing is looked up, and each tells it when it is continued.
    static constexpr qsizetype most = 16;

    /// `told`: problem() may be another now.
    explicit ResumeLook(std::function<void()> told);

    /// Looks at these, where they are not those that were looked at last. What is known of others is
    /// forgotten.
    void look_at(const QStringList& folders);
    /// Looks at the same ones once more: somebody may have brought a checkpoint back.
    void look_again();
    /// Why they cannot be continued, a paragraph for each that cannot; empty: they can, or it is not known.
    [[nodiscard]] const QString& problem() const { return problem_; }

private:
    std::function<void()> told_;
    QStringList folders_;
    QString problem_;
    int looks_ = 0;
    Inbox inbox_;
    std::unique_ptr<WorkPool> pool_;  ///< made when it is needed
};

}  // namespace casp::widgets
