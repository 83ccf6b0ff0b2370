#include "gpu/analysis_checks.h"

#include <algorithm>
#include <cmath>

#include <torch/torch.h>

#include "analysis/scores.h"
#include "analysis/strata.h"
#include "gpu/run_checks.h"
#include "inspect/window_embeddings.h"
#include "run/run.h"
#include "util/device.h"

namespace casp::gpu {

namespace {

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
    return {{"embeddings, alignment and strata of a checkpoint", check_embeddings}};
}

}  // namespace casp::gpu
