#include "analysis/tsne.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include "analysis/neighbours.h"
#include "analysis/pca.h"
#include "analysis/tsne_affinities.h"
#include "analysis/tsne_descent.h"
#include "util/device.h"
#include "util/device_use.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::analysis {

namespace {

constexpr double start_deviation = 1e-4;  ///< of the first principal component
constexpr double jitter = 0.01;           ///< of that
// Up to these sizes every pair is computed, without approximation. In 3-D it pays for more points, since the
// number of grid nodes grows with the cube of the layout's width.
constexpr std::int64_t most_exact_2 = 2000;
constexpr std::int64_t most_exact_3 = 12000;

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
            throw input_error("t-SNE",
                              "value " + std::to_string(i % static_cast<std::size_t>(dimension) + 1) +
                                  " of point " + std::to_string(i / static_cast<std::size_t>(dimension) + 1) +
                                  " is " + (std::isnan(values[i]) ? "not a number" : "infinite"),
                              "finite numbers",
                              "The weights of this run are damaged or its training diverged.");
}

bool all_equal(const std::vector<float>& values, std::int64_t rows, std::int64_t dimension) {
    for (std::int64_t i = 1; i < rows; ++i)
        if (!std::equal(values.begin(), values.begin() + dimension, values.begin() + i * dimension))
            return false;
    return true;
}

void say(std::vector<TsneNote>& said, TsneNote::Kind kind, std::string text) {
    auto& note = said.emplace_back();
    note.kind = kind;
    note.text = std::move(text);
}

std::string with_dot(double value) {
    auto text = std::to_string(std::round(value * 100) / 100);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace

std::string tsne_device(const std::string& run_device, std::int64_t rows, std::int64_t dimension) {
    // Neighbours: the values twice, and blocks of distances. Descent: about 200 stored p per point, and in
    // 3-D 512 nodes per point with index, weight and slopes.
    constexpr std::int64_t always = std::int64_t{2} << 30, each = std::int64_t{64} << 10;
    return device_for_pictures(run_device, always + rows * (each + 8 * dimension));
}

struct Tsne::Work {
    std::vector<float> values;
    std::int64_t n = 0, dimension = 0;
    TsneOptions options;
    double perplexity = 0;
    std::int64_t iteration = 0, planned = 0;
    std::vector<TsneNote> notes;
    std::unique_ptr<TsneDescent> descent;  ///< null before prepare()

    [[nodiscard]] int components() const { return static_cast<int>(options.components); }
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(n * options.components); }
    [[nodiscard]] bool exact() const {
        if (options.method != TsneMethod::automatic) return options.method == TsneMethod::exact;
        return n <= (components() == 3 ? most_exact_3 : most_exact_2);
    }

    /// Computes neighbours and p of `data`, and the notes about them.
    std::unique_ptr<TsneDescent> make_descent(const std::vector<float>& data, std::vector<TsneNote>& said,
                                              const ProgressFn& progress, const std::stop_token& stop) const {
        const auto k = std::min(n - 1, static_cast<std::int64_t>(3 * perplexity));
        const bool cpu = resolve_device(options.device).is_cpu();
        said.clear();
        const auto neighbours =
            cpu ? exact_neighbours(data, n, dimension, k, progress, stop)
                : exact_neighbours_on(options.device, data, n, dimension, k, progress, stop);
        throw_if_stopped(stop);
        if (perplexity < options.perplexity)
            say(said, TsneNote::Kind::perplexity_lowered,
                "A perplexity of " + with_dot(options.perplexity) + " requires more than " +
                    with_dot(std::floor(3 * options.perplexity)) + " points, and there are " +
                    std::to_string(n) + ": it was reduced to " + with_dot(perplexity) + ".");
        std::int64_t twins = 0;
        for (std::int64_t i = 0; k > 0 && i < n; ++i)
            twins += static_cast<std::int64_t>(neighbours.square[static_cast<std::size_t>(i * k)] == 0);
        if (n > 1 && twins == n && all_equal(data, n, dimension))
            say(said, TsneNote::Kind::constant, "All points have equal values: their layout is random.");
        else if (twins > 0)
            say(said, TsneNote::Kind::duplicates,
                std::to_string(twins) + " of " + std::to_string(n) +
                    " points have the same values as another one.");
        auto affinities = tsne_affinities(neighbours, perplexity);
        if (cpu) return make_cpu_descent(std::move(affinities), components(), exact());
        return make_device_descent(options.device, affinities, components(), exact());
    }

    [[nodiscard]] TsneState start(const std::stop_token& stop) const {
        TsneState state;
        state.velocity.assign(cells(), 0.0);
        state.gains.assign(cells(), 1.0);
        if (!options.start.empty()) {
            state.points.assign(options.start.begin(), options.start.end());
        } else {
            auto components_of = pca(values, n, dimension, options.components, stop);
            state.points = std::move(components_of.points);
            const double deviation =
                std::sqrt(components_of.variance[0] * static_cast<double>(n - 1) / static_cast<double>(n));
            const double scale = deviation > 0 ? start_deviation / deviation : 0.0;
            const auto noise =
                at::randn({n, options.components},
                          make_generator(derive_seed(static_cast<std::uint64_t>(options.seed), "tsne/start")),
                          at::kDouble);
            const double* random = noise.const_data_ptr<double>();
            // Without variance only the jitter remains.
            const double amount = scale > 0 ? jitter * start_deviation : start_deviation;
            for (std::size_t i = 0; i < cells(); ++i)
                state.points[i] = state.points[i] * scale + amount * random[i];
        }
        // Centred, as after every iteration.
        for (std::size_t c = 0; c < static_cast<std::size_t>(options.components); ++c) {
            double mean = 0;
            for (std::size_t i = c; i < cells(); i += static_cast<std::size_t>(options.components))
                mean += state.points[i];
            mean /= static_cast<double>(n);
            for (std::size_t i = c; i < cells(); i += static_cast<std::size_t>(options.components))
                state.points[i] -= mean;
        }
        return state;
    }
};

