#pragma once
// Probes: embeddings of a few validation windows, computed repeatedly during training for live views.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "data/windows.h"
#include "model/forecaster.h"
#include "train/observer.h"

namespace casp::inspect {

/// Window numbers of a probe, ascending and evenly spaced over all `windows`: about 128 rows (windows ×
/// channels), 4 to 32 windows, and at most 1024 rows but at least one window.
[[nodiscard]] std::vector<std::int64_t> probe_windows(std::int64_t windows, std::int64_t channels);

/// Takes probes of one model. The model is used in evaluation mode without gradients and random numbers, and
/// restored afterwards. One thread.
class Prober {
public:
    /// `rows_per_batch`: rows computed at once. `model` and `validation` must outlive this object.
    Prober(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch);

    /// Whether a probe now would keep all probes within a tenth of the training time, judged by the last one,
    /// and below four per second.
    [[nodiscard]] bool is_affordable() const;
    /// Whether views need a new probe although no snapshot is due: after ten seconds, later after a hundredth
    /// of the time since the first probe, so that a long run takes some hundreds.
    [[nodiscard]] bool is_stale() const;

    /// Computes a probe with the current weights; `anchors` is stored in it. Throws LibTorch's exceptions
    /// (memory).
    [[nodiscard]] std::shared_ptr<const train::Probe> take(
        std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> anchors = nullptr);

private:
    using Clock = std::chrono::steady_clock;
    void look(train::Probe& probe);

    model::Forecaster& model_;
    std::int64_t windows_per_batch_;
    train::Probe fixed_;   ///< members common to all probes
    at::Tensor lookback_;  ///< [n, L, M] on the device
    std::shared_ptr<const train::Probe> last_;
    Clock::time_point first_ = Clock::now();
    Clock::time_point next_{};   ///< earliest time of the next probe
    Clock::time_point stale_{};  ///< time from which is_stale()
};

/// Probes of a running model for live views: taken only if requested and affordable; failures do not end the
/// run. One thread.
class LiveProbes {
public:
    /// All arguments must outlive this object.
    LiveProbes(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch,
               train::TrainObserver& observer);

    /// Whether to take a probe now: at snapshots if affordable, otherwise if the last one is stale.
    [[nodiscard]] bool is_due(bool at_snapshot) const;
    /// Takes a probe and reports it to the observer. A failure is reported once, as a warning, and disables
    /// further probes.
    void take(std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> anchors);

private:
    model::Forecaster& model_;
    const data::WindowSet& validation_;
    std::int64_t rows_per_batch_;
    train::TrainObserver& observer_;
    std::optional<Prober> prober_;  ///< created for the first probe
    bool failed_ = false;
};

}  // namespace casp::inspect
