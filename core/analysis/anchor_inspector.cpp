#include "analysis/anchor_inspector.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/gpt2_weights.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "store/safetensors.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

constexpr double smallest_square = 1e-12;  ///< as in the model's normalisation

/// The `count` largest cosines, ties by number.
std::vector<std::pair<double, std::int64_t>> best_of(std::vector<std::pair<double, std::int64_t>> all,
                                                     std::int64_t count) {
    const auto n = static_cast<std::ptrdiff_t>(
        std::min<std::size_t>(all.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, count))));
    std::partial_sort(all.begin(), all.begin() + n, all.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    all.resize(static_cast<std::size_t>(n));
    return all;
}

/// x·y and y·y in float64, by eight partial sums that the compiler vectorises.
std::pair<double, double> products(const float* x, const float* y, std::size_t n) {
    constexpr std::size_t lanes = 8;
    double dot[lanes] = {}, square[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t j = 0; j < lanes; ++j) {
            const double a = x[i + j], b = y[i + j];
            dot[j] += a * b;
            square[j] += b * b;
        }
    for (; i < n; ++i) {
        dot[0] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
        square[0] += static_cast<double>(y[i]) * static_cast<double>(y[i]);
    }
    double d = 0, s = 0;
    for (std::size_t j = 0; j < lanes; ++j) {
        d += dot[j];
        s += square[j];
    }
    return {d, s};
}

double cosine(const float* x, const float* y, std::size_t n, double x_square) {
    const auto [dot, square] = products(x, y, n);
    return dot / std::sqrt(std::max(x_square, smallest_square) * std::max(square, smallest_square));
}

const store::TensorView* token_table(const store::SafetensorsFile& file) {
    for (const char* name : {"gpt2.wte.weight", "wte.weight", "transformer.wte.weight"})
        if (const auto* view = file.find(name)) return view;
    return nullptr;
}

}  // namespace

struct TokenNeighbours::State {
    std::optional<store::SafetensorsFile> file;
    const store::TensorView* table = nullptr;
    text::Tokens tokens;
    Phrase remark;
};

TokenNeighbours::TokenNeighbours(const std::filesystem::path& run, const std::filesystem::path& vocabulary)
    : state_(std::make_unique<State>()) {
    const store::RunFolder folder(run);
    const auto config = store::read_settings(folder);
    if (config.model.anchors == "free")
        throw input_error(run.string(), "its anchors are free vectors, not combinations of words", {},
                          "Their nearest words mean nothing: model.anchors = \"free\".");
    const bool untrained = config.backbone.path == "untrained";
    std::filesystem::path backbone;
    if (!untrained) {
        try {
            backbone = model::find_backbone_file(config.backbone.path);
        } catch (const Error&) {
            // The file no longer exists: best.safetensors may contain the table.
        }
    }
    auto& s = *state_;
    for (const auto& file : {folder.best(), backbone}) {
        if (file.empty() || !std::filesystem::exists(file)) continue;
        s.file.emplace(file);
        s.file->unwrap([](const auto& names) { return token_table(names) != nullptr ? 1U : 0U; });
        s.table = token_table(*s.file);
        if (s.table != nullptr) break;
    }
    if (s.table == nullptr)
        throw input_error(run.string(),
                          Phrase("the backbone's token table is neither in best.safetensors nor at %1",
                                 config.backbone.path),
                          {},
                          untrained
                              ? "Runs on an untrained backbone keep it with run.frozen_weights = \"include\"."
                              : "Fetch GPT-2 with caspstudio --fetch gpt2, or restore the checkpoint.");
    if (s.table->shape.size() != 2)
        throw input_error(s.file->path().string(),
                          Phrase("the token table has shape %1", store::shape_text(s.table->shape)),
                          "[V, d]");
    if (untrained) {
        s.remark = "The backbone of this run is untrained: its tokens carry no meaning.";
        if (vocabulary.empty()) return;
    }
    const auto words = text::find_vocabulary(vocabulary, backbone);
    if (!words) {
        s.remark = backbone.empty()
                       ? Phrase(
                             "Tokens are shown by number: there is no vocab.json in the cache. Get GPT-2's "
                             "with caspstudio --fetch gpt2-words, or choose the file.")
                       : Phrase(
                             "Tokens are shown by number: there is no vocab.json beside %1 or in the cache. "
                             "Get GPT-2's with caspstudio --fetch gpt2-words, or choose the file.",
                             backbone.string());
        return;
    }
    s.tokens = text::Tokens::read(*words);
    if (s.tokens.count() != this->vocabulary())
        s.remark = Phrase("%1 has %2 tokens, the backbone's table has %3: it may belong to another model.",
                          words->string(), s.tokens.count(), this->vocabulary());
}

TokenNeighbours::~TokenNeighbours() = default;
TokenNeighbours::TokenNeighbours(TokenNeighbours&&) noexcept = default;
TokenNeighbours& TokenNeighbours::operator=(TokenNeighbours&&) noexcept = default;

std::int64_t TokenNeighbours::dimension() const { return state_->table->shape[1]; }
std::int64_t TokenNeighbours::vocabulary() const { return state_->table->shape[0]; }
const Phrase& TokenNeighbours::remark() const { return state_->remark; }
const text::Tokens& TokenNeighbours::tokens() const { return state_->tokens; }

