#include "panels/view/view_step_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {
QString play_text(bool playing) { return playing ? QStringLiteral("❚❚") : QStringLiteral("▶"); }
}  // namespace

StepBar::StepBar(QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QHBoxLayout>(this, {}, 4);
    auto* label = new QLabel(tr("S&napshot"));
    row->addWidget(label);
    // Text arrows instead of the style's icons: they use the palette's colours.
    const auto button = [&](const QString& text, Qt::ArrowType arrow, const QString& name) {
        auto* b = named(new QToolButton, name, name);
        b->setText(text);
        b->setArrowType(arrow);
        b->setAutoRaise(true);
        row->addWidget(b);
        return b;
    };
    play_ = button(play_text(false), Qt::NoArrow, tr("Play the snapshots"));
    play_->setCheckable(true);
    previous_ = button({}, Qt::LeftArrow, tr("Previous snapshot"));
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setMinimumWidth(120);
    slider_->setAccessibleName(tr("Snapshot"));
    slider_->setToolTip(tr("Training step of the shown snapshot; the right end always follows the latest"));
    row->addWidget(slider_, 1);
    next_ = button({}, Qt::RightArrow, tr("Next snapshot"));
    latest_ = button(QStringLiteral("⇥"), Qt::NoArrow, tr("Latest snapshot, following new ones"));
    text_ = new QLabel;
    text_->setMinimumWidth(text_->fontMetrics().horizontalAdvance(tr("step 000000 (latest)")));
    row->addWidget(text_);
    label->setBuddy(slider_);

    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        play(false);
        choose(value);
    });
    connect(previous_, &QToolButton::clicked, this, &StepBar::previous);
    connect(next_, &QToolButton::clicked, this, &StepBar::next);
    connect(latest_, &QToolButton::clicked, this, &StepBar::latest);
    connect(play_, &QToolButton::toggled, this, &StepBar::play);
    play_timer_.setInterval(250);
    connect(&play_timer_, &QTimer::timeout, this, [this] {
        if (index() + 1 >= static_cast<int>(steps_.size())) {
            play(false);
            return;
        }
        choose(index() + 1);
    });
    update_controls();
}

int StepBar::index() const {
    if (steps_.empty()) return -1;
    if (!step_) return static_cast<int>(steps_.size()) - 1;
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), *step_);
    return std::max(0, static_cast<int>(after - steps_.begin()) - 1);
}

void StepBar::set_steps(std::vector<std::int64_t> steps) {
    if (steps == steps_) return;
    steps_ = std::move(steps);
    update_controls();
}

void StepBar::set_step(std::optional<std::int64_t> step) {
    step_ = step;
    update_controls();
}

void StepBar::choose(int index) {
    if (steps_.empty()) return;
    index = std::clamp(index, 0, static_cast<int>(steps_.size()) - 1);
    const bool last = index + 1 == static_cast<int>(steps_.size());
    const auto step = last ? std::optional<std::int64_t>{} : steps_[static_cast<std::size_t>(index)];
    const bool changed = step != step_;
    step_ = step;
    update_controls();
    if (changed) Q_EMIT step_chosen(step_);
}

void StepBar::previous() { choose(index() - 1); }
void StepBar::next() { choose(index() + 1); }
void StepBar::latest() { choose(static_cast<int>(steps_.size()) - 1); }

void StepBar::play(bool on) {
    if (on == play_timer_.isActive()) return;
    if (on && steps_.size() < 2) on = false;
    if (on) {
        if (index() + 1 >= static_cast<int>(steps_.size())) choose(0);
        play_timer_.start();
    } else {
        play_timer_.stop();
    }
    const QSignalBlocker block(play_);
    play_->setChecked(on);
    play_->setText(play_text(on));
}

void StepBar::update_controls() {
    const int at = index(), last = static_cast<int>(steps_.size()) - 1;
    const QSignalBlocker block(slider_);
    slider_->setRange(0, std::max(0, last));
    slider_->setValue(std::max(0, at));
    slider_->setEnabled(last > 0);
    play_->setEnabled(last > 0);
    previous_->setEnabled(at > 0);
    next_->setEnabled(at >= 0 && at < last);
    latest_->setEnabled(at >= 0 && at < last);
    text_->setText(at < 0       ? tr("none yet")
                   : at == last ? tr("step %1 (latest)").arg(steps_.back())
                                : tr("step %1").arg(steps_[static_cast<std::size_t>(at)]));
}

void StepBar::hideEvent(QHideEvent* event) {
    play(false);
    QWidget::hideEvent(event);
}

}  // namespace casp::widgets
