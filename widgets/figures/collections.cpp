#include "figures/collections.h"

#include <algorithm>

#include <QLocale>

namespace casp::figures {

namespace {

bool is_run_on_collection(const RunInput& run) { return run.record && is_collection(run.record->data); }

/// Whether all of the runs whose data are known are on collections, and at least one is.
bool all_on_collections(const std::vector<RunInput>& runs) {
    return std::any_of(runs.begin(), runs.end(), is_run_on_collection) &&
           std::all_of(runs.begin(), runs.end(),
                       [](const RunInput& run) { return !run.record || is_run_on_collection(run); });
}

}  // namespace

bool is_collection(const store::DataSection& data) {
    // While the run trains, its ids are not known, but no scaler is fitted to a collection.
    const std::vector<double> zero{0}, one{1};
    return !data.series.empty() || (data.mean == zero && data.std == one);
}

QString series_name(const std::vector<std::string>& ids, std::int64_t window) {
    if (window < 0 || window >= std::ssize(ids)) return {};
    const QLocale english(QLocale::English);
    return QStringLiteral("series %1 (%2 of %3)")
        .arg(QString::fromStdString(ids[static_cast<std::size_t>(window)]),
             english.toString(static_cast<qlonglong>(window + 1)),
             english.toString(static_cast<qlonglong>(std::ssize(ids))));
}

QString error_units(const std::vector<RunInput>& runs) {
    if (all_on_collections(runs)) return QStringLiteral("original units");
    return std::any_of(runs.begin(), runs.end(), is_run_on_collection)
               ? QStringLiteral("scaled units (collections of series: original units)")
               : QStringLiteral("scaled units");
}

QString error_title(const QString& metric, const std::vector<RunInput>& runs) {
    return all_on_collections(runs) ? metric + QStringLiteral(" (original units)") : metric;
}

}  // namespace casp::figures
