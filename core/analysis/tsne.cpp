#include "analysis/tsne.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include "analysis/neighbours.h"
#include "analysis/pca.h"
#include "analysis/tsne_descent.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::analysis {

namespace {

constexpr double start_deviation = 1e-4;  ///< of the first principal component
constexpr double jitter = 0.01;           ///< of that
// Up to these sizes every pair is computed, without approximation. In 3-D it pays for more points, since the
// number of grid nodes grows with the cube of the layout's width.
constexpr std::int64_t max_exact_2 = 2000;
constexpr std::int64_t max_exact_3 = 12000;

void require(bool holds, const char* option, double found, const char* expected) {
    if (!holds) {
        auto text = std::to_string(found);
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
        throw input_error(std::string("t-SNE, ") + option, text, expected);
    }
}

void check_options(const TsneOptions& o) {
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    require(o.components == 2 || o.components == 3, "components", number(o.components), "2 or 3");
    require(o.perplexity >= 1 && std::isfinite(o.perplexity), "perplexity", o.perplexity,
            "a number from 1 up");
    require(o.early_exaggeration >= 1 && std::isfinite(o.early_exaggeration), "early exaggeration",
            o.early_exaggeration, "a number from 1 up");
    require(o.early_iterations >= 0, "early iterations", number(o.early_iterations), "0 or more");
    require(o.iterations >= 0, "iterations", number(o.iterations), "0 or more");
    require(o.follow_iterations >= 0, "following iterations", number(o.follow_iterations), "0 or more");
    require(o.learning_rate >= 0 && std::isfinite(o.learning_rate), "learning rate", o.learning_rate,
            "a positive number, or 0 for points / exaggeration");
    require(o.early_momentum >= 0 && o.early_momentum < 1, "early momentum", o.early_momentum,
            "a number from 0 to below 1");
    require(o.momentum >= 0 && o.momentum < 1, "momentum", o.momentum, "a number from 0 to below 1");
}

/// Throws where a value is not finite.
void check_values(std::span<const float> values, std::int64_t dimension) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            throw input_error(
                "t-SNE",
                std::isnan(values[i])
                    ? Phrase("value %1 of point %2 is not a number",
                             i % static_cast<std::size_t>(dimension) + 1,
                             i / static_cast<std::size_t>(dimension) + 1)
                    : Phrase("value %1 of point %2 is infinite", i % static_cast<std::size_t>(dimension) + 1,
                             i / static_cast<std::size_t>(dimension) + 1),
                "finite numbers", "The weights of this run are damaged or its training diverged.");
}

bool all_equal(const std::vector<float>& values, std::int64_t rows, std::int64_t dimension) {
    for (std::int64_t i = 1; i < rows; ++i)
        if (!std::equal(values.begin(), values.begin() + dimension, values.begin() + i * dimension))
            return false;
    return true;
}

