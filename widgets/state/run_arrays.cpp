#include "state/run_arrays.h"

#include <algorithm>
#include <filesystem>

#include "config/experiment.h"
#include "data/catalog.h"
#include "data/look_backs.h"
#include "data/prepared.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "util/error.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t import_threads = 2;  ///< leaves the others to a run in training

fs::path arrays_of(const QString& folder) { return fs::path(folder.toStdString()) / "arrays.h5"; }

std::string group_of(const QString& split) { return "/forecast/" + split.toStdString(); }

/// Whether the file has forecasts of the split; a run without forecasts has no file.
bool has_split(const fs::path& file, const QString& split) {
    // The reader reports other problems of the file.
    std::error_code problem;
    if (!fs::exists(file, problem) && !problem) return false;
    const auto splits = store::forecast_splits(file);
    return std::find(splits.begin(), splits.end(), split.toStdString()) != splits.end();
}

std::size_t bytes_of(const std::vector<float>& values) { return sizeof(float) * values.size(); }
std::size_t bytes_of(const store::SeriesScores& scores) {
    return sizeof(double) * (scores.smape.size() + scores.mase.size());
}
std::size_t bytes_of(const store::ForecastArrays& a) {
    return sizeof(float) * (a.prediction.size() + a.truth.size() + a.mse.size() + a.mae.size()) +
           sizeof(std::int64_t) * a.start.size() + sizeof(std::int32_t) * a.retrieved.size();
}

/// The existing part of the windows first … first + count − 1.
std::pair<std::int64_t, std::int64_t> clipped(std::int64_t first, std::int64_t count, std::int64_t windows) {
    first = std::clamp<std::int64_t>(first, 0, windows);
    return {first, std::clamp<std::int64_t>(count, 0, windows - first)};
}

store::ForecastArrays read_slice(const fs::path& file, const QString& split, std::int64_t first,
                                 std::int64_t count) {
    if (!has_split(file, split)) return {};
    const auto name = split.toStdString();
    const auto [from, n] = clipped(first, count, store::read_forecast_shape(file, name).windows);
    return n > 0 ? store::read_forecast(file, name, from, n) : store::ForecastArrays{};
}

store::ForecastArrays read_errors(const fs::path& file, const QString& split) {
    if (!has_split(file, split)) return {};
    auto arrays = store::read_forecast_shape(file, split.toStdString());
    const auto open = store::Hdf5File::open(file);
    const auto group = group_of(split);
    arrays.mse = open.read<float>(group + "/mse", {arrays.windows, arrays.channels});
    arrays.mae = open.read<float>(group + "/mae", {arrays.windows, arrays.channels});
    arrays.start = open.read<std::int64_t>(group + "/start", {arrays.windows});
    if (arrays.top_k > 0)
        arrays.retrieved =
            open.read<std::int32_t>(group + "/selected", {arrays.windows, arrays.channels, arrays.top_k});
    return arrays;
}

std::vector<std::int64_t> read_starts(const fs::path& file, const QString& split, std::int64_t first,
                                      std::int64_t count) {
    if (!has_split(file, split)) return {};
    const auto windows = store::read_forecast_shape(file, split.toStdString()).windows;
    const auto [from, n] = clipped(first, count, windows);
    if (n == 0) return {};
    return store::Hdf5File::open(file).read_rows<std::int64_t>(group_of(split) + "/start", {windows}, from,
                                                               n);
}

/// The data set of a run. Throws an input Error, also if it is no longer the run's.
data::PreparedData data_of(config::Config config, const std::string& sha256, const std::stop_token& stop) {
    config.run.threads = import_threads;
    auto data = data::prepare_targets(config, {}, stop);
    if (data.table.sha256 != sha256)
        throw input_error(data::resolve_data_path(config.data.path).string(),
                          Phrase("the file has changed since the run was made (SHA-256 %1…)",
                                 data.table.sha256.substr(0, 12)),
                          sha256.substr(0, 12) + "…",
                          "Stored forecasts remain available; only the look-back cannot be shown.");
    return data;
}

}  // namespace

void SliceCache::drop(const RunArrays* of) {
    std::erase_if(slices_, [&](const auto& slice) { return std::get<0>(slice.first) == of; });
}

