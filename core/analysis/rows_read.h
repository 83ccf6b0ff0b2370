#pragma once
// Progress counter for computations that read rows in several passes.

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <utility>

#include "util/error.h"
#include "util/progress.h"

namespace casp::analysis {

/// Counter of rows read. Reports after each add(), at most the total. One thread.
class RowsRead {
public:
    /// `total`: rows times passes. `listener` may be empty and must outlive this object.
    RowsRead(Stage stage, std::int64_t total, const ProgressFn& listener)
        : report_{stage, 0, total, "rows read"}, listener_(listener) {}

    void add(std::int64_t rows) {
        report_.done = std::min(report_.total, report_.done + rows);
        if (listener_ && rows > 0) listener_(report_);
    }

private:
    Progress report_;
    const ProgressFn& listener_;
};

/// Calls each(first, last) for consecutive parts of `rows`, with at most `part` rows each. Throws Cancelled
/// before a part if a stop was requested.
template <class Each>
void in_parts(std::int64_t rows, std::int64_t part, RowsRead& read, const std::stop_token& stop, Each each) {
    for (std::int64_t first = 0; first < rows; first += part) {
        throw_if_stopped(stop);
        const auto last = std::min(first + part, rows);
        each(first, last);
        read.add(last - first);
    }
}

}  // namespace casp::analysis
