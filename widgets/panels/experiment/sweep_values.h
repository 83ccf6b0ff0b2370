#pragma once
// Values typed for a sweep: lists and ranges.

#include <QString>
#include <QStringList>

#include "config/options.h"

namespace casp::widgets {

struct SweepValues {
    QStringList values;  ///< each as ExperimentModel::set_axis() takes it
    QString problem;     ///< why they are invalid; empty otherwise
};

/// Items separated by commas: values of the setting and, for integers and numbers, ranges START:STOP:COUNT
/// (both ends included) preceded or followed by "log" for equal ratios: "0, 0.001:1:4 log". Values between
/// the ends of a log range of numbers have four significant digits; integers are never rounded. Empty text:
/// no values and no problem.
[[nodiscard]] SweepValues parse_sweep(const config::OptionSpec& option, const QString& typed);

}  // namespace casp::widgets
