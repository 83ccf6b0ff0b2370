#pragma once
// The decomposition of model/decomposition.h for one row, without LibTorch: for its CPU path and for labels
// of windows.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace casp::model {

/// Decomposes rows of one length in float64, with prefix sums of the row. Holds the buffers: one per thread.
class RowDecomposition {
public:
    /// 1 <= trend_length, seasonal_length <= size.
    RowDecomposition(std::int64_t size, std::int64_t trend_length, std::int64_t seasonal_length)
        : size_(size),
          length_(trend_length),
          period_(seasonal_length),
          sums_(static_cast<std::size_t>(size + 1)),
          means_(static_cast<std::size_t>(seasonal_length)) {}

    /// Trend of x [size], to `trend` [size].
    template <typename Scalar>
    void trend(const Scalar* x, double* trend) {
        if (length_ == 1) {
            std::copy_n(x, size_, trend);
            return;
        }
        const std::int64_t after = (length_ - 1) / 2;
        const std::int64_t before = length_ - 1 - after;
        const std::int64_t inner = size_ + 1 - length_;
        const auto width = static_cast<double>(length_);
        double sum = 0;
        for (std::int64_t i = 0; i < size_; ++i) {
            sum += static_cast<double>(x[i]);
            sums_[static_cast<std::size_t>(i + 1)] = sum;
        }
        const double* low = sums_.data();
        const double* high = low + length_;
        for (std::int64_t i = 0; i < inner; ++i) trend[before + i] = (high[i] - low[i]) / width;
        std::fill_n(trend, before, trend[before]);
        std::fill_n(trend + before + inner, after, trend[before + inner - 1]);
    }

    /// All three parts of x [size], [size] each.
    template <typename Scalar>
    void parts(const Scalar* x, double* t, double* s, double* r) {
        const std::int64_t complete = size_ / period_;
        const std::int64_t rest = size_ % period_;
        trend(x, t);
        for (std::int64_t i = 0; i < size_; ++i) r[i] = static_cast<double>(x[i]) - t[i];
        std::fill(means_.begin(), means_.end(), 0.0);
        for (std::int64_t first = 0; first < size_; first += period_) {
            const std::int64_t count = std::min(period_, size_ - first);
            for (std::int64_t i = 0; i < count; ++i) means_[static_cast<std::size_t>(i)] += r[first + i];
        }
        for (std::int64_t i = 0; i < period_; ++i)
            means_[static_cast<std::size_t>(i)] /= static_cast<double>(complete + (i < rest ? 1 : 0));
        for (std::int64_t first = 0; first < size_; first += period_)
            std::copy_n(means_.data(), std::min(period_, size_ - first), s + first);
        for (std::int64_t i = 0; i < size_; ++i) r[i] -= s[i];
    }

private:
    std::int64_t size_, length_, period_;
    std::vector<double> sums_, means_;  ///< [size + 1]; [period]
};

}  // namespace casp::model
