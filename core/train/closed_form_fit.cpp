#include "train/closed_form_fit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <torch/torch.h>

#include "model/target_channels.h"
#include "store/result_columns.h"
#include "util/error.h"

namespace casp::train {

namespace {

void add_windows(model::ClosedForm& model, const data::WindowSet& windows, TrainObserver& observer,
                 const StopControl& stop) {
    constexpr std::int64_t rows_at_once = 4096;
    const auto at_once = std::max<std::int64_t>(1, rows_at_once / windows.channels());
    const auto total = windows.windows();
    model.begin_fit();
    for (std::int64_t first = 0; first < total; first += at_once) {
        stop.wait_while_paused();
        if (stop.must_stop()) throw Cancelled();
        const auto count = std::min(at_once, total - first);
        const auto batch = windows.range(first, count);
        if (batch.mask.defined()) {  // the sums take whole targets only
            const auto whole = batch.mask.flatten(1).amin(1).nonzero().flatten();
            model.add(batch.lookback.index_select(0, whole), batch.target.index_select(0, whole));
        } else {
            model.add(model::of_channels(batch.lookback, 2, batch.targets), batch.target);
        }
        observer.on_progress({Stage::fitting, first + count, total, "windows"});
    }
}

}  // namespace

void fit_closed_form(model::Forecaster& model, const data::WindowSet& train,
                     const data::WindowSet& validation, const EvaluationOptions& options,
                     TrainObserver& observer, const StopControl& stop) {
    const torch::NoGradGuard no_gradient;
    auto& fitted = *model.closed_form();
    add_windows(fitted, train, observer, stop);
    const auto penalties = fitted.penalties();
    std::optional<std::pair<double, double>> best;  // validation MSE, penalty
    for (const double penalty : penalties) {
        if (!fitted.solve(penalty)) continue;
        const double mse = penalties.size() > 1 ? evaluate(model, validation, options, stop).mse : 0;
        if (!best || mse < best->first) best = {mse, penalty};
    }
    if (!best || !fitted.solve(best->second))
        throw run_error("the fit", "the training windows give no finite solution", {},
                        "Set data.missing to interpolate or drop-column, or choose a larger penalty.");
    if (penalties.size() > 1)
        observer.on_message(MessageLevel::info, Phrase("penalty %1 has the lowest validation MSE (%2) of %3",
                                                       store::four_digits(best->second),
                                                       store::four_digits(best->first), penalties.size()));
}

}  // namespace casp::train
