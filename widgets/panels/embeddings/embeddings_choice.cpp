// Selection on the Embeddings page, and notes on runs that its pictures omit.
#include <algorithm>
#include <utility>

#include "panels/embeddings/embeddings_page.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/view/selection_links.h"
#include "state/run_names.h"

namespace casp::widgets {

QString EmbeddingsPage::left_out(const std::vector<figures::RunInput>& runs) const {
    QStringList without, beyond;
    std::size_t drawn = 0;
    for (const auto& run : runs) {
        const bool is_shown = std::any_of(shown_.begin(), shown_.end(),
                                          [&](const Shown& one) { return one.folder == run.folder; });
        drawn += is_shown ? 1 : 0;
        const auto* known = library()->data(run.folder);
        // Data being loaded are not missing.
        const bool comes = known && (!known->is_loaded() || known->embedding_status().is_busy() ||
                                     known->is_reading_probes());
        if (!is_shown && !comes) (drawn == EmbeddingsSpace::max_views ? beyond : without) << run.label;
    }
    QStringList lines;
    if (!without.isEmpty()) lines << tr("Omitted, no embeddings: %1").arg(some_names(without));
    if (!beyond.isEmpty())
        lines << tr("Omitted, at most %1 runs are shown: %2")
                     .arg(EmbeddingsSpace::max_views)
                     .arg(some_names(beyond));
    return lines.join(QLatin1Char('\n'));
}

QString EmbeddingsPage::why_no_tsne() const {
    QStringList others;
    for (const auto& one : shown_) {
        if (!one.set->values.has_vectors())
            return tr(
                "A t-SNE needs the embedding vectors, which are kept for the latest snapshot only. Select "
                "the latest snapshot, or embeddings of the best checkpoint.");
        if (!one.set->other_tsne.isEmpty()) others << one.set->other_tsne;
    }
    others.removeDuplicates();
    auto text =
        tr("Press Start t-SNE to lay out all points. The picture follows the optimisation, which can be "
           "paused, continued and stopped; the layout can be stored.");
    if (!others.isEmpty())
        text +=
            tr(" A t-SNE is stored for %1: compute those embeddings to see it.").arg(others.join(tr("; ")));
    return text;
}

void EmbeddingsPage::show_selection() {
    if (!isVisible()) return;  // showEvent() catches up
    const auto& chosen = selection()->state();
    for (std::size_t i = 0; i < shown_.size() && i < EmbeddingsSpace::max_views; ++i) {
        const auto& set = *shown_[i].set;
        const auto split = QString::fromStdString(set.values.split);
        const bool same = chosen.split.isEmpty() || chosen.split == split;
        const bool numbered = shown_runs().have_same_start(shown_[i].folder, chosen.anchors_of);
        auto anchors = numbered ? chosen.anchors : std::set<std::int64_t>{};
        const auto windows = same ? chosen.windows : std::set<std::int64_t>{};
        auto pairs = same ? chosen.pairs : std::vector<WindowChannel>{};
        // Highlight the selection and the points linked to it in this run.
        if (anchors.empty())
            anchors = set.anchors_retrieved_by(windows, chosen.channels, pairs);
        else if (chosen.windows.empty())
            pairs = set.pairs_retrieving(anchors, chosen.channels);
        space_->set_highlight(i, ids_of(set, anchors, windows, chosen.channels, pairs));
    }
}

void EmbeddingsPage::pick(std::size_t cloud, const std::vector<std::int64_t>& ids,
                          Qt::KeyboardModifiers modifiers) {
    if (cloud >= shown_.size()) return;
    const auto& set = *shown_[cloud].set;
    auto picked = picked_points(set, ids);
    auto state = selection()->state();
    shown_runs().pick_anchors(state, set.folder, picked.anchors, modifiers);
    pick_pairs(state, set, std::move(picked.pairs), modifiers);
    selection()->set(state);
}

}  // namespace casp::widgets
