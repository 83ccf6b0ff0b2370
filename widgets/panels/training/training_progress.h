#pragma once
// Progress line of the running run: stage, epoch, step, speed, time left and memory.

#include <QWidget>

class QLabel;
class QProgressBar;

namespace casp::widgets {

struct RunPace;
struct RunSummary;

class TrainingProgress : public QWidget {
    Q_OBJECT
public:
    explicit TrainingProgress(QWidget* parent = nullptr);
    void show_run(const RunSummary& summary, const RunPace& pace);
    /// No run is running.
    void clear();
    [[nodiscard]] QString text() const;

private:
    QLabel* name_;
    QLabel* text_;
    QProgressBar* bar_;
};

/// Stage of a run other than training: "paused", "stopping", "validating 13 %", "evaluating test 32 %"; empty
/// while it trains. The same words in every list and bar.
[[nodiscard]] QString stage_text(const RunPace& pace);
/// What stage_text() tells, so that it is not to be read from there.
enum class Aside { none, paused, stopping, validating, other };
[[nodiscard]] Aside aside_of(const RunPace& pace);
/// Seconds until the training or an evaluation is complete; 0: unknown, paused or ending earlier.
[[nodiscard]] double shown_seconds_left(const RunPace& pace);
/// "cuda:0 bf16 · epoch 2/100 · step 312/1260 · 21 steps/s · 4 min left · GPU memory 3.1 GB", for the page
/// and the status bar. While no steps are made, the stage replaces the speed.
[[nodiscard]] QString pace_text(const RunPace& pace);

}  // namespace casp::widgets
