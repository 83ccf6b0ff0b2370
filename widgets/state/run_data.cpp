#include "state/run_data.h"

#include <algorithm>

namespace casp::widgets {

double RunPace::share() const {
    const auto own = last_step - first_step;
    if (step <= 0 || own <= 0) return stage_share;
    return std::clamp(static_cast<double>(step - first_step) / static_cast<double>(own), 0.0, 1.0);
}

}  // namespace casp::widgets
