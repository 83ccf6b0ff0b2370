#pragma once
// Where the embeddings that views show come from, and the button that computes them.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QJsonObject>
#include <QPointer>
#include <QWidget>

#include "state/run_data.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace casp::widgets {

/// Which embeddings are looked at.
enum class EmbeddingSource {
    automatic,   ///< the probe of a run that goes on or of a step that is chosen, else the best checkpoint,
                 ///< else the last probe
    probe,       ///< a few validation windows, snapshot by snapshot
    checkpoint,  ///< windows of a split at the best checkpoint: stored, or computed on request
    snapshot,    ///< windows of a split at the snapshot that is chosen, likewise
};

/// GUI thread.
class EmbeddingsSource : public QWidget {
    Q_OBJECT
public:
    explicit EmbeddingsSource(QWidget* parent = nullptr);

    /// The runs that are shown; what becomes of them ends with them.
    void set_runs(const std::vector<RunData*>& runs);
    /// A part of one of them has changed.
    void refresh();
    /// Channels that "selected channels" means.
    void set_selected_channels(std::vector<std::int64_t> channels) { selected_ = std::move(channels); }

    [[nodiscard]] EmbeddingSource source() const;
    [[nodiscard]] QString split() const;
    /// Which embeddings of `run` are meant where it is no probe; nothing: it has no snapshot.
    [[nodiscard]] std::optional<EmbeddingMoment> moment_of(const RunData& run) const;
    void set_source(EmbeddingSource source);
    /// The snapshot that is chosen; none: the latest.
    void set_step(std::optional<std::int64_t> step);

    /// What `run` shows at `step`; null: nothing yet. Of a checkpoint, reading what is stored begins.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> set_of(RunData& run, std::optional<std::int64_t> step);
    /// Whether it shows a probe at `step`, or will.
    [[nodiscard]] bool shows_probe(const RunData& run, std::optional<std::int64_t> step) const;

    /// What "Compute" asks for, of the best checkpoint.
    [[nodiscard]] inspect::EmbeddingRequest request() const;
    /// Begins for all runs that are shown and have no such embeddings.
    void compute();
    void cancel();
    void store();

    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

Q_SIGNALS:
    /// Other embeddings are to be shown.
    void changed();
    void message(const QString& text, bool is_error = false);

private:
    [[nodiscard]] bool is_what_is_asked(const EmbeddingSet& set) const;
    /// The probe that is shown at step_; null: there is none.
    [[nodiscard]] std::shared_ptr<const train::Probe> chosen_probe(const RunData& run) const;
    /// The step of the run's own snapshot that is meant by step_; nothing: it has none.
    [[nodiscard]] std::optional<std::int64_t> chosen_snapshot(const RunData& run) const;
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> probe_set_of(const RunData& run);
    /// What has been computed of `run`, or read, and is not stored; null: nothing.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> unsaved_set_of(RunData& run) const;

    struct Known {
        std::shared_ptr<const train::Probe> probe;
        std::shared_ptr<const EmbeddingSet> set;
    };
    std::vector<QPointer<RunData>> runs_;
    std::vector<std::pair<QString, Known>> probes_;  ///< by run folder: the last that was asked for
    std::vector<std::int64_t> selected_;
    std::optional<std::int64_t> step_;  ///< that was asked for last
    QString told_problem_;

    QComboBox *source_, *split_, *channels_;
    QSpinBox* windows_;
    QCheckBox *patches_, *prefix_;
    QPushButton *compute_, *cancel_, *store_;
    QProgressBar* progress_;
    QLabel* text_;
};

}  // namespace casp::widgets
