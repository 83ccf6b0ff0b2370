#include "train/machine_record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "store/atomic_file.h"
#include "util/json_text.h"

namespace casp::train {

namespace {

constexpr std::size_t max_file_bytes = 4u << 20;

bool is_amount(double value) { return std::isfinite(value) && value > 0; }

template <class Sample>
void append_latest(std::vector<Sample>& samples, Sample sample, std::size_t most) {
    samples.push_back(std::move(sample));
    if (samples.size() > most) samples.erase(samples.begin());
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

void MachineRecord::keep_in(const std::filesystem::path& file) {
    const std::lock_guard lock(mutex_);
    file_ = file;
}

void MachineRecord::read() {
    if (file_.empty()) return;
    try {
        const auto json = parse_json(store::read_small_file(file_, max_file_bytes));
        Samples read;
        for (const auto& [what, values] : json.at("rates").items())
            for (const double rate : values)
                if (is_amount(rate)) append_latest(read.rates[what], rate, max_rates);
        for (const auto& [what, values] : json.at("runs").items())
            for (const auto& v : values) {
                const RunCost cost{v.at(0), v.at(1), v.at(2), v.at(3)};
                if (is_amount(cost.estimated_seconds) && is_amount(cost.seconds) &&
                    is_amount(cost.estimated_bytes) && is_amount(cost.bytes))
                    append_latest(read.runs[what], cost, max_runs);
            }
        samples_ = std::move(read);
    } catch (const std::exception&) {
        // Not there yet, or of unknown origin: goes on with what this process has measured.
    }
}

void MachineRecord::write() const noexcept {
    if (file_.empty()) return;
    try {
        nlohmann::json runs = nlohmann::json::object();
        for (const auto& [what, costs] : samples_.runs)
            for (const auto& c : costs)
                runs[what].push_back({c.estimated_seconds, c.seconds, c.estimated_bytes, c.bytes});
        std::filesystem::create_directories(file_.parent_path());
        store::write_file_atomically(
            file_, nlohmann::json{{"rates", samples_.rates}, {"runs", runs}}.dump(1) + "\n", false);
    } catch (const std::exception&) {
        // A cache: the next start measures again.
    }
}

double MachineRecord::best_rate(const std::string& what, const std::function<double()>& measure) {
    const std::lock_guard lock(mutex_);
    if (const auto known = measured_.find(what); known != measured_.end()) return known->second;
    const double rate = measure();
    read();
    auto& rates = samples_.rates[what];
    append_latest(rates, rate, max_rates);
    const double best = *std::max_element(rates.begin(), rates.end());
    write();
    return measured_[what] = best;
}

void MachineRecord::add(const std::string& runs, const RunCost& cost) {
    if (!(cost.seconds >= min_seconds) || !is_amount(cost.estimated_seconds) ||
        !is_amount(cost.estimated_bytes) || !is_amount(cost.bytes))
        return;
    const std::lock_guard lock(mutex_);
    read();
    append_latest(samples_.runs[runs], cost, max_runs);
    write();
}

Correction MachineRecord::correction(const std::string& runs, const Correction& usual) {
    const std::lock_guard lock(mutex_);
    read();
    const auto known = samples_.runs.find(runs);
    if (known == samples_.runs.end()) return usual;
    std::vector<double> times, memories;
    for (const auto& cost : known->second) {
        times.push_back(cost.seconds / cost.estimated_seconds);
        memories.push_back(cost.bytes / cost.estimated_bytes);
    }
    return {std::clamp(median(times), min_factor, max_time_factor),
            std::clamp(median(memories), min_factor, max_memory_factor),
            static_cast<std::int64_t>(known->second.size())};
}

MachineRecord& machine_record() {
    static MachineRecord record;
    return record;
}

}  // namespace casp::train
