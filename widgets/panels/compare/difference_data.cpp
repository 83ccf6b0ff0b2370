#include "panels/compare/difference_data.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "config/experiment.h"
#include "config/options.h"
#include "panels/experiment/option_text.h"
#include "panels/runs/runs_columns.h"
#include "state/core_text.h"
#include "store/result_columns.h"

namespace casp::widgets {

namespace {

QString change_text(double from, double to) {
    if (!std::isfinite(from) || !std::isfinite(to)) return {};
    const double change = to - from;
    if (change == 0) return QStringLiteral("=");
    const QString sign = change < 0 ? QStringLiteral("−") : change > 0 ? QStringLiteral("+") : QString();
    QString text = sign + QString::fromStdString(store::four_digits(std::abs(change)));
    if (from != 0)
        text += QStringLiteral(" (%1%2 %)").arg(sign).arg(std::abs(change / from) * 100, 0, 'f', 1);
    return text;
}

/// Keys in which any run differs from the first one with a configuration.
std::set<std::string> differing(const std::vector<DifferenceRun>& runs) {
    std::set<std::string> keys;
    const config::Config* first = nullptr;
    for (const auto& run : runs) {
        if (run.config == nullptr) continue;
        if (first == nullptr) {
            first = run.config.get();
            continue;
        }
        for (const auto& difference : config::differences(*first, *run.config)) keys.insert(difference.key);
    }
    return keys;
}

QStringList header_of(const std::vector<DifferenceRun>& runs, const std::vector<DifferenceRow>& rows) {
    QStringList header{QObject::tr("setting")};
    for (const auto& run : runs) header += run.summary.batch + QLatin1Char('/') + run.summary.name;
    for (const auto& row : rows)
        if (!row.change.isEmpty()) {
            header += QObject::tr("change");
            break;
        }
    return header;
}

std::vector<QStringList> cells_of(const std::vector<DifferenceRow>& rows, qsizetype columns) {
    std::vector<QStringList> cells;
    for (const auto& row : rows) {
        QStringList line{row.key.isEmpty() ? row.name : row.key};
        line += row.values;
        while (line.size() < columns) line += row.change;
        cells.push_back(line);
    }
    return cells;
}

}  // namespace

std::vector<DifferenceRow> difference_rows(const std::vector<DifferenceRun>& runs, bool all) {
    std::vector<DifferenceRow> rows;
    const auto keys = differing(runs);
    for (const auto& option : config::options()) {
        const bool differs = keys.count(option.key) > 0;
        if (!differs && !all) continue;
        DifferenceRow row;
        row.key = QString::fromStdString(option.key);
        row.name = setting_title(row.key);
        row.help = translated(option.help);
        row.differs = differs;
        for (const auto& run : runs) {
            if (run.config != nullptr)
                row.values += QString::fromStdString(config::to_toml(option.get(*run.config)));
            else
                row.values += run.problem.isEmpty() ? QStringLiteral("…") : QObject::tr("not readable");
        }
        rows.push_back(std::move(row));
    }
    const bool scored = std::any_of(runs.begin(), runs.end(), [](const DifferenceRun& run) {
        return store::has_scores(run.summary.row);
    });
    for (const auto column :
         {RunsColumn::state, RunsColumn::val_mse, RunsColumn::test_mse, RunsColumn::test_mae,
          RunsColumn::test_smape, RunsColumn::test_mase, RunsColumn::test_owa, RunsColumn::last_value_mse,
          RunsColumn::entropy, RunsColumn::distinct_anchors, RunsColumn::key_cosine, RunsColumn::best_epoch,
          RunsColumn::epochs, RunsColumn::time, RunsColumn::backbone, RunsColumn::precision}) {
        if (is_score(column) && !scored) continue;
        DifferenceRow row;
        row.name = info_of(column).title;
        row.help = info_of(column).help;
        row.result = true;
        for (const auto& run : runs) row.values += display_text(run.summary, column);
        row.differs = row.values.count(row.values.value(0)) != row.values.size();
        if (runs.size() == 2 && info_of(column).number && column != RunsColumn::best_epoch)
            row.change = change_text(number_of(runs[0].summary, column), number_of(runs[1].summary, column));
        rows.push_back(std::move(row));
    }
    return rows;
}

QString difference_markdown(const std::vector<DifferenceRun>& runs, const std::vector<DifferenceRow>& rows) {
    const auto header = header_of(runs, rows);
    return table_markdown(header, cells_of(rows, header.size()));
}

QString difference_csv(const std::vector<DifferenceRun>& runs, const std::vector<DifferenceRow>& rows) {
    const auto header = header_of(runs, rows);
    return table_csv(header, cells_of(rows, header.size()));
}

}  // namespace casp::widgets
