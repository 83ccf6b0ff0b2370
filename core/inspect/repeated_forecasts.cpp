#include "inspect/repeated_forecasts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include <torch/torch.h>

#include "analysis/scores.h"
#include "config/experiment.h"
#include "data/describe.h"
#include "evidence/verify_text.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "train/checkpoint_model.h"
#include "train/evaluation.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"
#include "util/is_there.h"
#include "util/out_of_memory.h"

namespace casp::inspect {

namespace {

namespace fs = std::filesystem;

/// Windows and runs of a note.
struct Repeated {
    std::int64_t windows = 0, of = 0, runs = 0;

    [[nodiscard]] Phrase text(const std::string& how) const {
        return runs == 1 ? Phrase("Repeated with the weights: %1 of %2 forecasts of %3 run, %4.",
                                  data::with_commas(windows), data::with_commas(of), runs, how)
                         : Phrase("Repeated with the weights: %1 of %2 forecasts of %3 runs, %4.",
                                  data::with_commas(windows), data::with_commas(of), runs, how);
    }
};

/// Where the run was computed, or the processor if that is not here.
at::Device device_of(const store::RunRecord& record) {
    try {
        return resolve_device(record.attributes.device);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return at::kCPU;
    }
}

/// Whether a repetition must give the run's bits.
bool same_machine(const store::RunAttributes& run, const store::RunAttributes& here) {
    const auto facts = [](const store::RunAttributes& a) {
        return std::tie(a.version, a.libtorch, a.hardware, a.device, a.threads, a.precision);
    };
    return facts(run) == facts(here);
}

/// One split of a run: its repeated batches against arrays.h5.
class SplitComparison {
public:
    SplitComparison(const fs::path& run, const std::string& split, bool exact, double tolerance)
        : file_(store::RunFolder(run).arrays_file()),
          group_("/forecast/" + split),
          arrays_(store::Hdf5File::open(file_)),
          shape_(store::read_forecast_shape(file_, split)),
          exact_(exact),
          tolerance_(tolerance) {}

    [[nodiscard]] const store::ForecastArrays& shape() const { return shape_; }

    void add(const train::EvaluatedBatch& batch) {
        const auto count = batch.prediction.size(0);
        const auto values = batch.prediction.to(at::kDouble).contiguous();
        const auto* repeated = values.data_ptr<double>();
        const auto stored = arrays_.read_rows<double>(
            group_ + "/prediction", {shape_.windows, shape_.horizon, shape_.channels}, batch.first, count);
        const auto other_anchors = rows_of_other_anchors(batch, count);
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const auto position = static_cast<std::int64_t>(i);
            const auto channel = position % shape_.channels;
            const auto window = position / (shape_.horizon * shape_.channels);
            if (other_anchors.count(window * shape_.channels + channel) != 0) continue;
            if (equal(stored[i], repeated[i])) continue;
            const auto step = position / shape_.channels % shape_.horizon;
            differences_.add("[" + std::to_string(batch.first + window) + ", " + std::to_string(step) + ", " +
                                 std::to_string(channel) + "]",
                             stored[i], repeated[i]);
        }
        windows_ += count;
        other_anchors_ += std::ssize(other_anchors);
    }

    /// Adds the findings; returns the number of compared windows.
    std::int64_t report(const fs::path& run, evidence::Verification& result) {
        bool sound = true;
        differences_.report(file_, result, sound);
        result.numbers += (windows_ * shape_.channels - other_anchors_) * shape_.horizon;
        if (other_anchors_ > 0)
            result
                .unchecked[Phrase(
                    "repeated forecasts of %1 windows and channels: rounding selected other anchors here",
                    other_anchors_)]
                .push_back(run);
        return windows_;
    }

private:
    /// Rows (window of the batch · M + channel) whose anchors differ from the stored ones by rounding.
    std::set<std::int64_t> rows_of_other_anchors(const train::EvaluatedBatch& batch, std::int64_t count) {
        std::set<std::int64_t> rows;
        if (exact_ || shape_.top_k == 0 || !batch.retrieved.defined()) return rows;
        if (batch.retrieved.size(2) != shape_.top_k)
            throw input_error(file_.string(),
                              Phrase("%1/selected has %2 anchors per row", group_, shape_.top_k),
                              Phrase("%1, as the model retrieves", batch.retrieved.size(2)));
        const auto stored = arrays_.read_rows<std::int32_t>(
            group_ + "/selected", {shape_.windows, shape_.channels, shape_.top_k}, batch.first, count);
        const auto* repeated = batch.retrieved.data_ptr<std::int32_t>();
        for (std::size_t i = 0; i < stored.size(); ++i)
            if (stored[i] != repeated[i]) rows.insert(static_cast<std::int64_t>(i) / shape_.top_k);
        return rows;
    }

    [[nodiscard]] bool equal(double stored, double repeated) const {
        if (std::isnan(stored) || std::isnan(repeated)) return std::isnan(stored) && std::isnan(repeated);
        if (exact_) return std::bit_cast<std::uint64_t>(stored) == std::bit_cast<std::uint64_t>(repeated);
        return std::abs(stored - repeated) <= tolerance_ * std::max(1.0, std::abs(stored));
    }

    fs::path file_;
    std::string group_;
    store::Hdf5File arrays_;
    store::ForecastArrays shape_;
    bool exact_;
    double tolerance_;
    evidence::Differences differences_{group_ + "/prediction"};
    std::int64_t windows_ = 0, other_anchors_ = 0;
};

class Repetition {
public:
    Repetition(double percent, evidence::Verification& result, train::TrainObserver& observer,
               const train::StopControl& stop)
        : percent_(percent), result_(result), observer_(observer), stop_(stop) {}

