#pragma once
// A run in progress: run.cpp trains and evaluates, run_start.cpp continues, forks or begins.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "config/config.h"
#include "model/descriptor.h"
#include "run/fork.h"
#include "run/log_file.h"
#include "run/run.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "train/checkpoint.h"
#include "train/device_queue.h"
#include "train/optimizer.h"
#include "train/process_group.h"
#include "train/session.h"
#include "train/trainer.h"

namespace casp::run {

/// A run in progress: owns all components and writes all files.
class ActiveRun {
public:
    using Clock = std::chrono::steady_clock;

    ActiveRun(const RunRequest& request, train::RunLog& log, train::StopControl& stop)
        : request_(request), config_(request.config), folder_(request.folder), log_(log), stop_(stop) {}

    store::ResultRow go();
    /// In a process that is not the first one.
    void follow(train::ProcessGroup& group);

private:
    bool take_folder();
    void settle_precision();
    [[nodiscard]] std::optional<std::filesystem::path> find_checkpoint();
    void open();
    void open_data();
    void use_gpu_with_room(std::int64_t bytes);
    void check_same_files() const;
    void start();
    void start_from_beginning();
    void train_and_evaluate();
    void continue_from_checkpoint(const std::filesystem::path& generation);
    void fork_from(const std::filesystem::path& parent);
    void check_same_model(const store::RunFolder& from, const std::string& parent_config) const;
    void fork_from_checkpoint(const store::RunFolder& from, const std::filesystem::path& generation);
    void fork_from_weights(const store::RunFolder& from, const ForkPlace& place,
                           std::optional<store::RunRecord> history);
    void take_history(store::RunRecord former, std::int64_t step, std::int64_t epoch, std::int64_t snapshot);
    [[nodiscard]] bool other_batches(const train::StoredCheckpoint& stored) const;
    [[nodiscard]] std::string smaller_batch_advice() const;
    void announce();
    [[nodiscard]] const store::RunRecord& record() const { return log_.record(); }
    [[nodiscard]] std::int64_t processes() const { return group_ != nullptr ? group_->size() : 1; }
    /// Windows of a batch that this process computes, at most.
    [[nodiscard]] std::int64_t windows_here() const {
        return (std::min(config_.train.batch_size, data_.train->size()) + processes() - 1) / processes();
    }
    void write_status(store::RunState state, const std::string& message = {});
    void note_failure(const std::string& message);
    void check_ours() const;
    void write_record();
    void write_record_if_due();
    void write_checkpoint_now();
    [[nodiscard]] std::string last_good_checkpoint() const;
    void save_best(const train::Evaluation& validation);
    void finish(train::TrainingEnd end);
    [[nodiscard]] store::ResultRow row(store::RunState state) const;

    const RunRequest& request_;
    config::Config config_;  ///< of the request, run.precision settled
    store::RunFolder folder_;
    train::RunLog& log_;
    train::StopControl& stop_;

    std::optional<LogFile> log_file_;
    std::optional<store::RunLock> lock_;
    std::optional<std::filesystem::path> checkpoint_;  ///< to resume from
    bool forked_ = false;
    std::unique_ptr<train::ProcessGroup> own_group_;  ///< of the first process
    train::ProcessGroup* group_ = nullptr;            ///< processes that train together; null: one
    at::Device device_{at::kCPU};
    train::SessionData data_;
    train::SessionModel model_;
    std::optional<train::AdamW> optimizer_;
    train::TrainState state_;
    train::CheckpointIdentity identity_;
    model::Estimate estimate_;
    std::optional<train::Evaluation> best_validation_;  ///< if the best epoch was in this process
    std::tuple<std::int64_t, std::int64_t, std::int64_t, bool> last_checkpoint_{-1, 0, 0, false};
    Clock::time_point begun_ = Clock::now(), last_record_{};
    bool touched_ = false;  ///< files of this start exist: failures are recorded in run.json
    std::optional<train::DeviceQueue> queue_;  ///< the last member: destroyed before the tensors
};

}  // namespace casp::run
