#pragma once
// How many rows a computation in several passes has read, told to whoever listens.

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>

#include "util/error.h"
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

/// Calls each(first, last) for all of `rows`, at most `part` of them at once. Throws Cancelled before a part
/// where `stop` asks for it.
template <class Each>
void in_parts(std::int64_t rows, std::int64_t part, RowsRead& read, const std::stop_token& stop, Each each) {
    for (std::int64_t first = 0; first < rows; first += part) {
        if (stop.stop_requested()) throw Cancelled();
        const auto last = std::min(first + part, rows);
        each(first, last);
        read.add(last - first);
    }
}

}  // namespace casp::analysis
