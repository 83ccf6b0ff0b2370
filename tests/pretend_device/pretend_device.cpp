#include "pretend_device/pretend_device.h"
#include "pretend_device/pretend_stream.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

#include <torch/library.h>
#include <torch/torch.h>

#include <ATen/ops/_fused_dropout.h>
#include <ATen/ops/_masked_scale.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Backtrace.h>

namespace casp::pretend {

namespace {

constexpr c10::DeviceType type = c10::DeviceType::PrivateUse1;

// ---- Waits ----

std::mutex waits_mutex;
std::vector<Wait> all_waits;
std::atomic<int> forbidden = 0;
std::atomic<std::size_t> operator_count = 0, events_recorded = 0, events_waited = 0;

/// Program's frames of the stack, which have no names: "PROGRAM 0x12 0x34".
std::string places_in_program() {
    std::string places;
    std::istringstream lines(c10::get_backtrace());
    for (std::string line; std::getline(lines, line);) {
        const auto begin = line.find("+ 0x"), path = line.find(" in ");
        if (begin == std::string::npos || path == std::string::npos || line.find(".so") != std::string::npos)
            continue;
        if (places.empty()) places = line.substr(path + 4, line.size() - path - 5);
        places += line.substr(begin + 1, line.find(' ', begin + 2) - begin - 1);
    }
    return places;
}

void wait_for(const std::string& operation) {
    TORCH_CHECK(forbidden == 0, "the host waits for the pretend device: ", operation);
    const std::lock_guard lock(waits_mutex);
    all_waits.push_back({operation, places_in_program()});
}

// ---- Products ----

std::mutex products_mutex;
std::vector<Product> products;
std::atomic<bool> records_products = false;

void record_product(const std::string& name, const std::vector<c10::IValue>& arguments) {
    constexpr std::array names{"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"};
    if (!records_products || std::find(names.begin(), names.end(), name) == names.end()) return;
    Product product{{}, at::globalContext().allowTF32CuBLAS()};
    for (const auto& argument : arguments) {
        if (!argument.isTensor()) continue;
        if (argument.toTensor().scalar_type() != at::kFloat) return;
        for (const auto size : argument.toTensor().sizes()) product.sizes.push_back(size);
    }
    const std::lock_guard lock(products_mutex);
    products.push_back(std::move(product));
}

// ---- Memory ----

/// Counts bytes as LibTorch's allocators of GPUs do; it keeps no cache.
class Allocator final : public c10::DeviceAllocator {
public:
    static constexpr std::size_t total = std::size_t{4} << 30;  // as much as a layout of t-SNE wants
    std::atomic<std::size_t> others = 0;

    void take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        auto& bytes_used = stats_.allocated_bytes[0];
        TORCH_CHECK_WITH(OutOfMemoryError,
                         static_cast<std::size_t>(bytes_used.current) + bytes <= total - others,
                         "pretend device out of memory. Tried to allocate ", bytes, " bytes.");
        bytes_used.increase(bytes);
        stats_.reserved_bytes[0].increase(bytes);
    }
    void give_back(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        stats_.allocated_bytes[0].decrease(bytes);
        stats_.reserved_bytes[0].decrease(bytes);
    }

    c10::DataPtr allocate(std::size_t bytes) override;
    void copy_data(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) const override {
        TORCH_CHECK(false, "not on the pretend device");
    }
    bool initialized() override { return true; }
    void emptyCache(c10::MempoolId_t /*pool*/) override {}
    void recordStream(const c10::DataPtr& /*data*/, c10::Stream /*stream*/) override {}
    c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex /*index*/) override {
        const std::lock_guard lock(mutex_);
        return stats_;
    }
    void resetAccumulatedStats(c10::DeviceIndex /*index*/) override {}
    void resetPeakStats(c10::DeviceIndex /*index*/) override {
        const std::lock_guard lock(mutex_);
        stats_.allocated_bytes[0].reset_peak();
        stats_.reserved_bytes[0].reset_peak();
    }
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 10
    std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex /*index*/) override {
        const std::lock_guard lock(mutex_);
        return {total - others - static_cast<std::size_t>(stats_.reserved_bytes[0].current), total};
    }
