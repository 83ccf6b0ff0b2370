#pragma once
// The probe: a few validation windows looked at again and again while a run goes on.

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/windows.h"
#include "model/forecaster.h"
#include "train/observer.h"

namespace casp::train {

/// Numbers of the windows that a probe looks at, ascending, evenly spaced from the first to the last of
/// `windows`: about 128 rows (windows × channels), 4 to 32 windows, at most 1024 rows but at least one
/// window.
[[nodiscard]] std::vector<std::int64_t> probe_windows(std::int64_t windows, std::int64_t channels);

/// Takes probes of one model. The model is as it was afterwards: evaluation mode, no gradients, no random
/// numbers. One thread.
class Prober {
public:
    /// `rows_per_batch`: rows computed at once. Model and windows must outlive it.
    Prober(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch);

    /// Whether a probe now keeps all of them within a tenth of the time, judged by what the last one cost,
    /// and within four a second.
    [[nodiscard]] bool is_affordable() const;
    /// Whether the last probe is so old that a view should have a new one although there is no snapshot: ten
    /// seconds, later a hundredth of the time since the first, so that even long runs give some hundreds.
    [[nodiscard]] bool is_stale() const;

    /// Looks at the windows with the present weights; `anchors` goes with what it sees. Throws what LibTorch
    /// throws (memory).
    [[nodiscard]] std::shared_ptr<const Probe> take(std::int64_t step,
                                                    std::shared_ptr<const AnchorSnapshot> anchors = nullptr);

private:
    using Clock = std::chrono::steady_clock;
    void look(Probe& probe);

    model::Forecaster& model_;
    std::int64_t windows_per_batch_;
    Probe fixed_;          ///< what is the same in all probes
    at::Tensor lookback_;  ///< [n, L, M] on the device
    std::shared_ptr<const Probe> last_;
    Clock::time_point first_ = Clock::now();
    Clock::time_point next_{};   ///< not before
    Clock::time_point stale_{};  ///< from then on
};

}  // namespace casp::train
