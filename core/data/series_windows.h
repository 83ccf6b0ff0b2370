#pragma once
// Windows of a collection of series: one per series, with zeros before a series that is shorter.

#include <memory>
#include <vector>

#include "data/series_collection.h"
#include "data/windows.h"

namespace casp::data {

/// Which values are the targets.
enum class SeriesPart {
    training,  ///< H values after a cut that is random in each epoch
    held_out,  ///< the last H training values
    test       ///< the test values
};

/// Item and window i belong to the i-th series of the part, in the collection's order; M = 1. The look-back
/// is the L values before the cut, with zeros before the first value of a series. The target is the H values
/// from the cut on; where the series ends earlier, the mask is 0 (protocol A.9; the public code misplaces
/// targets of series whose cut is below H).
///
/// Cuts of gather() in training are uniform in [max(1, n − history), n) for a series of n training values,
/// without the last H if `holds_out`; range() cuts at max(1, n − H), as does gather() before the first
/// start_epoch(). Series without a possible cut are omitted.
///
/// Values are float64 in original units and shared with the collection on the CPU. One thread at a time.
class SeriesWindows final : public WindowSet {
public:
    SeriesWindows(std::shared_ptr<const SeriesCollection> collection, SeriesPart part, bool holds_out,
                  std::int64_t lookback, const at::Device& device);

    [[nodiscard]] at::Device device() const override { return values_.device(); }
    [[nodiscard]] std::int64_t size() const override { return windows(); }
    [[nodiscard]] std::int64_t windows() const override { return series_.size(0); }
    [[nodiscard]] std::int64_t channels() const override { return 1; }
    [[nodiscard]] std::int64_t lookback() const override { return lookback_; }
    [[nodiscard]] std::int64_t horizon() const override { return collection_->horizon; }
    /// Position of the first look-back value among all training values of the collection, one series after
    /// another; before the start of a series that is shorter than the look-back.
    [[nodiscard]] std::int64_t start_of(std::int64_t window) const override {
        return starts_[static_cast<std::size_t>(window)];
    }
    [[nodiscard]] bool scaled() const override { return false; }

    void start_epoch(std::uint64_t seed) override;
    [[nodiscard]] WindowBatch gather(const at::Tensor& items) const override;
    [[nodiscard]] WindowBatch range(std::int64_t first, std::int64_t count,
                                    bool float64 = false) const override;

private:
    /// The given windows with the cut of each, [n].
    [[nodiscard]] WindowBatch cut(const at::Tensor& windows, const at::Tensor& cuts,
                                  at::ScalarType type) const;

    std::shared_ptr<const SeriesCollection> collection_;
    SeriesPart part_;
    std::int64_t lookback_;
    at::Tensor values_;                 ///< all training values
    at::Tensor test_;                   ///< [series, H]
    at::Tensor series_;                 ///< [windows] index of the series, as all that follows on the device
    at::Tensor begin_;                  ///< [windows] where the series begins in `values_`
    at::Tensor end_;                    ///< [windows] one past its last value that may be a target
    at::Tensor fixed_;                  ///< [windows] cut of range(): first target value
    at::Tensor random_;                 ///< [windows] cut of gather()
    std::vector<std::int64_t> starts_;  ///< [windows] as start_of()
};

}  // namespace casp::data
