#pragma once
// Experiment panel at the right of the window: the settings of the next run.

#include <functional>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QWidget>

#include "panels/experiment/experiment_estimate.h"
#include "panels/experiment/option_form.h"
#include "panels/experiment/option_text.h"
#include "panels/experiment/toml_view.h"
#include "panels/runs/runs_banner.h"
#include "state/experiment_model.h"
#include "state/job.h"

namespace casp::widgets {

/// Preset, form, resolved TOML, estimate and the run buttons. Files are written off the GUI thread;
/// problems are shown in the panel, never in a message box.
/// More than 25 methods: accessors and signals; form and estimate are separate classes.
class ExperimentPanel : public QWidget {
    Q_OBJECT
public:
    /// From this width on (at 96 dpi) the TOML is beside the form instead of below it.
    static constexpr int side_by_side_from = 640;

    /// `model` must outlive the panel.
    explicit ExperimentPanel(ExperimentModel& model, QWidget* parent = nullptr);
    ~ExperimentPanel() override;

    void set_preview_function(PreviewFunction function) {
        estimate_->set_preview_function(std::move(function));
    }

    /// Writes the resolved experiment, whole or not at all; saved() or a message follows.
    void save_file(const QString& path);
    void choose_file_to_save();  ///< with the file dialog, which does not block
    void copy_toml() const;
    void set_toml_visible(bool on);
    /// Scrolls to a setting and focuses it (for problems shown elsewhere).
    void show_option(const QString& key) { form_->show_option(key); }

    /// Folded groups, whether all settings and the TOML are shown, and the splitter.
    [[nodiscard]] QByteArray save_layout() const;
    bool restore_layout(const QByteArray& bytes);

    [[nodiscard]] OptionForm* form() const { return form_; }
    /// Choosing a preset applies it at once, in one undo step.
    [[nodiscard]] QComboBox* presets() const { return presets_; }
    [[nodiscard]] TomlView* toml_view() const { return toml_; }
    /// Enables "Run with this λ_cov" and sets its tooltip: it repeats a shown run, which the form does not
    /// know.
    void set_run_with_lambda(bool enabled, const QString& tip);
    /// Says what the experiment still has of the one before, now that a file brought `keys`, and offers the
    /// defaults instead.
    void report_kept(const QString& file, const QStringList& keys);
    /// An open data file offered by the message that no file is set. Empty: none.
    void set_data_offer(const QString& path);
    [[nodiscard]] ExperimentEstimate* estimate() const { return estimate_; }
    [[nodiscard]] QPushButton* run_button() const { return run_; }
    [[nodiscard]] QPushButton* run_with_lambda_button() const { return run_lambda_; }
    [[nodiscard]] QPushButton* sweep_button() const { return sweep_; }
    [[nodiscard]] QToolButton* toml_button() const { return toml_button_; }
    /// Button beside the reason: goes to the field, or uses the offered file.
    [[nodiscard]] QToolButton* reason_button() const { return show_reason_; }
    /// The shown reason why the experiment cannot run; empty: none.
    [[nodiscard]] QString reason() const { return reason_->isHidden() ? QString() : reason_->text(); }
    /// Button of the message: "Undo", "Use defaults".
    [[nodiscard]] QPushButton* message_button() const { return message_->button(); }
    [[nodiscard]] QString message() const { return message_->isHidden() ? QString() : message_->text(); }

Q_SIGNALS:
    void run_requested();
    void run_with_lambda_requested();
    void sweep_requested();
    void data_requested();  ///< the offered file is to be used
    void saved(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* make_presets();
    QWidget* make_tools();
    QWidget* make_form();
    QWidget* make_reason();
    QWidget* make_buttons();
    void connect_parts();
    struct Offer {
        QString text, tip;
        std::function<void()> accept;
    };
    /// `offer` refers to the last step and goes with the next one.
    void show_message(const QString& text, Tone tone, const Offer& offer = {});
    void show_failure(const std::exception& failure);
    void apply_preset();
    void show_preset();
    void show_problems();
    [[nodiscard]] bool offers_data() const;
    void show_colours();

    ExperimentModel& model_;
    QComboBox* presets_;
    OptionForm* form_;
    TomlView* toml_;
    ExperimentEstimate* estimate_ = nullptr;
    QSplitter* splitter_;
    RunsBanner* message_;
    int message_step_ = -1;  ///< step of the undo history to which the message refers; −1: none
    QLabel* reason_;
    QToolButton* show_reason_;
    QToolButton *save_, *copy_, *toml_button_;
    QPushButton *run_, *run_lambda_, *sweep_;
    QString data_offer_;
    Tone message_tone_;
    QTimer problem_timer_;
    Job<QString> files_;  ///< written one after another
};

}  // namespace casp::widgets
