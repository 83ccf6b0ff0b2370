#pragma once
// The probe: a few validation windows looked at again and again while a run goes on.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "data/windows.h"
#include "model/forecaster.h"
#include "train/observer.h"

namespace casp::inspect {

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
    [[nodiscard]] std::shared_ptr<const train::Probe> take(
        std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> anchors = nullptr);

private:
    using Clock = std::chrono::steady_clock;
    void look(train::Probe& probe);

    model::Forecaster& model_;
    std::int64_t windows_per_batch_;
    train::Probe fixed_;   ///< what is the same in all probes
    at::Tensor lookback_;  ///< [n, L, M] on the device
    std::shared_ptr<const train::Probe> last_;
    Clock::time_point first_ = Clock::now();
    Clock::time_point next_{};   ///< not before
    Clock::time_point stale_{};  ///< from then on
};

/// Probes of a running model for live views: only while they are wanted and affordable, and never fatal. One
/// thread.
class LiveProbes {
public:
    /// Everything must outlive it.
    LiveProbes(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch,
               train::TrainObserver& observer);

    /// Whether a probe should be taken now: at snapshots where one is affordable, else when the last is
    /// stale.
    [[nodiscard]] bool is_due(bool at_snapshot) const;
    /// Reports a probe to the observer. After a failure it warns once, and no further probe is due.
    void take(std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> anchors);

private:
    model::Forecaster& model_;
    const data::WindowSet& validation_;
    std::int64_t rows_per_batch_;
    train::TrainObserver& observer_;
    std::optional<Prober> prober_;  ///< made for the first probe
    bool failed_ = false;
};

}  // namespace casp::inspect
