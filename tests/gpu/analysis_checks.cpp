#include "gpu/analysis_checks.h"

#include <algorithm>
#include <cmath>

#include <torch/torch.h>

#include "analysis/alignment.h"
#include "analysis/strata.h"
#include "analysis/tsne.h"
#include "core/analysis/tsne_fixture.h"
#include "gpu/run_checks.h"
#include "inspect/window_embeddings.h"
#include "run/run.h"
#include "util/device.h"
#include "util/device_use.h"

namespace casp::gpu {

namespace {

/// Squared distances come from differences on the CPU, whoever has found the neighbours: they must be the
/// same bits. Of equally far points either may come first.
std::string check_neighbours(const Setting& s) {
    constexpr std::int64_t n = 3000, d = 96, k = 90;
    const auto centres = test::normal(3, d, 1) * 100;
    // The second set: groups that are tiny beside their distance, which products in float32 cannot tell
    // apart.
    const std::vector<std::vector<float>> sets{
        test::blobs(n, d, 7), test::floats(centres.index_select(0, at::arange(n, at::kLong).remainder(3)) +
                                           test::normal(n, d, 2) * 0.01)};
    std::int64_t repeated = 0, others = 0;
    for (const auto& values : sets) {
        const auto ours = analysis::exact_neighbours(values, n, d, k);
        const auto there = analysis::exact_neighbours_on(s.device.str(), values, n, d, k);
        std::int64_t farther = 0;
        for (std::size_t i = 0; i < ours.square.size(); ++i) {
            farther += static_cast<std::int64_t>(there.square[i] != ours.square[i]);
            others += static_cast<std::int64_t>(there.index[i] != ours.index[i]);
        }
        require(farther == 0, std::to_string(farther) + " of " + std::to_string(n * k) +
                                  " neighbours are not as near as the CPU's");
        repeated = there.repeated;
    }
    require(others * 100 < 2 * n * k, std::to_string(others) + " neighbours are others than the CPU's");
    require(repeated > n / 2, "nothing was done again in float64");
    return std::to_string(2 * n) + " points: the same distances; " + std::to_string(repeated) +
           " rows done again in float64";
}

/// Forces and divergence at a tiny and at a wide layout, then 50 iterations, beside our loops on the CPU; and
/// once more the same bits. Rounding grows with the iterations: layouts are compared after ten of them, later
/// how good they are.
std::string check_descent(const Setting& s) {
    constexpr std::int64_t n = 600;
    const auto p = test::affinities(n, 10);
    double force = 0, divergence = 0, apart = 0, later = 0;
    for (const int components : {2, 3})
        for (const bool exact : {true, false}) {
            const auto ours = analysis::make_cpu_descent(p, components, exact);
            const auto there = analysis::make_device_descent(s.device.str(), p, components, exact);
            for (const double size : {1e-4, 3.0}) {
                const auto state = test::at_rest(test::normal(n, components, 8) * size);
                ours->set(state);
                there->set(state);
                force = std::max(force, test::relative(there->gradient(12), ours->gradient(12)));
                divergence = std::max(divergence, std::abs(there->kl() - ours->kl()));
            }
            const auto steps = [](analysis::TsneDescent& descent, int count, double exaggeration) {
                for (int i = 0; i < count; ++i)
                    require(descent.step(exaggeration, n / exaggeration, 0.5), "the layout is not finite");
                analysis::TsneState state;
                descent.get(state);
                return state;
            };
            // The exaggerated steps magnify every rounding; from where they have led, groups spread out, and
            // both do so alike.
            ours->set(test::at_rest(test::normal(n, components, 8) * 1e-2));
            const auto start = steps(*ours, 150, 12);
            there->set(start);
            const auto expected = steps(*ours, 10, 1), found = steps(*there, 10, 1);
            require(test::relative(start.points, expected.points) > 0.1, "nothing moved");
            apart = std::max(apart, test::relative(found.points, expected.points));
            static_cast<void>(steps(*ours, 40, 1));
            const auto end = steps(*there, 40, 1);
            later = std::max(later, std::abs(there->kl() / ours->kl() - 1));
            there->set(start);
            require(steps(*there, 50, 1).points == end.points, "the device does not repeat its bits");
        }
    require(force < 1e-5, "forces are off by " + number(force));
    require(divergence < 1e-6, "the divergence is off by " + number(divergence));
    require(apart < 1e-3, "after 10 iterations layouts differ by " + number(apart));
    require(later < 1e-2, "after 50 iterations the divergence differs by " + number(later));
    return "forces within " + number(force) + ", after 10 iterations " + number(apart) +
           ", divergence after 50 " + number(later);
}

/// All of it by the one call that the program makes.
std::string check_tsne(const Setting& s) {
    constexpr std::int64_t n = 1500, d = 50;
    const auto values = test::blobs(n, d, 6, 2);
    analysis::TsneOptions options;
    options.iterations = s.quick ? 300 : 500;
    const auto expected = analysis::tsne({}, values, {}, d, options);
    options.device = s.device.str();
    const auto found = analysis::tsne({}, values, {}, d, options);
    require(
        found.points.size() == static_cast<std::size_t>(2 * n) &&
            std::all_of(found.points.begin(), found.points.end(), [](float v) { return std::isfinite(v); }),
        "the layout is not finite");
    require(std::abs(found.kl / expected.kl - 1) < 0.02,
            "KL " + number(found.kl) + ", on the CPU " + number(expected.kl));
    // Pictures of the window keep off a device that has a run.
    const auto name = s.device.str();
    if (!s.device.is_cuda() || device_memory(s.device).available > std::int64_t{3} << 30)
        require(analysis::tsne_device(name, n, d) == name, "a free device is not used");
    {
        const DeviceUse run(name);
        require(analysis::tsne_device(name, n, d) == "cpu", "a layout would share the device with a run");
    }
    return "KL " + number(found.kl) + ", on the CPU " + number(expected.kl);
}

double relative_error(const std::vector<float>& found, const std::vector<float>& expected) {
    require(found.size() == expected.size() && !found.empty(), "something is missing");
    double most = 0, size = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        most = std::max(most, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
        size = std::max(size, std::abs(static_cast<double>(expected[i])));
    }
    return most / size;
}

analysis::Strata strata_of(const store::Embeddings& v) {
    return analysis::strata_of(
        {v.start, v.channels, v.residual, v.mse, v.mae, v.retrieved, v.top_k, v.pool_size});
}

/// What follows from embeddings is computed on the CPU, wherever they come from: the same map and strata.
/// `others` rows choose other anchors and so have other prompts; each moves a mean by 2 / rows at most.
std::string check_what_follows(const store::Embeddings& found, const store::Embeddings& expected,
                               std::int64_t others) {
    const auto map = analysis::cosine_map(found.series, found.prompt, found.dimension, 50);
    const auto expected_map = analysis::cosine_map(expected.series, expected.prompt, expected.dimension, 50);
    const double cosine = std::max(std::abs(map.diagonal_mean - expected_map.diagonal_mean),
                                   std::abs(map.mean - expected_map.mean));
    const double allowed = 1e-4 + 2 * static_cast<double>(others) / static_cast<double>(expected.rows);
    require(cosine < allowed, "the mean cosines are off by " + number(cosine));
    const auto strata = strata_of(found), expected_strata = strata_of(expected);
    const double residual = relative_error(found.residual, expected.residual);
    require(residual < 1e-4, "residuals are off by " + number(residual));
    // Rounding may exchange two windows at an edge that are equally hard.
    std::size_t moved = 0;
    for (std::size_t w = 0; w < expected_strata.stratum_of.size(); ++w)
        moved += strata.stratum_of[w] != expected_strata.stratum_of[w] ? 1U : 0U;
    require(moved * 50 <= expected_strata.stratum_of.size(),
            std::to_string(moved) + " windows are in other strata");
    return "cosines within " + number(cosine) + ", " + std::to_string(moved) + " windows in other strata";
}

/// What a checkpoint's windows look like, from its weights, and what follows from it, on the device and on
/// the CPU.
std::string check_embeddings(const Setting& s) {
    run::RunRequest run;
    run.config = small_config(s);
    run.folder = s.scratch / "embeddings";
    run.name = "embeddings";
    std::filesystem::remove_all(run.folder);
    train::TrainObserver quiet;
    train::StopControl stop;
    static_cast<void>(run::run(run, quiet, stop));

    inspect::EmbeddingRequest request;
    request.run = run.folder;
    request.windows = 100;
    request.device = "cpu";
    // On the CPU itself another number of threads sums in another order: then the bounds have something to
    // do.
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const auto expected = inspect::compute_embeddings(request);
    at::set_num_threads(threads);
    request.device = s.device.str();
    const auto found = inspect::compute_embeddings(request);

    const double anchors = relative_error(found.anchors, expected.anchors);
    const double series = relative_error(found.series, expected.series);
    const double similarity = relative_error(found.similarity, expected.similarity);
    require(std::max({anchors, series, similarity}) < 1e-4, "anchors are off by " + number(anchors) +
                                                                ", series by " + number(series) +
                                                                ", similarities by " + number(similarity));
    // Rounding may exchange two anchors that are equally similar: such rows have other prompts.
    const auto k = static_cast<std::ptrdiff_t>(expected.top_k),
               d = static_cast<std::ptrdiff_t>(expected.dimension);
    std::int64_t others = 0;
    std::vector<float> prompt, expected_prompt;
    for (std::ptrdiff_t row = 0; row < expected.rows; ++row) {
        if (!std::equal(found.retrieved.begin() + row * k, found.retrieved.begin() + (row + 1) * k,
                        expected.retrieved.begin() + row * k)) {
            ++others;
            continue;
        }
        prompt.insert(prompt.end(), found.prompt.begin() + row * d, found.prompt.begin() + (row + 1) * d);
        expected_prompt.insert(expected_prompt.end(), expected.prompt.begin() + row * d,
                               expected.prompt.begin() + (row + 1) * d);
    }
    require(others * 50 <= expected.rows, std::to_string(others) + " of " + std::to_string(expected.rows) +
                                              " windows choose other anchors");
    const double prompts = relative_error(prompt, expected_prompt);
    const double errors = relative_error(found.mse, expected.mse);
    require(prompts < 1e-4 && errors < 1e-3,
            "prompts are off by " + number(prompts) + ", errors by " + number(errors));
    return std::to_string(expected.rows) + " rows, within " +
           number(std::max({anchors, series, similarity, prompts})) + "; " + std::to_string(others) +
           " choose others; " + check_what_follows(found, expected, others);
}

}  // namespace

std::vector<Check> analysis_checks() {
    return {{"neighbours are the CPU's", check_neighbours},
            {"t-SNE descends as on the CPU", check_descent},
            {"t-SNE as a whole", check_tsne},
            {"embeddings, alignment and strata of a checkpoint", check_embeddings}};
}

}  // namespace casp::gpu