std::vector<NearToken> TokenNeighbours::nearest(std::span<const float> anchor, std::int64_t count,
                                                const std::stop_token& stop,
                                                const ProgressFn& progress) const {
    const auto d = static_cast<std::size_t>(dimension());
    if (anchor.size() != d) throw std::invalid_argument("nearest tokens: wrong length of the anchor");
    const double square = products(anchor.data(), anchor.data(), d).second;
    const auto& table = *state_->table;
    std::vector<std::pair<double, std::int64_t>> all;
    all.reserve(static_cast<std::size_t>(vocabulary()));
    // The table takes half a gigabyte and may be in half precision: convert it to float in blocks.
    constexpr std::int64_t block = 512;
    std::vector<float> rows;
    const auto row_bytes = d * store::size_of(table.dtype);
    for (std::int64_t first = 0; first < vocabulary(); first += block) {
        throw_if_stopped(stop);
        const auto rows_now = std::min(block, vocabulary() - first);
        store::TensorView part = table;
        part.offset += static_cast<std::size_t>(first) * row_bytes;
        part.nbytes = static_cast<std::size_t>(rows_now) * row_bytes;
        part.shape[0] = rows_now;
        rows.resize(static_cast<std::size_t>(rows_now) * d);
        store::to_floats(part, rows);
        for (std::int64_t i = 0; i < rows_now; ++i)
            all.emplace_back(cosine(anchor.data(), rows.data() + static_cast<std::size_t>(i) * d, d, square),
                             first + i);
        if (progress) progress({Stage::nearest_tokens, first + rows_now, vocabulary(), "tokens"});
    }
    std::vector<NearToken> result;
    for (const auto& [value, token] : best_of(std::move(all), count))
        result.push_back({token, value, state_->tokens.label(token)});
    return result;
}

std::vector<NearAnchor> near_anchors(std::span<const float> anchors, std::int64_t dimension,
                                     std::int64_t anchor, std::int64_t count) {
    const auto d = static_cast<std::size_t>(std::max<std::int64_t>(1, dimension));
    const auto pool = static_cast<std::int64_t>(anchors.size() / d);
    if (dimension < 1 || anchors.size() % d != 0 || anchor < 0 || anchor >= pool)
        throw std::invalid_argument("near anchors: no such anchor");
    const auto* own = anchors.data() + static_cast<std::size_t>(anchor) * d;
    const double square = products(own, own, d).second;
    std::vector<std::pair<double, std::int64_t>> all;
    for (std::int64_t i = 0; i < pool; ++i)
        if (i != anchor)
            all.emplace_back(cosine(own, anchors.data() + static_cast<std::size_t>(i) * d, d, square), i);
    std::vector<NearAnchor> result;
    for (const auto& [value, number] : best_of(std::move(all), count)) result.push_back({number, value});
    return result;
}

std::vector<RetrievingRow> rows_retrieving(std::int64_t anchor, std::span<const std::int32_t> retrieved,
                                           std::int64_t top_k, std::span<const float> similarity,
                                           std::int64_t pool_size) {
    const auto k = static_cast<std::size_t>(std::max<std::int64_t>(1, top_k));
    if (retrieved.size() % k != 0 ||
        (!similarity.empty() && static_cast<std::int64_t>(similarity.size()) !=
                                    static_cast<std::int64_t>(retrieved.size() / k) * pool_size))
        throw std::invalid_argument("rows retrieving an anchor: inconsistent sizes");
    if (!similarity.empty() && (anchor < 0 || anchor >= pool_size))
        throw std::invalid_argument("rows retrieving an anchor: no such anchor");
    std::vector<RetrievingRow> rows;
    for (std::size_t i = 0; i < retrieved.size(); ++i) {
        if (retrieved[i] != anchor) continue;
        const auto row = static_cast<std::int64_t>(i / k);
        rows.push_back({row, static_cast<std::int32_t>(i % k),
                        similarity.empty() ? std::numeric_limits<float>::quiet_NaN()
                                           : similarity[static_cast<std::size_t>(row * pool_size + anchor)]});
    }
    return rows;
}

AnchorUsage anchor_usage(const store::AnchorHistory& history, std::int64_t anchor) {
    if (anchor < 0 || anchor >= history.pool_size)
        throw std::invalid_argument("anchor usage: no such anchor");
    const auto pool = static_cast<std::size_t>(history.pool_size), own = static_cast<std::size_t>(anchor);
    const auto share_of = [own](std::span<const std::int64_t> counts) {
        double all = 0;
        for (const auto count : counts) all += static_cast<double>(count);
        return all > 0 ? static_cast<double>(counts[own]) / all : store::not_known;
    };
    AnchorUsage usage;
    usage.step = history.snapshot_step;
    for (std::size_t i = 0; i < usage.step.size(); ++i) {
        const auto counts = std::span(history.usage_train).subspan(i * pool, pool);
        usage.count.push_back(counts[own]);
        usage.share.push_back(share_of(counts));
        if (!history.coverage_statistic.empty())
            usage.coverage.push_back(history.coverage_statistic[i * pool + own]);
    }
    if (!history.usage_test.empty()) {
        usage.test = history.usage_test[own];
        usage.test_share = share_of(history.usage_test);
    }
    return usage;
}

}  // namespace casp::analysis
