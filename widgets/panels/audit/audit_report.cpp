#include "panels/audit/audit_report.h"

#include <cmath>
#include <filesystem>
#include <optional>

#include <QFile>
#include <QObject>

#include "data/describe.h"
#include "state/core_message.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }
QString escaped_message(const std::string& text) { return translated_message(text).toHtmlEscaped(); }

QString with_separators(std::int64_t n) { return QString::fromStdString(data::with_commas(n)); }

QString error_text(double error) { return QString::fromStdString(store::four_digits(error)); }

QString cell_html(const QString& text, bool number = false) {
    return QStringLiteral("<td%1>%2</td>").arg(number ? QStringLiteral(" align=\"right\"") : QString(), text);
}

QString head_html(const QStringList& names) {
    QString html;
    for (int i = 0; i < names.size(); ++i)
        html += QStringLiteral("<th align=\"%1\">%2</th>")
                    .arg(i == 0 ? QStringLiteral("left") : QStringLiteral("right"), names.at(i));
    return QStringLiteral("<tr>%1</tr>").arg(html);
}

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
    auto rows = head_html({QString(), QObject::tr("MSE"), QObject::tr("MAE")});
    const auto add = [&](const QString& name, double mse, double mae) {
        rows += QStringLiteral("<tr>%1%2%3</tr>")
                    .arg(cell_html(name), cell_html(error_text(mse), true), cell_html(error_text(mae), true));
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

QString lines_html(const AuditReport& report) {
    auto rows = head_html({QObject::tr("Run"), QObject::tr("Test windows"), QObject::tr("MSE of these"),
                           QObject::tr("MSE, same windows"), QObject::tr("MAE, same windows")});
    for (const auto& line : report.lines) {
        const auto name = QStringLiteral("<span style=\"color:%1\">●</span> %2")
                              .arg(line.run.colour.name(), line.run.label.toHtmlEscaped());
        rows += line.problem.isEmpty()
                    ? QStringLiteral("<tr>%1%2%3%4%5</tr>")
                          .arg(cell_html(name), cell_html(with_separators(line.windows), true),
                               cell_html(error_text(line.own.mse), true),
                               cell_html(error_text(line.common.mse), true),
                               cell_html(error_text(line.common.mae), true))
                    : QStringLiteral("<tr>%1<td colspan=\"4\">%2</td></tr>")
                          .arg(cell_html(name), line.problem.toHtmlEscaped());
    }
    return table_html(rows);
}

std::filesystem::path folder_of(const AuditedRun& run) { return QFile::encodeName(run.folder).toStdString(); }

/// The test windows of a run with this task (empty: any, which it becomes). Nothing, with the reason in
/// `problem`, if they cannot be compared.
std::optional<evidence::TestWindows> windows_of_run(const AuditedRun& run, std::string& task,
                                                    QString& problem, const std::stop_token& stop) {
    try {
        const auto found = evidence::finished_runs({folder_of(run)}, stop, true).runs;
        if (found.empty()) {
            problem = QObject::tr("its files cannot be read");
            return {};
        }
        const auto own = evidence::task_of_run(found.front());
        if (task.empty()) task = own;
        if (own != task) {
            problem =
                QObject::tr("not comparable: other channels, another split or other settings of the data");
            return {};
        }
        return evidence::read_test_windows(found.front().folder, found.front().config.data.lookback);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        problem = QObject::tr("no stored test forecasts");
        return {};
    }
}

}  // namespace

AuditReport read_audit_report(const AuditedRun& run, const std::vector<AuditedRun>& others,
                              const JobContext& job) {
    const store::RunFolder folder(folder_of(run));
    AuditReport report;
    report.run = run;
    report.audit = audit::read_audit(folder.audit());
    report.source = QString::fromStdString(store::read_run_file(folder.run_file()).attributes.source);
    auto runs = others;
    runs.insert(runs.begin(), run);
    std::vector<std::optional<evidence::TestWindows>> windows;
    std::optional<std::vector<std::int64_t>> common;
    std::string task;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        throw_if_stopped(job.stop);
        job.progress({"Reading errors", static_cast<std::int64_t>(i), std::ssize(runs), "runs"});
        AuditReport::Line line{runs[i], 0, {}, {}, {}};
        windows.push_back(windows_of_run(runs[i], task, line.problem, job.stop));
        if (i == 0 && report.audit.shared == 0) {
            windows.back().reset();
            line.problem = QObject::tr("no test window");
        }
        if (const auto& own = windows.back()) {
            line.windows = std::ssize(own->row);
            line.own = evidence::errors_over(*own, own->row);
            common = common ? evidence::common_rows(*common, own->row) : own->row;
        }
        report.lines.push_back(std::move(line));
    }
    if (!common) return report;
    report.common = std::ssize(*common);
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (windows[i]) report.lines[i].common = evidence::errors_over(*windows[i], *common);
    return report;
}

QString report_html(const AuditReport& report) {
    const auto& audit = report.audit;
    const auto heading = [](const QString& text) { return QStringLiteral("<h3>%1</h3>").arg(text); };
    const auto verdict = audit.is_clean()             ? QObject::tr("%1: comparable with our runs")
                         : audit.findings.size() == 1 ? QObject::tr("%1: one finding")
                                                      : QObject::tr("%1: several findings");
    QString html = QStringLiteral("<h2>%1</h2>").arg(verdict.arg(report.run.label.toHtmlEscaped()));
    html += findings_html(audit);
    html += heading(QObject::tr("Errors")) + errors_html(audit);
    if (report.lines.size() > 1) {
        html += heading(QObject::tr("Over the %1 test windows that all comparable runs have")
                            .arg(with_separators(report.common)));
        html += lines_html(report);
    } else {
        html +=
            QStringLiteral("<p>%1</p>")
                .arg(QObject::tr("Select runs on the same data and horizon in the list to see their errors "
                                 "over the same windows."));
    }
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
