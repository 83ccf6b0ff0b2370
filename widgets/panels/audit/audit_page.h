#pragma once
// The page Audit: imports forecasts made by other code and shows their audit.

#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include "panels/audit/import_form.h"
#include "state/job.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::audit {
struct StoredAudit;
}

namespace casp::widgets {

class ExperimentModel;

/// An audit as rich text. `label`: of the run; `source`: path of the forecasts. Texts of files are escaped.
[[nodiscard]] QString audit_html(const QString& label, const QString& source,
                                 const audit::StoredAudit& audit);

class AuditPage : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the page. Reads nothing until it is shown.
    AuditPage(RunLibrary& library, Selection& selection, const ExperimentModel& experiment,
              QWidget* parent = nullptr);

    [[nodiscard]] ImportForm& form() const { return *form_; }
    [[nodiscard]] QString text() const { return view_->toPlainText(); }
    [[nodiscard]] bool is_pending() const { return stale_ || job_.is_running() || form_->is_busy(); }

Q_SIGNALS:
    void message(const QString& text, bool is_error);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void later();
    void read();
    void take_import(const QString& run_folder, bool clean);

    RunLibrary& library_;
    Selection& selection_;
    ImportForm* form_;
    QTextBrowser* view_;
    QTimer timer_;
    bool stale_ = true;
    Job<QString> job_;
};

}  // namespace casp::widgets
