#pragma once
// Where the run that goes on stands: stage, epoch, step, pace, time left and memory, in one line.

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
    /// Nothing goes on.
    void clear();
    [[nodiscard]] QString text() const;

private:
    QLabel* name_;
    QLabel* text_;
    QProgressBar* bar_;
};

/// What a run does beside training, "paused", "stopping", "validating 13 %", "evaluating test 32 %"; empty
/// while it trains. In every list and bar the same words.
[[nodiscard]] QString stage_text(const RunPace& pace);
/// Seconds until the training, or an evaluation, is through; 0: not known, or it stands still, or it is about
/// to end before that.
[[nodiscard]] double told_seconds_left(const RunPace& pace);
/// "cuda:0 bf16 · epoch 2/100 · step 312/1260 · 21 steps/s · 4 min left · 3.1 GB on the GPU", for the page
/// and the status bar alike. Where no step is made the stage stands in place of the speed.
[[nodiscard]] QString pace_text(const RunPace& pace);
/// "3.1 GB", "512 MB".
[[nodiscard]] QString memory_use_text(std::int64_t bytes);
/// "40 s", "4 min", "2 h 10 min", "5 days"; empty where it is not known.
[[nodiscard]] QString pace_left_text(double seconds);

}  // namespace casp::widgets