#endif

private:
    std::mutex mutex_;
    c10::CachingDeviceAllocator::DeviceStats stats_;
};

Allocator& allocator() {
    static auto* one = new Allocator;  // never destroyed: tensors may be released at exit
    return *one;
}

void forbid_in_graph(const char* what) {
    TORCH_CHECK(record_of_thread == nullptr, what, " cannot be recorded");
}

/// The CPU's storage behind one of the device.
struct Memory {
    explicit Memory(c10::Storage storage) : host(std::move(storage)), bytes(host.nbytes()) {
        allocator().take(bytes);
        const std::lock_guard lock(live_mutex);
        live.insert(this);
    }
    ~Memory() {
        if (record_of_thread != nullptr) record_of_thread->kept.push_back(host);
        allocator().give_back(bytes);
        const std::lock_guard lock(live_mutex);
        live.erase(this);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    c10::Storage host;
    std::size_t bytes;

    static inline std::mutex live_mutex;
    static inline std::set<Memory*> live;
};

c10::DataPtr data_on_device(c10::Storage host) {
    constexpr auto invalid_on_host = std::uintptr_t{1} << 62;
    const auto address = reinterpret_cast<std::uintptr_t>(host.data());
    auto* memory = new Memory(std::move(host));
    return {address == 0 ? nullptr : reinterpret_cast<void*>(address | invalid_on_host), memory,
            [](void* context) { delete static_cast<Memory*>(context); }, device()};
}

c10::Storage storage_on_device(c10::Storage host) {
    const auto bytes = host.nbytes();
    return {c10::Storage::use_byte_size_t(), bytes, data_on_device(std::move(host)), &allocator(),
            /*resizable=*/true};
}

c10::DataPtr Allocator::allocate(std::size_t bytes) {
    return data_on_device(
        c10::Storage(c10::Storage::use_byte_size_t(), bytes, c10::GetAllocator(c10::kCPU), true));
}

const c10::Storage& host_storage(const at::Tensor& tensor) {
    return static_cast<const Memory*>(tensor.storage().data_ptr().get_context())->host;
}

// ---- Tensors ----

/// A tensor with the shape of `like`.
at::Tensor tensor_in(c10::Storage storage, c10::DispatchKey key, const at::Tensor& like) {
    auto tensor =
        at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype());
    auto* parts = tensor.unsafeGetTensorImpl();
    parts->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
    if (like.unsafeGetTensorImpl()->is_wrapped_number()) parts->set_wrapped_number(true);
    tensor._set_conj(like.is_conj());
    tensor._set_neg(like.is_neg());
    return tensor;
}

/// The same memory as a tensor of the CPU. A scalar of the CPU is itself.
at::Tensor on_host(const at::Tensor& tensor, const std::string& operation) {
    if (!tensor.defined() || (tensor.is_cpu() && tensor.dim() == 0)) return tensor;
    TORCH_CHECK(tensor.device() == device(), operation, ": a tensor ", tensor.sizes(), " is on ",
                tensor.device(), " instead of ", device());
    return tensor_in(host_storage(tensor), c10::DispatchKey::CPU, tensor);
}

/// The result of a kernel of the CPU as a tensor of the device; a view shares the storage of `base`.
at::Tensor on_device(const at::Tensor& result, const at::Tensor* base = nullptr) {
    if (!result.defined()) return result;
    return tensor_in(base != nullptr ? base->storage() : storage_on_device(result.storage()),
                     c10::DispatchKey::PrivateUse1, result);
}

/// After a kernel that may have resized its argument.
void take_shape(const at::Tensor& tensor, const at::Tensor& host) {
    auto* storage = tensor.storage().unsafeGetStorageImpl();
    const auto* memory = static_cast<const Memory*>(storage->data_ptr().get_context());
    if (memory->bytes != host.storage().nbytes()) {
        storage->set_data_ptr_noswap(data_on_device(host.storage()));
        storage->set_nbytes(host.storage().nbytes());
    }
    if (tensor.sizes() != host.sizes() || tensor.strides() != host.strides())
        tensor.unsafeGetTensorImpl()->set_sizes_and_strides(host.sizes(), host.strides(),
                                                            host.storage_offset());
}

