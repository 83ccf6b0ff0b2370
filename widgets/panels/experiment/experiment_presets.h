#pragma once
// Selector of the paper's tuned settings (presets), by data set and horizon.

#include <vector>

#include <QComboBox>
#include <QWidget>

#include "state/experiment_model.h"

namespace casp::widgets {

/// Choosing a preset applies it immediately (one undo step); the two filters only shorten the list, and
/// choosing "none" clears them. Shows the experiment's current preset.
class ExperimentPresets : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentPresets(ExperimentModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QComboBox* presets() const { return presets_; }
    [[nodiscard]] QComboBox* data_sets() const { return data_sets_; }
    [[nodiscard]] QComboBox* horizons() const { return horizons_; }

Q_SIGNALS:
    /// A preset was chosen here; with the settings it replaced, as "key = value"; may be empty.
    void applied(const QString& name, const QStringList& replaced);

private:
    struct Entry {
        QString name, data_set, horizon, tooltip;
    };
    void fill();
    void show_current();
    void apply();

    ExperimentModel& model_;
    std::vector<Entry> entries_;
    QComboBox* presets_;
    QComboBox* data_sets_;
    QComboBox* horizons_;
};

}  // namespace casp::widgets
