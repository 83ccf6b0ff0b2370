#include "panels/view/shown_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <QLocale>
#include <QSet>

#include "config/experiment.h"
#include "model/descriptor.h"
#include "panels/view/selection_links.h"
#include "panels/view/view_page.h"
#include "state/run_names.h"
#include "util/error.h"

namespace casp::widgets {

namespace {
constexpr qsizetype few_runs = 64;  ///< up to this number, every change checks all runs

/// Values that figures use from a run's row in the list.
QString marks_of(const RunSummary& run) {
    return run.label() + QLatin1Char('\n') + run.batch + QLatin1Char('/') + run.name + QLatin1Char('\n') +
           run.colour.name() + QLatin1Char('\n') + run.parent;
}

}  // namespace

ShownRuns::ShownRuns(RunLibrary& library, Selection& selection, QWidget& page)
    : QObject(&page), library_(library), selection_(selection), page_(page) {
    chosen_runs_ = selection_.state().runs;
    connect(&selection_, &Selection::changed, this, [this] {
        // Most changes, such as brushing, leave the runs unchanged; the list is then shared and not compared
        // by entries.
        if (selection_.state().runs == chosen_runs_) return;
        chosen_runs_ = selection_.state().runs;
        runs_due_ = true;
        if (page_.isVisible()) (void)catch_up();  // once per gesture, however many runs
    });
    const auto others = [this] {
        runs_due_ = true;
        follow();
    };
    connect(&library_, &RunLibrary::reset, this, others);
    connect(&library_, &RunLibrary::added, this, others);
    connect(&library_, &RunLibrary::removed, this, others);
    connect(&library_, &RunLibrary::changed, this, [this](int index) {
        if (index < 0 || index >= library_.size()) return;
        runs_due_ = true;  // a run may have started
        const auto& summary = library_.at(index);
        const auto drawn = drawn_marks_.find(summary.folder);
        if (drawn == drawn_marks_.end()) return follow();
        parts_due_.insert(RunPart::summary);
        // The list also changes with every report of a running run, whose new data are reported by
        // RunData::changed. Here only values that figures use from the list matter.
        const auto now = marks_of(summary);
        const bool differs = *drawn != now;
        *drawn = now;
        follow();
        if (differs) Q_EMIT marks_changed();
    });
    sync_runs();
}

void ShownRuns::run_changed(RunPart part) {
    parts_due_.insert(part);
    if (part == RunPart::everything || part == RunPart::summary) runs_due_ = true;  // a parent was found
    follow();
    if (part != RunPart::embedding_work) Q_EMIT outdated(part);
}

/// With few runs, the page is updated before the signal returns, which is cheap. With many, checking all of
/// them is expensive and they change one after another while being read: check once before the next rebuild.
/// A hidden page checks when it is shown or its figures are requested.
void ShownRuns::follow() {
    if (!page_.isVisible()) return;
    const auto looked_at = chosen_runs_.isEmpty() ? library_.size() : chosen_runs_.size();
    if (looked_at <= few_runs)
        (void)catch_up();
    else
        Q_EMIT due();
}

bool ShownRuns::catch_up() {
    if (!is_due()) return false;
    if (std::exchange(runs_due_, false)) sync_runs();
    for (const auto part : std::exchange(parts_due_, {})) Q_EMIT part_changed(part);
    return true;
}

QStringList ShownRuns::folders() {
    (void)catch_up();
    return runs_;
}

void ShownRuns::load() {
    for (const auto& shown : connected_)
        if (shown) shown->load();
}

QStringList ShownRuns::runs_to_draw() {
    QStringList wanted;
    for (const auto& run : selection_.state().runs)
        if (library_.index_of(run) >= 0) wanted << run;
    if (wanted.isEmpty())
        for (int i = 0; i < library_.size(); ++i)
            if (library_.at(i).ours && library_.at(i).live) wanted << library_.at(i).folder;
    shown_count_ = wanted.size();
    if (shown_count_ <= max_drawn) return wanted;
    // Running runs come first, wherever they are in the list.
    std::stable_partition(wanted.begin(), wanted.end(),
                          [this](const QString& run) { return library_.at(library_.index_of(run)).live; });
    return wanted.mid(0, max_drawn);
}

void ShownRuns::sync_runs() {
    const auto wanted = runs_to_draw();
    std::vector<QPointer<RunData>> now;
    QSet<const RunData*> known;
    const auto add = [&](RunData* run) {
        if (run == nullptr || known.contains(run)) return;
        known.insert(run);
        now.emplace_back(run);
    };
    for (const auto& run : wanted)
        if (auto* shown = library_.data(run)) {
            add(shown);
            add(parent_of(*shown));
        }
    if (wanted == runs_ && now == connected_) return;
    const QSet<const RunData*> before(connected_.begin(), connected_.end());
    for (const auto& shown : connected_)
        if (shown && !known.contains(shown)) disconnect(shown, nullptr, this, nullptr);
    connected_ = now;
    runs_ = wanted;
    drawn_marks_.clear();
    for (const auto& run : runs_)
        if (const int index = library_.index_of(run); index >= 0)
            drawn_marks_[run] = marks_of(library_.at(index));
    for (const auto& shown : connected_) {
        if (!before.contains(shown)) connect(shown, &RunData::changed, this, &ShownRuns::run_changed);
        if (page_.isVisible()) shown->load();
    }
    Q_EMIT runs_changed();
}

QString ShownRuns::drawn_text() const {
    if (shown_count_ <= runs_.size()) return {};
    const QLocale locale(QLocale::English);
    return ViewPage::tr(
               "%1 of the %2 shown runs are plotted: running runs first, then in list order. Show fewer runs "
               "to plot others; the Compare page includes all.")
        .arg(locale.toString(runs_.size()), locale.toString(shown_count_));
}

RunData* ShownRuns::parent_of(const RunData& shown) const {
    auto folder = shown.summary().parent;
    if (folder.isEmpty()) folder = QString::fromStdString(shown.record().attributes.parent);
    return folder.isEmpty() || folder == shown.folder() ? nullptr : library_.data(folder);
}

QString ShownRuns::origin_of(QString run) const {
    for (int generation = 0; generation < 100; ++generation) {  // a loop of parents is no origin
        const auto* known = library_.data(run);
        if (known == nullptr) break;
        const auto& summary = known->summary();
        const auto parent = summary.parent.isEmpty()
                                ? QString::fromStdString(known->record().attributes.parent)
                                : summary.parent;
        if (parent.isEmpty()) break;
        run = parent;
    }
    return run;
}

bool ShownRuns::have_same_start(const QString& run, const QString& other) const {
    if (run.isEmpty() || other.isEmpty() || run == other) return true;
    const auto first = origin_of(run), second = origin_of(other);
    if (first == second) return true;
    const auto *a = library_.data(first), *b = library_.data(second);
    if (a == nullptr || b == nullptr || a->record().anchors.pool_size != b->record().anchors.pool_size)
        return false;
    const auto one = config_of(*a), two = config_of(*b);
    if (!one || !two) return false;
    // These say how many anchors are retrieved and how they are read, not which there are.
    auto model = two->model;
    model.top_k = one->model.top_k;
    model.head_ways = one->model.head_ways;
    return one->train.seed == two->train.seed && one->model == model && one->backbone == two->backbone;
}

void ShownRuns::pick_anchors(SelectionState& state, const QString& run,
                             const std::vector<std::int64_t>& anchors,
                             Qt::KeyboardModifiers modifiers) const {
    if (!have_same_start(run, state.anchors_of)) state.anchors.clear();
    if (state.anchors.empty() || !modifiers) state.anchors_of = run;
    state.anchors = combined(std::move(state.anchors), anchors, modifiers);
    if (state.anchors.empty()) state.anchors_of.clear();
}

std::vector<RunData*> ShownRuns::data() const {
    // A hidden page reports what it would show; a visible one may be in the middle of a rebuild.
    if (!page_.isVisible()) (void)const_cast<ShownRuns*>(this)->catch_up();
    std::vector<RunData*> list;
    for (const auto& run : runs_)
        if (auto* shown = library_.data(run)) list.push_back(shown);
    return list;
}

std::shared_ptr<const config::Config> ShownRuns::config_of(const RunData& shown) const {
    const auto& text = shown.record().attributes.config;
    if (text.empty()) return nullptr;
    auto& entry = configs_[shown.folder()];
    if (entry.first != text) {
        entry.first = text;
        try {
            entry.second = std::make_shared<const config::Config>(
                config::load_text(text, "the run's configuration", {}).base);
        } catch (const Error&) {
            entry.second = nullptr;  // written by another version: views work without it
        }
    }
    return entry.second;
}

std::vector<figures::RunInput> ShownRuns::inputs() const {
    std::vector<figures::RunInput> list;
    std::vector<const RunSummary*> summaries;
    for (const auto* shown : data()) {
        figures::RunInput run;
        const auto& summary = shown->summary();
        run.folder = summary.folder;
        run.colour = summary.colour;
        summaries.push_back(&summary);
        if (shown->is_loaded() || !shown->record().steps.step.empty()) {
            run.record = &shown->record();
            run.config = config_of(*shown);
            if (const auto* parent = parent_of(*shown); parent && parent->is_loaded())
                run.parent = &parent->record();
        }
        run.steps_per_epoch = shown->pace().steps_per_epoch;
        run.probes = shown->probes();
        list.push_back(std::move(run));
    }
    const auto names = names_among(summaries);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].label = names[static_cast<qsizetype>(i)];
    return list;
}

