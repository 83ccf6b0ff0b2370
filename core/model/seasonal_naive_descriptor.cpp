// The seasonal naive forecast as lists, checks and estimates see it.

#include "model/naive_descriptor.h"

namespace casp::model {

Descriptor describe_seasonal_naive() {
    return {{}, {}, capabilities_of_naive, check_naive, estimate_naive, {}};
}

}  // namespace casp::model
