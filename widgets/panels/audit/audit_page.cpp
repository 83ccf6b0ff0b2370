#include "panels/audit/audit_page.h"

#include <QVBoxLayout>

#include "config/options.h"
#include "state/plain_text.h"

namespace casp::widgets {

namespace {

constexpr int read_delay_ms = 60;

QString teaching_text() {
    return QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>")
        .arg(QObject::tr("Compare forecasts of other code with your runs"),
             QObject::tr("Drop a results folder with <code>pred.npy</code> and <code>true.npy</code> on the "
                         "window, as the Time-Series-Library, PatchTST, iTransformer and S2IP-LLM write it, "
                         "choose the data set, and press <b>Import</b>."),
             QObject::tr("The audit determines from the values which test windows the arrays contain, which "
                         "scaler was used and how the channels are ordered. The forecasts become a run: for "
                         "the views, Compare, tables and figures."));
}

}  // namespace

AuditPage::AuditPage(RunLibrary& library, Selection& selection, const ExperimentModel& experiment,
                     QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      form_(new ImportForm(library, experiment, this)),
      view_(new QTextBrowser(this)) {
    setAccessibleName(tr("Audit"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(form_);
    layout->addWidget(view_, 1);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAccessibleName(tr("Audit of the imported forecasts"));
    view_->setToolTip(tr("Audit of the first shown run of imported forecasts"));
    view_->setOpenLinks(false);
    view_->setTabChangesFocus(true);
    view_->document()->setDocumentMargin(10);
    view_->setHtml(teaching_text());
    timer_.setSingleShot(true);
    timer_.setInterval(read_delay_ms);
    connect(&timer_, &QTimer::timeout, this, &AuditPage::read);
    connect(&selection_, &Selection::changed, this, &AuditPage::later);
    connect(&library_, &RunLibrary::reset, this, &AuditPage::later);
    connect(&library_, &RunLibrary::added, this, &AuditPage::later);
    connect(&library_, &RunLibrary::removed, this, &AuditPage::later);
    connect(form_, &ImportForm::imported, this, &AuditPage::take_import);
}

void AuditPage::later() {
    stale_ = true;
    if (isVisible() && !timer_.isActive()) timer_.start();
}

void AuditPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) read();
}

/// Shows the first imported run among the shown ones.
void AuditPage::read() {
    stale_ = false;
    for (const auto& folder : selection_.state().runs) {
        const int index = library_.index_of(folder);
        if (index < 0 || library_.at(index).row.model != config::imported_model) continue;
        job_.start(
            [folder, label = library_.at(index).label()](const JobContext&) {
                return report_html(read_audit_report(folder, label));
            },
            {.done = [this](const QString& html) { view_->setHtml(html); },
             .failed = [this](const std::exception& problem) { view_->setPlainText(plain_text(problem)); }});
        return;
    }
    job_.cancel();
    view_->setHtml(teaching_text());
}

void AuditPage::take_import(const QString& run_folder, bool clean) {
    library_.refresh();
    auto runs = selection_.state().runs;
    runs.removeAll(run_folder);
    // First: of several imported runs, the page shows the first one.
    runs.prepend(run_folder);
    selection_.set_runs(runs);
    later();
    Q_EMIT message(clean ? tr("The forecasts were imported. They are comparable with our runs.")
                         : tr("The forecasts were imported. The audit has findings."),
                   false);
}

}  // namespace casp::widgets
