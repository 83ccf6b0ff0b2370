#pragma once
// What several tests of recipes are made from.

#include <memory>

#include "figures/recipe_input.h"

namespace samples {

inline casp::figures::RunInput input_of(const casp::store::RunRecord& record,
                                        const QString& label = QStringLiteral("a")) {
    casp::figures::RunInput run;
    run.folder = QStringLiteral("/runs/") + label;
    run.label = label;
    run.colour = QColor(Qt::blue);
    run.record = &record;
    return run;
}

/// Two windows of L = 3, H = 2, M = 2.
inline std::shared_ptr<casp::train::Probe> probe_of_two_windows(std::int64_t step) {
    auto p = std::make_shared<casp::train::Probe>();
    p->step = step;
    p->windows = {7, 40};
    p->start = {107, 140};
    p->channels = {0, 1};
    p->rows = 4;
    p->lookback_length = 3;
    p->horizon = 2;
    for (int i = 0; i < 12; ++i) p->lookback.push_back(static_cast<float>(i));
    p->truth = {1, 2, 3, 4, 5, 6, 7, 8};
    p->prediction = {1, 2, 4, 4, 5, 6, 7, 10};
    return p;
}

inline const casp::figures::Series* series_named(const casp::figures::Plot& plot, const QString& name) {
    for (const auto& series : plot.series)
        if (series.name == name) return &series;
    return nullptr;
}

}  // namespace samples
