#pragma once
// The audit of an imported run.

#include <QString>

#include "audit/audit.h"

namespace casp::widgets {

struct AuditReport {
    QString label;   ///< of the run
    QString source;  ///< path of the forecasts
    audit::StoredAudit audit;
};

/// Reads the audit of a run. Any thread. Throws an input Error if it cannot be read.
[[nodiscard]] AuditReport read_audit_report(const QString& run_folder, const QString& label);

/// The report as rich text. Texts of files are escaped.
[[nodiscard]] QString report_html(const AuditReport& report);

}  // namespace casp::widgets
