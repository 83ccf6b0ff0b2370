#pragma once
// Popover to fork a run: continue from its checkpoint with another λ_cov.

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "config/config.h"
#include "panels/experiment/option_number_edit.h"

namespace casp::widgets {

/// The run to fork.
struct ForkParent {
    QString folder;  ///< absolute
    QString name;    ///< of the run: "lambda_cov-0.1_seed-2021"
    QString label;   ///< display name
    config::Config config;
    std::int64_t step = 0, epoch = 0;  ///< step and epoch (from 1) after which the fork starts
    /// Whether there is a checkpoint with optimiser state; a finished run has only weights: the best ones, or
    /// those of its last step if kept.
    bool has_checkpoint = true, last_weights = false;
};

/// Popover with parent, new λ_cov, epochs and name. Esc closes it without effect.
class ForkPopover : public QFrame {
    Q_OBJECT
public:
    explicit ForkPopover(QWidget* parent = nullptr);

    void set_parent_run(const ForkParent& parent);
    /// Shows it with its top left corner there, moved if necessary to stay on screen.
    void popup(const QPoint& global);

    [[nodiscard]] OptionNumberEdit* lambda_edit() const { return lambda_; }
    [[nodiscard]] OptionNumberEdit* epochs_edit() const { return epochs_; }
    [[nodiscard]] QLineEdit* name_edit() const { return name_; }
    [[nodiscard]] QPushButton* start_button() const { return start_; }
    [[nodiscard]] QString problem() const { return problem_->text(); }

Q_SIGNALS:
    /// The parent's settings with train.continue_from, λ_cov and epochs; `name` of the run.
    void fork_requested(const casp::config::Config& config, const QString& name);

    void help_requested(const QString& topic);  ///< F1

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] config::Config fork() const;
    /// λ_cov as typed; the parent's while it is no weight.
    [[nodiscard]] double lambda_cov() const;
    [[nodiscard]] QString suggested_name() const;
    void check();

    ForkParent parent_;
    QLabel* from_;
    OptionNumberEdit *lambda_, *epochs_;
    QLineEdit* name_;
    QLabel* note_;
    QLabel* problem_ = nullptr;
    QPushButton* start_;
};

}  // namespace casp::widgets