std::string with_dot(double value) {
    auto text = std::to_string(std::round(value * 100) / 100);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace

Tsne::Tsne(std::vector<float> values, std::int64_t rows, std::int64_t dimension, TsneOptions options)
    : values_(std::move(values)),
      n_(rows),
      dimension_(dimension),
      options_(std::move(options)),
      perplexity_(std::max(1.0, std::min(options_.perplexity, static_cast<double>(rows - 1) / 3))),
      planned_(options_.iterations) {
    check_options(options_);
    if (rows < 1 || dimension < 1 || std::cmp_greater(rows, std::numeric_limits<std::int32_t>::max() / 4) ||
        values_.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("tsne: inconsistent sizes");
    check_values(values_, dimension);
    if (!options_.start.empty() && options_.start.size() != cells())
        throw std::invalid_argument("tsne: the start has another number of points");
    check_values(options_.start, options_.components);
}

Tsne::~Tsne() = default;
Tsne::Tsne(Tsne&&) noexcept = default;
Tsne& Tsne::operator=(Tsne&&) noexcept = default;

bool Tsne::exact() const {
    if (options_.method != TsneMethod::automatic) return options_.method == TsneMethod::exact;
    return n_ <= (options_.components == 3 ? max_exact_3 : max_exact_2);
}

/// Computes neighbours and p of `data`, and the notes about them.
std::unique_ptr<TsneDescent> Tsne::make_descent(const std::vector<float>& data, std::vector<Phrase>& said,
                                                const ProgressFn& progress,
                                                const std::stop_token& stop) const {
    const auto k = std::min(n_ - 1, static_cast<std::int64_t>(3 * perplexity_));
    said.clear();
    const auto neighbours = exact_neighbours(data, n_, dimension_, k, progress, stop);
    throw_if_stopped(stop);
    if (perplexity_ < options_.perplexity) {
        Phrase text = Phrase("A perplexity of %1", with_dot(options_.perplexity));
        text += Phrase(" requires more than %1", with_dot(std::floor(3 * options_.perplexity)));
        text += Phrase(" points, and there are %1", n_);
        text += Phrase(": it was reduced to %1.", with_dot(perplexity_));
        said.push_back(std::move(text));
    }
    std::int64_t twins = 0;
    for (std::int64_t i = 0; k > 0 && i < n_; ++i)
        twins += static_cast<std::int64_t>(neighbours.square[static_cast<std::size_t>(i * k)] == 0);
    if (n_ > 1 && twins == n_ && all_equal(data, n_, dimension_)) {
        said.emplace_back("All points have equal values: their layout is random.");
    } else if (twins > 0) {
        std::string text = std::to_string(twins) + " of " + std::to_string(n_);
        text += " points have the same values as another one.";
        said.push_back(std::move(text));
    }
    return std::make_unique<TsneDescent>(tsne_affinities(neighbours, perplexity_),
                                         static_cast<int>(options_.components), exact());
}

/// The given start or principal components with jitter; centred, as after every iteration.
std::vector<double> Tsne::first_layout(const std::stop_token& stop) const {
    std::vector<double> points(options_.start.begin(), options_.start.end());
    if (points.empty()) {
        const auto components_of = principal_axes(values_, n_, dimension_, options_.components, stop);
        points = components_of.points(values_);
        const double deviation =
            std::sqrt(components_of.variance[0] * static_cast<double>(n_ - 1) / static_cast<double>(n_));
        const double scale = deviation > 0 ? start_deviation / deviation : 0.0;
        const auto noise =
            at::randn({n_, options_.components},
                      make_generator(derive_seed(static_cast<std::uint64_t>(options_.seed), "tsne/start")),
                      at::kDouble);
        const double* random = noise.const_data_ptr<double>();
        // Without variance only the jitter remains.
        const double amount = scale > 0 ? jitter * start_deviation : start_deviation;
        for (std::size_t i = 0; i < cells(); ++i) points[i] = points[i] * scale + amount * random[i];
    }
    const auto width = static_cast<std::size_t>(options_.components);
    for (std::size_t c = 0; c < width; ++c) {
        double mean = 0;
        for (std::size_t i = c; i < cells(); i += width) mean += points[i];
        mean /= static_cast<double>(n_);
        for (std::size_t i = c; i < cells(); i += width) points[i] -= mean;
    }
    return points;
}

void Tsne::prepare(const ProgressFn& progress, const std::stop_token& stop) {
    if (descent_) return;
    const torch::NoGradGuard no_gradient;
    std::vector<Phrase> notes;
    auto descent = make_descent(values_, notes, progress, stop);
    descent->set(first_layout(stop));
    descent_ = std::move(descent);
    notes_ = std::move(notes);
}

std::int64_t Tsne::advance(std::int64_t iterations, const std::stop_token& stop) {
    prepare({}, stop);
    const torch::NoGradGuard no_gradient;
    std::int64_t done = 0;
    for (; done < iterations && iteration_ < planned_ && !stop.stop_requested(); ++done) {
        const bool early = iteration_ < options_.early_iterations;
        const double exaggeration = early ? options_.early_exaggeration : 1.0;
        const double rate =
            options_.learning_rate > 0 ? options_.learning_rate : static_cast<double>(n_) / exaggeration;
        // A single point has no force.
        if (n_ > 1 &&
            !descent_->step(exaggeration, rate, early ? options_.early_momentum : options_.momentum))
            throw run_error("t-SNE", Phrase("the layout is no longer finite at iteration %1", iteration_ + 1),
                            {}, "Choose a lower learning rate, or 0 for the automatic one.");
        ++iteration_;
    }
    return done;
}

void Tsne::follow(std::vector<float> values, const ProgressFn& progress, const std::stop_token& stop) {
    if (values.size() != values_.size())
        throw std::invalid_argument("tsne: the number of values has changed");
    check_values(values, dimension_);
    if (!descent_) {
        values_ = std::move(values);
        prepare(progress, stop);
        return;
    }
    const torch::NoGradGuard no_gradient;
    std::vector<Phrase> notes;
    auto descent = make_descent(values, notes, progress, stop);
    descent->set(descent_->points());
    descent_ = std::move(descent);
    values_ = std::move(values);
    notes_ = std::move(notes);
    // The early exaggeration ends here, even if not all its iterations were done.
    iteration_ = std::max(iteration_, options_.early_iterations);
    planned_ = iteration_ + options_.follow_iterations;
}

std::vector<float> Tsne::layout() const {
    std::vector<float> points(cells(), 0.0F);
    if (descent_)
        std::transform(descent_->points().begin(), descent_->points().end(), points.begin(),
                       [](double v) { return static_cast<float>(v); });
    return points;
}

double Tsne::kl() {
    if (!descent_ || n_ < 2) return store::not_known;
    const torch::NoGradGuard no_gradient;
    return descent_->kl();
}

store::EmbeddingLayout Tsne::result(std::int64_t anchors, std::int64_t series, std::int64_t prompts) {
    if (anchors < 0 || series < 0 || prompts < 0 || anchors + series + prompts != rows())
        throw std::invalid_argument("tsne: the kinds have another number of points");
    store::EmbeddingLayout layout;
    layout.components = options().components;
    layout.points = this->layout();
    std::int32_t kind = 0;
    for (const auto count : {anchors, series, prompts}) {
        for (std::int64_t row = 0; row < count; ++row) {
            layout.kind.push_back(kind);
            layout.row.push_back(static_cast<std::int32_t>(row));
        }
        ++kind;
    }
    layout.kl = kl();
    layout.perplexity = perplexity();
    layout.iterations = iteration();
    layout.seed = options().seed;
    return layout;
}

store::EmbeddingLayout tsne(std::span<const float> anchors, std::span<const float> series,
                            std::span<const float> prompts, std::int64_t dimension,
                            const TsneOptions& options, const ProgressFn& progress,
                            const std::stop_token& stop) {
    std::vector<float> values;
    values.reserve(anchors.size() + series.size() + prompts.size());
    for (const auto part : {anchors, series, prompts}) {
        if (dimension < 1 || part.size() % static_cast<std::size_t>(dimension) != 0)
            throw std::invalid_argument("tsne: inconsistent sizes");
        values.insert(values.end(), part.begin(), part.end());
    }
    const auto count = [&](std::span<const float> part) {
        return static_cast<std::int64_t>(part.size()) / dimension;
    };
    const auto rows = static_cast<std::int64_t>(values.size()) / dimension;
    Tsne work(std::move(values), rows, dimension, options);
    work.prepare(progress, stop);
    while (!work.is_finished()) {
        if (progress) progress({Stage::tsne, work.iteration(), work.planned(), "iterations"});
        work.advance(10, stop);
        throw_if_stopped(stop);
    }
    if (progress) progress({Stage::tsne, work.iteration(), work.planned(), "iterations"});
    return work.result(count(anchors), count(series), count(prompts));
}

}  // namespace casp::analysis
