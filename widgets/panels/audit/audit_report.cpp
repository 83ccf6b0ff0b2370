#include "panels/audit/audit_report.h"

#include <cmath>

#include <QFile>
#include <QObject>

#include "data/describe.h"
#include "state/core_message.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::widgets {

namespace {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }
QString escaped_message(const std::string& text) { return translated_message(text).toHtmlEscaped(); }

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

}  // namespace

AuditReport read_audit_report(const QString& run_folder, const QString& label) {
    const store::RunFolder folder(QFile::encodeName(run_folder).toStdString());
    return {label, QString::fromStdString(store::read_run_file(folder.run_file()).attributes.source),
            audit::read_audit(folder.audit())};
}

QString report_html(const AuditReport& report) {
    const auto& audit = report.audit;
    const auto heading = [](const QString& text) { return QStringLiteral("<h3>%1</h3>").arg(text); };
    const auto verdict = audit.is_clean()             ? QObject::tr("%1: comparable with our runs")
                         : audit.findings.size() == 1 ? QObject::tr("%1: one finding")
                                                      : QObject::tr("%1: several findings");
    QString html = QStringLiteral("<h2>%1</h2>").arg(verdict.arg(report.label.toHtmlEscaped()));
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
                     QObject::tr("Forecasts: %1").arg(report.source.toHtmlEscaped()));
    return html;
}

}  // namespace casp::widgets
