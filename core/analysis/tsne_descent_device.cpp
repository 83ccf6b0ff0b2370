#include <array>
#include <cmath>
#include <utility>

#include <torch/torch.h>

#include "analysis/tsne_descent.h"
#include "analysis/tsne_grid.h"
#include "util/device.h"

namespace casp::analysis {

namespace {

at::Tensor from_vector(const std::vector<double>& values, int components, const at::Device& device) {
    return at::tensor(values, at::kDouble).view({-1, components}).to(device);
}

std::vector<double> to_vector(const at::Tensor& tensor) {
    const auto t = tensor.to(at::kCPU).contiguous();
    return {t.const_data_ptr<double>(), t.const_data_ptr<double>() + t.numel()};
}

/// Weights and slopes [n, spline_order] at fractions t [n] between two nodes, as in kernels::spread().
std::pair<at::Tensor, at::Tensor> splines(const at::Tensor& t) {
    std::vector<at::Tensor> w{1 - t, t}, slope;
    for (int k = 3; k <= kernels::spline_order; ++k) {
        const auto n = static_cast<std::size_t>(k);
        if (k == kernels::spline_order) {
            slope.push_back(-w[0]);
            for (std::size_t j = 1; j + 1 < n; ++j) slope.push_back(w[j - 1] - w[j]);
            slope.push_back(w[n - 2]);
        }
        const double share = 1.0 / (k - 1);
        w.push_back(share * t * w[n - 2]);
        for (int j = k - 2; j > 0; --j) {
            const auto here = static_cast<std::size_t>(j);
            w[here] = share * ((t + (k - 1 - j)) * w[here - 1] + (j + 1 - t) * w[here]);
        }
        w[0] = share * (1 - t) * w[0];
    }
    return {at::stack(w, 1), at::stack(slope, 1)};
}

class DeviceDescent final : public TsneDescent {
public:
    DeviceDescent(const at::Device& device, const TsneAffinities& affinities, int components, bool exact)
        : device_(device), components_(components), exact_(exact) {
        const auto cells = static_cast<std::int64_t>(affinities.p.size());
        first_ = at::tensor(affinities.first, at::kLong).to(device);
        column_ = at::tensor(affinities.column, at::kInt).to(device).to(at::kLong);
        p_ = at::tensor(affinities.p, at::kFloat).to(device);
        n_ = first_.size(0) - 1;
        row_ = at::repeat_interleave(at::arange(n_, first_.options()), first_.diff(), 0, cells);
    }

    void set(const TsneState& state) override {
        y_ = from_vector(state.points, components_, device_);
        velocity_ = from_vector(state.velocity, components_, device_);
        gains_ = from_vector(state.gains, components_, device_);
    }

    void get(TsneState& state) const override {
        state.points = to_vector(y_);
        state.velocity = to_vector(velocity_);
        state.gains = to_vector(gains_);
    }

    bool step(double exaggeration, double learning_rate, double momentum) override {
        constexpr double longest = 5;
        const torch::NoGradGuard no_gradient;
        const auto slope = slope_of(exaggeration);
        gains_ = at::where(at::sign(velocity_) != at::sign(slope), gains_ + 0.2, gains_ * 0.8 + 0.01);
        velocity_ = momentum * velocity_ - learning_rate * gains_ * slope;
        const auto length = velocity_.square().sum(1, true).sqrt();
        velocity_ = at::where(length > longest, velocity_ * (longest / length), velocity_);
        y_ = y_ + velocity_;
        const auto centre = y_.mean(0, true);
        y_ = y_ - centre;
        return at::isfinite(centre).all().item<bool>();
    }

    std::vector<double> gradient(double exaggeration) override {
        const torch::NoGradGuard no_gradient;
        return to_vector(slope_of(exaggeration));
    }

    double kl() override {
        const torch::NoGradGuard no_gradient;
        const double z = repel().second.item<double>();
        const auto p = p_.to(at::kDouble);
        const auto square = (y_.index_select(0, row_) - y_.index_select(0, column_)).square().sum(1);
        // The padding has p = 0 and distance 0.
        return at::special_xlogy(p, p * (1 + square)).sum().item<double>() +
               p.sum().item<double>() * std::log(z);
    }

private:
    at::Device device_;
    int components_;
    bool exact_;
    std::int64_t n_ = 0;
    at::Tensor first_, row_, column_, p_;  ///< p as rows of a sparse matrix
    at::Tensor y_, velocity_, gains_;
    GridPlan plan_;
    at::Tensor spectrum_;

