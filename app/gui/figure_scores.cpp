// Scores, alignment and strata for the figures: what FigureSource makes of embeddings once it has them.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <utility>

#include "analysis/alignment.h"
#include "analysis/scores.h"
#include "analysis/strata.h"
#include "gui/figure_embeddings.h"
#include "util/error.h"

namespace casp::gui {

namespace {

constexpr std::int64_t bins = 80;

/// Rows by channel, then by time: what one channel's samples have in common stands together.
std::vector<std::int64_t> by_channel(const train::RunEmbeddings& v) {
    std::vector<std::int64_t> rows;
    const auto m = static_cast<std::int64_t>(v.channels.size()),
               n = static_cast<std::int64_t>(v.windows.size());
    for (std::int64_t c = 0; c < m; ++c)
        for (std::int64_t w = 0; w < n; ++w) rows.push_back(w * m + c);
    return rows;
}

}  // namespace

std::vector<figures::ScoresOfRun> FigureSource::scores(const figures::PaperCell& cell) {
    std::vector<figures::ScoresOfRun> result;
    for (auto& run : embedded(cell)) {
        const auto& v = *run.values;
        const FigureWork::Step step(work_, FigureTask::scores, run.run->label.toStdString());
        analysis::ScoreOptions options;
        options.order = analysis::AnchorOrder::index;
        const auto matrix =
            analysis::score_matrix(v.similarity, v.pool_size, v.selected, v.top_k, options, stop_);
        figures::ScoresOfRun scores;
        scores.anchors = matrix.anchor;
        scores.rows = by_channel(v);
        scores.values.reserve(matrix.values.size());
        for (std::size_t a = 0; a < scores.anchors.size(); ++a)
            for (const auto row : scores.rows)
                scores.values.push_back(
                    matrix.values[a * scores.rows.size() + static_cast<std::size_t>(row)]);
        scores.of = std::move(run);
        result.push_back(std::move(scores));
    }
    return result;
}

std::vector<figures::DistributionOfRun> FigureSource::distributions(const figures::PaperCell& cell) {
    std::vector<figures::DistributionOfRun> result;
    const auto runs = embedded(cell);
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (const auto& run : runs)
        for (const float s : run.values->similarity) {
            low = std::min(low, s);
            high = std::max(high, s);
        }
    if (!(high > low)) return result;
    for (const auto& run : runs) {
        const auto& v = *run.values;
        const FigureWork::Step step(work_, FigureTask::scores, run.run->label.toStdString());
        const auto scores = analysis::score_distributions(
            v.similarity, v.pool_size, v.selected, v.top_k, bins,
            std::pair{static_cast<double>(low), static_cast<double>(high)}, stop_);
        figures::DistributionOfRun d;
        d.of = run;
        for (const auto& condition : cell.conditions)
            if (condition.label == run.label) d.colour = condition.colour;
        d.edges = scores.edges;
        d.all = scores.all.histogram;
        d.selected = scores.chosen.histogram;
        d.mean_all = scores.all.mean;
        d.mean_selected = scores.chosen.mean;
        result.push_back(std::move(d));
    }
    return result;
}

void FigureSource::add_cosine_map(figures::AlignmentOfRun& alignment, const train::RunEmbeddings& v,
                                  FigureWork::Step& step) {
    // Whole windows, so that every channel appears equally often.
    const auto m = static_cast<std::int64_t>(v.channels.size());
    for (const auto window : analysis::evenly_spaced(static_cast<std::int64_t>(v.windows.size()),
                                                     std::max<std::int64_t>(2, map_rows / m)))
        for (std::int64_t c = 0; c < m; ++c) alignment.map_rows.push_back(window * m + c);
    const auto d = static_cast<std::ptrdiff_t>(v.dimension);
    std::vector<float> series, prompts;
    for (const auto row : alignment.map_rows)
        for (const auto& [from, to] : {std::pair{&v.series, &series}, std::pair{&v.prompt, &prompts}})
            to->insert(to->end(), from->begin() + row * d, from->begin() + (row + 1) * d);
    alignment.cosine = analysis::cosine_map(series, prompts, v.dimension,
                                            static_cast<std::int64_t>(alignment.map_rows.size()), stop_,
                                            step.progress({{}, 0, 0.5, {}}))
                           .values;
    const auto all =
        analysis::cosine_map(v.series, v.prompt, v.dimension, 1, stop_, step.progress({{}, 0.5, 1, {}}));
    alignment.matching = all.diagonal_mean;
    alignment.others = all.off_diagonal_mean;
}

namespace {

/// What strata need of every test window, without the embeddings themselves.
struct Difficulty {
    train::RunEmbeddings facts;
    std::vector<float> residual, mse, mae;
    std::vector<std::int32_t> selected;

    [[nodiscard]] analysis::StrataInput input() const {
        return {facts.start, facts.channels, residual, mse, mae, selected, facts.top_k, facts.pool_size};
    }
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<figures::StrataOfCondition> FigureSource::strata(const figures::PaperCell& cell) {
    std::vector<figures::StrataOfCondition> result;
    std::map<std::int64_t, Difficulty> base;  // of the first condition, by seed
    for (const auto& condition : cell.conditions) {
        figures::StrataOfCondition strata{condition.label, condition.colour, {}};
        for (const auto* run : condition.runs) {
            const auto name = std::filesystem::path(run->folder.toStdString()).filename().string();
            try {
                train::EmbeddingRequest request;
                request.run = run->folder.toStdString();
                request.similarity = false;
                Difficulty all;
                FigureWork::Step step(work_, FigureTask::strata, run->label.toStdString());
                all.facts = train::stream_embeddings(
                    request,
                    [&all](const train::RunEmbeddings&, const train::RunEmbeddings& part) {
                        append(all.residual, part.residual);
                        append(all.mse, part.mse);
                        append(all.mae, part.mae);
                        append(all.selected, part.selected);
                    },
                    step.progress({{}, 0, 1, "embedding"}), stop_);
                const auto cut = analysis::strata_of(all.input());
                figures::StrataOfRun one;
                one.run = run;
                one.seed = run->config != nullptr ? run->config->train.seed : 0;
                one.edges = cut.edges;
                for (const auto& stratum : cut.strata) {
                    one.windows.push_back(static_cast<std::int64_t>(stratum.windows.size()));
                    one.mse.push_back(stratum.mse);
                    one.mae.push_back(stratum.mae);
                    one.entropy.push_back(stratum.summary.entropy);
                    one.distinct.push_back(stratum.usage.empty()
                                               ? store::not_known
                                               : static_cast<double>(stratum.summary.distinct));
                }
                // Two runs of one seed in the base are no pair.
                if (const auto found = base.find(one.seed); !result.empty() && found != base.end()) {
                    const auto pair = analysis::compare_strata(found->second.input(), all.input());
                    for (const auto& stratum : pair.difference) one.changes.push_back(100 * stratum.relative);
                    one.easiest_change = 100 * pair.easiest.relative;
                    one.hardest_change = 100 * pair.hardest.relative;
                    one.change = 100 * pair.all.relative;
                }
                if (result.empty()) base.emplace(one.seed, std::move(all));
                strata.runs.push_back(std::move(one));
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& problem) {
                note(name + " stands in no figure of strata: " + problem.what());
            }
        }
        if (!strata.runs.empty()) result.push_back(std::move(strata));
    }
    return result;
}

}  // namespace casp::gui
