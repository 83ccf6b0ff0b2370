#include "train/shared_parts.h"

#include <utility>

#include "model/parameters.h"
#include "util/device.h"

namespace casp::train {

std::shared_ptr<const void> SharedParts::share_frozen(const model::NamedTensors& frozen,
                                                      const std::string& digest) {
    if (frozen.empty()) return nullptr;
    const std::scoped_lock lock(mutex_);
    auto& known = frozen_[frozen.front().value.device().str() + " " + digest];
    auto shared = known.lock();
    if (!shared) {
        auto first = std::make_shared<model::NamedTensors>();
        for (const auto& tensor : frozen) first->push_back({tensor.name, tensor.value.detach()});
        synchronise(frozen.front().value.device());  // for the streams of other runs
        known = shared = std::move(first);
        return shared;
    }
    for (std::size_t i = 0; i < frozen.size(); ++i) frozen[i].value.set_data((*shared)[i].value);
    return shared;
}

}  // namespace casp::train