std::vector<figures::RunInput> ShownRuns::in_comparison_order(std::vector<figures::RunInput> runs) const {
    std::map<QString, double> places;  // by folder
    std::set<std::string> cases;
    QStringList folders;
    for (const auto& run : runs) {
        const int index = library_.index_of(run.folder);
        const auto row = index < 0 ? store::ResultRow() : library_.at(index).row;
        places[run.folder] = run.config && !model::has_coverage(*run.config) ? -1
                             : run.config                                    ? run.config->loss.lambda_cov
                             : std::isfinite(row.lambda_cov)                 ? row.lambda_cov
                                                             : std::numeric_limits<double>::infinity();
        cases.insert(row.case_label);
        folders += run.folder;
    }
    const auto ordered = in_sweep_order(library_, folders);
    for (qsizetype i = 0; cases.size() > 1 && i < ordered.size(); ++i)
        places[ordered[i]] = static_cast<double>(i);
    std::stable_sort(runs.begin(), runs.end(),
                     [&](const auto& a, const auto& b) { return places[a.folder] < places[b.folder]; });
    return runs;
}

QString ShownRuns::problems() const {
    QStringList list;
    for (const auto* shown : data())
        if (!shown->problem().isEmpty())
            list << shown->summary().label() + QStringLiteral(": ") + shown->problem();
    return list.join(QStringLiteral("\n"));
}

bool ShownRuns::is_reading_embeddings() const {
    const auto runs = data();
    return std::any_of(runs.begin(), runs.end(), [](const RunData* run) {
        return run->embedding_status().phase == EmbeddingStatus::Phase::reading;
    });
}

}  // namespace casp::widgets
