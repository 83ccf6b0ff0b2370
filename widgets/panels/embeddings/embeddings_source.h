#pragma once
// Source of the shown embeddings, and controls to compute and store them.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QJsonObject>
#include <QPointer>
#include <QWidget>

#include "state/run_data.h"
#include "state/selection.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QLayout;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace casp::widgets {

/// Source of the shown embeddings.
enum class EmbeddingSource {
    automatic,   ///< the probe of a running run or of a selected step, else the best checkpoint,
                 ///< else the last probe
    probe,       ///< a few validation windows at each snapshot
    checkpoint,  ///< windows of a split at the best checkpoint: stored, or computed on request
    snapshot,    ///< windows of a split at the selected snapshot, likewise
};

/// GUI thread.
/// More than 25 methods: showing, computing and storing embeddings depend on the same controls.
class EmbeddingsSource : public QWidget {
    Q_OBJECT
public:
    /// Of several shown runs the highlighted one is embedded first. `selection` must outlive it.
    explicit EmbeddingsSource(const Selection& selection, QWidget* parent = nullptr);

    /// Sets the shown runs; connections to previous ones end.
    void set_runs(const std::vector<RunData*>& runs);
    /// A part of a shown run has changed.
    void refresh();
    /// The channels meant by "selected channels".
    void set_selected_channels(std::vector<std::int64_t> channels) { selected_ = std::move(channels); }

    [[nodiscard]] EmbeddingSource source() const;
    [[nodiscard]] QString split() const;
    /// Identity of `run`'s embeddings if they are not a probe; nothing: it has no snapshot.
    [[nodiscard]] std::optional<EmbeddingMoment> moment_of(const RunData& run) const;
    void set_source(EmbeddingSource source);
    /// The selected snapshot; none: the latest.
    void set_step(std::optional<std::int64_t> step);

    /// Embeddings of `run` at `step`; null: none yet. For a checkpoint, starts reading stored ones.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> set_of(RunData& run, std::optional<std::int64_t> step);
    /// Whether it shows (or will show) a probe at `step`.
    [[nodiscard]] bool shows_probe(const RunData& run, std::optional<std::int64_t> step) const;

    /// Request of "Compute embeddings" for the best checkpoint.
    [[nodiscard]] inspect::EmbeddingRequest request() const;
    /// Starts computing for the runs that the button's tooltip names: shown finished ones whose model has
    /// embeddings, at most four.
    void compute();
    void cancel();
    void store();

    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

Q_SIGNALS:
    /// The shown embeddings have changed.
    void changed();
    void message(const QString& text, bool is_error = false);

private:
    void make_choices(QLayout& flow);
    void make_count();
    void make_buttons(QLayout& flow);
    void connect_parts();
    [[nodiscard]] std::vector<RunData*> runs_to_embed() const;
    [[nodiscard]] bool matches_request(const EmbeddingSet& set) const;
    /// The probe shown at step_; null: none.
    [[nodiscard]] std::shared_ptr<const train::Probe> chosen_probe(const RunData& run) const;
    /// The step of the run's snapshot selected by step_; nothing: none.
    [[nodiscard]] std::optional<std::int64_t> chosen_snapshot(const RunData& run) const;
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> probe_set_of(const RunData& run);
    /// Computed or read embeddings of `run` that are not stored; null: none.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> unsaved_set_of(RunData& run) const;

    struct Known {
        std::shared_ptr<const train::Probe> probe;
        std::shared_ptr<const EmbeddingSet> set;
    };
    const Selection& selection_;
    std::vector<QPointer<RunData>> runs_;
    std::vector<std::pair<QString, Known>> probes_;  ///< by run folder: the last requested
    std::vector<std::int64_t> selected_;
    std::optional<std::int64_t> step_;  ///< last requested
    QString reported_problem_;

    QComboBox *source_, *split_, *channels_;
    QSpinBox* windows_;
    QCheckBox *patches_, *prefix_;
    QPushButton *compute_, *cancel_, *store_;
    QProgressBar* progress_;
    QLabel* text_;
};

}  // namespace casp::widgets
