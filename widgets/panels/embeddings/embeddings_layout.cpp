#include "panels/embeddings/embeddings_layout.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "figures/ticks.h"
#include "panels/view/view_flow.h"
#include "words/amount_text.h"

namespace casp::widgets {

LayoutBar::LayoutBar(LayoutWork* work, QWidget* parent) : QWidget(parent), work_(work) {
    auto* flow = make_flow(this);
    method_ = new QComboBox;
    method_->addItems({tr("PCA"), tr("t-SNE")});
    named(method_, tr("Layout of the points"),
          tr("Exact principal components, or t-SNE, which preserves neighbourhoods but not distances between "
             "clusters"));
    add_labelled(flow, tr("La&yout"), method_);
    common_ = new QCheckBox(tr("One &layout for all runs"));
    common_->setChecked(true);
    common_->setAccessibleName(tr("One layout for all runs"));
    set_several(false);
    flow->addWidget(common_);
    make_tsne_fields(*flow);
    make_buttons(*flow);
    text_ = new QLabel;
    text_->setAccessibleName(tr("State of the t-SNE"));
    text_->setMinimumWidth(80);  // elided in a narrow dock; the tooltip has the full text
    flow->addWidget(text_);
    connect_parts();
    refresh();
}

void LayoutBar::make_tsne_fields(QLayout& flow) {
    components_ = new QComboBox;
    components_->addItems({tr("Plane"), QStringLiteral("Space")});
    named(components_, tr("t-SNE dimensions"), tr("A t-SNE in two or three dimensions"));
    flow.addWidget(components_);
    perplexity_ = new QDoubleSpinBox;
    perplexity_->setRange(1, 1000);
    perplexity_->setDecimals(1);
    perplexity_->setValue(30);
    named(perplexity_, tr("Perplexity"), tr("Effective number of neighbours of each point; usually 5 to 50"));
    auto* perplexity = add_labelled(&flow, tr("per&plexity"), perplexity_);
    iterations_ = new QSpinBox;
    iterations_->setRange(10, 100000);
    iterations_->setSingleStep(250);
    iterations_->setValue(750);
    iterations_->setGroupSeparatorShown(true);
    named(iterations_, tr("Iterations"),
          tr("Gradient-descent steps; early exaggeration lasts for the first 250, or for the first third of "
             "fewer than 750"));
    auto* iterations = add_labelled(&flow, tr("&iterations"), iterations_);
    exaggeration_ = new QDoubleSpinBox;
    exaggeration_->setRange(1, 100);
    exaggeration_->setDecimals(1);
    exaggeration_->setValue(LayoutOptions().early_exaggeration);
    named(exaggeration_, tr("Early exaggeration"),
          tr("Factor on the attractive forces in the first iterations, which pulls clusters together early; "
             "usually 12, 1 for none"));
    auto* exaggeration = add_labelled(&flow, tr("exa&ggeration"), exaggeration_);
    seed_ = new QSpinBox;
    seed_->setRange(0, 2'000'000'000);
    named(seed_, tr("Seed of the t-SNE"), tr("The same seed gives the same picture on the same machine"));
    auto* seed = add_labelled(&flow, tr("see&d"), seed_);
    tsne_ = {components_, perplexity, iterations, exaggeration, seed};
}

void LayoutBar::make_buttons(QLayout& flow) {
    const auto button = [&](const QString& text, const QString& tip) {
        auto* made = new QPushButton(text);
        named(made, tip, tip);
        flow.addWidget(made);
        return made;
    };
    start_ = button(tr("&Start t-SNE"),
                    tr("Computes a new layout of all points; the picture follows the optimisation"));
    pause_ = button(tr("Pa&use"), tr("Pauses the t-SNE, or resumes it"));
    stop_ = button(tr("Stop and &keep"), tr("Stops the t-SNE and keeps the current layout"));
    store_ = button(tr("Store layout"), tr("Stores the layout in the runs' arrays.h5, next to their "
                                           "embeddings; replaces a t-SNE stored for this split"));
    // Triggered by the main window's actions.
    start_->setObjectName(QStringLiteral("tsne.start"));
    pause_->setObjectName(QStringLiteral("tsne.pause"));
    stop_->setObjectName(QStringLiteral("tsne.stop"));
    store_->setObjectName(QStringLiteral("tsne.store"));
}

void LayoutBar::connect_parts() {
    connect(method_, &QComboBox::currentIndexChanged, this, [this] {
        refresh();
        Q_EMIT changed();
    });
    connect(common_, &QCheckBox::clicked, this, [this](bool on) {
        wants_common_ = on;
        refresh();
        Q_EMIT changed();
    });
    connect(start_, &QPushButton::clicked, this, &LayoutBar::start_requested);
    connect(pause_, &QPushButton::clicked, this, [this] {
        if (work_->state() == LayoutWork::State::paused)
            work_->resume();
        else
            work_->pause();
    });
    connect(stop_, &QPushButton::clicked, work_, &LayoutWork::stop);
    connect(store_, &QPushButton::clicked, this, &LayoutBar::store_requested);
    connect(work_, &LayoutWork::state_changed, this, &LayoutBar::refresh);
}

LayoutMethod LayoutBar::method() const {
    return method_->currentIndex() == 1 ? LayoutMethod::tsne : LayoutMethod::pca;
}
void LayoutBar::set_method(LayoutMethod method) {
    method_->setCurrentIndex(method == LayoutMethod::tsne ? 1 : 0);
}
bool LayoutBar::common() const { return common_->isChecked(); }

LayoutOptions LayoutBar::options() const {
    LayoutOptions options;
    options.method = method();
    options.common = common();
    options.components = components_->currentIndex() == 1 ? 3 : 2;
    options.perplexity = perplexity_->value();
    options.iterations = iterations_->value();
    options.early_exaggeration = exaggeration_->value();
    options.seed = seed_->value();
    return options;
}

void LayoutBar::set_points(std::int64_t points, const QString& why_not) {
    points_ = points;
    why_not_ = why_not;
    refresh();
}

void LayoutBar::set_elsewhere(bool elsewhere) {
    elsewhere_ = elsewhere;
    refresh();
}

void LayoutBar::set_several(bool several, const QString& why_not) {
    common_->setVisible(several);
    common_->setEnabled(why_not.isEmpty());
    common_->setChecked(wants_common_ && why_not.isEmpty());
    common_->setToolTip(why_not.isEmpty()
                            ? tr("Joint layout of all shown runs, so that positions are comparable between "
                                 "pictures. Unchecked: a separate layout for each run, at the same scale")
                            : why_not);
}

void LayoutBar::refresh() {
    using State = LayoutWork::State;
    const bool tsne = method() == LayoutMethod::tsne;
    const bool ours = work_->options().method == LayoutMethod::tsne;
    const auto state = ours ? work_->state() : State::idle;
    const bool busy = ours && work_->is_busy();
    for (auto* control : tsne_) {
        control->setVisible(tsne);
        control->setEnabled(!busy);
    }
    // Keep the focus on these buttons when one replaces another.
    const bool had_focus = start_->hasFocus() || pause_->hasFocus() || stop_->hasFocus();
    if (tsne && had_focus) (busy ? stop_ : start_)->show();
    if (tsne && busy && start_->hasFocus()) stop_->setFocus();
    if (tsne && !busy && had_focus && points_ > 1) {
        start_->setEnabled(true);
        start_->setFocus();
    }
    start_->setVisible(tsne && !busy);
    start_->setEnabled(points_ > 1);
    start_->setToolTip(why_not_.isEmpty() ? start_->accessibleName() : why_not_);
    pause_->setVisible(tsne && busy);
    pause_->setEnabled(state != State::preparing);
    pause_->setText(state == State::paused ? tr("Contin&ue") : tr("Pa&use"));
    stop_->setVisible(tsne && busy);
    store_->setVisible(tsne && !busy && work_->picture() && ours && !elsewhere_ &&
                       (state == State::finished || state == State::stopped));
    QStringList texts;
    if (tsne && state == State::preparing) {
        auto text = work_->stage();
        if (work_->share() >= 0) text += tr(" %1 %").arg(qRound(100 * work_->share()));
        texts << text;
    } else if (tsne && state == State::failed) {
        texts << work_->problem();
    } else if (const auto picture = work_->picture(); tsne && ours && picture && (busy || !elsewhere_)) {
        if (elsewhere_) texts << tr("for a different set of points");
        const auto asked = work_->options().iterations;
        texts << (picture->planned > asked
                      ? tr("iteration %1 (%2, plus more for each new snapshot)")
                            .arg(counted(picture->iteration), counted(asked))
                      : tr("iteration %1 of %2").arg(counted(picture->iteration), counted(picture->planned)));
        QStringList kl;
        for (const auto value : picture->kl)
            if (std::isfinite(value)) kl << figures::number_text(value, 4);
        if (!kl.isEmpty()) texts << tr("KL %1").arg(kl.join(QStringLiteral(", ")));
        if (const auto left = time_left_text(work_->seconds_left()); !left.isEmpty()) texts << left;
        if (state == State::paused) texts << tr("paused");
        if (state == State::stopped) texts << tr("stopped");
        texts << work_->notes();
    } else if (tsne && points_ > 0) {
        texts << tr("%1 points").arg(counted(points_));
    } else if (tsne && !why_not_.isEmpty()) {
        texts << why_not_;
    }
    text_->setText(texts.join(QStringLiteral(" · ")));
    text_->setToolTip(text_->text());
    text_->setVisible(!text_->text().isEmpty());
}

void LayoutBar::save(QJsonObject& object) const {
    object[QStringLiteral("layout")] = method_->currentIndex();
    object[QStringLiteral("common")] = wants_common_;
    object[QStringLiteral("tsne_components")] = components_->currentIndex();
    object[QStringLiteral("perplexity")] = perplexity_->value();
    object[QStringLiteral("iterations")] = iterations_->value();
    object[QStringLiteral("exaggeration")] = exaggeration_->value();
    object[QStringLiteral("seed")] = seed_->value();
}

void LayoutBar::restore(const QJsonObject& object) {
    method_->setCurrentIndex(std::clamp(object.value(QStringLiteral("layout")).toInt(), 0, 1));
    wants_common_ = object.value(QStringLiteral("common")).toBool(wants_common_);
    if (common_->isEnabled()) common_->setChecked(wants_common_);
    components_->setCurrentIndex(std::clamp(object.value(QStringLiteral("tsne_components")).toInt(), 0, 1));
    perplexity_->setValue(object.value(QStringLiteral("perplexity")).toDouble(perplexity_->value()));
    iterations_->setValue(object.value(QStringLiteral("iterations")).toInt(iterations_->value()));
    exaggeration_->setValue(object.value(QStringLiteral("exaggeration")).toDouble(exaggeration_->value()));
    seed_->setValue(object.value(QStringLiteral("seed")).toInt(seed_->value()));
}

}  // namespace casp::widgets
