#include "state/embedding_set.h"

#include <algorithm>

#include <QLocale>

#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// Whether a number is wanted; empty `wanted`: each is.
bool is_wanted(const std::set<std::int64_t>& wanted, std::int64_t number) {
    return wanted.empty() || wanted.count(number) > 0;
}

}  // namespace

QString EmbeddingMoment::name() const {
    return step ? QStringLiteral("%1 at step %2").arg(split).arg(*step) : split;
}

EmbeddingMoment EmbeddingSet::moment() const {
    EmbeddingMoment of(QString::fromStdString(values.split));
    if (values.weights != "best") of.step = values.step;
    return of;
}

std::int64_t EmbeddingSet::window_of(std::int64_t row) const {
    const auto m = static_cast<std::int64_t>(values.channels.size());
    if (m == 0 || row < 0 || row >= values.rows) return -1;
    return values.windows[static_cast<std::size_t>(row / m)];
}

std::int64_t EmbeddingSet::channel_of(std::int64_t row) const {
    const auto m = static_cast<std::int64_t>(values.channels.size());
    if (m == 0 || row < 0 || row >= values.rows) return -1;
    return values.channels[static_cast<std::size_t>(row % m)];
}

std::int64_t EmbeddingSet::row_of(PointKind kind, std::int64_t point) const {
    if (kind == PointKind::anchor) return -1;
    return kind == PointKind::series ? point / std::max<std::int64_t>(1, values.patches) : point;
}

std::int64_t EmbeddingSet::points_of(PointKind kind) const {
    if (values.dimension <= 0) return 0;
    return static_cast<std::int64_t>(vectors_of(kind).size()) / values.dimension;
}

std::span<const float> EmbeddingSet::vectors_of(PointKind kind) const {
    return kind == PointKind::anchor   ? values.anchors
           : kind == PointKind::series ? values.series
                                       : values.prompt;
}

bool EmbeddingSet::has_points_of(const EmbeddingSet& other) const {
    const auto &a = values, &b = other.values;
    if (folder != other.folder || live != other.live || a.split != b.split || a.windows != b.windows ||
        a.channels != b.channels || a.patches != b.patches || a.prefix_only != b.prefix_only)
        return false;
    return std::all_of(all_kinds.begin(), all_kinds.end(),
                       [&](PointKind kind) { return points_of(kind) == other.points_of(kind); });
}

bool have_same_points(const EmbeddingSets& a, const EmbeddingSets& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
        return one == other || one->has_points_of(*other);
    });
}

QString EmbeddingSet::moment_text() const {
    return values.weights == "best" ? QObject::tr("best checkpoint")
           : values.step >= 0       ? QObject::tr("step %1").arg(values.step)
                                    : QString::fromStdString(values.weights);
}

QString EmbeddingSet::text() const {
    const auto& v = values;
    const auto windows = static_cast<std::int64_t>(v.windows.size());
    const auto channels = static_cast<std::int64_t>(v.channels.size());
    const auto some = [](std::int64_t shown, std::int64_t total) {
        return total > shown ? QObject::tr("%1 of %2").arg(counted(shown), counted(total)) : counted(shown);
    };
    const auto parts =
        (windows == 1 ? QObject::tr("%1 %2 window") : QObject::tr("%1 %2 windows"))
            .arg(some(windows, v.windows_total), translated(split_name(QString::fromStdString(v.split))));
    auto text = QStringLiteral("%1, %2 × ").arg(moment_text(), parts) +
                (channels == 1 ? QObject::tr("%1 channel") : QObject::tr("%1 channels"))
                    .arg(some(channels, v.channels_total));
    if (v.patches > 1) text += QObject::tr(" × %1 patches").arg(v.patches);
    return text;
}

