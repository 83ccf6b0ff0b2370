#pragma once
// The experiment being prepared: settings, sweep, and their undo history. Form, toolbar, TOML view and the
// run buttons all work on this one object. GUI thread.

#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include "config/config.h"
#include "config/experiment.h"
#include "config/options.h"

namespace casp::widgets {

class ExperimentModel : public QObject {
    Q_OBJECT
public:
    explicit ExperimentModel(QObject* parent = nullptr);
    ~ExperimentModel() override;

    [[nodiscard]] const config::Config& config() const { return config_; }
    /// What "changed" is measured against and "reset" goes back to: the preset or file last applied, else the
    /// defaults.
    [[nodiscard]] const config::Config& baseline() const { return baseline_; }
    [[nodiscard]] const std::vector<config::Axis>& axes() const { return axes_; }

    /// Sets one key; one undo step (changes of one key in a row merge while `gesture` is the same and not
    /// empty, so that a slider's drag is one step). Returns what is wrong with the value by itself, or "":
    /// then it was set.
    QString set(const QString& key, const config::Value& value, const QString& gesture = {});
    void reset(const QString& key);  ///< to the baseline
    void reset_all();
    [[nodiscard]] bool is_changed(const QString& key) const;
    [[nodiscard]] QStringList changed_keys() const;

    /// The preset's cell on top of what the user chose for data.path, run.* and name; one undo step.
    void apply_preset(const QString& name);
    /// Replaces everything (a file, a run's configuration); `title` names the undo step.
    void replace(const config::Config& config, const std::vector<config::Axis>& axes, const QString& title);
    /// Reads TOML; returns the problems, one per line, and changes nothing then. Relative paths are taken
    /// from `base_folder`.
    QString replace_from_toml(const QString& toml, const QString& where, const QString& base_folder,
                              const QString& title);

    /// Values to sweep over; empty points remove the axis. Returns what is wrong, or "".
    QString set_axis(const QString& key, const QStringList& values);
    void clear_axes();

    /// The resolved experiment as TOML, with [sweep].
    [[nodiscard]] QString to_toml() const;
    /// Contradictions between keys and what else keeps it from running (no data.path); empty: it can run.
    [[nodiscard]] std::vector<config::Contradiction> problems() const;

    [[nodiscard]] QUndoStack* undo_stack() { return &undo_; }

Q_SIGNALS:
    void changed(const QStringList& keys);  ///< empty list: everything may have changed

private:
    class EditCommand;
    void apply(const config::Config& config, const config::Config& baseline,
               const std::vector<config::Axis>& axes);
    config::Config config_, baseline_;
    std::vector<config::Axis> axes_;
    QUndoStack undo_;
};

}  // namespace casp::widgets
