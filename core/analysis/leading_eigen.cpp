#include "analysis/leading_eigen.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace casp::analysis {

namespace {

constexpr std::int64_t smallest_side = 192;  ///< below it LAPACK is as fast
constexpr std::int64_t largest_count = 16;
constexpr std::int64_t largest_space = 240;   ///< vectors in the Krylov space before LAPACK takes over
constexpr std::int64_t spare = 4;             ///< vectors in a block beyond those wanted
constexpr std::int64_t blocks_per_check = 3;  ///< between two checks of the residuals
constexpr double noise = 1e-12;               ///< fraction of a block below which a vector is rounding noise
constexpr double residual_tolerance = 2e-13;  ///< of the largest eigenvalue; rounding leaves about 1e-14
constexpr double ordering_tolerance =
    1e-10;  ///< eigenvalues closer than this fraction of the largest are equal

LeadingEigen by_lapack(const at::Tensor& matrix, std::int64_t count) {
    const auto [ascending, columns] = at::linalg_eigh(matrix);
    return {ascending.flip(0).slice(0, 0, count).contiguous(),
            columns.flip(1).slice(1, 0, count).contiguous()};
}

/// Krylov space: orthonormal rows that span Aᵏ of some start vectors, and their images under A.
class KrylovSpace {
public:
    KrylovSpace(const at::Tensor& matrix, std::int64_t block)
        : matrix_(matrix),
          basis_(at::empty({largest_space, matrix.size(0)}, at::kDouble)),
          images_(at::empty_like(basis_)),
          products_(at::zeros({largest_space, largest_space}, at::kDouble)) {
        auto generator = at::make_generator<at::CPUGeneratorImpl>(1);
        next_ = at::randn({block, matrix.size(0)}, generator, at::kDouble);
        orthonormalise();
    }

    /// Adds one block; false if there is no room, or the space is already invariant.
    bool widen() {
        const auto last = size_ + next_.size(0);
        if (last == size_ || last > largest_space) return false;
        basis_.slice(0, size_, last).copy_(next_);
        at::Tensor image = images_.slice(0, size_, last);
        at::mm_out(image, next_, matrix_);  // A is symmetric
        const auto row = at::mm(image, basis_.slice(0, 0, last).t());
        products_.slice(0, size_, last).slice(1, 0, last).copy_(row);
        products_.slice(0, 0, last).slice(1, size_, last).copy_(row.t());
        size_ = last;
        next_ = image.clone();
        orthonormalise();
        return true;
    }

    /// The best approximations of `count` leading eigenvectors in this space, if they have converged.
    [[nodiscard]] std::optional<LeadingEigen> leading(std::int64_t count) const {
        const auto [ascending, columns] =
            at::linalg_eigh(products_.slice(0, 0, size_).slice(1, 0, size_).contiguous());
        const auto values = ascending.flip(0).slice(0, 0, count).contiguous();
        const auto weights = columns.flip(1).slice(1, 0, count).t();
        const auto vectors = at::mm(weights, basis_.slice(0, 0, size_));
        const auto residuals = at::mm(weights, images_.slice(0, 0, size_)) - values.unsqueeze(1) * vectors;
        const double scale = values.abs().max().item<double>();
        if (!(residuals.norm(2, 1).max().item<double>() <= residual_tolerance * scale)) return std::nullopt;
        return LeadingEigen{values, vectors.t().contiguous()};
    }

private:
    /// Makes `next_` orthogonal to the basis (twice, because of rounding) and orthonormal. Drops rows that
    /// are linearly dependent; for a matrix of low rank, eventually all.
    void orthonormalise() {
        const auto so_far = basis_.slice(0, 0, size_);
        const double before = next_.norm().item<double>();
        for (int pass = 0; pass < 2 && next_.size(0) > 0; ++pass) {
            if (size_ > 0) next_ = next_ - at::mm(at::mm(next_, so_far.t()), so_far);
            const auto [q, r] = at::linalg_qr(next_.t());
            const auto is_new = r.diagonal().abs() > noise * before;
            const bool all_new = is_new.all().item<bool>();
            if (pass == 0 && !all_new) next_ = next_.index({is_new});
            if (pass > 0 || all_new) next_ = q.t().contiguous();
        }
    }

    const at::Tensor& matrix_;
    std::int64_t size_ = 0;
    at::Tensor basis_, images_;  ///< [largest_space, n]
    at::Tensor products_;        ///< basis · A · basisᵀ
    at::Tensor next_;            ///< [up to a block, n]; no rows if the space is invariant
};

/// Proves that no other eigenvalue is larger than the smallest one found: (least + δ) 1 − A + Σ λᵢ vᵢ vᵢᵀ is
/// positive definite.
bool are_all_leading(const at::Tensor& matrix, const LeadingEigen& found) {
    const double largest = found.values[0].item<double>();
    const double least = found.values[found.values.numel() - 1].item<double>();
    auto rest = at::addmm(matrix, found.vectors * found.values, found.vectors.t(), -1, 1);
    rest.diagonal().add_(least + ordering_tolerance * largest);
    return std::get<1>(at::linalg_cholesky_ex(rest)).item<int>() == 0;
}

std::optional<LeadingEigen> by_krylov_space(const at::Tensor& matrix, std::int64_t count) {
    KrylovSpace space(matrix, count + spare);
    for (bool can_widen = true; can_widen;) {
        for (std::int64_t i = 0; can_widen && i < blocks_per_check; ++i) can_widen = space.widen();
        if (auto found = space.leading(count)) {
            if (are_all_leading(matrix, *found)) return found;
            return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace

LeadingEigen leading_eigen(const at::Tensor& matrix, std::int64_t count) {
    count = std::min(count, matrix.size(0));
    if (matrix.size(0) >= smallest_side && count <= largest_count)
        if (auto found = by_krylov_space(matrix, count)) return std::move(*found);
    return by_lapack(matrix, count);
}

}  // namespace casp::analysis
