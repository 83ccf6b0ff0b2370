#include "panels/embeddings/embeddings_source.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include "config/experiment.h"
#include "figures/recipe_input.h"
#include "model/descriptor.h"
#include "panels/view/model_question.h"
#include "panels/view/selection_links.h"
#include "panels/view/view_flow.h"
#include "util/error.h"
#include "words/amount_text.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// Initial number of rows (windows × channels), which heatmap and point cloud show quickly.
constexpr std::int64_t usual_rows = 20000;
constexpr std::size_t max_runs = 4;

bool has_probes(const RunData& run) {
    return std::any_of(run.probes().begin(), run.probes().end(),
                       [](const auto& probe) { return probe && probe->pca.can_be_drawn(); });
}

/// Whether the run is finished and has the weights of a best epoch.
bool has_weights(const RunSummary& run) { return !run.live && run.row.best_epoch > 0; }

/// Whether windows can be embedded with its weights.
bool can_embed(const RunData& run) {
    const auto& text = run.record().attributes.config;
    if (!has_weights(run.summary()) || text.empty()) return false;
    try {
        return model::capabilities(config::load_text(text, "the run's configuration", {}).base).embeddings;
    } catch (const Error&) {  // written by another version
        return false;
    }
}

template <class Runs>
QString names_of(const Runs& runs) {
    QStringList names;
    for (const auto* run : runs) names << run->summary().label();
    return names.join(QStringLiteral(", "));
}

/// The group of a snapshot's validation windows holds the snapshot itself, which must not be replaced.
bool is_the_runs_own(const EmbeddingMoment& moment) {
    return moment.step && moment.split == QLatin1String("val");
}

}  // namespace

EmbeddingsSource::EmbeddingsSource(const Selection& selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    auto* flow = make_flow(this);
    make_choices(*flow);
    make_buttons(*flow);
    connect(&selection, &Selection::highlighted_changed, this, &EmbeddingsSource::refresh);
    connect_parts();
    refresh();
}

void EmbeddingsSource::make_choices(QLayout& flow) {
    const auto combo = [](const QStringList& items, const QString& name, const QString& tip) {
        auto* made = new QComboBox;
        made->addItems(items);
        named(made, name, tip);
        return made;
    };
    source_ = combo({tr("Automatic"), tr("Probe windows (each snapshot)"), tr("Best checkpoint"),
                     tr("Windows at a snapshot")},
                    tr("Shown embeddings"),
                    tr("A few validation windows at each snapshot, live or stored by the run "
                       "(run.store_embeddings); or the windows of a split at the best checkpoint or at the "
                       "selected snapshot, stored in the run or computed here"));
    add_labelled(&flow, tr("Embeddings &of"), source_);
    split_ = combo({tr("Test"), tr("Validation"), tr("Training")}, tr("Split of the windows"),
                   tr("Split whose windows are embedded at the best checkpoint or the snapshot"));
    flow.addWidget(split_);
    make_count();
    flow.addWidget(windows_);
    channels_ = combo({tr("All channels"), tr("Selected channels")}, tr("Embedded channels"),
                      tr("All channels, or the selected ones"));
    flow.addWidget(channels_);
    patches_ = new QCheckBox(tr("Each patch"));
    patches_->setToolTip(
        tr("One series point per patch instead of one per window (the mean over its patches, which is the "
           "query for the anchors)"));
    prefix_ = new QCheckBox(tr("Prefi&x only"));
    prefix_->setToolTip(
        tr("Prompt embedding: mean over the K prefix anchors only instead of over all K + N_p tokens"));
    for (auto* box : {patches_, prefix_}) {
        box->setAccessibleName(box->toolTip());
        flow.addWidget(box);
    }
}

void EmbeddingsSource::make_count() {
    windows_ = new QSpinBox;
    windows_->setRange(0, 1'000'000);
    windows_->setSpecialValueText(tr("All windows"));
    windows_->setPrefix(tr("At most "));
    windows_->setSuffix(tr(" windows"));
    windows_->setValue(2000);
    windows_->setSingleStep(500);
    windows_->setGroupSeparatorShown(true);
    windows_->setKeyboardTracking(false);
    named(windows_, tr("Maximum number of windows"),
          tr("Maximum number of windows to embed, evenly spaced over the split; 0: all. The number used is "
             "shown beside the picture."));
    // Typed text applies immediately: valueChanged() waits until it is complete.
    const auto touched = [this] { windows_->setProperty("touched", true); };
    connect(windows_, &QSpinBox::valueChanged, this, touched);
    for (auto* line : windows_->findChildren<QLineEdit*>())
        connect(line, &QLineEdit::textEdited, this, touched);
}

