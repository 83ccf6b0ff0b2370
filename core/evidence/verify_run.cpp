#include "evidence/verify_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include "analysis/usage.h"
#include "config/experiment.h"
#include "config/options.h"
#include "evidence/verify_text.h"
#include "model/descriptor.h"
#include "store/hdf5_file.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

namespace fs = std::filesystem;
using store::ResultRow;
using store::SplitMetrics;

/// Logarithms of other C libraries may differ in the last bits.
constexpr double entropy_tolerance = 1e-13;

/// The number that results.csv has of the test split; null: none.
double ResultRow::*column_of_test(double SplitMetrics::*metric) {
    for (const auto& column : store::result_columns)
        if (column.source.split == &store::RunRecord::test && column.source.metric == metric)
            return column.real();
    return nullptr;
}

/// Reads a file of the run; an input Error becomes a finding about it.
template <class Read>
auto read_or_report(const fs::path& file, Verification& result, Read&& read) -> decltype(read()) {
    try {
        return read();
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        add_unreadable(file, problem, result);
        return {};
    }
}

/// One run while it is verified.
class RunVerification {
public:
    RunVerification(const fs::path& folder, DataOfRuns& data, Verification& result,
                    const std::stop_token& stop)
        : folder_(folder), data_(data), result_(result), stop_(stop) {}

    VerifiedRun run() {
        read_files();
        VerifiedRun verified{folder_.path(), {}, status_.has_value()};
        if (status_) {
            verified.row = status_->row;
            verified.name = status_->row.run;
        }
        const auto state = status_   ? status_->row.state
                           : record_ ? record_->attributes.state
                                     : store::RunState::queued;
        if (!store::is_complete(state) || store::RunLock::holder(folder_)) {
            skip("the run is not finished");
            return verified;
        }
        skip("seconds and peak_memory are measured: compared between run.json and the tables only");
        if (!record_ && !damaged_record_)
            result_.findings.push_back({folder_.run_file(), {}, "it is missing", "the metrics of the run"});
        read_settings();
        verify_forecasts();
        if (record_) {
            verify_record();
            verify_digests();
            ResultRow row = status_ ? status_->row : ResultRow();
            row.run = folder_.path().filename().string();
            if (config_) model::describe_settings(*config_, row);
            store::set_record(row, *record_);
            if (status_) verify_status(row);
            verified.row = std::move(row);
        } else if (status_) {
            verify_status_by_forecasts();
        }
        return verified;
    }

private:
    void skip(const Phrase& what) { result_.unchecked[what].push_back(folder_.path()); }

    void read_files() {
        status_ =
            read_or_report(folder_.run_json(), result_, [&] { return store::read_run_status(folder_); });
        std::error_code unknown;
        if (!fs::exists(folder_.run_file(), unknown)) return;
        record_ = read_or_report(folder_.run_file(), result_, [&] {
            return std::optional<store::RunRecord>(store::read_run_file(folder_.run_file()));
        });
        damaged_record_ = !record_;
    }

    void read_settings() {
        if (!record_) return;
        try {
            config_ = config::load_text(record_->attributes.config, folder_.run_file().string(), {}).base;
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            skip("this version cannot read the settings of the run");
        }
    }

    void verify_forecasts() {
        std::error_code unknown;
        const auto file = folder_.arrays_file();
        if (!fs::exists(file, unknown)) {
            skip("metrics against forecasts: no forecasts are stored (run.store_forecasts)");
            return;
        }
        try {
            const auto splits = store::forecast_splits(file);
            auto context = context_of();
            for (const auto& split : splits) {
                throw_if_stopped(stop_);
                auto recomputed = recompute_split(context, split, result_, stop_);
                if (split == "test") verify_submission(recomputed);
                recomputed_[split] = std::move(recomputed);
            }
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            add_unreadable(file, problem, result_);
            return;
        }
        for (const char* split : {"val", "test"})
            if (recomputed_.count(split) == 0)
                skip(std::string(split).append(
                    " metrics against forecasts: they are not stored (run.store_forecasts)"));
    }

    ForecastContext context_of() {
        ForecastContext context;
        context.run = folder_.path();
        context.collection = is_collection();
        if (record_) context.pool_size = record_->anchors.pool_size;
        if (!config_) return context;
        context.lookback = config_->data.lookback;
        Phrase problem;
        context.data = data_.find(*config_, record_->attributes.dataset_sha256, problem, stop_);
        has_data_ = context.data != nullptr;
        if (!has_data_) skip(Phrase("truth, persistence forecast and MASE against the data: %1", problem));
        return context;
    }

