#pragma once
// Ridge regression of the horizon on the look-back, fitted in closed form.

#include <cstdint>
#include <vector>

#include "model/forecaster.h"

namespace casp::model {

/// forecast = m + W·(x − m) + b, with m the mean of the look-back x of the window and channel; W [H, L] and
/// b [H] are shared by all channels.
///
/// W and b minimise Σ |y − forecast|² + α·|W|² over all rows (window, channel) of the training windows: the
/// solution of (XᵀX + αI)·Wᵀ = XᵀY with centred columns (Hoerl and Kennard 1970; α as in scikit-learn's
/// Ridge). The products are summed batch by batch in float64. Only the mean is removed, not the deviation, so
/// that the minimised error is the MSE of the metric (decision 16).
///
/// Tensor names: weight [H, L], bias [H]; zero before the fit.
class Ridge : public Forecaster, public ClosedForm {
public:
    /// `alpha`: the penalty; 0: to be chosen on validation.
    Ridge(std::int64_t lookback, std::int64_t horizon, double alpha);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override;
    void to(const at::Device& device) override;
    [[nodiscard]] ClosedForm* closed_form() override { return this; }

    void begin_fit() override;
    void add(const at::Tensor& lookback, const at::Tensor& target) override;
    [[nodiscard]] std::vector<double> penalties() const override;
    [[nodiscard]] bool solve(double penalty) override;

private:
    double alpha_;
    at::Tensor weight_, bias_;
    /// ZᵀZ [L + 1, L + 1] and ZᵀY [L + 1, H] in float64: Z has the centred look-backs and a column of ones.
    at::Tensor squares_, products_;
};

}  // namespace casp::model
