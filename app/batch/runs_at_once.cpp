#include "batch/runs_at_once.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "util/units.h"

namespace casp::batch {

namespace {

constexpr double least_gain = 1.1;         ///< in steps of all runs, of an addition that pays
constexpr double least_seconds = 2;        ///< of measuring a number of runs
constexpr std::int64_t least_rounds = 3;   ///< in that time, of reports of all runs
constexpr std::int64_t first_reports = 2;  ///< of a run, not measured: kernels are compiled, graphs recorded
constexpr double most_intervals = 2;       ///< between two reports of a run that makes steps
constexpr double spare_memory = 1.25;

std::string ordinal(std::int64_t number) {
    constexpr std::array<const char*, 15> words{
        "second", "third",    "fourth",  "fifth",      "sixth",      "seventh",   "eighth",   "ninth",
        "tenth",  "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"};
    return words.at(static_cast<std::size_t>(number - 2));
}

std::string times(double gain) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f times", gain);
    return text;
}

}  // namespace

void RunsAtOnce::look(double now) {
    const bool all = newest_is_known_ && std::cmp_equal(running_.size(), wanted_) &&
                     std::all_of(running_.begin(), running_.end(), [&](const auto& one) {
                         const auto& run = one.second;
                         return run.reports > 0 && now - run.last <= most_intervals * run.interval;
                     });
    if (all == since_.has_value()) return;
    if (all) {
        since_ = now;
    } else {
        measured_ += now - *since_;
        since_.reset();
        reports_.clear();
    }
}

void RunsAtOnce::begun(Run run, const std::string& kind, const std::string& device, double now) {
    running_[run] = {kind, device};
    if (newest_ == none && std::cmp_equal(running_.size(), wanted_)) newest_ = run;
    look(now);
}

void RunsAtOnce::epoch_ended(Run run, double now) {
    newest_is_known_ = newest_is_known_ || run == newest_;
    look(now);
}

void RunsAtOnce::ended(Run run, double now) {
    if (running_.count(run) == 0) return;
    epoch_ended(run, now);
    running_.erase(run);
    look(now);
}

std::string RunsAtOnce::stepped(Run run, std::int64_t steps, double seconds, double now) {
    const auto found = running_.find(run);
    if (final_ || found == running_.end()) return {};
    ++found->second.reports;
    found->second.last = now;
    found->second.interval = seconds;
    look(now);
    // Steps that began beside fewer runs say nothing.
    if (found->second.reports <= first_reports || !since_ || now - seconds < *since_) return {};
    reports_.push_back({run, static_cast<double>(steps), seconds, now});
    count_reports();
    const bool enough = rounds_ >= least_rounds && std::cmp_greater_equal(rates_.size(), wanted_) &&
                        measured_ + now - *since_ >= least_seconds;
    return enough ? decide() : std::string();
}

void RunsAtOnce::count_reports() {
    const bool all = std::all_of(running_.begin(), running_.end(),
                                 [&](const auto& one) { return one.second.last >= reports_.front().now; });
    if (!all) return;
    for (const auto& report : reports_) {
        auto& rate = rates_[report.run];
        rate.kind = running_.at(report.run).kind;
        rate.steps += report.steps;
        rate.seconds += report.seconds;
    }
    reports_.clear();
    ++rounds_;
}

/// Of this run, else of runs of its kind, which it may have replaced.
std::optional<double> RunsAtOnce::former_rate(Run run, const std::string& kind) const {
    if (const auto own = former_.find(run); own != former_.end()) return own->second.per_second();
    Rate all;
    for (const auto& [other, rate] : former_) {
        if (rate.kind != kind) continue;
        all.steps += rate.steps;
        all.seconds += rate.seconds;
    }
    if (all.steps == 0) return std::nullopt;
    return all.per_second();
}

/// How many times as many steps all runs make as with one run less; nothing: no run can be compared.
std::optional<double> RunsAtOnce::gain() const {
    double sum = 0;
    int compared = 0;
    for (const auto& [run, rate] : rates_) {
        const auto former = former_rate(run, rate.kind);
        if (!former) continue;
        sum += rate.per_second() / *former;
        ++compared;
    }
    if (compared == 0) return std::nullopt;
    return sum / compared * static_cast<double>(wanted_) / static_cast<double>(wanted_ - 1);
}

std::string RunsAtOnce::decide() {
    if (wanted_ == 1) return add_one();
    const auto measured = gain();
    if (!measured) return {};
    if (*measured < least_gain) {
        final_ = true;
        --wanted_;
        return "a " + ordinal(wanted_ + 1) + " run does not pay (" + times(*measured) +
               "): " + std::to_string(wanted_) + " at a time from now on";
    }
    const auto paid = std::to_string(wanted_) + " runs share the GPU: " + times(*measured) + " as fast as " +
                      std::to_string(wanted_ - 1);
    const auto next = add_one();
    return next.empty() ? paid : paid + "; " + next;
}

std::string RunsAtOnce::ran_out_of_memory() {
    final_ = true;
    if (wanted_ == 1) return {};
    --wanted_;
    return "memory ran out: " + std::to_string(wanted_) + " at a time from now on";
}

std::string RunsAtOnce::add_one() {
    if (wanted_ == most_) {
        final_ = true;
        return {};
    }
    const auto& device = running_.rbegin()->second.device;
    const auto beside = std::count_if(running_.begin(), running_.end(),
                                      [&](const auto& running) { return running.second.device == device; });
    const auto room = room_(device);
    if (room.free == 0 && room.used == 0) {
        final_ = true;
        return "no " + ordinal(wanted_ + 1) + " run: the GPU's free memory is unknown";
    }
    const auto one = room.used / beside;
    const auto memory = bytes_text(room.free) + " free, one takes " + bytes_text(one);
    if (static_cast<double>(room.free) < spare_memory * static_cast<double>(one)) {
        final_ = true;
        return "no memory for a " + ordinal(wanted_ + 1) + " run: " + memory;
    }
    ++wanted_;
    former_ = std::exchange(rates_, {});
    reports_.clear();
    rounds_ = 0;
    newest_ = none;
    newest_is_known_ = false;
    since_.reset();
    measured_ = 0;
    return "a " + ordinal(wanted_) + " run may begin: " + memory;
}

}  // namespace casp::batch
