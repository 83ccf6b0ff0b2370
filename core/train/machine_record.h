#pragma once
// Measurements of this machine, kept between starts: rates of its devices, and how much finished runs took
// compared with their estimates.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace casp::train {

/// What a finished run took, beside its estimate without correction.
struct RunCost {
    double estimated_seconds = 0, seconds = 0;
    double estimated_bytes = 0, bytes = 0;  ///< peak memory of the process, or of a GPU's allocator
};

/// Factors for estimates: how much more runs of a model took on a device than estimated.
struct Correction {
    double time = 1, memory = 1;
    std::int64_t runs = 0;  ///< finished runs that it rests on; 0: only a usual factor
};

/// Several samples per measurement, so that a busy machine does not make its estimates: the best of the
/// latest rates, the median of the latest finished runs. Any thread.
class MachineRecord {
public:
    // The best of many rates hardly changes, so that runs of weeks ago have comparable estimates.
    static constexpr std::size_t max_rates = 20, max_runs = 5;
    static constexpr double min_seconds = 1;  ///< of a run that says something about longer ones
    // Bounds of a correction: a suspended laptop is no measurement. Small models are all overhead.
    static constexpr double min_factor = 0.25, max_time_factor = 50, max_memory_factor = 4;

    /// Keeps the record in this file, too, together with other processes. A file that cannot be read or
    /// written is ignored: what it has can be measured again.
    void keep_in(const std::filesystem::path& file);
    /// The best of the latest rates of `what`, of which one is measured in each process.
    [[nodiscard]] double best_rate(const std::string& what, const std::function<double()>& measure);
    /// Ignores runs below min_seconds, and runs without an estimate.
    void add(const std::string& runs, const RunCost& cost);
    /// `usual`: the result while no run of this kind is known.
    [[nodiscard]] Correction correction(const std::string& runs, const Correction& usual);

private:
    struct Samples {
        std::map<std::string, std::vector<double>> rates;
        std::map<std::string, std::vector<RunCost>> runs;
    };
    void read();
    void write() const noexcept;

    std::mutex mutex_;
    std::filesystem::path file_;
    Samples samples_;
    std::map<std::string, double> measured_;  ///< by this process
};

/// Of the process. Without a file until keep_in().
[[nodiscard]] MachineRecord& machine_record();

}  // namespace casp::train
