#include "inspect/stored_probes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <torch/torch.h>

#include "analysis/pca.h"
#include "analysis/scores.h"
#include "inspect/append.h"
#include "inspect/stored_embeddings.h"
#include "model/retrieval.h"
#include "store/run_file.h"
#include "store/snapshot_file.h"
#include "util/error.h"
#include "util/is_there.h"
#include "util/progress.h"

namespace casp::inspect {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_bytes = 256u << 20u;  ///< all snapshots together, without their vectors
constexpr std::size_t fewest_probes = 4;

/// Location of each snapshot.
struct Places {
    fs::path arrays;
    std::map<std::int64_t, std::int64_t> in_arrays;  ///< step → rows
    std::map<std::int64_t, fs::path> files;          ///< by step
};

Places places_of(const StoredProbeRequest& request) {
    Places places;
    const auto& run = request.run;
    places.arrays = run / "arrays.h5";
    const auto counts = [&](std::int64_t step) {
        return std::binary_search(request.steps.begin(), request.steps.end(), step);
    };
    // Before a run ends arrays.h5 has no snapshots, but possibly sets computed at their steps.
    if (is_there(store::snapshots_folder(run)))
        for (const auto step : request.steps)
            if (auto file = store::snapshot_file(run, step); is_there(file))
                places.files[step] = std::move(file);
    if (is_there(places.arrays))
        for (const auto& set : store::embedding_entries(places.arrays)) {
            if (set.split != "val" || set.rows == 0) continue;
            const auto step = store::step_of(set.at);
            if (step && counts(*step) && places.files.count(*step) == 0) places.in_arrays[*step] = set.rows;
        }
    // A set computed on request may be stored at a step as well, with other rows than the snapshots.
    std::map<std::int64_t, int> sets_with;
    for (const auto& [step, rows] : places.in_arrays) ++sets_with[rows];
    const auto usual = std::max_element(sets_with.begin(), sets_with.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    std::erase_if(places.in_arrays, [&](const auto& set) { return set.second != usual->first; });
    return places;
}

/// Similarities, and the K most similar anchors per row.
void add_retrievals(train::Probe& probe) {
    const torch::NoGradGuard no_gradient;
    probe.similarity = cosines_of(probe);
    const auto similarity =
        at::from_blob(probe.similarity.data(),
                      {std::ssize(probe.similarity) / probe.pool_size, probe.pool_size}, at::kFloat);
    if (probe.top_k > 0) append(probe.retrieved, model::retrieve_top_k(similarity, probe.top_k).index);
}

std::shared_ptr<train::Probe> probe_of(store::Embeddings stored, std::int64_t top_k, const std::string& where,
                                       const std::stop_token& stop) {
    auto probe = std::make_shared<train::Probe>();
    auto& e = *probe;
    static_cast<store::Embeddings&>(e) = std::move(stored);
    e.rows = std::ssize(e.windows) * std::ssize(e.channels);
    const auto fits = [&](const std::vector<float>& values, std::int64_t n) {
        return std::ssize(values) == n * e.dimension;
    };
    if (e.dimension <= 0 || e.rows == 0 || e.patches > 1 || e.start.size() != e.windows.size() ||
        !fits(e.series, e.rows) || !(e.prompt.empty() || fits(e.prompt, e.rows)) || e.anchors.empty())
        throw input_error(where, "its vectors, windows and channels do not match", {},
                          "This snapshot is not shown; the others are.");
    e.channels_total = std::ssize(e.channels);
    e.top_k = std::min(top_k, e.pool_size);
    e.tensors = {};
    e.tsne = {};
    add_retrievals(e);
    (void)e.count_usage();
    // Stored components may belong to other rows, computed on request at this step, or be of version 1.0.0,
    // without the variance on their axes.
    if (!e.fits(e.pca) || e.pca.explained.empty())
        e.pca = analysis::joint_layout(e.anchors, e.series, e.prompt, e.dimension, 3, stop);
    return probe;
}

std::shared_ptr<train::Probe> read_probe(const Places& places, std::int64_t step, std::int64_t top_k,
                                         const std::stop_token& stop) {
    if (const auto file = places.files.find(step); file != places.files.end())
        return probe_of(store::read_snapshot(file->second), top_k, file->second.string(), stop);
    const auto moment = std::to_string(step);
    return probe_of(store::read_embedding(places.arrays, "val", moment), top_k,
                    places.arrays.string() + ":/embedding/val/" + moment, stop);
}

std::shared_ptr<train::Probe> known_at(const StoredProbeRequest& request, std::int64_t step) {
    for (const auto& probe : request.known)
        if (probe->step == step) return std::make_shared<train::Probe>(*probe);
    return nullptr;
}

/// At most `most` of `steps`, evenly spaced from the first to the last.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& steps, std::size_t most) {
    if (steps.size() <= most || most < 2) return steps;
    std::vector<std::int64_t> kept;
    for (const auto i : analysis::evenly_spaced(std::ssize(steps), static_cast<std::int64_t>(most)))
        kept.push_back(steps[static_cast<std::size_t>(i)]);
    return kept;
}

}  // namespace

StoredProbes read_stored_probes(const StoredProbeRequest& request, const std::stop_token& stop) {
    StoredProbes stored;
    const auto note_problem = [&](const std::exception& failure) {
        if (stored.problem.empty()) stored.problem = phrase_of(failure);
    };
    Places places;
    try {
        places = places_of(request);
    } catch (const std::exception& failure) {
        note_problem(failure);
        return stored;
    }
    std::vector<std::int64_t> steps;
    for (const auto step : request.steps)
        if (places.in_arrays.count(step) > 0 || places.files.count(step) > 0) steps.push_back(step);
    auto chosen = thinned(steps, request.most);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto step = chosen[i];
        const bool last = i + 1 == chosen.size();
        if (stop.stop_requested()) throw Cancelled();
        try {
            auto probe = last ? nullptr : known_at(request, step);
            if (!probe) probe = read_probe(places, step, request.top_k, stop);
            auto& all = stored.probes;
            if (all.empty())
                chosen = thinned(steps, std::clamp(max_bytes / std::max<std::size_t>(1, probe->other_bytes()),
                                                   std::min(fewest_probes, request.most), request.most));
            else if (probe->windows != all.back()->windows)
                continue;  // a set computed on request
            else
                analysis::keep_orientation(probe->pca, all.back()->pca);
            if (i + 1 < chosen.size()) probe->drop_vectors();
            all.push_back(std::move(probe));
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& failure) {
            note_problem(failure);
        }
    }
    return stored;
}

}  // namespace casp::inspect
