#include "evidence/verify_forecasts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "analysis/m4_scores.h"
#include "analysis/usage.h"
#include "data/scaler.h"
#include "evidence/verify_text.h"
#include "store/hdf5_file.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

constexpr double rounding = 0x1p-53;
constexpr std::int64_t values_at_once = std::int64_t{1} << 21;

std::string element(std::int64_t i, std::int64_t j) {
    return "[" + std::to_string(i) + ", " + std::to_string(j) + "]";
}

/// A window error is a mean in float64, rounded to float32. Its sum may have been taken in another order.
bool is_rounded_mean(float stored, double mean, std::int64_t horizon) {
    if (std::isnan(mean) || std::isinf(mean)) return agree(stored, static_cast<float>(mean), 0);
    const double slack = static_cast<double>(horizon + 8) * rounding * mean;
    return stored >= static_cast<float>(mean - slack) && stored <= static_cast<float>(mean + slack);
}

/// Recomputes one split, some windows at a time.
class SplitRecomputation {
public:
    SplitRecomputation(const ForecastContext& context, const std::string& split)
        : context_(context),
          group_("/forecast/" + split),
          file_(store::RunFolder(context.run).arrays_file()),
          arrays_(store::Hdf5File::open(file_)),
          shape_(store::read_forecast_shape(file_, split)),
          test_(split == "test") {}

    Recomputed run(Verification& result, const std::stop_token& stop) {
        const auto per_window = std::max<std::int64_t>(1, shape_.horizon * shape_.channels);
        squared_.assign(static_cast<std::size_t>(per_window), 0);
        absolute_ = persistence_squared_ = persistence_absolute_ = squared_;
        if (shape_.top_k > 0 && context_.pool_size > 0)
            made_.usage.assign(static_cast<std::size_t>(context_.pool_size), 0);
        const auto step = std::max<std::int64_t>(1, values_at_once / per_window);
        for (std::int64_t first = 0; first < shape_.windows; first += step) {
            throw_if_stopped(stop);
            add(first, std::min(step, shape_.windows - first));
        }
        for (auto* differences : {&mse_, &mae_, &truth_, &selected_})
            differences->report(file_, result, made_.sound);
        result.numbers += shape_.windows * shape_.channels * 2;
        if (context_.data) result.numbers += shape_.windows * per_window;
        set_metrics();
        if (context_.collection && test_) score_series(result, stop);
        return std::move(made_);
    }

private:
    template <class T>
    std::vector<T> rows(const char* name, store::Shape shape, std::int64_t first, std::int64_t count) {
        shape.insert(shape.begin(), shape_.windows);
        return arrays_.read_rows<T>(group_ + name, shape, first, count);
    }

    void add(std::int64_t first, std::int64_t count) {
        const auto prediction = rows<double>("/prediction", {shape_.horizon, shape_.channels}, first, count);
        const auto truth = rows<double>("/truth", {shape_.horizon, shape_.channels}, first, count);
        const auto mse = rows<float>("/mse", {shape_.channels}, first, count);
        const auto mae = rows<float>("/mae", {shape_.channels}, first, count);
        const auto start = rows<std::int64_t>("/start", {}, first, count);
        for (std::int64_t w = 0; w < count; ++w) {
            add_errors(first + w, w, prediction, truth, mse, mae);
            if (context_.data && !context_.collection)
                check_truth(first + w, w, start[static_cast<std::size_t>(w)], truth);
        }
        if (context_.collection)
            for (std::size_t i = 0; i < truth.size(); ++i) {
                const double size = std::abs(truth[i]) + std::abs(prediction[i]);
                if (size > 0) relative_ += 200 * std::abs(prediction[i] - truth[i]) / size;
                if (std::isnan(size)) relative_ = size;
            }
        if (made_.usage.empty()) return;
        const auto selected = rows<std::int32_t>("/selected", {shape_.channels, shape_.top_k}, first, count);
        for (std::size_t i = 0; i < selected.size(); ++i) {
            const auto row = static_cast<std::int64_t>(i) / shape_.top_k;
            if (selected[i] < 0 || selected[i] >= context_.pool_size)
                selected_.add(element(first + row / shape_.channels, row % shape_.channels), selected[i],
                              static_cast<double>(context_.pool_size - 1));
            else
                ++made_.usage[static_cast<std::size_t>(selected[i])];
        }
    }

