// Similarity of the probe windows and the most used anchors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "figures/recipe_anchors.h"

namespace casp::figures {

std::vector<std::int64_t> heatmap_anchors(const RunInput& run, const train::Probe& probe, std::size_t most) {
    const auto pool = static_cast<std::size_t>(std::max<std::int64_t>(0, probe.pool_size));
    if (pool == 0) return {};
    std::vector<std::int64_t> counts;
    if (run.record) counts = usage_counts(run.record->anchors, UsageOf::training, probe.step);
    counts.resize(pool, 0);
    std::vector<double> mean(pool, 0);
    for (std::size_t at = 0; at + pool <= probe.similarity.size(); at += pool)
        for (std::size_t i = 0; i < pool; ++i) mean[i] += static_cast<double>(probe.similarity[at + i]);
    std::vector<std::int64_t> order(pool);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        return counts[i] != counts[j] ? counts[i] > counts[j] : mean[i] > mean[j];
    });
    order.resize(std::min(most, pool));
    return order;
}

Figure similarity_heatmap(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    Figure figure;
    figure.id = QStringLiteral("similarity");
    figure.title = QStringLiteral("Similarity of anchors and windows");
    float low = std::numeric_limits<float>::infinity(), high = -low;
    std::size_t left_out = 0;
    for (const auto& run : runs) {
        const auto probe = probe_at(run, options.step);
        if (!probe || probe->similarity.empty() || probe->pool_size <= 0) continue;
        if (figure.plots.size() == 4) {
            ++left_out;
            continue;
        }
        const auto anchors = heatmap_anchors(run, *probe);
        const auto pool = static_cast<std::size_t>(probe->pool_size);
        const auto columns = probe->similarity.size() / pool;
        Heatmap map;
        map.rows = static_cast<std::int64_t>(anchors.size());
        map.columns = static_cast<std::int64_t>(columns);
        map.value_title = QStringLiteral("cosine similarity s");
        map.row_ids = anchors;
        map.values.reserve(anchors.size() * columns);
        for (const auto anchor : anchors) {
            map.row_names << QString::number(anchor);
            for (std::size_t c = 0; c < columns; ++c) {
                const float value = probe->similarity[c * pool + static_cast<std::size_t>(anchor)];
                map.values.push_back(value);
                if (!std::isfinite(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
        }
        const auto channels = static_cast<std::size_t>(std::max<std::int64_t>(1, probe->channels));
        for (std::size_t c = 0; c < columns; ++c) {
            map.column_ids.push_back(static_cast<std::int64_t>(c));
            const auto w = c / channels;
            const auto number = w < probe->windows.size() ? probe->windows[w] : static_cast<std::int64_t>(w);
            const auto channel = static_cast<std::int64_t>(c % channels);
            map.column_names << QStringLiteral("%1 %2").arg(number).arg(
                run.record ? channel_name(run.record->data, channel) : QString::number(channel));
        }
        Plot plot;
        plot.title = QStringLiteral("%1 · step %2").arg(run.label, QString::number(probe->step));
        plot.x.title = QStringLiteral("window, channel");
        plot.y.title = QStringLiteral("anchor (most used first)");
        plot.heatmap = std::move(map);
        plot.legend = false;
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) {
        bool any = false;
        for (const auto& run : runs) any = any || run.record;
        figure.empty_text = any ? QStringLiteral(
                                      "These runs have no similarities. They are recorded for runs started "
                                      "in this session, and stored with run.store_similarity.")
                                : QStringLiteral(
                                      "The similarity of the most used anchors and the probe windows appears "
                                      "here. Press Run, or select runs in the list on the left.");
        return figure;
    }
    for (auto& plot : figure.plots) {
        plot.heatmap->min = low;  // one scale for all, so that colours are comparable
        plot.heatmap->max = high;
    }
    figure.columns = figure.plots.size() > 1 ? 2 : 1;
    figure.caption =
        QStringLiteral(
            "Cosine similarity of validation windows and the most used anchors before the top-K retrieval, "
            "for %1.%2")
            .arg(join_names(runs),
                 left_out > 0 ? QStringLiteral(" %1 more runs are not shown.").arg(left_out) : QString());
    return figure;
}

}  // namespace casp::figures
