#include "panels/experiment/experiment_estimate.h"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>

#include "model/descriptor.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"
#include "state/embedding_set.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t few_windows = 10;
constexpr double long_seconds = 600;  ///< a run that takes longer is told how to try out first

/// "124M", as papers count parameters.
QString rough_count(std::int64_t number) {
    const auto value = static_cast<double>(number);
    if (value >= 1e9) return QString::number(value / 1e9, 'g', 3) + u'B';
    if (value >= 1e6) return QString::number(value / 1e6, 'g', 3) + u'M';
    if (value >= 1e4) return QString::number(value / 1e3, 'f', 0) + u'k';
    return QString::number(number);
}

}  // namespace

ExperimentEstimate::ExperimentEstimate(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
    text_ = note_label(this, tr("Estimate of memory and time"));
    warning_ = note_label(this, tr("Memory warning"));
    backbone_ = note_label(this, tr("Missing backbone"));
    preset_ = note_label(this, tr("File and preset do not match"));
    const auto button = [this](const QString& name, const QString& tip) {
        auto* made = text_button(this, name, name, tip);
        made->hide();
        return made;
    };
    get_backbone_ = button(tr("Get GPT-2…"), tr("Opens Get data or GPT-2 to download it"));
    untrained_ = button(
        tr("Use an untrained backbone"),
        tr("Sets backbone.path to \"untrained\": random weights, to try things out. Ctrl+Z undoes it."));
    way_out_ = button({}, {});
    use_batch_ = button({}, {});
    auto* layout = make_layout<QGridLayout>(this);
    layout->setVerticalSpacing(4);
    layout->addWidget(text_, 0, 0, 1, 2);
    layout->addWidget(way_out_, 1, 0, 1, 2, Qt::AlignLeft);
    layout->addWidget(warning_, 2, 0, 1, 2);
    layout->addWidget(use_batch_, 3, 0, 1, 2, Qt::AlignLeft);
    layout->addWidget(backbone_, 4, 0, 1, 2);
    layout->addWidget(get_backbone_, 5, 0, Qt::AlignLeft);
    layout->addWidget(untrained_, 5, 1, Qt::AlignLeft);
    layout->addWidget(preset_, 6, 0, 1, 2);
    layout->setColumnStretch(1, 1);
    connect(get_backbone_, &QToolButton::clicked, this, &ExperimentEstimate::backbone_requested);
    connect(untrained_, &QToolButton::clicked, this,
            [this] { model_.set(QStringLiteral("backbone.path"), std::string("untrained")); });
    connect(way_out_, &QToolButton::clicked, this,
            [this] { model_.set_together(preview_.way_out, way_out_->text()); });
    connect(use_batch_, &QToolButton::clicked, this,
            [this] { model_.set(QStringLiteral("train.batch_size"), preview_.largest_batch_size); });
    setProperty("help_topic", QStringLiteral("estimate"));
    setToolTip(tr(
        "Time of the whole run and peak memory of the program, from the shapes and short measurements of "
        "this computer, corrected by what finished runs of the model took on it. Longer while the computer "
        "is busy."));
    timer_.setSingleShot(true);
    timer_.setInterval(250);
    connect(&timer_, &QTimer::timeout, this, &ExperimentEstimate::start);
    connect(&model_, &ExperimentModel::changed, this, &ExperimentEstimate::refresh);
    show_preview();
}

ExperimentEstimate::~ExperimentEstimate() = default;

void ExperimentEstimate::set_preview_function(PreviewFunction function) {
    function_ = std::move(function);
    refresh();
}

void ExperimentEstimate::refresh() {
    if (!function_) return;
    stale_ = true;
    show_preview();
    timer_.start();
}

void ExperimentEstimate::start() {
    // Does not supersede: the first estimate of a file reads it, which must not start again with each change.
    // All changes meanwhile are computed together afterwards.
    if (job_.is_running()) return;
    stale_ = false;
    if (model_.config().data.path.empty() || !config::contradictions(model_.config()).empty()) {
        preview_ = {};
        show_preview();
        model_.set_run_problem({});
        Q_EMIT estimated();
        return;
    }
    job_.start([function = function_,
                config = model_.config()](const JobContext& job) { return function(config, job.stop); },
               {.done = [this](ExperimentPreview preview) {
                   preview_ = std::move(preview);
                   show_preview();
                   // After a change since, the next estimate says it.
                   if (!stale_) model_.set_run_problem(preview_.no_run ? preview_.problem : QString());
                   Q_EMIT estimated();
                   if (stale_) timer_.start();
               }});
}

QString ExperimentEstimate::total_text() const {
    const auto& p = preview_;
    QStringList parts;
    if (p.longest_seconds > 0) {
        const auto time = duration_text(p.longest_seconds);
        parts.append(p.may_end_early ? tr("At most %1").arg(time) : tr("About %1").arg(time));
    }
    auto memory = tr("about %1 of memory").arg(bytes_text(p.peak_bytes));
    if (!p.device.isEmpty()) memory += tr(" on %1").arg(p.device);
    if (p.memory_available > 0) memory += tr(" (%1 free)").arg(bytes_text(p.memory_available));
    parts.append(memory);
    auto text = parts.join(QStringLiteral(" · "));
    if (p.longest_seconds > 0 && p.compared_runs == 0)
        text += u'\n' + tr("Rough: no run of this model has finished on this computer yet.");
    return text;
}