    void add(const store::ScannedRun& run) {
        if (!store::is_complete(run.status.row.state) || run.live) return;
        const store::RunFolder folder(run.folder);
        const auto skip = [&](const Phrase& why) {
            result_.unchecked[Phrase("forecasts against the weights: %1", why)].push_back(run.folder);
        };
        if (!is_there(folder.arrays_file())) return skip("no forecasts are stored (run.store_forecasts)");
        if (!is_there(folder.best())) return skip("best.safetensors is not here");
        if (is_found_bad(folder.best())) return skip("best.safetensors is not that of the run");
        if (is_found_bad(folder.arrays_file())) return;
        if (fs::exists(folder.path() / "python.json"))
            return skip("the model is a Python file, which is executed by explicit commands only");
        try {
            repeat(folder, skip);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            skip(phrase_of(problem));
        }
    }

    void finish() {
        if (exact_.runs > 0) result_.notes.push_back(exact_.text("to the bit"));
        const Phrase why =
            "since a GPU is used, or processor, LibTorch, threads or program version differ from the run's";
        if (close_.runs > 0)
            result_.notes.push_back(close_.text(Phrase("within 0.0001 · max(1, |forecast|), %1", why)));
        if (close_tf32_.runs > 0)
            result_.notes.push_back(
                close_tf32_.text(Phrase("in tf32 within 0.02 · max(1, |forecast|), %1", why)));
        if (close_bf16_.runs > 0)
            result_.notes.push_back(
                close_bf16_.text(Phrase("in bf16 within 0.1 · max(1, |forecast|), %1", why)));
    }

private:
    /// Whether there is a finding about the whole file.
    [[nodiscard]] bool is_found_bad(const fs::path& file) const {
        return std::any_of(result_.findings.begin(), result_.findings.end(),
                           [&](const auto& finding) { return finding.file == file && finding.cell.empty(); });
    }

    template <class Skip>
    void repeat(const store::RunFolder& folder, const Skip& skip) {
        const auto record = store::read_run_file(folder.run_file());
        auto config = config::load_text(record.attributes.config, folder.run_file().string(), {}).base;
        const auto device = device_of(record);
        if (hardware_name(device) == record.attributes.hardware)
            config.run.threads = record.attributes.threads;  // also of a run with run.threads = 0
        train::use_threads(config);
        const auto data = train::open_data(config, device, observer_, stop_);
        if (data.prepared->table.sha256 != record.attributes.dataset_sha256)
            return skip("the data file has another content");
        auto model =
            train::open_weights(folder.best(), config, train::shape_of(data), device, observer_, stop_);
        // A GPU's kernels may add in any order.
        const bool exact = device.is_cpu() &&
                           same_machine(record.attributes, train::describe_run(config, data, model, device));
        const bool bf16 = config.run.precision == "bf16", tf32 = config.run.precision == "tf32";
        auto& repeated = exact ? exact_ : bf16 ? close_bf16_ : tf32 ? close_tf32_ : close_;
        bool compared = false;
        for (const auto& split : store::forecast_splits(folder.arrays_file())) {
            SplitComparison comparison(folder.path(), split, exact,
                                       bf16   ? repeated_tolerance_bf16
                                       : tf32 ? repeated_tolerance_tf32
                                              : repeated_tolerance);
            const auto& windows = data.of(split);
            const auto& shape = comparison.shape();
            if (windows.windows() != shape.windows || windows.horizon() != shape.horizon ||
                windows.target_channels() != shape.channels) {
                skip(Phrase("the data set has other %1 windows", split));
                continue;
            }
            train::EvaluationOptions options;
            options.rows_per_batch = train::evaluation_rows(config, windows.channels());
            const auto per_batch = train::windows_per_batch(options, windows.channels());
            const auto batches = (shape.windows + per_batch - 1) / per_batch;
            const auto share = std::ceil(percent_ / 100 * static_cast<double>(batches));
            options.batches = analysis::evenly_spaced(batches, static_cast<std::int64_t>(share));
            options.sink = [&](const train::EvaluatedBatch& batch) { comparison.add(batch); };
            options.progress = [&](const Progress& p) {
                observer_.on_progress({{Stage::repeating, split}, p.done, p.total, p.unit});
            };
            (void)train::evaluate(*model.model, windows, options, stop_);
            repeated.windows += comparison.report(folder.path(), result_);
            repeated.of += shape.windows;
            compared = true;
        }
        repeated.runs += compared ? 1 : 0;
    }

    double percent_;
    evidence::Verification& result_;
    train::TrainObserver& observer_;
    const train::StopControl& stop_;
    Repeated exact_, close_, close_tf32_, close_bf16_;
};

}  // namespace

void verify_repeated(const fs::path& folder, double percent, evidence::Verification& result,
                     train::TrainObserver& observer, const train::StopControl& stop) {
    explaining_memory(
        "the repetition of forecasts",
        [&] {
            Repetition repetition(percent, result, observer, stop);
            for (const auto& run : store::find_runs(folder)) {
                if (stop.must_stop()) throw Cancelled();
                repetition.add(run);
            }
            repetition.finish();
        },
        [] { return std::string("Close other programs, or omit --repeat."); });
}

}  // namespace casp::inspect