    bool is_collection() {
        if (record_ && !record_->data.series.empty()) return true;
        return store::Hdf5File::open(folder_.arrays_file()).exists("/forecast/test/series");
    }

    void verify_submission(const Recomputed& recomputed) {
        const auto file = folder_.path() / "submission.csv";
        std::error_code unknown;
        if (!recomputed.sound || !fs::exists(file, unknown)) return;
        const auto arrays = store::Hdf5File::open(folder_.arrays_file());
        const auto shape = store::read_forecast_shape(folder_.arrays_file(), "test");
        const auto ids = arrays.read_strings("/forecast/test/series");
        const auto values =
            arrays.read<double>("/forecast/test/prediction", {std::ssize(ids), shape.horizon, 1});
        compare_text(file, store::submission_csv(ids, shape.horizon, values), result_);
    }

    void add(const fs::path& file, std::string cell, double found, double expected) {
        result_.findings.push_back(
            {file, std::move(cell), store::shortest(found), store::shortest(expected)});
    }

    /// run.h5 against itself and arrays.h5.
    void verify_record() {
        verify_usage();
        if (record_->val) verify_split(*record_->val, "val", false);
        if (!record_->test) return;
        verify_split(*record_->test, "test", status_.has_value());
        if (std::isfinite(record_->test->key_cosine))
            skip("key_cosine needs the weights: compared between run.h5, run.json and the tables only");
        if (std::isfinite(record_->test->shuffled_mse))
            skip(
                "errors with damaged look-backs need the weights: compared between run.h5, run.json and the "
                "tables only");
    }

    void verify_usage() {
        const auto& stored = record_->anchors.usage_test;
        if (stored.empty() || !record_->test) return;
        result_.numbers += std::ssize(stored);
        const bool own =
            agree(analysis::usage_entropy(stored), record_->test->usage_entropy, entropy_tolerance);
        const auto test = recomputed_.find("test");
        if (test == recomputed_.end() || test->second.usage.empty()) {
            if (!own)
                add(folder_.run_file(), "/metrics/test/usage_entropy", record_->test->usage_entropy,
                    analysis::usage_entropy(stored));
            return;
        }
        const auto& usage = test->second.usage;
        const auto [a, b] = std::mismatch(stored.begin(), stored.end(), usage.begin(), usage.end());
        if (a == stored.end()) return;
        const auto place = "[" + std::to_string(a - stored.begin()) + "]";
        // The entropy says which of the two has changed.
        if (own)
            add(folder_.arrays_file(), Phrase("/forecast/test/selected, retrievals of anchor %1", place),
                static_cast<double>(*b), static_cast<double>(*a));
        else
            add(folder_.run_file(), "/anchors/usage_test" + place, static_cast<double>(*a),
                static_cast<double>(*b));
    }

    /// Also corrects a metric of run.h5 that both arrays.h5 and run.json contradict.
    void verify_split(SplitMetrics& stored, const std::string& split, bool with_status) {
        const auto group = "/metrics/" + split + "/";
        const auto found = recomputed_.find(split);
        const auto* made = found == recomputed_.end() || !found->second.sound ? nullptr : &found->second;
        if (made != nullptr)
            for (const auto& metric : store::split_metrics) {
                const double value = made->metrics.*metric.value;
                const bool always = metric.value == &SplitMetrics::mse || metric.value == &SplitMetrics::mae;
                double& number = stored.*metric.value;
                if (!always && std::isnan(number)) continue;  // earlier versions stored fewer metrics
                if (!always && std::isnan(value)) {
                    if (has_data_ && !metric.needs_weights)
                        skip(Phrase("%1 is not recomputed from the forecasts", group + metric.name));
                    continue;
                }
                const double tolerance =
                    metric.value == &SplitMetrics::usage_entropy ? entropy_tolerance : made->tolerance;
                ++result_.numbers;
                if (agree(value, number, tolerance)) continue;
                const auto of_test = column_of_test(metric.value);
                const bool witness =
                    with_status && of_test != nullptr && agree(status_->row.*of_test, value, tolerance);
                if (witness) {
                    add(folder_.run_file(), group + metric.name, number, status_->row.*of_test);
                    number = status_->row.*of_test;
                } else {
                    add(folder_.arrays_file(), "/forecast/" + split + ", " + metric.name, value, number);
                }
            }
        for (const auto& profile : store::split_profiles) verify_profile(stored, made, group, profile);
    }

