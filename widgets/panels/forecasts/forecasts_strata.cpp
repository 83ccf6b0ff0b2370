// Windows by difficulty on the Forecasts page.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QPointer>
#include <QToolButton>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "config/options.h"
#include "figures/recipe_input.h"
#include "figures/recipe_strata.h"
#include "inspect/window_embeddings.h"
#include "panels/embeddings/embedding_cloud.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/view/model_question.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {
/// The latest embeddings, preferring computed ones: strata need their residuals.
std::shared_ptr<const EmbeddingSet> set_for_strata(RunData& run) {
    const auto latest = run.embeddings();
    if (!latest || !latest->values.residual.empty()) return latest;
    for (const char* split : {"test", "val", "train"})
        if (auto set = run.embeddings_of(QString::fromLatin1(split)); set && !set->values.residual.empty())
            return set;
    return latest;
}

/// Whether the run's windows need no embeddings to be sorted, because its model has none.
bool may_be_sorted(const figures::RunInput& run, const RunData& shown) {
    return !figures::capabilities(run).embeddings && store::is_complete(shown.summary().row.state) &&
           !shown.embedding_status().is_busy();
}

/// Of a run on a collection: that its windows belong to other series; empty: they do not, or other data.
QString series_apart(const figures::RunInput& run, const EmbeddingSet& set, const EmbeddingSet& first) {
    if (!run.record || !figures::is_collection(run.record->data)) return {};
    const auto &a = set.values.windows, &b = first.values.windows;
    const auto [mine, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (mine == a.end() && other == b.end()) return {};
    const auto window = mine == a.end() ? *other : *mine;
    const auto series = figures::series_name(run.record->data.series, window);
    return ForecastsPage::
        tr("its windows are those of other series, from %1 on. Compute the embeddings of the same windows "
           "for both.")
            .arg(series.isEmpty() ? ForecastsPage::tr("window %1").arg(window) : series);
}

/// Why equal window numbers of two runs mean different windows; empty: they may be the same.
QString mismatch_of(const figures::RunInput& run, const EmbeddingSet& set, const figures::RunInput& base,
                    const EmbeddingSet& first) {
    if (set.values.split != first.values.split)
        return ForecastsPage::tr(
                   "its windows are from the %1 split, the other's from the %2 split. Compute the embeddings "
                   "of the same split for both.")
            .arg(split_name(QString::fromStdString(set.values.split)),
                 split_name(QString::fromStdString(first.values.split)));
    if (const auto why = figures::data_difference(run, base); !why.isEmpty()) return why;
    return series_apart(run, set, first);
}

/// Whether two runs differ in the seed, and else only in settings that do not change forecasts.
bool is_other_seed(const figures::RunInput& run, const figures::RunInput& of) {
    if (!run.config || !of.config || run.config->train.seed == of.config->train.seed) return false;
    const auto differences = config::differences(*run.config, *of.config);
    return std::all_of(differences.begin(), differences.end(), [&](const config::Difference& difference) {
        const auto& option = *config::find_option(difference.key);
        return difference.key == "train.seed" || !config::changes_forecasts(difference.key) ||
               !(config::is_read(*run.config, option) || config::is_read(*of.config, option));
    });
}

/// The condition's run with the seed of `run`; null: none.
const figures::RunInput* same_seed(const figures::StrataOfCondition& condition,
                                   const figures::RunInput& run) {
    for (const auto& one : condition.runs)
        if (run.config && one.run->config && one.seed == run.config->train.seed) return one.run;
    return nullptr;
}

/// What the labels of all its runs share: not the seed.
QString shared_label(const figures::StrataOfCondition& condition) {
    const auto separator = QStringLiteral(" · ");
    QStringList shared;
    for (const auto& part : condition.label.split(separator))
        if (std::all_of(condition.runs.begin(), condition.runs.end(), [&](const figures::StrataOfRun& one) {
                return one.run->label.split(separator).contains(part);
            }))
            shared << part;
    return shared.isEmpty() ? ForecastsPage::tr("%1 seeds").arg(condition.runs.size())
                            : shared.join(separator);
}

}  // namespace