void SliceCache::trim() {
    std::size_t sum = 0;
    for (const auto& [key, slice] : slices_) sum += slice.bytes;
    const auto idle = [](const auto& slice) { return slice.second.value ? slice.second.used.elapsed() : -1; };
    while (sum > max_bytes_) {
        const auto oldest = std::ranges::max_element(slices_, {}, idle);
        if (idle(*oldest) < idle_ms_) return;
        sum -= oldest->second.bytes;
        slices_.erase(oldest);
    }
}

RunArrays::RunArrays(QString folder, std::shared_ptr<WorkPool> pool, std::shared_ptr<SliceCache> cache,
                     std::function<void()> arrived)
    : folder_(std::move(folder)),
      pool_(std::move(pool)),
      cache_(std::move(cache)),
      arrived_(std::move(arrived)),
      forecasts_job_(*pool_),
      lookbacks_job_(cache_->data_reader_),
      scores_job_(*pool_) {}

RunArrays::~RunArrays() { cache_->drop(this); }

template <class Value, class Work>
RunArrays::Read<Value> RunArrays::get(Job<Read<Value>>& job, Kind kind, const QString& split,
                                      std::int64_t first, std::int64_t count, QString& problem, Work work) {
    const SliceCache::Key key{this, kind, split, first, count};
    const auto [place, fresh] = cache_->slices_.try_emplace(key);
    place->second.used.start();
    if (!fresh) return std::static_pointer_cast<const Value>(place->second.value);
    const auto take = [this, key](const Read<Value>& value) {
        const auto slice = cache_->slices_.find(key);
        if (slice == cache_->slices_.end()) return;
        slice->second.value = value;
        slice->second.bytes = value ? bytes_of(*value) : 0;
        slice->second.used.start();  // in use until now
        cache_->trim();
        arrived_();
    };
    job.add([work = std::move(work)](
                const JobContext&) -> Read<Value> { return std::make_shared<const Value>(work()); },
            {.done = take, .failed = [take, &problem](const std::exception& failure) {
                 problem = plain_text(failure);
                 take({});
             }});
    return nullptr;
}

std::shared_ptr<const store::ForecastArrays> RunArrays::forecasts(const QString& split, std::int64_t first,
                                                                  std::int64_t count) {
    return get(
        forecasts_job_, forecast, split, first, count, problem_,
        [file = arrays_of(folder_), split, first, count] { return read_slice(file, split, first, count); });
}

std::shared_ptr<const store::ForecastArrays> RunArrays::window_errors(const QString& split) {
    return get(forecasts_job_, error, split, 0, -1, problem_,
               [file = arrays_of(folder_), split] { return read_errors(file, split); });
}

std::shared_ptr<const std::vector<float>> RunArrays::lookbacks(const store::RunRecord& record,
                                                               const QString& split, std::int64_t first,
                                                               std::int64_t count) {
    return get(lookbacks_job_, lookback, split, first, count, problem_with_data_,
               [file = arrays_of(folder_), split, first, count, toml = record.attributes.config,
                sha256 = record.attributes.dataset_sha256, mean = record.data.mean, std = record.data.std,
                stop = cache_->data_reader_.stop_token()] {
                   const auto starts = read_starts(file, split, first, count);
                   if (starts.empty()) return std::vector<float>();
                   const auto config = config::load_text(toml, "the run's configuration", {}).base;
                   const auto data = data_of(config, sha256, stop);
                   return data::look_backs(data, {mean, std}, starts, config.data.lookback);
               });
}

std::shared_ptr<const store::SeriesScores> RunArrays::series_scores() {
    return get(scores_job_, score, QStringLiteral("test"), 0, -1, problem_, [file = arrays_of(folder_)] {
        return has_split(file, QStringLiteral("test")) ? store::read_series_scores(file, "test")
                                                       : store::SeriesScores();
    });
}

void RunArrays::forget() {
    forecasts_job_.cancel();
    lookbacks_job_.cancel();
    scores_job_.cancel();
    cache_->drop(this);
    problem_.clear();
    problem_with_data_.clear();
}

}  // namespace casp::widgets