    void verify_profile(const SplitMetrics& stored, const Recomputed* made, const std::string& group,
                        const store::SplitProfile& profile) {
        const auto& values = stored.*profile.values;
        if (values.empty()) return;
        result_.numbers += std::ssize(values);
        const double mean =
            std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        const auto slack = static_cast<double>(values.size() + 64) * 0x1p-53;
        if (made == nullptr || (made->metrics.*profile.values).size() != values.size()) {
            if (!agree(mean, stored.*profile.mean, slack + 1e-12))
                add(folder_.run_file(), Phrase("%1, mean", group + profile.name), mean, stored.*profile.mean);
            return;
        }
        const auto& expected = made->metrics.*profile.values;
        // Where the mean over all differs, that is the finding.
        if (!agree(made->metrics.*profile.mean, stored.*profile.mean, made->tolerance)) return;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!agree(values[i], expected[i], made->tolerance)) {
                add(folder_.run_file(), group + profile.name + "[" + std::to_string(i) + "]", values[i],
                    expected[i]);
                return;
            }
    }

    void verify_digests() {
        std::error_code unknown;
        if (!record_->attributes.best_sha256.empty())
            verify_digest(folder_.best(), record_->attributes.best_sha256);
        else if (fs::exists(folder_.best(), unknown))
            skip("best.safetensors: run.h5 has no digest of it (earlier version)");
        if (!record_->attributes.audit_sha256.empty())
            verify_digest(folder_.audit(), record_->attributes.audit_sha256);
    }

    void verify_digest(const fs::path& file, const std::string& digest) {
        std::error_code unknown;
        if (!fs::exists(file, unknown)) {
            skip(Phrase("%1 is not here", file.filename().string()));
            return;
        }
        const auto found = read_or_report(file, result_, [&] { return sha256_of_file(file, {}, stop_); });
        ++result_.numbers;
        if (!found.empty() && found != digest)
            result_.findings.push_back({file, {}, "SHA-256 " + found, digest});
    }

    /// run.json against the row of run.h5, whose swept settings are corrected.
    void verify_status(ResultRow& expected) {
        const auto file = folder_.run_json();
        for (const auto& column : store::result_columns) {
            const std::string_view name = column.name;
            if (name == "run" || name == store::case_key) continue;  // copied elsewhere; see verify_swept()
            if (column.has(store::ResultColumn::only_run_json)) continue;
            if (column.has(store::ResultColumn::where_known) && !store::is_known(status_->row, column)) {
                store::forget(expected, column);  // a version without it wrote run.json
                continue;
            }
            ++result_.numbers;
            const auto found = store::exact_text(status_->row, column),
                       wanted = store::exact_text(expected, column);
            if (found != wanted)
                result_.findings.push_back({file, std::string("row, ") + column.name, found, wanted});
        }
        verify_swept(file, expected);
    }

    void verify_swept(const fs::path& file, ResultRow& row) {
        for (auto& [key, value] : row.swept) {
            ++result_.numbers;
            if (key == store::case_key) {
                if (value == row.case_label) continue;
                result_.findings.push_back({file, "row, case", row.case_label, value});
                row.case_label = value;
                continue;
            }
            const auto* option = config::find_option(key);
            if (option == nullptr || !config_) continue;
            const auto expected = config::plain_text(option->get(*config_));
            if (option->limits.is_path) {  // as it was given, and resolved
                const auto name = fs::path(expected).filename().string();
                if (fs::path(value).filename().string() != name)
                    result_.findings.push_back({file, Phrase("swept, %1", key), value, name});
            } else if (value != expected) {
                result_.findings.push_back({file, Phrase("swept, %1", key), value, expected});
                value = expected;
            }
        }
    }

    /// Without run.h5.
    void verify_status_by_forecasts() {
        const auto test = recomputed_.find("test");
        if (test == recomputed_.end() || !test->second.sound) return;
        for (const auto& metric : store::split_metrics) {
            const double value = test->second.metrics.*metric.value;
            const auto of_test = column_of_test(metric.value);
            if (of_test == nullptr || std::isnan(value)) continue;
            ++result_.numbers;
            if (!agree(value, status_->row.*of_test, std::max(test->second.tolerance, entropy_tolerance)))
                add(folder_.run_json(), Phrase("row, test %1", metric.name), status_->row.*of_test, value);
        }
    }

    store::RunFolder folder_;
    DataOfRuns& data_;
    bool has_data_ = false;  ///< the run's data file was found
    Verification& result_;
    std::stop_token stop_;
    std::optional<store::RunStatus> status_;
    std::optional<store::RunRecord> record_;
    bool damaged_record_ = false;
    std::optional<config::Config> config_;
    std::map<std::string, Recomputed> recomputed_;  ///< by split
};

}  // namespace

VerifiedRun verify_run(const fs::path& folder, DataOfRuns& data, Verification& result,
                       const std::stop_token& stop) {
    return RunVerification(folder, data, result, stop).run();
}

}  // namespace casp::evidence
