#include "store/embeddings.h"

#include <array>

namespace casp::store {

namespace {

/// Whether a stored list equals `numbers`; an empty list stands for 0 … total − 1.
bool means(const std::vector<std::int64_t>& list, const std::vector<std::int64_t>& numbers,
           std::int64_t total) {
    if (!list.empty()) return list == numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != static_cast<std::int64_t>(i)) return false;
    return std::ssize(numbers) == total;
}

}  // namespace

void Embeddings::drop_vectors() {
    dimension = 0;
    anchors = {};
    series = {};
    prompt = {};
}

bool Embeddings::is_whole() const {
    return windows_total > 0 && channels_total > 0 && std::ssize(windows) >= windows_total &&
           std::ssize(channels) >= channels_total;
}

bool Embeddings::fits(const EmbeddingLayout& layout) const {
    if (dimension <= 0 || !layout.can_be_drawn() || layout.patches != patches ||
        layout.prefix_only != prefix_only || !means(layout.windows, windows, windows_total) ||
        !means(layout.channels, channels, channels_total))
        return false;
    // The file may have any row numbers; unknown rows have no window.
    const std::array count{std::ssize(anchors) / dimension, std::ssize(series) / dimension,
                           std::ssize(prompt) / dimension};
    for (std::size_t i = 0; i < layout.kind.size(); ++i)
        if (layout.kind[i] < 0 || layout.kind[i] > 2 || layout.row[i] < 0 ||
            layout.row[i] >= count.at(static_cast<std::size_t>(layout.kind[i])))
            return false;
    return true;
}

bool Embeddings::count_usage() {
    usage.assign(static_cast<std::size_t>(pool_size), 0);
    bool known = true;
    for (const auto anchor : retrieved) {
        const bool counts = anchor >= 0 && anchor < pool_size;
        if (counts) ++usage[static_cast<std::size_t>(anchor)];
        known = known && counts;
    }
    return known;
}

std::size_t Embeddings::vector_bytes() const {
    return sizeof(float) * (anchors.size() + series.size() + prompt.size());
}

std::size_t Embeddings::other_bytes() const {
    return sizeof(float) *
               (similarity.size() + mse.size() + mae.size() + residual.size() + pca.points.size()) +
           sizeof(std::int32_t) * (retrieved.size() + pca.kind.size() + pca.row.size()) +
           sizeof(std::int64_t) * (windows.size() + start.size() + usage.size());
}

}  // namespace casp::store
