#pragma once
// Review of an open file under the settings of section [data]: split borders, missing cells, sentinels,
// scaler. Computed with the core's functions, channel by channel, on a worker thread.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include <QString>
#include <QStringList>

#include "config/config.h"
#include "data/known_data.h"
#include "data/missing.h"
#include "data/split.h"
#include "data/table.h"
#include "panels/data/data_model.h"

namespace casp::widgets {

/// Settings used by the review: those of [data], without the file.
using DataChoices = config::Config::Data;
[[nodiscard]] DataChoices choices_of(const config::Config& config);

/// Treatment of a channel by a run.
enum class ChannelFate {
    used,          ///< unchanged
    filled,        ///< missing cells interpolated
    left_out,      ///< missing cells and data.missing = "drop-column"
    refused,       ///< missing cells that the policy does not allow: the run would not start
    not_selected,  ///< not in data.columns
};

struct ChannelReview {
    QString name;
    ChannelFate fate = ChannelFate::used;
    /// Over the scaler's rows after the policy for missing cells and sentinels if the channel is used, else
    /// over their numeric cells (NaN: none).
    double min = 0, max = 0;
    double mean = 0, deviation = 0;  ///< likewise; of the population
    bool constant = false;           ///< deviation is 0; the scaler takes 1
    std::int64_t missing = 0;        ///< cells without a number
    std::int64_t listed = 0;         ///< cells with a value of data.sentinels, in the whole file
    std::int64_t gone = 0;           ///< cells without a value in a run: listed ones, too, unless kept
    std::vector<data::SentinelHit> suspects;  ///< values that look like markers and are not listed
    QString remark;                           ///< the core's remark on the policy; may be empty
    std::vector<data::Warning> asleep;        ///< that it varies later, and not in the training rows
    bool target = true;                       ///< losses and errors are over it (data.targets)
};

struct DataReview {
    DataChoices choices;
    data::KnownData known;  ///< what data set it is
    std::optional<data::SplitPlan> plan;
    DataProblem no_plan;                  ///< why there is none
    DataProblem columns;                  ///< a name of data.columns or data.targets that has no channel
    std::vector<ChannelReview> channels;  ///< of all columns of the table
    std::vector<double> nowhere;          ///< values of data.sentinels that occur in no channel
    std::int64_t scaler_rows = 0;         ///< rows used for mean and deviation (all rows without a plan)
    std::int64_t used = 0;                ///< number of channels used by a run
    std::int64_t missing_cells = 0;  ///< of selected channels, with listed sentinels unless they are kept
    bool single_channel = false;     ///< resolved data.batching

    /// Problem that prevents a run from starting with this file; not set if there is none.
    [[nodiscard]] DataProblem problem() const;
    /// All suspicious sentinels by value, with number of cells and channels.
    struct Suspect {
        double value = 0;
        std::int64_t count = 0;
        QStringList channels;
    };
    [[nodiscard]] std::vector<Suspect> suspects() const;
};

/// Thread-safe; throws Cancelled. A few passes over the table, one column copied at a time.
[[nodiscard]] DataReview review_data(const data::Table& table, const DataChoices& choices,
                                     const std::stop_token& stop = {});

}  // namespace casp::widgets
