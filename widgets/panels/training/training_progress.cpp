#include "panels/training/training_progress.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

#include "figures/ticks.h"
#include "panels/runs/runs_delegate.h"
#include "panels/view/view_flow.h"
#include "state/run_data.h"
#include "words/amount_text.h"
#include "words/core_text.h"

namespace casp::widgets {

double shown_seconds_left(const RunPace& pace) {
    if (pace.halt == Halt::none) return pace.seconds_left;
    // After finishing early, the evaluation still takes time; skipped steps do not.
    return pace.stage.kind == Stage::evaluating && pace.halt != Halt::paused ? pace.seconds_left : 0;
}

Aside aside_of(const RunPace& pace) {
    if (pace.halt == Halt::paused) return Aside::paused;
    const bool trains = pace.stage.empty() || pace.stage.kind == Stage::training,
               validates = pace.stage.kind == Stage::validating;
    // A run finishing early is evaluated next; until then it is stopping.
    if (pace.halt == Halt::stopping && (trains || validates)) return Aside::stopping;
    return trains ? Aside::none : validates ? Aside::validating : Aside::other;
}

QString stage_text(const RunPace& pace) {
    switch (aside_of(pace)) {
        case Aside::none:
            return {};
        case Aside::paused:
            return translated("paused");
        case Aside::stopping:
            return translated("stopping");
        case Aside::validating:
        case Aside::other:
            break;
    }
    const auto stage = translated_stage(pace.stage);
    return pace.stage_share < 0
               ? stage
               : QStringLiteral("%1 %2 %").arg(stage).arg(std::lround(100 * pace.stage_share));
}

QString pace_text(const RunPace& pace) {
    QStringList parts;
    if (!pace.device.isEmpty()) parts << (pace.device + QLatin1Char(' ') + pace.precision).trimmed();
    const auto stage = stage_text(pace);
    if (pace.step > pace.first_step || (pace.step > 0 && stage.isEmpty())) {
        if (pace.epochs > 0)
            parts << TrainingProgress::tr("epoch %1/%2")
                         .arg(std::max<std::int64_t>(1, pace.epoch))
                         .arg(pace.epochs);
        parts << (pace.last_step > 0 ? TrainingProgress::tr("step %1/%2").arg(pace.step).arg(pace.last_step)
                                     : TrainingProgress::tr("step %1").arg(pace.step));
    }
    if (!stage.isEmpty())
        parts << stage;
    else if (pace.step > 0 && pace.steps_per_second > 0)
        parts << TrainingProgress::tr("%1 steps/s").arg(figures::number_text(pace.steps_per_second, 3));
    if (const auto left = time_left_text(shown_seconds_left(pace)); !left.isEmpty()) parts << left;
    if (pace.memory_bytes > 0)
        parts << (pace.device.startsWith(QLatin1String("cuda")) ? TrainingProgress::tr("GPU memory %1")
                                                                : TrainingProgress::tr("memory %1"))
                     .arg(bytes_text(pace.memory_bytes));
    return parts.join(QStringLiteral(" · "));
}

TrainingProgress::TrainingProgress(QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QHBoxLayout>(this);
    name_ = new QLabel;
    name_->setAccessibleName(tr("Running run"));
    text_ = new QLabel;
    text_->setAccessibleName(tr("Progress"));
    text_->setWordWrap(true);
    bar_ = new QProgressBar;
    bar_->setTextVisible(false);
    bar_->setMaximumHeight(8);
    bar_->setMinimumWidth(60);
    bar_->setMaximumWidth(220);
    bar_->setAccessibleName(tr("Fraction of training completed"));
    bar_->setToolTip(tr("Fraction of training completed, assuming no early stopping"));
    row->addWidget(name_);
    row->addWidget(bar_, 1);
    row->addWidget(text_, 3);
    hide();
}

void TrainingProgress::show_run(const RunSummary& summary, const RunPace& pace) {
    auto font = name_->font();
    font.setBold(true);
    name_->setFont(font);
    name_->setText(run_title(summary));
    text_->setText(pace_text(pace));
    const double share = pace.share();
    bar_->setRange(0, share >= 0 ? 1000 : 0);
    if (share >= 0) bar_->setValue(static_cast<int>(std::lround(1000 * share)));
    setVisible(true);
}

void TrainingProgress::clear() { hide(); }

QString TrainingProgress::text() const { return text_->text(); }

}  // namespace casp::widgets
