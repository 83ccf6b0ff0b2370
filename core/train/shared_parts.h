#pragma once
// What the runs of one process share besides their data sets (session.h): frozen weights.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace casp::model {
struct NamedTensor;
}

namespace casp::train {

/// One copy of equal frozen weights for all runs that are in progress. Thread-safe; the weights themselves
/// are only read.
class SharedParts {
public:
    /// Frozen tensors on their device, of this digest (model::digest_of), take the memory of equal ones of a
    /// run in progress, if there are any, and release their own. Keep the result as long as they are used.
    [[nodiscard]] std::shared_ptr<const void> share_frozen(const std::vector<model::NamedTensor>& frozen,
                                                           const std::string& digest);

private:
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<const std::vector<model::NamedTensor>>>
        frozen_;  ///< by device and digest
};

}  // namespace casp::train