void EmbeddingsSource::make_buttons(QLayout& flow) {
    compute_ = new QPushButton(tr("Co&mpute embeddings"));
    flow.addWidget(compute_);
    progress_ = new QProgressBar;
    progress_->setMinimumWidth(170);
    progress_->setMaximumWidth(260);
    named(progress_, tr("Progress of the embeddings"), tr("Progress of computing or storing the embeddings"));
    flow.addWidget(progress_);
    cancel_ = new QPushButton(tr("Cancel"));
    cancel_->setToolTip(tr("Stops computing; the previous embeddings stay visible"));
    flow.addWidget(cancel_);
    store_ = new QPushButton(tr("S&tore in the run"));
    store_->setToolTip(
        tr("Stores these embeddings in the run's arrays.h5 (group /embedding), for later sessions and other "
           "programs"));
    flow.addWidget(store_);
    for (auto* button : {cancel_, store_}) button->setAccessibleName(button->toolTip());
    // Triggered by the main window's actions.
    compute_->setObjectName(QStringLiteral("embeddings.compute"));
    store_->setObjectName(QStringLiteral("embeddings.store"));
    text_ = new QLabel;
    text_->setMinimumWidth(80);  // elided in a narrow dock; the tooltip has the full text
    text_->setAccessibleName(tr("Description of the shown embeddings"));
    flow.addWidget(text_);
}

void EmbeddingsSource::connect_parts() {
    connect(source_, &QComboBox::currentIndexChanged, this, [this] {
        refresh();
        Q_EMIT changed();
    });
    connect(split_, &QComboBox::currentIndexChanged, this, [this] {
        for (const auto& run : runs_)
            if (run) run->look_for_embeddings_again();
        refresh();
        Q_EMIT changed();
    });
    connect(compute_, &QPushButton::clicked, this, &EmbeddingsSource::compute);
    connect(cancel_, &QPushButton::clicked, this, &EmbeddingsSource::cancel);
    connect(store_, &QPushButton::clicked, this, &EmbeddingsSource::store);
}

EmbeddingSource EmbeddingsSource::source() const {
    return static_cast<EmbeddingSource>(source_->currentIndex());
}

QString EmbeddingsSource::split() const {
    return split_->currentIndex() == 0   ? QStringLiteral("test")
           : split_->currentIndex() == 1 ? QStringLiteral("val")
                                         : QStringLiteral("train");
}

void EmbeddingsSource::set_source(EmbeddingSource source) {
    source_->setCurrentIndex(static_cast<int>(source));
}

void EmbeddingsSource::set_runs(const std::vector<RunData*>& runs) {
    runs_.assign(runs.begin(), runs.end());
    forget_others(probes_, runs, [](const auto* run) { return run->folder(); });
    refresh();
}

std::vector<RunData*> EmbeddingsSource::runs_to_embed() const {
    std::vector<RunData*> chosen;
    for (const auto& run : runs_)
        if (run && can_embed(*run) && moment_of(*run)) chosen.push_back(run);
    std::stable_partition(chosen.begin(), chosen.end(),
                          [this](const auto* run) { return run->folder() == selection_.highlighted(); });
    if (chosen.size() > max_runs) chosen.resize(max_runs);
    return chosen;
}

std::shared_ptr<const train::Probe> EmbeddingsSource::chosen_probe(const RunData& run) const {
    // As figures::probe_at().
    std::shared_ptr<const train::Probe> chosen;
    for (const auto& probe : run.probes())
        if (probe && probe->pca.can_be_drawn() && (!chosen || !step_ || probe->step <= *step_))
            chosen = probe;
    return chosen;
}

std::optional<std::int64_t> EmbeddingsSource::chosen_snapshot(const RunData& run) const {
    std::optional<std::int64_t> chosen;
    if (run.probes().empty()) return chosen;
    // A live run also has timed probes between its snapshots. A fork's history starts with its parent's
    // snapshots, which are not in its folder.
    const auto first = run.probes().front()->step;
    for (const auto step : run.record().anchors.snapshot_step)
        if (step >= first && (!chosen || !step_ || step <= *step_)) chosen = step;
    return chosen;
}

std::optional<EmbeddingMoment> EmbeddingsSource::moment_of(const RunData& run) const {
    if (source() != EmbeddingSource::snapshot) return EmbeddingMoment(split());
    const auto step = chosen_snapshot(run);
    if (!step) return std::nullopt;
    return EmbeddingMoment(split(), step);
}