std::int64_t EmbeddingSet::row_of_pair(const WindowChannel& pair) const {
    // Windows ascend; channels are few.
    const auto w = std::lower_bound(values.windows.begin(), values.windows.end(), pair.first);
    const auto c = std::find(values.channels.begin(), values.channels.end(), pair.second);
    if (w == values.windows.end() || *w != pair.first || c == values.channels.end()) return -1;
    return (w - values.windows.begin()) * static_cast<std::int64_t>(values.channels.size()) +
           (c - values.channels.begin());
}

std::span<const std::int32_t> EmbeddingSet::retrieved_by(std::size_t row) const {
    const auto k = static_cast<std::size_t>(std::max<std::int64_t>(0, values.top_k));
    if (values.retrieved.size() != values.windows.size() * values.channels.size() * k) return {};
    return std::span(values.retrieved).subspan(row * k, k);
}

std::set<std::int64_t> EmbeddingSet::anchors_retrieved_by(const std::set<std::int64_t>& windows,
                                                          const std::set<std::int64_t>& channels,
                                                          const std::vector<WindowChannel>& pairs) const {
    const auto m = values.channels.size();
    std::vector<char> chosen(static_cast<std::size_t>(values.pool_size), 0);
    const auto add_row = [&](std::size_t row) {
        for (const auto anchor : retrieved_by(row))
            if (anchor >= 0 && anchor < values.pool_size) chosen[static_cast<std::size_t>(anchor)] = 1;
    };
    if (windows.empty()) return {};
    for (const auto& pair : pairs)
        if (const auto row = row_of_pair(pair); row >= 0) add_row(static_cast<std::size_t>(row));
    for (std::size_t w = 0; w < values.windows.size() && pairs.empty(); ++w)
        for (std::size_t c = 0; c < m && windows.count(values.windows[w]) > 0; ++c)
            if (is_wanted(channels, values.channels[c])) add_row(w * m + c);
    std::set<std::int64_t> anchors;
    for (std::size_t a = 0; a < chosen.size(); ++a)
        if (chosen[a]) anchors.insert(anchors.end(), static_cast<std::int64_t>(a));
    return anchors;
}

std::vector<WindowChannel> EmbeddingSet::pairs_retrieving(const std::set<std::int64_t>& anchors,
                                                          const std::set<std::int64_t>& channels) const {
    std::vector<char> wanted(static_cast<std::size_t>(values.pool_size), 0);
    for (const auto anchor : anchors)
        if (anchor >= 0 && anchor < values.pool_size) wanted[static_cast<std::size_t>(anchor)] = 1;
    const auto m = values.channels.size();
    std::vector<WindowChannel> pairs;
    for (std::size_t w = 0; w < values.windows.size(); ++w)
        for (std::size_t c = 0; c < m; ++c)
            if (is_wanted(channels, values.channels[c]) &&
                std::ranges::any_of(retrieved_by(w * m + c), [&](std::int32_t anchor) {
                    return anchor >= 0 && anchor < values.pool_size &&
                           wanted[static_cast<std::size_t>(anchor)];
                }))
                pairs.emplace_back(values.windows[w], values.channels[c]);
    return pairs;
}

std::set<std::int64_t> EmbeddingSet::windows_retrieving(const std::set<std::int64_t>& anchors,
                                                        const std::set<std::int64_t>& channels) const {
    std::set<std::int64_t> windows;
    for (const auto& pair : pairs_retrieving(anchors, channels)) windows.insert(windows.end(), pair.first);
    return windows;
}

std::shared_ptr<const EmbeddingSet> embedding_set_of(const train::Probe& probe, const QString& folder) {
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = folder;
    set->live = true;
    set->values = static_cast<const store::Embeddings&>(probe);
    return set;
}

QString split_name(const QString& split) {
    return split == QStringLiteral("val")     ? QStringLiteral("validation")
           : split == QStringLiteral("train") ? QStringLiteral("training")
                                              : split;
}

QString counted(std::int64_t number) { return QLocale(QLocale::English).toString(number); }

}  // namespace casp::widgets