// ---- Generator ----

class Generator final : public c10::GeneratorImpl {
public:
    explicit Generator(at::Generator host)
        : GeneratorImpl(pretend::device(), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)),
          host_(std::move(host)) {}

    [[nodiscard]] const at::Generator& host() const { return host_; }
    void set_current_seed(std::uint64_t seed) override { host_.set_current_seed(seed); }
    void set_offset(std::uint64_t offset) override { host_.set_offset(offset); }
    [[nodiscard]] std::uint64_t get_offset() const override { return host_.get_offset(); }
    [[nodiscard]] std::uint64_t current_seed() const override { return host_.current_seed(); }
    std::uint64_t seed() override { return host_.seed(); }
    void set_state(const c10::TensorImpl& state) override {
        host_.unsafeGetGeneratorImpl()->set_state(state);
    }
    [[nodiscard]] c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
        return host_.unsafeGetGeneratorImpl()->get_state();
    }

private:
    [[nodiscard]] Generator* clone_impl() const override { return new Generator(host_.clone()); }

    mutable at::Generator host_;
};

at::Generator host_generator(const at::Generator& generator) {
    TORCH_CHECK(generator.device().type() == type, "a generator of ", generator.device());
    return static_cast<const Generator*>(generator.unsafeGetGeneratorImpl())->host();
}

// ---- Operators ----

bool shape_depends_on_values(const std::string& name) {
    constexpr std::array names{"aten::nonzero",  "aten::masked_select", "aten::_unique",
                               "aten::_unique2", "aten::unique_dim",    "aten::unique_consecutive",
                               "aten::bincount", "aten::equal",         "aten::repeat_interleave"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

c10::IValue argument_on_host(const c10::IValue& value, const std::string& name) {
    if (value.isTensor()) return on_host(value.toTensor(), name);
    if (value.isTensorList()) {
        c10::List<at::Tensor> hosts;
        for (const at::Tensor& tensor : value.toTensorList()) hosts.push_back(on_host(tensor, name));
        return hosts;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> hosts;
        for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorList()) {
            if (tensor && (tensor->scalar_type() == at::kBool || tensor->scalar_type() == at::kByte))
                wait_for(name + " with a mask");
            hosts.push_back(tensor ? std::optional(on_host(*tensor, name)) : std::nullopt);
        }
        return hosts;
    }
    if (value.isDevice() && value.toDevice().type() == type) return c10::Device(c10::kCPU);
    if (value.isGenerator()) return host_generator(value.toGenerator());
    return value;
}

void take_shapes(const c10::IValue& value, const c10::IValue& host) {
    if (value.isTensor() && value.toTensor().defined()) take_shape(value.toTensor(), host.toTensor());
    if (!value.isTensorList()) return;
    const auto tensors = value.toTensorVector(), hosts = host.toTensorVector();
    for (std::size_t i = 0; i < tensors.size(); ++i) take_shape(tensors[i], hosts[i]);
}

c10::IValue result_on_device(const c10::IValue& value, const at::Tensor* base) {
    if (value.isTensor()) return on_device(value.toTensor(), base);
    if (!value.isTensorList()) return value;
    c10::List<at::Tensor> tensors;
    for (const at::Tensor& tensor : value.toTensorList()) tensors.push_back(on_device(tensor, base));
    return tensors;
}

/// Products by which the program measures the speed of a GPU, those of a matrix with itself, take seconds on
/// a CPU: they are left out.
bool measures_speed(const std::string& name, const std::vector<c10::IValue>& arguments) {
    return name == "aten::mm" && arguments.size() == 3 && arguments[2].toTensor().numel() >= 1 << 24 &&
           arguments[0].toTensor().is_set_to(arguments[1].toTensor());
}

// ---- Streams ----

thread_local c10::StreamId stream_of_thread = 0;
std::atomic<c10::StreamId> newest_stream = 0;
std::mutex users_mutex;
std::set<StreamUse> all_users;

c10::Stream stream(c10::StreamId id) { return c10::Stream(c10::Stream::UNSAFE, device(), id); }

void note_stream(c10::StreamId id) {
    const std::lock_guard lock(users_mutex);
    all_users.insert({std::this_thread::get_id(), id});
}

/// Any operator: the CPU's kernel in the memory of the arguments.
void compute(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const auto& schema = op.schema();
    const auto& name = schema.name();
    if (shape_depends_on_values(name)) wait_for(name);
    ++operator_count;
    note_stream(stream_of_thread);
    if (record_of_thread != nullptr && name == "aten::_fused_adamw_")
        TORCH_CHECK(!graphs.fail.exchange(false), "it is to fail");
    const auto count = schema.arguments().size();
    const auto values = torch::jit::pop(*stack, count);
    std::vector<c10::IValue> hosts;
    for (const auto& value : values) hosts.push_back(argument_on_host(value, name));
    record_product(name, hosts);
    if (measures_speed(name, hosts)) {
        stack->push_back(hosts.back());
    } else {
        for (const auto& host : hosts) stack->push_back(host);
        op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    }

    for (std::size_t i = 0; i < count; ++i) {
        const auto* alias = schema.arguments()[i].alias_info();
        if (alias != nullptr && alias->isWrite()) take_shapes(values[i], hosts[i]);
    }
    auto results = torch::jit::pop(*stack, schema.returns().size());
    record_for_graph([op, hosts, results, keeps = name.starts_with("aten::empty")] {
        torch::jit::Stack again(hosts.begin(), hosts.end());
        op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &again);
        for (std::size_t i = 0; i < again.size() && !keeps; ++i)
            if (again[i].isTensor() && again[i].toTensor().defined() &&
                !again[i].toTensor().is_alias_of(results[i].toTensor()))
                results[i].toTensor().copy_(again[i].toTensor());
    });
    for (std::size_t r = 0; r < results.size(); ++r) {
        const auto* alias = schema.returns()[r].alias_info();
        const c10::IValue* source = nullptr;
        for (std::size_t i = 0; alias != nullptr && i < count; ++i) {
            const auto* own = schema.arguments()[i].alias_info();
            if (own != nullptr && own->beforeSets() == alias->beforeSets()) source = &values[i];
        }
        if (source != nullptr && alias->isWrite())
            stack->push_back(*source);
        else
            stack->push_back(result_on_device(results[r], source != nullptr ? &source->toTensor() : nullptr));
    }
}