void EmbeddingsSource::set_step(std::optional<std::int64_t> step) {
    if (step_ == step) return;
    step_ = step;
    refresh();  // nothing has to be read or computed
}

bool EmbeddingsSource::shows_probe(const RunData& run, std::optional<std::int64_t> step) const {
    if (source() == EmbeddingSource::probe) return true;
    if (source() == EmbeddingSource::checkpoint || source() == EmbeddingSource::snapshot) return false;
    if (run.summary().live) return true;
    return has_probes(run) && (step || !const_cast<RunData&>(run).embeddings());
}

std::shared_ptr<const EmbeddingSet> EmbeddingsSource::set_of(RunData& run, std::optional<std::int64_t> step) {
    step_ = step;
    const auto moment = moment_of(run);
    if (source() != EmbeddingSource::probe && moment && !run.summary().live &&
        !run.embedding_status().is_busy())
        run.read_embeddings(*moment);
    if (!shows_probe(run, step)) return moment ? run.embeddings_of(*moment) : nullptr;
    return probe_set_of(run);
}

std::shared_ptr<const EmbeddingSet> EmbeddingsSource::probe_set_of(const RunData& run) {
    const auto chosen = chosen_probe(run);
    if (!chosen) return nullptr;
    auto known = std::find_if(probes_.begin(), probes_.end(),
                              [&](const auto& entry) { return entry.first == run.folder(); });
    if (known == probes_.end()) known = probes_.insert(known, {run.folder(), {}});
    if (known->second.probe != chosen) known->second = {chosen, embedding_set_of(*chosen, run.folder())};
    return known->second.set;
}

inspect::EmbeddingRequest EmbeddingsSource::request() const {
    inspect::EmbeddingRequest request;
    request.split = split().toStdString();
    request.windows = windows_->value();
    if (channels_->currentIndex() == 1) request.channels = selected_;
    request.per_patch = patches_->isChecked();
    request.prefix_only = prefix_->isChecked();
    return request;
}

bool EmbeddingsSource::matches_request(const EmbeddingSet& set) const {
    const auto asked = request();
    const auto& v = set.values;
    const auto wanted = asked.windows == 0 ? v.windows_total : std::min(asked.windows, v.windows_total);
    const bool all_channels = static_cast<std::int64_t>(v.channels.size()) == v.channels_total;
    return v.split == asked.split && static_cast<std::int64_t>(v.windows.size()) == wanted &&
           (asked.channels.empty() ? all_channels : v.channels == asked.channels) &&
           (v.patches > 1) == asked.per_patch && v.prefix_only == asked.prefix_only &&
           (set.has_similarity() || v.pool_size == 0) &&
           !v.residual.empty();  // not stored, but required by the strata
}

void EmbeddingsSource::compute() {
    const auto runs = runs_to_embed();
    for (auto* run : runs) {
        const auto moment = moment_of(*run);
        if (const auto set = run->embeddings_of(*moment); set && matches_request(*set)) continue;
        auto asked = request();
        if (moment->step) asked.weights = std::to_string(*moment->step);
        with_trusted_model(window(), run->folder(), [run = QPointer<RunData>(run), asked] {
            if (run) run->compute_embeddings(asked);
        });
    }
    if (runs.empty())
        Q_EMIT message(source() == EmbeddingSource::snapshot
                           ? tr("None of these runs is finished and has stored snapshots. Snapshots are "
                                "stored with run.store_embeddings = true.")
                           : tr("Embeddings are computed from the best weights of finished runs, and none of "
                                "these runs has any. Select other runs on the left."));
    refresh();
}

void EmbeddingsSource::cancel() {
    for (const auto& run : runs_)
        if (run) run->cancel_embeddings();
}

std::shared_ptr<const EmbeddingSet> EmbeddingsSource::unsaved_set_of(RunData& run) const {
    const auto moment = moment_of(run);
    if (!moment || is_the_runs_own(*moment)) return nullptr;
    auto set = run.embeddings_of(*moment);
    return set && !set->stored && set->values.has_vectors() ? set : nullptr;
}

void EmbeddingsSource::store() {
    std::vector<const RunData*> stored;
    for (const auto& run : runs_) {
        const auto set = run ? unsaved_set_of(*run) : nullptr;
        if (!set) continue;
        run->store_embeddings(set->moment());
        stored.push_back(run);
    }
    if (!stored.empty())
        Q_EMIT message(tr("Embeddings are stored in the folders of %1.").arg(names_of(stored)));
    refresh();
}

