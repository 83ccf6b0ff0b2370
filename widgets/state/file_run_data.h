#pragma once
// A run's numbers from its files or, while this process trains it, from its log.

#include <array>
#include <optional>

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include "inspect/stored_probes.h"
#include "state/embedding_work.h"
#include "state/job.h"
#include "state/remote_folder.h"
#include "state/run_arrays.h"
#include "state/run_data.h"
#include "train/run_log.h"

namespace casp::widgets {

/// run.h5 is read when a view asks, again when a run of this process has ended, and whenever another process
/// that trains the run has replaced it. The anchor usage of the log's latest probe stands after the last
/// snapshot until the next one arrives or the run ends. GUI thread; changed() comes at most 20 times a second
/// for each part.
/// More than 25 methods: most implement RunData; arrays and embeddings are separate classes.
class FileRunData : public RunData {
    Q_OBJECT
public:
    /// The library, which shares `summary`, keeps it up to date. `remote`: where the files are copied from;
    /// null: they are this machine's.
    FileRunData(std::shared_ptr<const RunSummary> summary, const std::shared_ptr<WorkPool>& pool,
                std::shared_ptr<SliceCache> cache, RemoteFolder* remote = nullptr);
    ~FileRunData() override;

    [[nodiscard]] const RunSummary& summary() const override { return *summary_; }
    [[nodiscard]] const store::RunRecord& record() const override { return record_; }
    [[nodiscard]] const std::vector<std::shared_ptr<const train::Probe>>& probes() const override {
        since_request_.start();
        return all_probes_;
    }
    void read_probes() override;
    [[nodiscard]] bool is_reading_probes() const override {
        return probes_wanted_ && probes_state_ != ProbesState::read;
    }
    [[nodiscard]] const RunPace& pace() const override { return pace_; }
    [[nodiscard]] bool is_loaded() const override { return loaded_; }
    [[nodiscard]] QString problem() const override {
        return !problem_.isEmpty()            ? problem_
               : !arrays_.problem().isEmpty() ? arrays_.problem()
                                              : probes_problem_;
    }
    void load() override;
    [[nodiscard]] std::shared_ptr<const store::ForecastArrays> forecasts(const QString& split,
                                                                         std::int64_t first,
                                                                         std::int64_t count) override;
    [[nodiscard]] std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override;
    [[nodiscard]] std::shared_ptr<const std::vector<float>> lookbacks(const QString& split,
                                                                      std::int64_t first,
                                                                      std::int64_t count) override;
    [[nodiscard]] QString problem_with_data() const override { return arrays_.problem_with_data(); }
    [[nodiscard]] std::shared_ptr<const store::SeriesScores> series_scores() override {
        return provide("arrays.h5") ? arrays_.series_scores() : nullptr;
    }
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> embeddings() override { return embeddings_.set(); }
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> embeddings_of(const EmbeddingMoment& moment) override {
        return embeddings_.set_of(moment);
    }
    [[nodiscard]] EmbeddingStatus embedding_status() const override { return embeddings_.status(); }
    void read_embeddings(const EmbeddingMoment& moment) override;
    void compute_embeddings(const inspect::EmbeddingRequest& request) override;
    void cancel_embeddings() override { embeddings_.cancel(); }
    void look_for_embeddings_again() override { embeddings_.look_again(); }
    void store_embeddings(const EmbeddingMoment& moment) override { embeddings_.store(moment); }
    void store_embedding_layout(const EmbeddingMoment& moment, const QString& name,
                                const store::EmbeddingLayout& layout) override {
        embeddings_.store_layout(moment, name, layout);
    }

    // Of a run that this process trains, through the library.
    /// Its log has grown to `now`.
    void follow(const std::shared_ptr<const train::RunLog>& log, const train::RunLog::Now& now);
    /// "paused", "stopping", or empty while it is running.
    void live_halted(Halt how);
    void live_ended();

    /// The numbers were requested: the files are followed.
    [[nodiscard]] bool is_wanted() const { return wanted_; }
    /// The files have changed or may have: reads them again where they had been read.
    void files_changed();
    /// The same if the numbers were requested while the file was not there.
    void file_arrived() {
        waiting_ = false;
        files_changed();
    }
    /// Computes what waited for the weights.
    void weights_arrived();
    /// Modification time of run.h5 when it was read last; 0: it was not there.
    [[nodiscard]] std::int64_t file_time() const { return file_time_; }
    [[nodiscard]] static std::int64_t file_time_of(const std::string& run_folder);
    /// Drops most probes of a run that has ended and that no view has asked about for minutes.
    void save_memory();
    /// The summary has changed.
    void summary_changed();

Q_SIGNALS:
    /// run.h5 names the run that this one is a fork of.
    void parent_found(const QString& run_folder);

private:
    struct Loaded;
    [[nodiscard]] static Loaded read(const QString& folder);
    /// Whether the file can be read now; else it is being copied from the other machine.
    [[nodiscard]] bool provide(const char* name) const {
        return remote_ == nullptr || remote_->provide(summary_->folder, name);
    }
    void start_reading();
    void take(Loaded loaded);
    void take_stored_pace();
    void begin(const train::RunStarted& started);
    void show_progress(const Progress& progress);
    void show_steps(const train::RunLog::Now& now, std::size_t known);
    void take_probes(const std::vector<std::shared_ptr<const train::Probe>>& probes);
    void touch(RunPart part);
    void notify();
    void start_reading_probes();
    void join_probes();
    void show_live_anchors();
    void hide_live_anchors();

    std::shared_ptr<const RunSummary> summary_;
    std::shared_ptr<WorkPool> pool_;
    QPointer<RemoteFolder> remote_;
    RunArrays arrays_;
    std::optional<inspect::EmbeddingRequest> waiting_request_;  ///< for a copy of the weights
    EmbeddingWork embeddings_;
    store::RunRecord record_;
    std::shared_ptr<const train::RunLog> log_;                        ///< while this process trains it
    std::vector<std::shared_ptr<const train::Probe>> former_probes_;  ///< of logs before a resume
    std::vector<std::shared_ptr<const train::Probe>> probes_;         ///< those and the log's
    std::vector<std::shared_ptr<const train::Probe>> stored_probes_;  ///< kept by the run
    std::vector<std::shared_ptr<const train::Probe>> all_probes_;     ///< both
    /// Of the latest probe, after the last snapshot; null: none.
    std::shared_ptr<const train::AnchorSnapshot> live_anchors_;
    enum class ProbesState { unread, reading, read };
    ProbesState probes_state_ = ProbesState::unread;
    bool probes_wanted_ = false;
    QString probes_problem_;
    RunPace pace_;
    QElapsedTimer stage_clock_, halt_clock_;  ///< since the stage began; since it was paused in that
    qint64 stage_held_ms_ = 0;                ///< of the stage, by pauses that are over
    double training_seconds_left_ = 0;        ///< as of the last step
    QString problem_;
    std::int64_t file_time_ = 0;
    bool wanted_ = false, loaded_ = false, read_again_ = false;
    bool waiting_ = false;  ///< for the first copy of run.h5

    std::array<bool, 8> touched_{};  ///< by RunPart
    QTimer notify_timer_;
    QElapsedTimer since_notified_;
    mutable QElapsedTimer since_request_;
    Job<Loaded> reading_;
    Job<inspect::StoredProbes> probes_reading_;
};

}  // namespace casp::widgets
