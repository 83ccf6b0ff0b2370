#pragma once
// Estimated memory and time of a run, shown before it starts.

#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "run/preview.h"
#include "state/experiment_model.h"
#include "state/job.h"
#include "words/amount_text.h"

namespace casp::widgets {

/// An estimate for one configuration, and what speaks against the run.
struct ExperimentPreview : run::Preview {
    QString problem;      ///< why there is none ("the file does not exist"); all numbers are then 0
    bool no_run = false;  ///< with `problem`: a run would fail for the same reason
    /// With `problem`: the settings nearest to these with which the run starts; empty: none are known.
    std::vector<std::pair<std::string, config::Value>> way_out;
    /// Why the pretrained backbone is not available ("GPT-2 is not on this computer yet"); empty: it is, or
    /// none is needed. A run would stop at once.
    QString backbone_problem;
    /// Why the file is not the data set of the chosen preset ("the preset etth1-96 is for ETTh1 (…), but the
    /// file has …"); empty: it may be, or no preset is chosen. A run is still possible.
    QString preset_problem;
    QString device;  ///< "cpu", "cuda:0"
};

/// Makes an estimate; called on a worker thread, must not throw. After a requested stop the result is
/// dropped.
using PreviewFunction = std::function<ExperimentPreview(const config::Config&, const std::stop_token&)>;

/// The strip above the run buttons. Follows the model: computes in the background a moment after the last
/// change, and dims the old numbers until the new ones arrive.
class ExperimentEstimate : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentEstimate(ExperimentModel& model, QWidget* parent = nullptr);
    ~ExperimentEstimate() override;

    void set_preview_function(PreviewFunction function);
    [[nodiscard]] const ExperimentPreview& preview() const { return preview_; }
    [[nodiscard]] bool is_pending() const { return stale_ || job_.is_running(); }
    [[nodiscard]] QString text() const { return text_->text(); }
    [[nodiscard]] QString warning() const { return warning_->isHidden() ? QString() : warning_->text(); }
    [[nodiscard]] QToolButton* use_batch_button() const { return use_batch_; }
    /// "Use ratio", "Use look-back 96": sets preview().way_out.
    [[nodiscard]] QToolButton* way_out_button() const { return way_out_; }
    /// Message about a missing backbone; empty: none.
    [[nodiscard]] QString backbone_note() const {
        return backbone_->isHidden() ? QString() : backbone_->text();
    }
    [[nodiscard]] QToolButton* get_backbone_button() const { return get_backbone_; }
    [[nodiscard]] QToolButton* untrained_button() const { return untrained_; }
    /// Warning that the file is not the preset's data set; empty: none.
    [[nodiscard]] QString preset_note() const { return preset_->isHidden() ? QString() : preset_->text(); }
    /// Computes again, e.g. after memory was freed.
    void refresh();

Q_SIGNALS:
    void estimated();
    void backbone_requested();  ///< the user wants to download GPT-2

protected:
    void changeEvent(QEvent* event) override;

private:
    void start();
    /// Time and memory of the whole run, in a line.
    [[nodiscard]] QString total_text() const;
    void show_preview();
    void show_way_out();
    void show_backbone();
    void show_preset();

    ExperimentModel& model_;
    PreviewFunction function_;
    ExperimentPreview preview_;
    bool stale_ = false;  ///< changed since the last computation began
    QTimer timer_;
    QLabel* text_;
    QToolButton* way_out_;
    QLabel* warning_;
    QToolButton* use_batch_;
    QLabel* backbone_;
    QToolButton *get_backbone_, *untrained_;
    QLabel* preset_;
    Job<ExperimentPreview> job_;
};

}  // namespace casp::widgets