void ForecastsPage::make_strata_controls() {
    strata_text_ = new QLabel;
    strata_text_->setAccessibleName(tr("Progress of sorting windows"));
    strata_button_ = text_button(nullptr, tr("Sort windows"), tr("Sort windows"),
                                 tr("Sorts the windows of the remaining runs"));
    for (QWidget* control : {static_cast<QWidget*>(strata_text_), static_cast<QWidget*>(strata_button_)}) {
        control->hide();
        frame(QStringLiteral("strata"))->add_control(control);
    }
    connect(strata_button_, &QToolButton::clicked, this, [this] { sort_windows(); });
    strata_axis_ = new QComboBox;
    strata_axis_->addItems({tr("Residual"), tr("Trend change, channel average"),
                            tr("Trend change, any channel"), tr("Trend strength"),
                            tr("Low-frequency fraction"), tr("Normalised residual")});
    strata_axis_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    strata_axis_->setMinimumContentsLength(12);
    named(strata_axis_, tr("Strata of"),
          tr("Label by which windows are divided. It is computed from the look-back and never "
             "sees the target."));
    strata_penalty_ = new QComboBox;
    for (const double factor : analysis::penalty_factors)
        strata_penalty_->addItem(tr("Penalty c = %1").arg(factor), factor);
    named(strata_penalty_, tr("Penalty of trend changes"),
          tr("A change point costs c · ln L in units of the training variance (L: look-back). The "
             "number of change points depends on c: compare all values."));
    for (auto* control : {strata_axis_, strata_penalty_})
        frame(QStringLiteral("strata"))->add_control(control);
    strata_contrast_ = note_label(this, tr("Change in the outer strata"));
    strata_contrast_->setObjectName(QStringLiteral("strata-contrast"));
    frame(QStringLiteral("strata"))->layout()->addWidget(strata_contrast_);
    set_strata_axis({});
    const auto choose = [this] {
        set_strata_axis({static_cast<analysis::StrataLabel>(strata_axis_->currentIndex()),
                         strata_penalty_->currentData().toDouble()});
    };
    connect(strata_axis_, &QComboBox::activated, this, choose);
    connect(strata_penalty_, &QComboBox::activated, this, choose);
    show_strata_status();
}

void ForecastsPage::set_strata_axis(const analysis::StrataAxis& axis) {
    strata_axis_->setCurrentIndex(static_cast<int>(axis.label));
    strata_penalty_->setCurrentIndex(strata_penalty_->findData(axis.penalty_factor));
    strata_penalty_->setVisible(axis.above_zero());
    frame(QStringLiteral("strata"))->set_title(tr("Error by %1").arg(figures::label_words(axis)));
    if (axis == strata_.axis()) return;
    strata_.set_axis(axis);
    rebuild({QStringLiteral("strata")});
}

void ForecastsPage::show_strata_status() {
    strata_text_->setText(strata_.text());
    strata_text_->setVisible(strata_.pending() > 0);
    strata_button_->setAccessibleName(tr("Sort windows by %1").arg(figures::label_words(strata_.axis())));
    const bool offers = strata_.pending() == 0 && !unsorted_.isEmpty();
    if (!offers && strata_button_->hasFocus()) view(QStringLiteral("strata"))->setFocus();
    strata_button_->setVisible(offers);
}

void ForecastsPage::sort_windows() {
    inspect::EmbeddingRequest request;
    request.similarity = false;
    if (const auto* base = strata_.find(strata_base_)) {
        const auto& sorted = base->set->values;
        request.split = sorted.split;
        request.windows = std::ssize(sorted.windows);
        if (std::cmp_not_equal(sorted.channels.size(), sorted.channels_total))
            request.channels = sorted.channels;
    }
    for (const auto& folder : std::exchange(unsorted_, {}))
        if (auto* run = library()->data(folder))
            with_trusted_model(window(), folder, [run = QPointer<RunData>(run), request] {
                if (run) run->compute_embeddings(request);
            });
    show_strata_status();
}

const StrataWork::Of& ForecastsPage::strata_of(const figures::RunInput& run,
                                               const std::shared_ptr<const EmbeddingSet>& set,
                                               const figures::RunInput* base) {
    const auto& known = strata_.cut(run.folder, set, run.record && figures::is_collection(run.record->data));
    if (!base || !known.is_cut() || !known.problem.isEmpty()) return known;
    const auto first = strata_.find(base->folder)->set;
    if (known.base == first) return known;
    return strata_.compare(run.folder, first, mismatch_of(run, *set, *base, *first));
}

