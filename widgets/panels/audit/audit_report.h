#pragma once
// The audit of an imported run, beside the errors of other runs over the same windows.

#include <cstdint>
#include <vector>

#include <QColor>
#include <QString>

#include "audit/audit.h"
#include "evidence/common_windows.h"
#include "state/job.h"

namespace casp::widgets {

/// A run whose errors are shown.
struct AuditedRun {
    QString folder, label;
    QColor colour;
};

struct AuditReport {
    /// A run with its errors over its own test windows and over the common ones.
    struct Line {
        AuditedRun run;
        std::int64_t windows = 0;
        evidence::MeanErrors own, common;
        QString problem;  ///< why there are none; empty: there are
    };

    AuditedRun run;
    QString source;  ///< path of the forecasts
    audit::StoredAudit audit;
    std::int64_t common = 0;  ///< test windows that all runs of `lines` without a problem have
    std::vector<Line> lines;  ///< the imported run first; only this one: there is nothing to compare with
};

/// Reads the audit of `run` and the errors of it and of `others`, as far as they have the same task. Any
/// thread. Throws an input Error if the audit cannot be read, and Cancelled.
[[nodiscard]] AuditReport read_audit_report(const AuditedRun& run, const std::vector<AuditedRun>& others,
                                            const JobContext& job);

/// The report as rich text. Texts of files are escaped.
[[nodiscard]] QString report_html(const AuditReport& report);

}  // namespace casp::widgets