void EmbeddingsSource::refresh() {
    const auto chosen = runs_to_embed();
    const bool ended =
        std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return run && can_embed(*run); });
    bool busy = false, unsaved = false;
    QStringList texts, problems;
    double share = 0;
    int works = 0;
    QString stage;
    double seconds = -1;
    for (const auto& run : runs_) {
        if (!run) continue;
        const auto status = run->embedding_status();
        if (!status.problem.isEmpty())
            problems << run->summary().label() + QStringLiteral(": ") + status.problem;
        if (status.is_busy() && status.phase != EmbeddingStatus::Phase::reading) {
            busy = true;
            ++works;
            share += std::max(0.0, status.share);
            if (status.phase != EmbeddingStatus::Phase::waiting || stage.isEmpty()) {
                stage = translated_stage(status.stage);
                seconds = status.seconds_left;
            }
        }
        const auto moment = moment_of(*run);
        const auto set = shows_probe(*run, step_) || !moment ? nullptr : run->embeddings_of(*moment);
        if (!set) continue;
        unsaved = unsaved || unsaved_set_of(*run);
        auto text = set->text();
        if (!set->stored && is_the_runs_own(*moment))
            text += tr(" (cannot be stored: the run's own embeddings of this step are stored already)");
        if (!texts.contains(text)) texts << text;
    }
    const bool asks = source() != EmbeddingSource::probe;
    for (QWidget* control : std::initializer_list<QWidget*>{split_, windows_, channels_, patches_, prefix_})
        control->setVisible(asks);
    compute_->setEnabled(ended && !busy);
    compute_->setToolTip(
        chosen.empty()
            ? tr("Embeds the windows with the weights of shown finished runs (CASP-LLM, S2IP-LLM, OFA, a "
                 "Python file with embed)")
            : tr("Embeds the windows with the weights of %1 (of the shown runs at most four, the highlighted "
                 "one first)")
                  .arg(names_of(chosen)));
    compute_->setAccessibleName(compute_->toolTip());
    compute_->setVisible(asks && !busy);
    progress_->setVisible(busy);
    cancel_->setVisible(busy);
    store_->setVisible(unsaved && !busy);
    if (busy) {
        progress_->setRange(0, share > 0 ? 1000 : 0);
        progress_->setValue(works > 0 ? qRound(1000 * share / works) : 0);
        const auto left = time_left_text(seconds);
        text_->setText(left.isEmpty() ? stage : stage + QStringLiteral(", ") + left);
    } else {
        text_->setText(texts.join(QStringLiteral(";  ")));
    }
    text_->setToolTip(text_->text());
    text_->setVisible(!text_->text().isEmpty());
    patches_->setEnabled(!busy);
    prefix_->setEnabled(!busy);
    // A few thousand windows per channel are shown quickly; fewer for data with hundreds of channels.
    if (!windows_->property("touched").toBool()) {
        std::size_t channels = 0;
        for (const auto& run : runs_)
            if (run) channels = std::max(channels, run->record().data.channel_names.size());
        if (channels > 0) {
            const QSignalBlocker block(windows_);
            windows_->setValue(static_cast<int>(usual_rows / static_cast<std::int64_t>(channels)));
        }
    }
    const auto told = problems.join(QLatin1Char('\n'));
    if (told != reported_problem_) {
        reported_problem_ = told;
        if (!told.isEmpty()) Q_EMIT message(told, true);
    }
}

void EmbeddingsSource::save(QJsonObject& object) const {
    object[QStringLiteral("source")] = source_->currentIndex();
    object[QStringLiteral("split")] = split_->currentIndex();
    object[QStringLiteral("patches")] = patches_->isChecked();
    object[QStringLiteral("prefix_only")] = prefix_->isChecked();
}

void EmbeddingsSource::restore(const QJsonObject& object) {
    const auto take_index = [&](const char* key, QComboBox* combo) {
        const auto index = object.value(QString::fromLatin1(key)).toInt(combo->currentIndex());
        combo->setCurrentIndex(std::clamp(index, 0, combo->count() - 1));
    };
    take_index("source", source_);
    take_index("split", split_);
    patches_->setChecked(object.value(QStringLiteral("patches")).toBool(patches_->isChecked()));
    prefix_->setChecked(object.value(QStringLiteral("prefix_only")).toBool(prefix_->isChecked()));
}

}  // namespace casp::widgets
