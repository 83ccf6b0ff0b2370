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

/// The windows of probe_windows(), for the probes and snapshots of one model.
class ProbeInput {
public:
    /// `rows_per_batch`: rows computed at once. `model` must outlive this object.
    ProbeInput(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch);

    /// Split, windows and sizes, which all embeddings of these windows have in common.
    [[nodiscard]] const store::Embeddings& facts() const { return facts_; }
    /// Look-backs of the target channels, [n, L, T] on the device.
    [[nodiscard]] at::Tensor target_lookback() const;
    /// Adds vectors, similarities and retrievals with the current weights, and forecasts to `prediction`
    /// unless it is null. The model is used in evaluation mode without gradients and random numbers, and
    /// restored afterwards. Throws LibTorch's exceptions (memory).
    void look(store::Embeddings& embeddings, std::vector<float>* prediction) const;

private:
    model::Forecaster& model_;
    std::int64_t windows_per_batch_;
    store::Embeddings facts_;
    at::Tensor lookback_;  ///< [n, L, M]
    at::Tensor targets_;   ///< [T] of them, or undefined: all
    at::Tensor time_;      ///< time features of the windows, [n, L + H, 4], or undefined
};

/// Probes of a running model for live views: taken only if requested and affordable; failures do not end the
/// run. One thread.
class LiveProbes {
public:
    /// All arguments must outlive this object.
    LiveProbes(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch,
               train::TrainObserver& observer);

    /// Whether to take a probe now. At the end always. At snapshots if all probes stay within a tenth of the
    /// training time, judged by the last one, and below four per second. Otherwise also if the last one is
    /// stale: after ten seconds, later after a hundredth of the time since the first, so that a long run
    /// takes some hundreds.
    [[nodiscard]] bool is_due(train::ProbeTime time) const;
    /// Takes a probe with the current weights, in which `since_snapshot` is stored, and reports it to the
    /// observer. A failure is reported once, as a warning, and disables further probes.
    void take(std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> since_snapshot);

private:
    using Clock = std::chrono::steady_clock;

    void prepare();
    [[nodiscard]] std::shared_ptr<const train::Probe> probe(
        std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> since_snapshot) const;

    model::Forecaster& model_;
    const data::WindowSet& validation_;
    std::int64_t rows_per_batch_;
    train::TrainObserver& observer_;
    std::optional<ProbeInput> input_;  ///< created for the first probe
    train::Probe fixed_;               ///< members common to all probes
    std::shared_ptr<const train::Probe> last_;
    Clock::time_point first_;   ///< when input_ was created
    Clock::time_point next_{};  ///< earliest time of the next probe
    Clock::time_point stale_{};
    bool failed_ = false;
};

}  // namespace casp::inspect
