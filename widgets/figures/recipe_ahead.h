#pragma once
// Figure of a forecast of the rows after the last one of a data file.

#include <cstdint>
#include <vector>

#include <QColor>
#include <QString>

#include "figures/figure.h"
#include "inspect/forecast_csv.h"

namespace casp::figures {

/// A forecast with its run and file.
struct AheadInput {
    const inspect::AheadForecast* forecast = nullptr;  ///< never null; copied
    QString run, label;                                ///< folder and name of the run
    QColor colour;                                     ///< of the run
    QString file;                                      ///< name of the continued file: "ETTh1.csv"
};

struct AheadOptions {
    std::vector<std::int64_t> channels;  ///< empty: the last one
    std::int64_t lookback_horizons = 0;  ///< plotted look-back, in horizons; 0: all
    bool last_value = false;             ///< also plot the persistence forecast
};

/// A plot per channel (at most twelve): look-back in grey, its last row marked, the forecast in the run's
/// colour over bands of its intervals; original units; dates if the file has them, else row numbers from 0.
[[nodiscard]] Figure forecast_ahead(const AheadInput& input, const AheadOptions& options);

/// "The 80 % interval covers 88.6 % of the values of all 7 channels in 2,785 test windows, the 95 %
/// interval 96.5 %. …" Empty without intervals.
[[nodiscard]] QString coverage_sentence(const inspect::AheadForecast& forecast);

}  // namespace casp::figures