at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool non_blocking) {
    if (from.is_cpu() || to.is_cpu()) forbid_in_graph("a copy from or to the CPU");
    // A copy from pageable memory waits, too, unless it is asynchronous.
    if (to.is_cpu())
        wait_for("copy to the CPU");
    else if (from.is_cpu() && !non_blocking)
        wait_for("copy from the CPU");
    const auto host = [](const at::Tensor& t) { return t.is_cpu() ? t : on_host(t, "copy"); };
    host(to).copy_(host(from));
    record_for_graph([a = host(from), b = host(to)] { b.copy_(a); });
    return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) {
    to.resize_(from.sizes());
    return copy_from(from, to, false);
}

at::Scalar local_scalar(const at::Tensor& tensor) {
    forbid_in_graph("item()");
    wait_for("item()");
    return at::_local_scalar_dense(on_host(tensor, "item()"));
}

std::tuple<at::Tensor, at::Tensor> fused_dropout(const at::Tensor& x, double keep,
                                                 std::optional<at::Generator> generator) {
    forbid_in_graph("LibTorch's dropout");
    TORCH_CHECK(generator, "dropout with the generator of the process");
    const auto host = on_host(x, "_fused_dropout");
    const auto mask = at::empty_like(host, at::kByte).bernoulli_(keep, host_generator(*generator));
    return {on_device(host * mask / keep), on_device(mask)};
}

at::Tensor masked_scale(const at::Tensor& x, const at::Tensor& mask, double scale) {
    return on_device(on_host(x, "_masked_scale") * on_host(mask, "_masked_scale") * scale);
}

