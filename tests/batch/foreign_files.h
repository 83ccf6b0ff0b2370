#pragma once
// Forecasts as other code saves them: pred.npy and true.npy of the windows of a data set.

#include <cmath>
#include <filesystem>

#include <QByteArray>
#include <QDateTime>

#include "core/audit/npy_writer.h"
#include "data/table.h"

namespace casp::test {

/// 900 hourly rows of the channels load and wind. At a ratio split, horizon 12: 630 training rows, 169 test
/// windows, the first with targets from row 720 on.
inline QByteArray two_channels() {
    QByteArray text = "date,load,wind\n";
    const QDateTime start(QDate(2024, 1, 1), QTime(0, 0), Qt::UTC);
    for (int t = 0; t < 900; ++t)
        text += start.addSecs(3600LL * t).toString("yyyy-MM-dd HH:mm:ss").toLatin1() + ',' +
                QByteArray::number(10 + std::sin(t * 0.26) + 0.1 * std::sin(t * 1.7) + 0.001 * t) + ',' +
                QByteArray::number(50 + 9 * std::cos(t * 0.11) + 0.01 * std::sin(t * 2.3)) + '\n';
    return text;
}

/// Windows of the rows from `first` on, scaled with the training rows in float64 and saved as float32.
inline Windows windows_of(const data::Table& table, std::size_t train, std::size_t first, std::size_t windows,
                          std::size_t horizon) {
    Windows array(windows, horizon, table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const auto& values = table.columns[c].values;
        long double mean = 0, squares = 0;
        for (std::size_t t = 0; t < train; ++t) mean += values[t];
        mean /= static_cast<long double>(train);
        for (std::size_t t = 0; t < train; ++t) squares += (values[t] - mean) * (values[t] - mean);
        const auto deviation = std::sqrt(squares / static_cast<long double>(train));
        for (std::size_t w = 0; w < windows; ++w)
            for (std::size_t h = 0; h < horizon; ++h)
                array.at(w, h, c) = static_cast<double>((values[first + w + h] - mean) / deviation);
    }
    return array;
}

/// Writes folder/true.npy and folder/pred.npy: predictions are the truths, times `factor`.
inline void save_forecasts(const std::filesystem::path& folder, const Windows& truth, double factor = 1.1) {
    auto prediction = truth;
    for (auto& value : prediction.values) value *= factor;
    write_bytes(folder / "true.npy", npy_bytes(truth));
    write_bytes(folder / "pred.npy", npy_bytes(prediction));
}

}  // namespace casp::test
