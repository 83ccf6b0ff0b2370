#include "panels/audit/audit_page.h"

#include <cmath>

#include <QFile>
#include <QObject>
#include <QString>
#include <QVBoxLayout>

#include "audit/audit.h"
#include "config/options.h"
#include "data/describe.h"
#include "panels/view/view_flow.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }
QString escaped_message(const Phrase& text) { return translated(text).toHtmlEscaped(); }

QString with_separators(std::int64_t n) { return QString::fromStdString(data::with_commas(n)); }

QString error_text(double error) { return QString::fromStdString(store::four_digits(error)); }

QString table_html(const QString& rows) {
    return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\">%1</table>").arg(rows);
}

QString findings_html(const audit::StoredAudit& audit) {
    QString rows;
    for (const auto& [code, text] : audit.findings)
        rows += QStringLiteral("<tr><td>%1</td><td><b>%2</b></td><td>%3</td></tr>")
                    .arg(audit.is_clean() ? QStringLiteral("✓") : QStringLiteral("⚠"), escaped(code),
                         escaped_message(text));
    return table_html(rows);
}

QString errors_html(const audit::StoredAudit& audit) {
    const auto row =
        QStringLiteral("<tr><td>%1</td><td align=\"right\">%2</td><td align=\"right\">%3</td></tr>");
    auto rows = row.arg(QString(), QObject::tr("MSE"), QObject::tr("MAE"));
    const auto add = [&](const QString& name, double mse, double mae) {
        rows += row.arg(name, error_text(mse), error_text(mae));
    };
    if (std::isfinite(audit.mse))
        add(QObject::tr("As stored, over all %1 windows").arg(with_separators(audit.windows)), audit.mse,
            audit.mae);
    if (audit.shared > 0)
        add(QObject::tr("%1 of %2 test windows, scaled as our runs")
                .arg(with_separators(audit.shared), with_separators(audit.expected_windows)),
            audit.mse_shared, audit.mae_shared);
    return table_html(rows);
}

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

QString audit_html(const QString& label, const QString& source, const audit::StoredAudit& audit) {
    const auto heading = [](const QString& text) { return QStringLiteral("<h3>%1</h3>").arg(text); };
    const auto verdict = audit.is_clean()             ? QObject::tr("%1: comparable with our runs")
                         : audit.findings.size() == 1 ? QObject::tr("%1: one finding")
                                                      : QObject::tr("%1: several findings");
    QString html = QStringLiteral("<h2>%1</h2>").arg(verdict.arg(label.toHtmlEscaped()));
    html += findings_html(audit);
    html += heading(QObject::tr("Errors")) + errors_html(audit);
    QStringList notes;
    for (const auto& note : audit.notes) notes << QStringLiteral("<li>%1</li>").arg(escaped_message(note));
    if (!notes.isEmpty())
        html += heading(QObject::tr("Limits")) + QStringLiteral("<ul>%1</ul>").arg(notes.join(QString()));
    QStringList hints;
    for (const auto& hint : audit.hints)
        hints << QStringLiteral("<li>%1</li>")
                     .arg(QObject::tr("%1, line %2, shows %3: <code>%4</code>")
                              .arg(escaped(hint.file.string()), with_separators(hint.line),
                                   escaped_message(hint.what), escaped(hint.text)));
    if (!hints.isEmpty())
        html += heading(QObject::tr("Scripts and logs beside the arrays")) +
                QStringLiteral("<ul>%1</ul>").arg(hints.join(QString()));
    QStringList channels;
    for (const auto& channel : audit.channels) channels << escaped(channel);
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(QObject::tr("Channels: %1. Scaled with %2.")
                         .arg(channels.join(QStringLiteral(", ")), escaped_message(audit.scaled_with)),
                     QObject::tr("Forecasts: %1").arg(source.toHtmlEscaped()));
    return html;
}

AuditPage::AuditPage(RunLibrary& library, Selection& selection, const ExperimentModel& experiment,
                     QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      form_(new ImportForm(library, experiment, this)),
      view_(new QTextBrowser(this)) {
    setAccessibleName(tr("Audit"));
    auto* layout = make_layout<QVBoxLayout>(this);
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
                const store::RunFolder run(QFile::encodeName(folder).toStdString());
                return audit_html(
                    label, QString::fromStdString(store::read_run_file(run.run_file()).attributes.source),
                    audit::read_audit(run.audit()));
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