/// Only GPUs have it.
at::Tensor mm_dtype(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    const auto x = on_host(a, "mm"), y = on_host(b, "mm");
    const auto result = at::mm(x.to(type), y.to(type));
    record_for_graph([=] { result.copy_(at::mm(x.to(type), y.to(type))); });
    return on_device(result);
}

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight,
                       const std::optional<at::Tensor>& bias, at::IntArrayRef stride, at::IntArrayRef padding,
                       at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding,
                       std::int64_t groups) {
    forbid_in_graph("a convolution");
    const auto host = [](const at::Tensor& t) { return on_host(t, "convolution"); };
    return on_device(at::convolution(host(input), host(weight), bias ? host(*bias) : at::Tensor(), stride,
                                     padding, dilation, transposed, output_padding, groups));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolution_backward(
    const at::Tensor& gradient, const at::Tensor& input, const at::Tensor& weight, at::IntArrayRef stride,
    at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding,
    std::int64_t groups, std::array<bool, 3> wanted) {
    const auto host = [](const at::Tensor& t) { return on_host(t, "convolution_backward"); };
    const auto [of_input, of_weight, of_bias] =
        at::convolution_backward(host(gradient), host(input), host(weight), at::IntArrayRef{weight.size(0)},
                                 stride, padding, dilation, transposed, output_padding, groups, wanted);
    return {on_device(of_input), on_device(of_weight), on_device(of_bias)};
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&compute>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
    // LibTorch's general kernel would resize its result twice, with a warning.
    library.impl("mse_loss", torch::CppFunction::makeFromBoxedFunction<&compute>());
    // LibTorch lets set_data() replace a tensor of the CPU by one of a GPU only for devices that it knows.
    library.impl("_has_compatible_shallow_copy_type",
                 [](const at::Tensor&, const at::Tensor&) { return true; });
    library.impl("_copy_from", copy_from);
    library.impl("_copy_from_and_resize", copy_from_and_resize);
    library.impl("_local_scalar_dense", local_scalar);
    library.impl("_fused_dropout", fused_dropout);
    library.impl("mm.dtype", mm_dtype);
    library.impl("_masked_scale", masked_scale);
    library.impl("convolution_overrideable", convolution);
    library.impl("convolution_backward_overrideable", convolution_backward);
}

// Lazily conjugated or negated tensors are copied as they are, not resolved by another copy first.
TORCH_LIBRARY_IMPL(aten, Conjugate, library) {
    library.impl("_copy_from", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, library) {
    library.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

// ---- Registration ----

Stream& the_stream() {
    static Stream one;
    return one;
}

/// One device, on which everything but work of other libraries is done at once, whatever its stream.
struct Guard final : c10::impl::DeviceGuardImplInterface {
    [[nodiscard]] c10::DeviceType type() const override { return pretend::type; }
    [[nodiscard]] c10::Device exchangeDevice(c10::Device /*other*/) const override { return device(); }
    [[nodiscard]] c10::Device getDevice() const override { return device(); }
    void setDevice(c10::Device /*other*/) const override {}
    void uncheckedSetDevice(c10::Device /*other*/) const noexcept override {}
    [[nodiscard]] c10::Stream getStream(c10::Device /*of*/) const override {
        return stream(stream_of_thread);
    }
    [[nodiscard]] c10::Stream getDefaultStream(c10::Device /*of*/) const override { return stream(0); }
    [[nodiscard]] c10::Stream getStreamFromGlobalPool(c10::Device /*of*/, bool /*urgent*/) const override {
        return stream(++newest_stream);
    }
    [[nodiscard]] c10::Stream exchangeStream(c10::Stream other) const override {
        return stream(std::exchange(stream_of_thread, other.id()));
    }
    [[nodiscard]] c10::DeviceIndex deviceCount() const noexcept override { return 1; }
    void record(void** /*event*/, const c10::Stream& stream, c10::DeviceIndex /*index*/,
                c10::EventFlag /*flag*/) const override {
        forbid_in_graph("an event");
        note_stream(stream.id());
        ++events_recorded;
    }
    void block(void* /*event*/, const c10::Stream& /*stream*/) const override {}
    [[nodiscard]] bool queryEvent(void* /*event*/) const override { return true; }
    [[nodiscard]] bool queryStream(const c10::Stream& /*stream*/) const override {
        auto& work = the_stream().work;
        while (!work.empty() && work.front()()) work.pop_front();
        return work.empty();
    }
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 11
    [[nodiscard]] void* getStreamNativeHandle(const c10::Stream /*stream*/) const override {
        return &the_stream();
    }
#endif
    void synchronizeStream(const c10::Stream& /*stream*/) const override {}
    void synchronizeEvent(void* /*event*/) const override {
        forbid_in_graph("waiting for an event");
        ++events_waited;
    }
    void synchronizeDevice(c10::DeviceIndex /*index*/) const override {}
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

struct Hooks final : at::PrivateUse1HooksInterface {
    [[nodiscard]] bool isBuilt() const override { return true; }
    [[nodiscard]] bool isAvailable() const override { return true; }
    [[nodiscard]] bool hasPrimaryContext(c10::DeviceIndex /*index*/) const override { return true; }
    [[nodiscard]] c10::DeviceIndex deviceCount() const override { return 1; }
    [[nodiscard]] c10::DeviceIndex getCurrentDevice() const override { return 0; }
    [[nodiscard]] c10::DeviceIndex exchangeDevice(c10::DeviceIndex /*other*/) const override { return 0; }
    [[nodiscard]] c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex /*other*/) const override {
        return 0;
    }
    [[nodiscard]] c10::Allocator* getPinnedMemoryAllocator() const override {
        return c10::GetAllocator(c10::kCPU);
    }
    [[nodiscard]] const at::Generator& getDefaultGenerator(c10::DeviceIndex /*index*/) const override {
        static const auto one = at::make_generator<Generator>(at::detail::createCPUGenerator());
        return one;
    }
};

const bool registered = [] {
    c10::register_privateuse1_backend("pretend");
    c10::SetAllocator(type, &allocator());
    at::RegisterPrivateUse1HooksInterface(new Hooks);
    return true;
}();

}  // namespace

c10::Device device() { return {type, 0}; }

std::vector<Wait> take_waits() {
    const std::lock_guard lock(waits_mutex);
    return std::exchange(all_waits, {});
}

std::string text_of(const std::vector<Wait>& waits) {
    std::string text;
    for (const auto& wait : waits) text += "\n" + wait.operation + " (addr2line -Cfpe " + wait.stack + ")";
    return text;
}

WaitsForbidden::WaitsForbidden() { ++forbidden; }
WaitsForbidden::~WaitsForbidden() { --forbidden; }

ProductsRecorded::ProductsRecorded() {
    const std::lock_guard lock(products_mutex);
    products.clear();
    records_products = true;
}
ProductsRecorded::~ProductsRecorded() { records_products = false; }
std::vector<Product> ProductsRecorded::all() const {
    const std::lock_guard lock(products_mutex);
    return products;
}

Events take_events() { return {events_recorded.exchange(0), events_waited.exchange(0)}; }

void set_memory_of_others(std::size_t bytes) { allocator().others = bytes; }

std::size_t operators() { return operator_count; }

MemoryImage::MemoryImage() {
    const std::lock_guard lock(Memory::live_mutex);
    for (const auto* memory : Memory::live) {
        const auto* bytes = static_cast<const char*>(memory->host.data());
        blocks_.emplace(memory->host.data(), Block{memory->host, {bytes, bytes + memory->bytes}});
    }
}

void MemoryImage::restore() const {
    for (const auto& [address, block] : blocks_)
        std::copy(block.bytes.begin(), block.bytes.end(), static_cast<char*>(block.storage.mutable_data()));
    const std::lock_guard lock(Memory::live_mutex);
    for (const auto* memory : Memory::live)
        if (blocks_.count(memory->host.data()) == 0)
            std::memset(memory->host.mutable_data(), 0xff, memory->bytes);
}

std::set<StreamUse> take_stream_uses() {
    const std::lock_guard lock(users_mutex);
    return std::exchange(all_users, {});
}

}  // namespace casp::pretend
