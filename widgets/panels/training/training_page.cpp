#include "panels/training/training_page.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include "charts/figure_view.h"
#include "figures/ticks.h"
#include "panels/training/training_progress.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

TrainingPage::TrainingPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent) {
    progress_ = new TrainingProgress;
    add_header(progress_);
    make_controls();
    using figures::RunInput;
    const auto add = [this](const char* id, const QString& title, auto recipe, int height, int columns) {
        auto* view = add_view(
            QString::fromLatin1(id), title, QStringLiteral("training"), {RunPart::curves},
            [this, recipe](const std::vector<RunInput>& runs) { return recipe(runs, options_); }, height,
            columns);
        connect(view, &FigureView::x_picked, this, [this](double x, Qt::KeyboardModifiers) { pick_step(x); });
    };
    add("loss-terms", tr("Loss terms"), figures::loss_terms, 420, 2);
    add("validation", tr("Validation"), figures::validation, 270, 2);
    add("gate-share", tr("Coverage gate"), figures::gate_share, 260, 1);
    add("learning-rate", tr("Learning rate and step time"), figures::training_pace, 260, 1);
    part_changed(RunPart::everything);
}

void TrainingPage::make_controls() {
    axis_ = new QComboBox;
    axis_->addItems({tr("Step"), tr("Epoch"), tr("Training time")});
    named(axis_, tr("X axis"), tr("Horizontal axis of the curves"));
    connect(axis_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.x = static_cast<figures::TrainingAxis>(index);
        rebuild();
    });
    labelled(tr("&X axis"), axis_);

    smoothing_ = new QSlider(Qt::Horizontal);
    smoothing_->setRange(0, 99);
    smoothing_->setMinimumWidth(110);
    named(smoothing_, tr("Smoothing"),
          tr("Weight of past values in the exponential moving average over all steps; the raw curve stays "
             "visible behind it"));
    smoothing_text_ = new QLabel;
    smoothing_text_->setMinimumWidth(
        smoothing_text_->fontMetrics().horizontalAdvance(QStringLiteral("0.99")));
    connect(smoothing_, &QSlider::valueChanged, this, [this](int value) {
        options_.smoothing = value / 100.0;
        show_smoothing();
        rebuild();
    });
    by_length_ = new QCheckBox(tr("B&y length"));
    by_length_->setToolTip(
        tr("Smoothing by the number of steps of the longest shown run: none up to 200 steps, 0.9 from 2,000 "
           "on"));
    by_length_->setAccessibleName(by_length_->toolTip());
    connect(by_length_, &QCheckBox::toggled, this, [this](bool on) {
        options_.smoothing = on ? std::nullopt : std::optional(figures::smoothing_of(shown_runs().inputs()));
        show_smoothing();
        rebuild();
    });
    auto* box = labelled(tr("&Smoothing"), smoothing_);
    add_widgets(box->layout(), {smoothing_text_, by_length_});

    log_x_ = new QCheckBox(tr("&Log X"));
    log_x_->setToolTip(tr("Logarithmic x axis"));
    log_y_ = new QCheckBox(tr("Lo&g Y"));
    log_y_->setToolTip(tr("Logarithmic y axes; a plot without values above 0 stays linear"));
    for (auto* control : {log_x_, log_y_}) {
        control->setAccessibleName(control->toolTip());
        connect(control, &QCheckBox::toggled, this, [this] {
            options_.log_x = log_x_->isChecked();
            options_.log_y = log_y_->isChecked();
            rebuild();
        });
        bar()->addWidget(control);
    }
    set_options(options_);
}

void TrainingPage::show_smoothing() {
    const QSignalBlocker slider(smoothing_), box(by_length_);
    const double weight = options_.smoothing.value_or(figures::smoothing_of(shown_runs().inputs()));
    smoothing_->setValue(static_cast<int>(std::lround(100 * weight)));
    smoothing_text_->setText(QString::number(weight, 'f', 2));
    by_length_->setChecked(!options_.smoothing);
}

void TrainingPage::set_options(const figures::TrainingOptions& options) {
    options_ = options;
    const QSignalBlocker a(axis_), x(log_x_), y(log_y_);
    axis_->setCurrentIndex(static_cast<int>(options.x));
    show_smoothing();
    log_x_->setChecked(options.log_x);
    log_y_->setChecked(options.log_y);
    rebuild();
}

void TrainingPage::selection_changed() {
    if (options_.step == selection()->state().step) return;
    options_.step = selection()->state().step;
    rebuild();
}

void TrainingPage::part_changed(RunPart) {
    show_smoothing();
    for (const auto* shown : shown_runs().data())
        if (shown->summary().live) {
            progress_->show_run(shown->summary(), shown->pace());
            return;
        }
    progress_->clear();
}

void TrainingPage::pick_step(double x) {
    for (const auto& run : shown_runs().inputs()) {
        if (!run.record || run.record->steps.step.empty()) continue;
        auto positions = figures::training_positions(run, options_.x);
        if (options_.x == figures::TrainingAxis::time) x *= figures::time_unit(shown_runs().inputs());
        const auto at = std::lower_bound(positions.begin(), positions.end(), x);
        const auto i =
            std::min<std::size_t>(static_cast<std::size_t>(at - positions.begin()), positions.size() - 1);
        selection()->set_step(run.record->steps.step[i]);
        return;
    }
}

void TrainingPage::save(QJsonObject& object) const {
    object[QStringLiteral("x")] = static_cast<int>(options_.x);
    object[QStringLiteral("log_x")] = options_.log_x;
    object[QStringLiteral("log_y")] = options_.log_y;
    if (options_.smoothing) object[QStringLiteral("smoothing_weight")] = *options_.smoothing;
}

void TrainingPage::restore(const QJsonObject& object) {
    auto options = options_;
    options.x =
        static_cast<figures::TrainingAxis>(std::clamp(object.value(QStringLiteral("x")).toInt(), 0, 2));
    options.log_x = object.value(QStringLiteral("log_x")).toBool(options.log_x);
    options.log_y = object.value(QStringLiteral("log_y")).toBool(options.log_y);
    // "smoothing" of version 1.0.0 was saved whether or not it was chosen.
    options.smoothing = {};
    if (const auto weight = object.value(QStringLiteral("smoothing_weight")); weight.isDouble())
        options.smoothing = std::clamp(weight.toDouble(), 0.0, 0.99);
    set_options(options);
}

}  // namespace casp::widgets
