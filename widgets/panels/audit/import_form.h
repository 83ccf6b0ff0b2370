#pragma once
// Form for an import: forecasts made by other code, their data set, name and seed.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include "audit/import.h"
#include "state/job.h"

namespace casp::widgets {

class ExperimentModel;
class RunLibrary;

/// Imports in the background. The run is written to the open folder of runs.
class ImportForm : public QWidget {
    Q_OBJECT
public:
    /// Settings of the data set (split, look-back, format) are the experiment's if it has the same file. Both
    /// must outlive the form.
    ImportForm(RunLibrary& library, const ExperimentModel& experiment, QWidget* parent = nullptr);

    /// Fills in the forecasts, a name for them, and the data set among `data` (and known ones) whose name is
    /// in their path.
    void set_forecasts(const QString& path, const QStringList& data = {});
    void set_data(const QString& path);
    void choose_forecasts();

    [[nodiscard]] QString forecasts() const { return forecasts_->text(); }
    [[nodiscard]] QString data() const { return data_->currentText(); }
    [[nodiscard]] QPushButton* import_button() const { return import_; }
    [[nodiscard]] QString problem() const { return problem_->text(); }
    [[nodiscard]] bool is_busy() const { return job_.is_running(); }

    void start();

Q_SIGNALS:
    void imported(const QString& run_folder, bool clean);

private:
    void make_fields();
    void update_button();
    [[nodiscard]] QStringList known_data() const;
    void choose_data();

    RunLibrary& library_;
    const ExperimentModel& experiment_;
    QLineEdit *forecasts_, *name_;
    QComboBox* data_;
    QSpinBox* seed_;
    QPushButton *import_, *cancel_;
    QProgressBar* progress_;
    QLabel* problem_;
    Job<audit::ImportedRun> job_;
};

}  // namespace casp::widgets
