#include "run/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "model/descriptor.h"

namespace casp::run {

namespace {

/// The estimate counts arithmetic only: this fraction of the time may be planned.
constexpr double planned_fraction = 0.8;
/// With fewer steps than these in less than an epoch, a smaller model that sees more is the better proposal.
constexpr std::int64_t least_steps = 300;

struct BackboneSize {
    std::int64_t layers, width, vocabulary, pool;
};
constexpr std::int64_t fewer_pretrained_layers = 3;
constexpr std::int64_t width_per_head = 16;
constexpr std::array<BackboneSize, 3> untrained_sizes{
    {{2, 192, 2000, 200}, {2, 96, 1000, 100}, {1, 48, 500, 50}}};

/// False where backbone.kind replaces GPT-2's blocks.
bool reads_layers(const config::Config& config) {
    return model::reads(config, *config::find_option("backbone.layers"));
}

config::Config with_untrained(config::Config config, const BackboneSize& size) {
    auto& backbone = config.backbone;
    backbone.path = "untrained";
    if (reads_layers(config)) backbone.layers = std::min(backbone.layers, size.layers);
    if (backbone.width > size.width) {
        backbone.width = size.width;
        backbone.heads = std::min(backbone.heads, size.width / width_per_head);
        while (size.width % backbone.heads != 0) --backbone.heads;
    }
    if (model::capabilities(config).anchors &&
        model::reads(config, *config::find_option("model.pool_size"))) {
        backbone.vocabulary = std::min(backbone.vocabulary, size.vocabulary);
        auto& pool = config.model.pool_size;
        pool = std::min(pool, std::max(size.pool, config.model.top_k));
    }
    return config;
}

/// The settings and smaller ones, the largest first.
std::vector<config::Config> sizes_of(const config::Config& config) {
    std::vector<config::Config> sizes{config};
    if (!model::capabilities(config).backbone) return sizes;
    if (config.backbone.path != "untrained" && reads_layers(config) &&
        config.backbone.layers > fewer_pretrained_layers) {
        sizes.push_back(config);
        sizes.back().backbone.layers = fewer_pretrained_layers;
    }
    for (const auto& size : untrained_sizes) {
        auto smaller = with_untrained(config, size);
        if (config::contradictions(smaller).empty() && !(smaller == sizes.back()))
            sizes.push_back(std::move(smaller));
    }
    return sizes;
}

struct Proposal {
    config::Config config;
    Preview preview;
};

/// The estimate of `config`, with a batch that fits into memory.
Proposal with_fitting_batch(config::Config config, const DataFacts& data, const Machine& machine) {
    auto p = preview(config, data, machine);
    if (!p.fits && p.largest_batch_size > 0) {
        config.train.batch_size = p.largest_batch_size;
        p = preview(config, data, machine);
    }
    return {std::move(config), p};
}

/// With as many epochs, or steps of the first epoch, as the time allows; null: too few to be worthwhile.
/// `even_if_late`: then with the fewest worthwhile steps.
std::optional<Proposal> with_less_training(Proposal proposal, const DataFacts& data, const Machine& machine,
                                           double seconds, bool even_if_late) {
    auto& [config, p] = proposal;
    if (p.longest_seconds <= seconds) return proposal;
    if (p.steps_per_epoch == 0)
        return even_if_late ? std::optional(std::move(proposal)) : std::nullopt;  // nothing to shorten
    auto& train = config.train;
    const double left = seconds - p.test_seconds;
    if (const double epochs = std::floor(left / p.epoch_seconds); epochs >= 1) {
        train.epochs = static_cast<std::int64_t>(std::min(epochs, static_cast<double>(train.epochs)));
    } else {
        const double validation = p.epoch_seconds - p.step_seconds * static_cast<double>(p.steps_per_epoch);
        const auto steps = static_cast<std::int64_t>(std::max(0.0, (left - validation) / p.step_seconds));
        const auto least = train.max_steps > 0 ? std::min(least_steps, train.max_steps) : least_steps;
        if (steps < least && !even_if_late) return std::nullopt;
        train.max_steps = std::max(steps, least);
    }
    p = preview(config, data, machine);
    return proposal;
}

std::string what_it_gives_up(const std::string& key, const config::Config& after) {
    if (key == "train.epochs")
        return "fewer passes over the training windows; more might still lower the error";
    if (key == "train.max_steps") return "training ends before every training window was seen";
    if (key == "train.batch_size") return "smaller batches, which fit into memory; single steps are noisier";
    if (key == "backbone.path")
        return "no language model: random weights, so the results say nothing about GPT-2";
    if (key == "backbone.layers") return "fewer transformer blocks: less capacity";
    if (key == "backbone.width") return "narrower transformer blocks: less capacity";
    if (key == "backbone.heads") return "follows from the width";
    if (key == "backbone.vocabulary") return "anchors are mixed from fewer token embeddings";
    if (key == "model.pool_size")
        return "fewer anchors to retrieve from: usage entropy is at most ln " +
               std::to_string(after.model.pool_size);
    return {};
}

std::vector<FitChange> changes_between(const config::Config& before, const config::Config& after) {
    std::vector<FitChange> changes;
    for (const auto& difference : config::differences(before, after)) {
        const auto& key = difference.key;
        changes.push_back(
            {key, config::get(before, key), config::get(after, key), what_it_gives_up(key, after)});
    }
    return changes;
}

}  // namespace

Fit fit_to_time(const config::Config& config, const DataFacts& data, const Machine& machine,
                const RateFunction& rate, double seconds) {
    Fit fit;
    const double planned = planned_fraction * seconds;
    const auto sizes = sizes_of(config);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        auto measured = machine;
        measured.flop_rate = rate(sizes[i]);
        const bool last = i + 1 == sizes.size();
        if (i == 0) {
            const auto p = preview(config, data, measured);
            fit.seconds_before = fit.seconds = p.longest_seconds;
            fit.shorter_in = p.shorter_in;
            fit.memory_total = p.memory_total;
            fit.memory_others = p.memory_others;
            if (p.fits && p.longest_seconds <= seconds) return fit;
        }
        auto proposal = with_fitting_batch(sizes[i], data, measured);
        if (!last && !proposal.preview.fits) continue;
        const auto found = with_less_training(std::move(proposal), data, measured, planned, last);
        if (!found) continue;
        fit.changes = changes_between(config, found->config);
        fit.seconds = found->preview.longest_seconds;
        fit.fits = found->preview.fits;
        fit.in_time = fit.fits && fit.seconds <= seconds;
        return fit;
    }
    fit.in_time = false;
    return fit;
}

}  // namespace casp::run
