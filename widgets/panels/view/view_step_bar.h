#pragma once
// Chooses one of several snapshots: a slider with buttons for the previous, the next and the latest one, and
// play.

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

    /// The steps that there are, ascending. The chosen one stays; the latest follows as steps are added.
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
    /// From the chosen one (from the first, at the end) to the latest, four a second.
    void play(bool on);

Q_SIGNALS:
    /// By a person or by playing; none: the latest.
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
