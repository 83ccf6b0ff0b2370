#pragma once
// Optional interface of models whose parameters follow from the training windows in closed form.

#include <vector>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// A model that is fitted in one pass over the training windows instead of in epochs, through
/// Forecaster::closed_form(). Thread: the model's.
class ClosedForm {
public:
    virtual ~ClosedForm() = default;

    /// Forgets all added windows.
    virtual void begin_fit() = 0;
    /// Adds windows: lookback [n, L, M], target [n, H, M], fp32 on the model's device.
    virtual void add(const at::Tensor& lookback, const at::Tensor& target) = 0;
    /// The configured penalty, or those to choose from by validation MSE, ascending; after the last add().
    [[nodiscard]] virtual std::vector<double> penalties() const = 0;
    /// Sets the parameters to the solution with this penalty. False: there is none that is finite in float64;
    /// the parameters are unchanged.
    [[nodiscard]] virtual bool solve(double penalty) = 0;
};

}  // namespace casp::model
