#pragma once
// Snapshot selector: a slider with buttons for previous, next, latest and play.

#include <cstdint>
#include <optional>
#include <vector>

#include <QTimer>
#include <QWidget>

class QLabel;
class QSlider;
class QToolButton;

namespace casp::widgets {

class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(QWidget* parent = nullptr);

    /// Sets the available steps, ascending. Keeps the selected one; "latest" follows new steps.
    void set_steps(std::vector<std::int64_t> steps);
    [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }
    /// None: the latest. A step without a snapshot shows the one before it. Emits nothing.
    void set_step(std::optional<std::int64_t> step);
    [[nodiscard]] std::optional<std::int64_t> step() const { return step_; }
    [[nodiscard]] bool is_playing() const { return play_timer_.isActive(); }

public Q_SLOTS:
    void previous();
    void next();
    void latest();
    /// From the selected step (at the end: from the first) to the latest, four per second.
    void play(bool on);

Q_SIGNALS:
    /// Changed by the user or by playing; none: the latest.
    void step_chosen(std::optional<std::int64_t> step);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void update_controls();
    void choose(int index);
    [[nodiscard]] int index() const;

    std::vector<std::int64_t> steps_;
    std::optional<std::int64_t> step_;
    QSlider* slider_;
    QLabel* text_;
    QToolButton *previous_, *next_, *latest_, *play_;
    QTimer play_timer_;
};

}  // namespace casp::widgets