void ExperimentEstimate::show_preview() {
    const auto& p = preview_;
    QStringList lines;
    if (!p.problem.isEmpty()) {
        lines.append((p.no_run ? tr("⚠ Cannot run: %1") : tr("No estimate: %1")).arg(p.problem));
    } else if (p.parameters_total == 0 && p.peak_bytes == 0 && p.longest_seconds == 0) {
        lines.append(model_.config().data.path.empty()
                         ? tr("Choose a data file to estimate memory and time of the run.")
                     : !config::contradictions(model_.config()).empty()
                         ? tr("Resolve the contradictory settings to estimate memory and time.")
                         : tr("Estimated memory and time of the run appear here."));
    } else {
        const bool unknown = model::capabilities(model_.config()).own_process;
        lines.append(unknown ? tr("What a model in Python costs is known when it runs.") : total_text());
        for (const auto& [precision, seconds] : p.shorter_in)
            lines.append(tr("%1 with the precision %2 (run.precision), whose results differ slightly")
                             .arg(about_duration_text(seconds), QString::fromStdString(precision)));
        if (p.longest_seconds > long_seconds)
            lines.append(
                tr("For a first try: few train.epochs or train.max_steps, backbone.layers = 1, or "
                   "an untrained backbone."));
        if (p.memory_others > 0)
            lines.append(tr("other programs use %1 of %2 on %3")
                             .arg(bytes_text(p.memory_others), bytes_text(p.memory_total), p.device));
        if (!unknown)
            lines.append(tr("%1 parameters, %2 of them trained")
                             .arg(rough_count(p.parameters_total), rough_count(p.parameters_trainable)));
        const auto val = p.plan.val.windows, test = p.plan.test.windows;
        if (p.plan.train.windows > 0)
            lines.append(tr("%1 training, %2 validation and %3 test windows")
                             .arg(counted(p.plan.train.windows), counted(val), counted(test)));
        if (p.steps_per_epoch > 0) lines.append(tr("%1 steps per epoch").arg(counted(p.steps_per_epoch)));
        if (const auto least = std::min(val, test); least > 0 && least < few_windows)
            lines.append(
                val <= test
                    ? tr("⚠ Early stopping and the best weights rest on %1 validation windows.").arg(least)
                    : tr("⚠ Test errors are means over %1 windows.").arg(least));
    }
    show_note(text_, lines.join(u'\n'));
    if (!p.fits)
        warning_->setText(
            tr("⚠ Will not fit: a step needs %1, and %2 are free%3. %4")
                .arg(bytes_text(p.step_bytes), bytes_text(p.memory_available),
                     p.device.isEmpty() ? QString() : tr(" on %1").arg(p.device),
                     p.largest_batch_size > 0
                         ? tr("A batch size of %1 fits.").arg(p.largest_batch_size)
                         : tr("Not even a batch of one fits: use fewer backbone layers, a shorter "
                              "look-back L or another device.")));
    warning_->setVisible(!p.fits);
    use_batch_->setText(tr("Use batch size %1").arg(p.largest_batch_size));
    use_batch_->setAccessibleName(use_batch_->text());
    use_batch_->setToolTip(tr("Sets train.batch_size to %1; Ctrl+Z undoes it").arg(p.largest_batch_size));
    use_batch_->setVisible(!p.fits && p.largest_batch_size > 0 &&
                           p.largest_batch_size != model_.config().train.batch_size);
    show_way_out();
    show_backbone();
    show_preset();
    QPalette colours;
    const auto text_colour = palette().color(QPalette::WindowText);
    // Old numbers are dimmed until the new ones arrive.
    colours.setColor(QPalette::WindowText, is_pending() ? tone_colour(palette(), Tone::muted)
                                           : p.no_run   ? tone_colour(palette(), Tone::warning)
                                                        : text_colour);
    text_->setPalette(colours);
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::warning));
    warning_->setPalette(colours);
    backbone_->setPalette(colours);
    preset_->setPalette(colours);
}

void ExperimentEstimate::show_way_out() {
    const auto& settings = preview_.way_out;
    way_out_->setVisible(!settings.empty() && !is_pending());
    if (settings.empty()) return;
    QStringList names, lines;
    for (const auto& [key, value] : settings) {
        const auto* option = config::find_option(key);
        const auto shown = value_text(value);
        names.append(key == "data.split" ? shown : option_name(*option) + u' ' + shown);
        lines.append(QString::fromStdString(key) + QStringLiteral(" = ") + shown);
    }
    way_out_->setText(tr("Use %1").arg(names.join(QStringLiteral(", "))));
    way_out_->setAccessibleName(way_out_->text());
    way_out_->setToolTip(
        tr("Sets %1, with which the run can start. Ctrl+Z undoes it.").arg(lines.join(QStringLiteral(", "))));
}

void ExperimentEstimate::show_preset() {
    auto text = preview_.preset_problem;
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    preset_->setText(tr("⚠ %1.").arg(text));
    preset_->setVisible(!text.isEmpty());
}

void ExperimentEstimate::show_backbone() {
    const bool missing = !preview_.backbone_problem.isEmpty();
    backbone_->setText(tr("⚠ %1: a run would stop at once.").arg(preview_.backbone_problem));
    backbone_->setVisible(missing);
    const bool of_catalogue = model_.config().backbone.path.rfind("catalog:", 0) == 0;
    get_backbone_->setVisible(missing && of_catalogue);
    untrained_->setVisible(missing);
}

void ExperimentEstimate::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) show_preview();
}

}  // namespace casp::widgets
