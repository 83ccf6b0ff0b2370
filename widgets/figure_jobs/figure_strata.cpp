// Strata by difficulty or another label for the figures: every test window of each run, and the change
// against the first condition.
#include <map>
#include <utility>

#include "analysis/strata.h"
#include "analysis/strata_labels.h"
#include "figure_jobs/figure_embeddings.h"
#include "figures/recipe_input.h"
#include "inspect/window_embeddings.h"

namespace casp::figure_jobs {

namespace {

constexpr std::int64_t deciles = 10;

/// Data for strata of every test window, without the embeddings themselves.
struct Difficulty {
    store::Embeddings values;
    std::vector<double> label;
    analysis::StrataAxis axis;
    bool of_series = false;

    [[nodiscard]] analysis::StrataInput input() const {
        return figures::strata_input(values, label, axis, of_series);
    }
};

/// A run of the first condition, the reference for runs with the same seed.
struct Base {
    const figures::RunInput* run = nullptr;
    Difficulty windows;
};

Difficulty difficulty_of(const figures::RunInput& run, const analysis::StrataAxis& axis,
                         const ProgressFn& progress, const std::stop_token& stop) {
    inspect::EmbeddingRequest request;
    request.run = run.folder.toStdString();
    request.vectors = request.similarity = false;
    auto values = inspect::compute_embeddings(request, progress, stop);
    auto label = analysis::strata_labels(request.run, axis, values, progress, stop);
    return {std::move(values), std::move(label), axis, figures::is_collection(run.record->data)};
}

/// Fills in the change against the base. Returns the reason if the windows cannot be compared; equal row
/// numbers are not sufficient, because two data sets may share them.
QString add_change(figures::StrataOfRun& one, const Difficulty& windows, const Base& base,
                   const ProgressFn& progress, const std::stop_token& stop) {
    if (auto other = figures::data_difference(*one.run, *base.run); !other.isEmpty()) return other;
    try {
        figures::set_change(
            one, analysis::compare_strata(base.windows.input(), windows.input(), deciles, stop, progress));
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& problem) {
        return QString::fromStdString(problem.parts().found);
    }
    return {};
}

}  // namespace

std::vector<figures::StrataOfCondition> FigureSource::strata(const figures::PaperCell& cell,
                                                             const analysis::StrataAxis& axis) {
    std::vector<figures::StrataOfCondition> result;
    std::map<std::int64_t, Base> base;  // by seed
    for (const auto& condition : cell.conditions) {
        figures::StrataOfCondition strata{condition.label, condition.colour, {}};
        for (const auto* run : condition.runs) {
            try {
                const auto progress = work_.progress(run->label.toStdString());
                auto windows = difficulty_of(*run, axis, progress, stop_);
                auto one = figures::strata_of_run(
                    *run, analysis::strata_of(windows.input(), deciles, stop_, progress));
                // Two runs of the base with the same seed are not a pair.
                if (const auto found = base.find(one.seed); !result.empty() && found != base.end())
                    if (const auto why = add_change(one, windows, found->second, progress, stop_);
                        !why.isEmpty())
                        strata.not_compared = why;
                if (result.empty()) base.try_emplace(one.seed, Base{run, std::move(windows)});
                strata.runs.push_back(std::move(one));
            } catch (const Cancelled&) {
                throw;
            } catch (const std::exception& problem) {
                left_out(*run, "strata", problem);
            }
        }
        if (!strata.not_compared.isEmpty())
            note(Phrase("strata of %1: no change of %2 against %3, %4", cell.name.toStdString(),
                        strata.label.toStdString(), result.front().label.toStdString(),
                        strata.not_compared.toStdString()));
        if (!strata.runs.empty()) result.push_back(std::move(strata));
    }
    return result;
}

}  // namespace casp::figure_jobs
