// The leading eigenvectors of matrices whose spectrum is known, beside LAPACK's whole decomposition.
#include <QtTest>

#include <torch/torch.h>

#include "analysis/leading_eigen.h"
#include "test_program.h"

using namespace casp;

class TestLeadingEigen : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void known_spectrum_data();
    void known_spectrum();
    void noise_alone();
    void small_ones_and_all_of_them();
};

namespace {

at::Tensor some(at::IntArrayRef shape, std::uint64_t seed) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kDouble);
}

/// Q diag(values) Qᵀ with a random rotation Q, exactly symmetric.
at::Tensor with_spectrum(const at::Tensor& values, std::uint64_t seed) {
    const auto q = std::get<0>(at::linalg_qr(some({values.numel(), values.numel()}, seed)));
    const auto m = at::mm(q * values, q.t());
    return (m + m.t()) / 2;
}

/// Shares of the largest eigenvalue.
void verify(const analysis::LeadingEigen& e, const at::Tensor& matrix, const at::Tensor& expected) {
    const double scale = expected[0].item<double>();
    QVERIFY((e.values - expected).abs().max().item<double>() <= 1e-12 * scale);
    const auto one = at::eye(e.values.numel(), at::kDouble);
    QVERIFY((at::mm(e.vectors.t(), e.vectors) - one).abs().max().item<double>() < 1e-12);
    const auto residual = at::mm(matrix, e.vectors) - e.vectors * e.values;
    QVERIFY(residual.norm(2, 0).max().item<double>() <= 1e-12 * scale);
}

}  // namespace

void TestLeadingEigen::known_spectrum_data() {
    QTest::addColumn<QString>("shape");
    for (const char* shape : {"falling", "slowly falling", "two of one size", "forty of one size",
                              "one alone", "nearly equal", "tiny second", "none", "negative ones"})
        QTest::newRow(shape) << shape;
}

void TestLeadingEigen::known_spectrum() {
    QFETCH(const QString, shape);
    const std::int64_t n = 400;
    const auto index = at::arange(n, at::kDouble);
    auto values = at::pow(at::full({n}, 0.9, at::kDouble), index);
    if (shape == "slowly falling") values = 1 / (1 + 0.01 * index);
    if (shape == "two of one size") values[1].fill_(1);
    if (shape == "forty of one size") values.slice(0, 0, 40).fill_(3);
    if (shape == "one alone") values.slice(0, 1).zero_();
    if (shape == "nearly equal") values[1].fill_(1 - 1e-7);
    if (shape == "tiny second") values.slice(0, 1).mul_(1e-9);
    if (shape == "none") values.zero_();
    if (shape == "negative ones") values.slice(0, 200).copy_(-5 + 0.01 * index.slice(0, 200));
    const auto matrix = with_spectrum(values * 1e4, 3);
    const auto expected = std::get<0>(values.sort(-1, true)).slice(0, 0, 3) * 1e4;
    const auto found = analysis::leading_eigen(matrix, 3);
    if (shape == "none") {
        QVERIFY(found.values.abs().max().item<double>() == 0);
        return;
    }
    verify(found, matrix, expected);
    // The same bits again.
    QVERIFY(at::equal(analysis::leading_eigen(matrix, 3).vectors, found.vectors));
}

/// Products of random vectors: the leading eigenvalues lie close together.
void TestLeadingEigen::noise_alone() {
    for (const std::int64_t rows : {200, 768, 3000}) {
        const auto x = some({rows, 768}, 11);
        const auto matrix = at::mm(x.t(), x);
        const auto all = at::linalg_eigvalsh(matrix).flip(0);
        verify(analysis::leading_eigen(matrix, 2), matrix, all.slice(0, 0, 2));
    }
}

void TestLeadingEigen::small_ones_and_all_of_them() {
    const auto matrix = with_spectrum(at::arange(1, 6, at::kDouble), 2);
    verify(analysis::leading_eigen(matrix, 9), matrix, at::arange(5, 0, -1, at::kDouble));
    verify(analysis::leading_eigen(matrix, 1), matrix, at::full({1}, 5, at::kDouble));
    const auto large = with_spectrum(at::arange(1, 301, at::kDouble), 4);
    verify(analysis::leading_eigen(large, 300), large, at::arange(300, 0, -1, at::kDouble));
}

TEST_MAIN_WITHOUT_GUI(TestLeadingEigen)
#include "test_leading_eigen.moc"
