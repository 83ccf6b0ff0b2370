#include "model/half_copy.h"

#include <map>
#include <mutex>

#include <torch/torch.h>

#include "util/device.h"

namespace casp::model {

namespace {

struct Copy {
    c10::weak_intrusive_ptr<c10::StorageImpl> of;  ///< whose address a later tensor may have
    c10::weak_intrusive_ptr<c10::TensorImpl> copy;
};

std::mutex mutex;
std::map<const void*, Copy> copies;  ///< by address

}  // namespace

at::Tensor half_copy(const at::Tensor& x, std::int64_t rows) {
    auto shape = x.sizes().vec();
    shape.front() = std::max(shape.front(), rows);
    const auto storage =
        c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(x.storage().unsafeGetStorageImpl());
    const std::scoped_lock lock(mutex);
    if (const auto known = copies.find(x.data_ptr()); known != copies.end()) {
        auto kept = known->second.copy.lock();
        if (kept && known->second.of.lock() == storage && kept->sizes() == at::IntArrayRef(shape))
            return at::Tensor(std::move(kept));
    }
    std::erase_if(copies, [](const auto& entry) { return entry.second.copy.expired(); });
    auto copy = at::empty(shape, x.options().dtype(at::kBFloat16).requires_grad(false));
    copy.slice(0, 0, x.size(0)).copy_(x.detach());
    copy.slice(0, x.size(0)).zero_();
    synchronise(x.device());  // for the streams of other runs
    copies.insert_or_assign(x.data_ptr(),
                            Copy{decltype(Copy::of)(storage), decltype(Copy::copy)(copy.getIntrusivePtr())});
    return copy;
}

}  // namespace casp::model