figures::Figure ForecastsPage::make_strata(const std::vector<figures::RunInput>& given) {
    const auto runs = shown_runs().in_comparison_order(given);
    const auto& axis = strata_.axis();
    const auto label = figures::label_words(axis);
    const auto of_label = axis.above_zero() ? tr("group (windows without and with a trend change)")
                          : axis.label == analysis::StrataLabel::residual
                              ? tr("decile of difficulty (mean absolute residual of the look-back)")
                              : tr("decile of %1").arg(label);
    QStringList folders;
    for (const auto& run : runs) folders << run.folder;
    strata_.keep_only(folders);
    std::vector<figures::StrataOfCondition> conditions;
    QStringList problems;
    bool computing = false, any = false, without_residuals = false, sorting = false;
    QString split_text;
    const figures::RunInput* base = nullptr;
    unsorted_.clear();
    for (const auto& run : runs) {
        any = any || run.record;
        auto* shown = library()->data(run.folder);
        const auto set = shown ? set_for_strata(*shown) : nullptr;
        computing = computing || (shown && shown->embedding_status().is_busy());
        without_residuals = without_residuals || (set && !set->live && set->values.residual.empty());
        if (!set || set->values.residual.empty()) {
            if (shown && may_be_sorted(run, *shown)) {
                unsorted_ << run.folder;
                if (const auto why = shown->embedding_status().problem; !why.isEmpty())
                    problems << run.label + QStringLiteral(": ") + why;
            }
            continue;
        }
        // Seeds of a condition are pooled: those of the first, and those that have their partner there.
        const auto* partner = base ? same_seed(conditions.front(), run) : nullptr;
        const auto condition_of_seed =
            std::find_if(conditions.begin(), conditions.end(), [&](const figures::StrataOfCondition& one) {
                const auto& first = *one.runs.front().run;
                if (!is_other_seed(run, first) || same_seed(one, run)) return false;
                return &first == base
                           ? mismatch_of(run, *set, *base, *strata_.find(base->folder)->set).isEmpty()
                           : partner && same_seed(conditions.front(), first);
            });
        const bool further_seed = condition_of_seed != conditions.end();
        const bool of_base = further_seed && condition_of_seed == conditions.begin();
        const auto* reference = of_base ? nullptr : partner ? partner : base;
        const auto& known = strata_of(run, set, reference);
        if (reference ? known.pending : !known.is_cut()) {
            sorting = true;
            if (!base) break;  // the reference run is not known before
            continue;
        }
        if (!known.problem.isEmpty()) {
            problems << run.label + QStringLiteral(": ") + known.problem;
            continue;
        }
        if (reference && !known.mismatch.isEmpty()) {
            problems << tr("%1 is not compared with %2 by %3: %4")
                            .arg(run.label, reference->label, label, known.mismatch);
            continue;
        }
        auto of = figures::strata_of_run(run, known.strata);
        if (reference) figures::set_change(of, known.pair);
        if (further_seed) {
            condition_of_seed->runs.push_back(std::move(of));
            condition_of_seed->label = shared_label(*condition_of_seed);
            continue;
        }
        conditions.push_back({short_label(run, runs), run.colour, {std::move(of)}});
        if (!base) {
            base = &run;
            split_text = set->text();
        }
    }
    if (base)
        for (const auto& run : runs)
            if (unsorted_.contains(run.folder))
                problems << tr("%1 is not shown by %2 yet. Press Sort windows.").arg(run.label, label);
    set_missing(QStringLiteral("strata"), problems.join(QLatin1Char('\n')));
    if (sorting) wait_for(QStringLiteral("strata"));
    show_strata_status();
    show_note(strata_contrast_, figures::contrast_sentence(conditions, axis));
    auto figure = figures::difficulty_strata(split_text, conditions,
                                             axis.above_zero() ? tr(" Click a group to select its windows.")
                                                               : tr(" Click a decile to select its windows."),
                                             axis);
    strata_base_ = base ? base->folder : QString();
    if (figure.plots.empty())
        figure.empty_text =
            sorting               ? tr("Sorting the windows by %1.").arg(label)
            : !problems.isEmpty() ? problems.join(QLatin1Char('\n'))
            : computing           ? tr("Computing the embeddings; the windows are sorted next.")
            : !unsorted_.isEmpty()
                ? tr("Error by %1 appears here. Press Sort windows above: for models without embeddings this "
                     "needs only stored test forecasts and the data file.")
                      .arg(of_label)
            : without_residuals
                ? tr("The stored embeddings of these runs lack the look-back residuals by which windows are "
                     "sorted. Press Compute embeddings on the Embeddings page to see error and anchor usage "
                     "by %1 here.")
                      .arg(of_label)
                : (any ? tr("Error and anchor usage by %1 appear here, with the difference between two runs "
                            "in each. Press Compute embeddings on the Embeddings or Anchors page first; then "
                            "click one to select its windows.")
                       : tr("Error and anchor usage by %1 appear here, with the difference between two runs "
                            "in each. Show runs from the list on the left (Space)."))
                      .arg(of_label);
    return figure;
}

std::vector<std::int64_t> ForecastsPage::windows_of_stratum(int number) const {
    for (const auto& run : QStringList{strata_base_} + shown_runs().drawn()) {
        const auto* known = strata_.find(run);
        if (!known || number < 0 || number >= static_cast<int>(known->strata.strata.size())) continue;
        std::vector<std::int64_t> windows;
        for (const auto at : known->strata.strata[static_cast<std::size_t>(number)].windows)
            windows.push_back(known->set->values.windows[static_cast<std::size_t>(at)]);
        return windows;
    }
    return {};
}

void ForecastsPage::pick_stratum(double x, Qt::KeyboardModifiers modifiers) {
    const auto windows = windows_of_stratum(static_cast<int>(std::lround(x)) - 1);
    if (windows.empty()) return;
    auto state = selection()->state();
    QString of;
    for (const auto& run : QStringList{strata_base_} + shown_runs().drawn())
        if (const auto* known = strata_.find(run)) {
            of = QString::fromStdString(known->set->values.split);
            break;
        }
    state.windows =
        combined(state.split == of ? state.windows : std::set<std::int64_t>{}, windows, modifiers);
    state.split = of;
    selection()->set(state);
}

}  // namespace casp::widgets