    void add_errors(std::int64_t window, std::int64_t w, const std::vector<double>& prediction,
                    const std::vector<double>& truth, const std::vector<float>& mse,
                    const std::vector<float>& mae) {
        const auto horizon = shape_.horizon, channels = shape_.channels;
        for (std::int64_t m = 0; m < channels; ++m) {
            long double squares = 0, sizes = 0;
            for (std::int64_t h = 0; h < horizon; ++h) {
                const auto i = static_cast<std::size_t>((w * horizon + h) * channels + m);
                // The program subtracts in the type of the forecasts.
                const double error = context_.collection
                                         ? prediction[i] - truth[i]
                                         : static_cast<float>(prediction[i]) - static_cast<float>(truth[i]);
                const auto at = static_cast<std::size_t>(h * channels + m);
                squares += error * error;
                sizes += std::abs(error);
                squared_[at] += error * error;
                absolute_[at] += std::abs(error);
            }
            const auto n = static_cast<long double>(horizon);
            const auto at = static_cast<std::size_t>(w * channels + m);
            const auto mean_square = static_cast<double>(squares / n);
            const auto mean_size = static_cast<double>(sizes / n);
            if (!is_rounded_mean(mse[at], mean_square, horizon))
                mse_.add(element(window, m), mse[at], static_cast<float>(mean_square));
            if (!is_rounded_mean(mae[at], mean_size, horizon))
                mae_.add(element(window, m), mae[at], static_cast<float>(mean_size));
        }
    }

    /// Also adds the errors of the persistence forecast, which repeats the last value of the look-back.
    void check_truth(std::int64_t window, std::int64_t w, std::int64_t start,
                     const std::vector<double>& truth) {
        const auto& series = context_.data->scaled;
        const auto horizon = shape_.horizon, channels = shape_.channels;
        const auto from = start + context_.lookback;
        const auto row_count = channels > 0 ? std::ssize(series) / channels : 0;
        if (start < 0 || from < 1 || from + horizon > row_count) {
            truth_.add(element(window, 0), static_cast<double>(start), static_cast<double>(row_count));
            return;
        }
        const auto value = [&](std::int64_t row, std::int64_t m) {
            return series[static_cast<std::size_t>(row * channels + m)];
        };
        for (std::int64_t h = 0; h < horizon; ++h)
            for (std::int64_t m = 0; m < channels; ++m) {
                const auto stored = truth[static_cast<std::size_t>((w * horizon + h) * channels + m)];
                const float expected = value(from + h, m);
                if (static_cast<float>(stored) != expected) truth_.add(element(window, h), stored, expected);
                const double error = value(from - 1, m) - expected;
                const auto at = static_cast<std::size_t>(h * channels + m);
                persistence_squared_[at] += error * error;
                persistence_absolute_[at] += std::abs(error);
            }
    }

    using Sums = std::vector<long double>;

    [[nodiscard]] double mean_of(const Sums& sums) const {
        long double sum = 0;
        for (const auto value : sums) sum += value;
        return static_cast<double>(sum / static_cast<long double>(shape_.windows) /
                                   static_cast<long double>(sums.size()));
    }

    /// Over steps (`per_channel`) or over channels.
    [[nodiscard]] std::vector<double> profile(const Sums& sums, bool per_channel) const {
        const auto horizon = shape_.horizon, channels = shape_.channels;
        std::vector<double> means;
        for (std::int64_t i = 0; i < (per_channel ? channels : horizon); ++i) {
            long double sum = 0;
            for (std::int64_t j = 0; j < (per_channel ? horizon : channels); ++j)
                sum += sums[static_cast<std::size_t>(per_channel ? j * channels + i : i * channels + j)];
            const auto n = static_cast<long double>(shape_.windows * (per_channel ? horizon : channels));
            means.push_back(static_cast<double>(sum / n));
        }
        return means;
    }

    void set_metrics() {
        auto& metrics = made_.metrics;
        made_.tolerance =
            static_cast<double>(shape_.windows + shape_.horizon * shape_.channels + 8) * rounding;
        if (shape_.windows == 0) return;
        metrics.mse = mean_of(squared_);
        metrics.mae = mean_of(absolute_);
        metrics.mse_per_channel = profile(squared_, true);
        metrics.mae_per_channel = profile(absolute_, true);
        metrics.mse_per_step = profile(squared_, false);
        metrics.mae_per_step = profile(absolute_, false);
        if (context_.data && !context_.collection) {
            metrics.last_value_mse = mean_of(persistence_squared_);
            metrics.last_value_mae = mean_of(persistence_absolute_);
        }
        const auto values = shape_.windows * shape_.horizon * shape_.channels;
        if (context_.collection) {
            metrics.smape = static_cast<double>(relative_ / static_cast<long double>(values));
            // One sum over all values, in any order.
            made_.tolerance = static_cast<double>(values + 8) * rounding;
        }
        if (made_.usage.empty()) return;
        metrics.usage_entropy = analysis::usage_entropy(made_.usage);
        metrics.distinct_anchors = static_cast<double>(analysis::distinct_anchors(made_.usage));
    }

