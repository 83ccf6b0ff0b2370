#pragma once
// What a run would take: memory and time, told before it starts.

#include <cstdint>
#include <functional>

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "panels/view/panel_text.h"
#include "state/background.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// An estimate for one configuration; zeros are not known.
struct ExperimentPreview {
    QString problem;  ///< why there is none ("the file is not there"); everything else is then 0
    /// Why the pretrained backbone cannot be had ("GPT-2 is not on this computer yet"); empty: it can, or
    /// none is needed. A run would stop at once.
    QString backbone_problem;
    QString device;  ///< "cpu", "cuda:0"
    std::int64_t parameters_total = 0, parameters_trainable = 0;
    std::int64_t step_bytes = 0;     ///< peak memory that a training step adds
    std::int64_t free_bytes = 0;     ///< memory that is free on the device now
    std::int64_t largest_batch = 0;  ///< train.batch_size that fits into the free memory; 0: none does
    std::int64_t steps_per_epoch = 0;
    double epoch_seconds = 0;
    double longest_seconds = 0;  ///< of the whole run, if early stopping does not end it before

    [[nodiscard]] bool fits() const { return step_bytes == 0 || free_bytes == 0 || step_bytes <= free_bytes; }
};

/// Makes an estimate; called on a worker thread, must not throw. Nobody waits for one whose stop is
/// requested.
using PreviewFunction = std::function<ExperimentPreview(const config::Config&, const std::stop_token&)>;

/// The strip above the run buttons. Follows the model; computes beside the GUI thread a moment after the last
/// change, and dims what it shows until the new numbers are there.
class ExperimentEstimate : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentEstimate(ExperimentModel& model, QWidget* parent = nullptr);
    ~ExperimentEstimate() override;

    void set_preview_function(PreviewFunction function);
    [[nodiscard]] const ExperimentPreview& preview() const { return preview_; }
    [[nodiscard]] bool is_pending() const { return shown_ != wanted_; }
    [[nodiscard]] QString text() const { return text_->text(); }
    [[nodiscard]] QString warning() const { return warning_->isHidden() ? QString() : warning_->text(); }
    [[nodiscard]] QToolButton* use_batch_button() const { return use_batch_; }
    /// What is said about a backbone that is not there; empty: nothing.
    [[nodiscard]] QString backbone_note() const {
        return backbone_->isHidden() ? QString() : backbone_->text();
    }
    [[nodiscard]] QToolButton* get_backbone_button() const { return get_backbone_; }
    [[nodiscard]] QToolButton* untrained_button() const { return untrained_; }
    /// Computes again, e.g. because memory was freed.
    void refresh();

Q_SIGNALS:
    void estimated();
    void backbone_requested();  ///< GPT-2 is to be fetched

protected:
    void changeEvent(QEvent* event) override;

private:
    void start();
    void show_preview();
    void show_backbone();

    ExperimentModel& model_;
    PreviewFunction function_;
    ExperimentPreview preview_;
    int wanted_ = 0, shown_ = 0;
    bool running_ = false;
    QTimer timer_;
    QLabel* text_;
    QLabel* warning_;
    QToolButton* use_batch_;
    QLabel* backbone_;
    QToolButton *get_backbone_, *untrained_;
    // In this order: the threads end before the inbox goes.
    Inbox inbox_;
    WorkPool pool_{1};
};

}  // namespace casp::widgets
