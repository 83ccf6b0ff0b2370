#include "state/run_data.h"

#include <algorithm>

namespace casp::widgets {

double RunPace::share() const {
    if (step <= 0 || last_step <= 0) return stage_share;
    return std::clamp(static_cast<double>(step) / static_cast<double>(last_step), 0.0, 1.0);
}

}  // namespace casp::widgets
