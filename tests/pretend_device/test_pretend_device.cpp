// The pretend device is as strict as a GPU, and computes as the CPU.
#include <torch/torch.h>
#include <QtTest>

#include "pretend_device/pretend_device.h"
#include "test_program.h"
#include "util/device.h"
#include "util/random.h"

using namespace casp;

namespace {

at::TensorOptions there(at::ScalarType type = at::kFloat) {
    return at::TensorOptions(type).device(pretend::device());
}

/// The operators for which the host waits in a call.
template <class Call>
std::vector<std::string> waits_of(const Call& call) {
    (void)pretend::take_waits();
    call();
    std::vector<std::string> names;
    for (const auto& wait : pretend::take_waits()) names.push_back(wait.operation);
    return names;
}

template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    }
    return {};
}

/// A function of two tensors and its gradients.
template <class Function>
bool same_as_on_the_cpu(const Function& function) {
    std::vector<std::vector<at::Tensor>> results;
    for (const auto& device : {at::Device(at::kCPU), pretend::device()}) {
        const auto tensor = [&](std::uint64_t seed) {
            return at::empty({2, 3, 8}, at::kFloat)
                .normal_(0, 1, make_generator(seed))
                .to(device)
                .requires_grad_();
        };
        const auto a = tensor(1), b = tensor(2);
        const auto result = function(a, b);
        result.square().sum().backward();
        results.push_back({result.detach().to(at::kCPU), a.grad().to(at::kCPU), b.grad().to(at::kCPU)});
    }
    for (std::size_t i = 0; i < 3; ++i)
        if (!at::allclose(results[0][i], results[1][i], 1e-5, 1e-6)) return false;
    return true;
}

}  // namespace

class TestPretendDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void is_selected_by_name() {
        QCOMPARE(pretend::device().str(), std::string("pretend:0"));
        QVERIFY(resolve_device("auto") == pretend::device());
        QVERIFY(resolve_device("pretend:0") == pretend::device());
        QVERIFY(resolve_device("cpu").is_cpu());
        synchronise(pretend::device());
    }

    void the_host_has_no_valid_address() {
        for (const auto& tensor :
             {at::ones({4}, there()), at::empty({4}, there()), at::ones({4}).to(there())})
            QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) >> 62, std::uintptr_t{1});
    }

    void devices_are_not_mixed() {
        const auto x = at::ones({4}, there());
        const auto index = at::arange(2);
        QVERIFY(!message_of([&] { (void)(x + at::ones({4})); }).empty());
        QVERIFY(!message_of([&] { (void)x.index_select(0, index); }).empty());
        QVERIFY(!message_of([&] { (void)x.index({index}); }).empty());
        QVERIFY(!message_of([&] { (void)at::cat({x, at::ones({4})}); }).empty());
        QVERIFY(!message_of([&] { x.clone().add_(at::ones({4})); }).empty());
        QVERIFY(!message_of([&] { x.clone().normal_(0, 1, make_generator(1)); }).empty());
        QVERIFY(message_of([&] { (void)(x + at::scalar_tensor(2.0)); }).empty());
    }

    void waits_are_recorded() {
        const auto x = at::ones({4}, there());
        using Names = std::vector<std::string>;
        QCOMPARE(waits_of([&] { (void)(x.exp() + 1).sum(0).div_(2); }), Names());
        QCOMPARE(waits_of([&] { (void)x.sum().item<float>(); }), Names{"item()"});
        QCOMPARE(waits_of([&] { (void)x.gt(0).all().is_nonzero(); }), Names{"item()"});
        QCOMPARE(waits_of([&] { (void)x.to(at::kCPU); }), Names{"copy to the CPU"});
        QCOMPARE(waits_of([&] { (void)x.to(at::TensorOptions(at::kCPU), true); }), Names{"copy to the CPU"});
        QCOMPARE(waits_of([&] { (void)at::ones({4}).copy_(x); }), Names{"copy to the CPU"});
        QCOMPARE(waits_of([&] { (void)at::ones({4}).to(there()); }), Names{"copy from the CPU"});
        QCOMPARE(waits_of([&] { (void)at::ones({4}).to(there(), true); }), Names());
        QCOMPARE(waits_of([&] { (void)x.nonzero(); }), Names{"aten::nonzero"});
        QCOMPARE(waits_of([&] { (void)x.masked_select(x.gt(0)); }), Names{"aten::masked_select"});
        QCOMPARE(waits_of([&] { (void)at::equal(x, x); }), Names{"aten::equal"});
        QVERIFY(!waits_of([&] { (void)x.index({x.gt(0)}); }).empty());
        QVERIFY(!waits_of([&] { x.clone().index_put_({x.gt(0)}, at::zeros({}, there())); }).empty());
        QVERIFY(!waits_of([&] { (void)std::get<0>(at::_unique(x)); }).empty());
    }

    void forbidden_waits_throw() {
        const auto x = at::ones({4}, there());
        {
            const pretend::WaitsForbidden forbidden;
            QVERIFY(message_of([&] { (void)x.sum().item<float>(); }).find("item()") != std::string::npos);
            QVERIFY(message_of([&] { (void)x.nonzero(); }).find("aten::nonzero") != std::string::npos);
        }
        QCOMPARE(x.sum().item<float>(), 4.0F);
        const auto wait = pretend::take_waits().back();
        QVERIFY(wait.stack.find("pretend_device_tests 0x") != std::string::npos);
    }

    void computes_as_the_cpu() {
        using Tensor = at::Tensor;
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) { return (a * b).softmax(-1); }));
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) { return at::matmul(a, b.mT()); }));
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) { return at::conv1d(a, b); }));
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) { return at::mse_loss(a, b); }));
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) {
            return at::fft_irfft(at::fft_rfft(a) * at::fft_rfft(b).conj());
        }));
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) {
            return at::scaled_dot_product_attention(a.unsqueeze(0), b.unsqueeze(0), b.unsqueeze(0));
        }));
        QVERIFY(same_as_on_the_cpu([](const Tensor& a, const Tensor& b) {
            return at::cat({a.transpose(1, 2).reshape({2, 24}), b.flatten(1).slice(1, 3)}, 1).cumsum(1);
        }));
    }

    void views_share_memory() {
        const auto x = at::zeros({2, 3}, there());
        x.select(0, 1).add_(2);
        x.view({6}).slice(0, 0, 2).fill_(1);
        x.t().index_put_({at::zeros({1}, there(at::kLong))}, at::full({}, 5.0, there()));
        QVERIFY(at::equal(x.to(at::kCPU), at::tensor({5.0F, 1.0F, 0.0F, 5.0F, 2.0F, 2.0F}).view({2, 3})));
        auto out = at::empty({0}, there());
        at::add_out(out, x, x);
        QVERIFY(at::equal(out.to(at::kCPU), 2 * x.to(at::kCPU)));
        out.resize_({100}).fill_(3);
        QCOMPARE(out.sum().item<float>(), 300.0F);
    }

    void dropout_repeats_its_mask() {
        const auto x = at::ones({1000}, there());
        const auto drop = [&](std::uint64_t seed) {
            return std::get<0>(at::_fused_dropout(x, 0.9, device_generator(pretend::device(), seed)))
                .to(at::kCPU);
        };
        QVERIFY(at::equal(drop(1), drop(1)));
        QVERIFY(!at::equal(drop(1), drop(2)));
        const auto kept = drop(1).gt(0).sum().item<int>();
        QVERIFY(kept > 850 && kept < 950);
        QVERIFY(message_of([&] { (void)at::_fused_dropout(x, 0.9); }).find("generator") != std::string::npos);
    }

    void memory_is_limited() {
        const auto before = device_memory(pretend::device());
        QVERIFY(before.total > 0 && before.available > 0);
        {
            const auto block = at::empty({std::int64_t{1} << 20}, there());
            const auto now = device_memory(pretend::device());
            QCOMPARE(before.available - now.available, std::int64_t{4} << 20);
            QVERIFY(now.peak_tensors >= now.used && now.used >= std::int64_t{4} << 20);
            QVERIFY_THROWS_EXCEPTION(c10::OutOfMemoryError,
                                     (void)at::empty({before.total}, there(at::kByte)));
        }
        QCOMPARE(device_memory(pretend::device()).available, before.available);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPretendDevice)
#include "test_pretend_device.moc"