Tsne::Tsne(std::vector<float> values, std::int64_t rows, std::int64_t dimension, TsneOptions options)
    : work_(std::make_unique<Work>()) {
    check_options(options);
    if (rows < 1 || dimension < 1 || std::cmp_greater(rows, std::numeric_limits<std::int32_t>::max() / 4) ||
        values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("tsne: inconsistent sizes");
    check_values(values, dimension);
    auto& w = *work_;
    w.values = std::move(values);
    w.n = rows;
    w.dimension = dimension;
    w.options = std::move(options);
    if (!w.options.start.empty() && w.options.start.size() != w.cells())
        throw std::invalid_argument("tsne: the start has another number of points");
    check_values(w.options.start, w.options.components);
    w.perplexity = std::max(1.0, std::min(w.options.perplexity, static_cast<double>(rows - 1) / 3));
    w.planned = w.options.iterations;
}

Tsne::~Tsne() = default;
Tsne::Tsne(Tsne&&) noexcept = default;
Tsne& Tsne::operator=(Tsne&&) noexcept = default;

void Tsne::prepare(const ProgressFn& progress, const std::stop_token& stop) {
    auto& w = *work_;
    if (w.descent) return;
    const torch::NoGradGuard no_gradient;
    std::vector<TsneNote> notes;
    auto descent = w.make_descent(w.values, notes, progress, stop);
    descent->set(w.start(stop));
    w.descent = std::move(descent);
    w.notes = std::move(notes);
}

std::int64_t Tsne::advance(std::int64_t iterations, const std::stop_token& stop) {
    auto& w = *work_;
    prepare({}, stop);
    const torch::NoGradGuard no_gradient;
    std::int64_t done = 0;
    for (; done < iterations && w.iteration < w.planned && !stop.stop_requested(); ++done) {
        const bool early = w.iteration < w.options.early_iterations;
        const double exaggeration = early ? w.options.early_exaggeration : 1.0;
        const double rate =
            w.options.learning_rate > 0 ? w.options.learning_rate : static_cast<double>(w.n) / exaggeration;
        // A single point has no force.
        if (w.n > 1 &&
            !w.descent->step(exaggeration, rate, early ? w.options.early_momentum : w.options.momentum))
            throw run_error("t-SNE",
                            "the layout is no longer finite at iteration " + std::to_string(w.iteration + 1),
                            {}, "Choose a lower learning rate, or 0 for the automatic one.");
        ++w.iteration;
    }
    return done;
}

void Tsne::extend(std::int64_t iterations) {
    if (iterations < 0) throw std::invalid_argument("tsne: a negative number of iterations");
    work_->planned += iterations;
}

void Tsne::follow(std::vector<float> values, const ProgressFn& progress, const std::stop_token& stop) {
    auto& w = *work_;
    if (values.size() != w.values.size())
        throw std::invalid_argument("tsne: the number of values has changed");
    check_values(values, w.dimension);
    if (!w.descent) {
        w.values = std::move(values);
        prepare(progress, stop);
        return;
    }
    const torch::NoGradGuard no_gradient;
    std::vector<TsneNote> notes;
    auto descent = w.make_descent(values, notes, progress, stop);
    TsneState state;
    w.descent->get(state);
    std::fill(state.velocity.begin(), state.velocity.end(), 0.0);
    std::fill(state.gains.begin(), state.gains.end(), 1.0);
    descent->set(state);
    w.descent = std::move(descent);
    w.values = std::move(values);
    w.notes = std::move(notes);
    // The early exaggeration ends here, even if not all its iterations were done.
    w.iteration = std::max(w.iteration, w.options.early_iterations);
    w.planned = w.iteration + w.options.follow_iterations;
}

Tsne::Phase Tsne::phase() const {
    const auto& w = *work_;
    if (!w.descent) return Phase::unprepared;
    if (w.iteration >= w.planned) return Phase::finished;
    return w.iteration < w.options.early_iterations ? Phase::exaggerated : Phase::free;
}

std::int64_t Tsne::iteration() const { return work_->iteration; }
std::int64_t Tsne::planned() const { return work_->planned; }
std::int64_t Tsne::rows() const { return work_->n; }
double Tsne::perplexity() const { return work_->perplexity; }
bool Tsne::exact() const { return work_->exact(); }
const TsneOptions& Tsne::options() const { return work_->options; }
const std::vector<TsneNote>& Tsne::notes() const { return work_->notes; }

std::vector<float> Tsne::layout() const {
    if (!work_->descent) return std::vector<float>(work_->cells(), 0.0F);
    TsneState state;
    work_->descent->get(state);
    std::vector<float> points(state.points.size());
    std::transform(state.points.begin(), state.points.end(), points.begin(),
                   [](double v) { return static_cast<float>(v); });
    return points;
}

double Tsne::kl() {
    if (!work_->descent || work_->n < 2) return store::not_known;
    const torch::NoGradGuard no_gradient;
    return work_->descent->kl();
}

TsneState Tsne::state() const {
    TsneState state;
    if (work_->descent) work_->descent->get(state);
    state.iteration = work_->iteration;
    state.planned = work_->planned;
    return state;
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
                            const std::stop_token& stop, std::vector<TsneNote>* notes) {
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
    if (notes) *notes = work.notes();
    while (work.phase() != Tsne::Phase::finished) {
        if (progress) progress({"t-SNE", work.iteration(), work.planned(), "iterations"});
        work.advance(10, stop);
        throw_if_stopped(stop);
    }
    if (progress) progress({"t-SNE", work.iteration(), work.planned(), "iterations"});
    return work.result(count(anchors), count(series), count(prompts));
}

}  // namespace casp::analysis
