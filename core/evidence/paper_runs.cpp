#include "evidence/paper_runs.h"

#include <span>
#include <string>
#include <utility>

#include "analysis/pca.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

void add_variance(PaperRun& run, const std::string& kind, std::span<const float> values,
                  std::int64_t dimension, const std::stop_token& stop) {
    if (values.empty() || dimension <= 0) return;
    const auto rows = std::ssize(values) / dimension;
    const auto variance = analysis::explained_variance(values, rows, dimension, 2, stop).centred;
    run.measures["pc1_" + kind] = variance.at(0);
    run.measures["pc2_" + kind] = variance.at(1);
    run.measures["pc_total_" + kind] = variance.at(0) + variance.at(1);
}

void add_variances(PaperRun& run, const std::stop_token& stop) {
    if (!run.config.run.store_embeddings) return;
    const auto stored = store::read_embedding(store::RunFolder(run.folder).arrays_file(), "test");
    add_variance(run, "anchors", stored.anchors, stored.dimension, stop);
    add_variance(run, "series", stored.series, stored.dimension, stop);
    add_variance(run, "prompts", stored.prompt, stored.dimension, stop);
}

}  // namespace

std::vector<PaperRun> with_measures(const PaperTable& table, std::vector<SettledRun> runs,
                                    const std::stop_token& stop) {
    std::vector<PaperRun> result;
    for (auto& settled : runs) {
        throw_if_stopped(stop);
        PaperRun run{std::move(settled), {}, {}};
        if (table.name == "jaccard")
            run.usage_test = store::read_run_file(store::RunFolder(run.folder).run_file()).anchors.usage_test;
        if (table.name == "pca") add_variances(run, stop);
        result.push_back(std::move(run));
    }
    return result;
}

}  // namespace casp::evidence
