#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ATen/Parallel.h>

#include "analysis/tsne_descent.h"
#include "analysis/tsne_grid.h"
#include "analysis/tsne_kernels.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t rows_per_sum = 512;  ///< rows summed separately, for determinism

class CpuDescent final : public TsneDescent {
public:
    CpuDescent(TsneAffinities affinities, int components, bool exact)
        : affinities_(std::move(affinities)),
          n_(static_cast<std::int64_t>(affinities_.first.size()) - 1),
          components_(components),
          grid_(exact ? nullptr : std::make_unique<RepulsionGrid>(components)) {
        force_.resize(static_cast<std::size_t>(n_ * components));
        near_.resize(force_.size());
        columns_.resize(exact ? force_.size() : 0);
        sums_.resize(static_cast<std::size_t>((n_ + rows_per_sum - 1) / rows_per_sum * 3));
    }

    void set(const TsneState& state) override {
        y_ = state.points;
        velocity_ = state.velocity;
        gains_ = state.gains;
    }

    void get(TsneState& state) const override {
        state.points = y_;
        state.velocity = velocity_;
        state.gains = gains_;
    }

    bool step(double exaggeration, double learning_rate, double momentum) override {
        const double z = repel();
        each_portion([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
            finish_gradient(begin, end, exaggeration, z);
            double* sum = sums_.data() + 3 * p;
            std::fill(sum, sum + 3, 0.0);
            kernels::descend({learning_rate, momentum}, force_.data(), components_, begin, end, y_.data(),
                             velocity_.data(), gains_.data(), sum);
        });
        double centre[3] = {0, 0, 0};
        for (std::size_t i = 0; i < sums_.size(); ++i) centre[i % 3] += sums_[i];
        bool finite = true;
        for (double& c : centre) {
            finite = finite && std::isfinite(c);
            c /= static_cast<double>(n_);
        }
        each_portion([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                for (int c = 0; c < components_; ++c) y_[cell(i, c)] -= centre[c];
        });
        return finite;
    }

    std::vector<double> gradient(double exaggeration) override {
        const double z = repel();
        each_portion([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            finish_gradient(begin, end, exaggeration, z);
        });
        return force_;
    }

    double kl() override {
        const double z = repel();
        std::vector<double> parts(sums_.size() / 3);
        const auto view = affinities_.view();
        each_portion([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
            parts[static_cast<std::size_t>(p)] =
                kernels::divergence(view, y_.data(), components_, begin, end);
        });
        const double whole =
            std::accumulate(affinities_.p.begin(), affinities_.p.end(), 0.0,
                            [](double sum, float p) { return sum + static_cast<double>(p); });
        return std::accumulate(parts.begin(), parts.end(), 0.0) + whole * std::log(z);
    }

private:
    TsneAffinities affinities_;
    std::int64_t n_;
    int components_;
    std::unique_ptr<RepulsionGrid> grid_;
    std::vector<double> y_, velocity_, gains_, force_, columns_, sums_;
    std::vector<float> near_;

    [[nodiscard]] std::size_t cell(std::int64_t i, int c) const {
        return static_cast<std::size_t>(i * components_ + c);
    }

    template <class Use>
    void each_portion(Use use) const {
        at::parallel_for(0, (n_ + rows_per_sum - 1) / rows_per_sum, 1,
                         [&](std::int64_t begin, std::int64_t end) {
                             for (std::int64_t p = begin; p < end; ++p)
                                 use(p, p * rows_per_sum, std::min((p + 1) * rows_per_sum, n_));
                         });
    }

    /// force = Σ_j K² (y_i − y_j) with y = near; returns Z.
    double repel() {
        each_portion([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::size_t k = cell(begin, 0); k < cell(end, 0); ++k) near_[k] = static_cast<float>(y_[k]);
        });
        if (grid_) return grid_->repel(y_.data(), n_, force_.data());
        for (int c = 0; c < components_; ++c)
            for (std::int64_t i = 0; i < n_; ++i)
                columns_[static_cast<std::size_t>(c * n_ + i)] = y_[cell(i, c)];
        std::vector<double> parts(static_cast<std::size_t>((n_ + 15) / 16));
        at::parallel_for(0, (n_ + 15) / 16, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p)
                parts[static_cast<std::size_t>(p)] = kernels::repel(
                    columns_.data(), n_, components_, 16 * p, std::min(16 * (p + 1), n_), force_.data());
        });
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }

    void finish_gradient(std::int64_t begin, std::int64_t end, double exaggeration, double z) {
        for (std::size_t k = cell(begin, 0); k < cell(end, 0); ++k) force_[k] /= -z;
        kernels::attract(affinities_.view(), near_.data(), components_, begin, end, exaggeration,
                         force_.data());
    }
};

}  // namespace

std::unique_ptr<TsneDescent> make_cpu_descent(TsneAffinities affinities, int components, bool exact) {
    return std::make_unique<CpuDescent>(std::move(affinities), components, exact);
}

}  // namespace casp::analysis
