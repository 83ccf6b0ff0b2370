#pragma once
// Selector of the paper's tuned settings (presets).

#include <QComboBox>
#include <QWidget>

#include "state/experiment_model.h"

namespace casp::widgets {

/// Choosing a preset applies it immediately (one undo step). Shows the experiment's current preset.
class ExperimentPresets : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentPresets(ExperimentModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QComboBox* presets() const { return presets_; }

Q_SIGNALS:
    /// A preset was chosen here; with the settings it replaced, as "key = value"; may be empty.
    void applied(const QString& name, const QStringList& replaced);

private:
    void show_current();
    void apply();

    ExperimentModel& model_;
    QComboBox* presets_;
};

}  // namespace casp::widgets