    /// Scores of the series, and with the data of Naive2.
    void score_series(Verification& result, const std::stop_token& stop) {
        const auto scores = store::read_series_scores(file_, "test");
        if (scores.smape.empty()) return;
        const auto* collection = context_.data ? context_.data->prepared.collection.get() : nullptr;
        const bool has_data = collection != nullptr && collection->size() == shape_.windows &&
                              collection->horizon == shape_.horizon;
        const auto tolerance = static_cast<double>(shape_.horizon + 8) * rounding;
        Differences smape(group_ + "/smape"), mase(group_ + "/mase"), truth(group_ + "/truth");
        store::SeriesScores naive2;
        const auto at = [](std::int64_t i) { return "[" + std::to_string(i) + "]"; };
        const auto horizon = static_cast<std::size_t>(shape_.horizon);
        const auto step =
            std::max<std::int64_t>(1, values_at_once / std::max<std::int64_t>(1, shape_.horizon));
        std::vector<double> predictions, targets;
        for (std::int64_t i = 0; i < shape_.windows; ++i) {
            if (i % step == 0) {
                throw_if_stopped(stop);
                const auto count = std::min(step, shape_.windows - i);
                predictions = rows<double>("/prediction", {shape_.horizon, 1}, i, count);
                targets = rows<double>("/truth", {shape_.horizon, 1}, i, count);
            }
            const auto first = static_cast<std::size_t>(i % step) * horizon;
            const auto prediction = std::span(std::as_const(predictions)).subspan(first, horizon);
            const auto target = std::span(std::as_const(targets)).subspan(first, horizon);
            const auto index = static_cast<std::size_t>(i);
            const double error = analysis::smape(prediction, target);
            if (!agree(scores.smape[index], error, tolerance)) smape.add(at(i), scores.smape[index], error);
            if (!has_data) continue;
            const auto season = collection->frequency.season;
            const auto training = collection->training_of(i), actual = collection->test_of(i);
            for (std::size_t h = 0; h < horizon; ++h) {
                if (!agree(target[h], actual[h], 0))
                    truth.add(element(i, static_cast<std::int64_t>(h)), target[h], actual[h]);
                const double last = training.back() - actual[h];
                persistence_squared_[h] += last * last;
                persistence_absolute_[h] += std::abs(last);
            }
            const double scaled = analysis::mase(prediction, target, training, season);
            const auto slack = static_cast<double>(training.size() + target.size() + 8) * rounding;
            if (!agree(scores.mase[index], scaled, slack)) mase.add(at(i), scores.mase[index], scaled);
            const auto simple = analysis::naive2(training, season, collection->horizon);
            naive2.smape.push_back(analysis::smape(simple, actual));
            naive2.mase.push_back(analysis::mase(simple, actual, training, season));
        }
        for (auto* differences : {&smape, &mase, &truth}) differences->report(file_, result, made_.sound);
        result.numbers += shape_.windows * (has_data ? 2 : 1);
        auto& metrics = made_.metrics;
        metrics.smape = analysis::mean_of_known(scores.smape);
        metrics.mase = analysis::mean_of_known(scores.mase);
        if (!has_data) return;
        metrics.last_value_mse = mean_of(persistence_squared_);
        metrics.last_value_mae = mean_of(persistence_absolute_);
        metrics.naive2_smape = analysis::mean_of_known(naive2.smape);
        metrics.naive2_mase = analysis::mean_of_known(naive2.mase);
        metrics.owa = analysis::owa(metrics.smape, metrics.mase, metrics.naive2_smape, metrics.naive2_mase);
    }

    const ForecastContext& context_;
    std::string group_;
    std::filesystem::path file_;
    store::Hdf5File arrays_;
    store::ForecastArrays shape_;
    bool test_;
    Recomputed made_;
    Sums squared_, absolute_, persistence_squared_, persistence_absolute_;  ///< [H, M]
    long double relative_ = 0;
    Differences mse_{group_ + "/mse"}, mae_{group_ + "/mae"}, truth_{group_ + "/truth"},
        selected_{group_ + "/selected"};
};

}  // namespace

std::shared_ptr<const VerifiedData> DataOfRuns::find(const config::Config& config, const std::string& sha256,
                                                     Phrase& problem, const std::stop_token& stop) {
    try {
        auto whole = data::prepare_data(config, {}, stop);
        if (whole->table.sha256 != sha256) {
            problem = "the data file has another content";
            return nullptr;
        }
        if (last_ && last_->whole == whole) return last_;
        auto found = std::make_shared<VerifiedData>();
        found->prepared = data::with_targets_only(*whole, config);
        found->whole = std::move(whole);
        if (found->prepared.collection == nullptr)
            found->scaled = data::scaled_values(found->prepared.table, found->prepared.scaler);
        return last_ = std::move(found);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        problem = "the data file is not here or cannot be read";
        return nullptr;
    }
}

Recomputed recompute_split(const ForecastContext& context, const std::string& split, Verification& result,
                           const std::stop_token& stop) {
    return SplitRecomputation(context, split).run(result, stop);
}

bool agree(double a, double b, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

}  // namespace casp::evidence
