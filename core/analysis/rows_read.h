#pragma once
// How many rows a computation in several passes has read, told to whoever listens.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "util/progress.h"

namespace casp::analysis {

/// One thread. Tells after each add(), never more than the total.
class RowsRead {
public:
    /// `total`: rows times passes over them. `listener` (may be empty) must outlive it.
    RowsRead(std::string stage, std::int64_t total, const ProgressFn& listener)
        : report_{std::move(stage), 0, total, "rows read"}, listener_(listener) {}

    void add(std::int64_t rows) {
        report_.done = std::min(report_.total, report_.done + rows);
        if (listener_ && rows > 0) listener_(report_);
    }

private:
    Progress report_;
    const ProgressFn& listener_;
};

}  // namespace casp::analysis