    at::Tensor slope_of(double exaggeration) {
        const auto [force, z] = repel();
        const auto near = y_.to(at::kFloat);
        const auto apart = near.index_select(0, row_) - near.index_select(0, column_);
        const auto weight = p_ / (1 + apart.square().sum(1));
        const auto attraction = at::segment_reduce(apart * weight.unsqueeze(1), "sum", std::nullopt,
                                                   std::nullopt, first_, 0, true, 0.0);
        return exaggeration * attraction.to(at::kDouble) - force / z;
    }

    /// Σ_j K² (y_i − y_j) and Z.
    std::pair<at::Tensor, at::Tensor> repel() { return exact_ ? repel_each() : repel_by_grid(); }

    std::pair<at::Tensor, at::Tensor> repel_each() const {
        // Blocks of about 128 MB per matrix.
        const auto height =
            std::max<std::int64_t>(1, (std::int64_t{1} << 24) / std::max<std::int64_t>(1, n_));
        auto force = at::empty_like(y_);
        auto z = at::zeros({}, y_.options());
        for (std::int64_t first = 0; first < n_; first += height) {
            const auto last = std::min(first + height, n_);
            std::vector<at::Tensor> apart;
            at::Tensor square;
            for (int c = 0; c < components_; ++c) {
                apart.push_back(y_.slice(0, first, last).select(1, c).unsqueeze(1) -
                                y_.select(1, c).unsqueeze(0));
                square = c == 0 ? apart.back().square() : square + apart.back().square();
            }
            const auto k = square.add_(1).reciprocal_();
            z += k.sum();
            const auto k2 = k.square();
            for (int c = 0; c < components_; ++c)
                force.slice(0, first, last)
                    .select(1, c)
                    .copy_((k2 * apart[static_cast<std::size_t>(c)]).sum(1));
        }
        return {force, z - static_cast<double>(n_)};
    }

    std::pair<at::Tensor, at::Tensor> repel_by_grid() {
        const auto low_high = at::stack({y_.amin(0), y_.amax(0)}).to(at::kCPU);
        std::array<double, 3> low{}, high{};
        for (int c = 0; c < components_; ++c) {
            low[static_cast<std::size_t>(c)] = low_high[0][c].item<double>();
            high[static_cast<std::size_t>(c)] = low_high[1][c].item<double>();
        }
        if (plan_.fit(components_, low, high)) spectrum_ = plan_.spectrum.to(device_);
        const auto& shape = plan_.shape;

        // For each point its nodes [n, 8^c], its weights there and their derivatives.
        at::Tensor node, weight;
        std::vector<at::Tensor> slopes;
        for (int c = 0; c < components_; ++c) {
            const auto u = (y_.select(1, c) - shape.origin[c]) / shape.spacing;
            const auto floor = u.floor();
            const auto [w, s] = splines(u - floor);
            const auto around =
                at::arange(1 - kernels::spline_order / 2, kernels::spline_order / 2 + 1, first_.options());
            const auto at_c = (floor.to(at::kLong).unsqueeze(1) + around) * shape.stride[c];
            const auto times = [](const at::Tensor& a, const at::Tensor& b) {
                return (a.unsqueeze(2) * b.unsqueeze(1)).flatten(1);
            };
            for (auto& slope : slopes) slope = times(slope, w);
            slopes.push_back(c == 0 ? s : times(weight, s));
            node = c == 0 ? at_c : (node.unsqueeze(2) + at_c.unsqueeze(1)).flatten(1);
            weight = c == 0 ? w : times(weight, w);
        }
        // In integer multiples of 2^-40, whose sum does not depend on the order.
        constexpr double unit = 0x1p40;
        const std::vector<std::int64_t> padded(plan_.padded.begin(), plan_.padded.begin() + components_);
        std::int64_t nodes = 1;
        for (const auto size : padded) nodes *= size;
        auto counts = at::zeros({nodes}, first_.options());
        counts.index_add_(0, node.flatten(), (weight * unit).round().to(at::kLong).flatten());
        const auto grid = (counts.to(at::kDouble) / unit).view(padded);
        const auto potential =
            at::fft_irfftn(at::fft_rfftn(grid) * spectrum_, at::IntArrayRef(padded)).flatten();
        const auto values = potential.index_select(0, node.flatten()).view_as(weight);
        std::vector<at::Tensor> force;
        for (const auto& slope : slopes) force.push_back((values * slope).sum(1) * (-0.5 / shape.spacing));
        return {at::stack(force, 1), (values * weight).sum() - static_cast<double>(n_)};
    }
};

}  // namespace

std::unique_ptr<TsneDescent> make_device_descent(const std::string& device, const TsneAffinities& affinities,
                                                 int components, bool exact) {
    const torch::NoGradGuard no_gradient;
    return std::make_unique<DeviceDescent>(resolve_device(device), affinities, components, exact);
}

}  // namespace casp::analysis
