#pragma once
// The experiment being prepared: settings, sweep, and their undo history. Form, toolbar, TOML view and the
// run buttons all work on this one object. GUI thread.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include "config/config.h"
#include "config/experiment.h"
#include "config/options.h"

namespace casp::widgets {

/// More than 25 methods: every change of the experiment uses the same undo history.
class ExperimentModel : public QObject {
    Q_OBJECT
public:
    explicit ExperimentModel(QObject* parent = nullptr);
    ~ExperimentModel() override;

    [[nodiscard]] const config::Config& config() const { return state_.config; }
    /// What "changed" is measured against and "reset" goes back to: the experiment's preset, without one the
    /// program's defaults.
    [[nodiscard]] const config::Config& baseline() const { return baseline_; }
    [[nodiscard]] const std::vector<config::Axis>& axes() const { return state_.axes; }
    [[nodiscard]] const std::vector<config::Case>& cases() const { return state_.cases; }

    /// Sets one key; one undo step (changes of one key in a row merge while `gesture` is the same and not
    /// empty, so that a slider's drag is one step). Returns what is wrong with the value by itself, or "":
    /// then it was set. The key "preset" applies that preset.
    QString set(const QString& key, const config::Value& value, const QString& gesture = {});
    /// Sets several keys in one undo step. Returns what is wrong with the first wrong value, and then sets
    /// none; else "".
    QString set_together(const std::vector<std::pair<std::string, config::Value>>& values,
                         const QString& title);
    void reset(const QString& key);  ///< to the baseline
    /// All settings and the sweep; a data file stays where the preset has none.
    void reset_all();
    /// The program's defaults, without preset and sweep, except for these keys; one undo step.
    void use_defaults(const QStringList& but);
    [[nodiscard]] bool is_changed(const QString& key) const;
    [[nodiscard]] QStringList changed_keys() const;

    /// The preset's cell on top of what the user chose for data.path, data.csv.*, run.* and name; one undo
    /// step. An empty name: the defaults instead of a cell. An unknown name is ignored.
    void apply_preset(const QString& name);
    /// Replaces everything, without cases (a run's configuration); `title` names the undo step.
    void replace(const config::Config& config, const std::vector<config::Axis>& axes, const QString& title);
    /// Reads TOML; returns the problems, one per line, and changes nothing then. Relative paths are taken
    /// from `base_folder`. Where `where` is a .toml file, it gives its name to an experiment without one.
    QString replace_from_toml(const QString& toml, const QString& where, const QString& base_folder,
                              const QString& title);
    /// As replace_from_toml(), for text that was edited in place: keys that it gives, but nobody chose, are
    /// still the preset's. Keys that are not in the text go back to their defaults.
    QString edit_from_toml(const QString& toml, const QString& where, const QString& base_folder);

    /// Values to sweep over, each as one types it (a string without quotes); empty: no axis. Returns what is
    /// wrong, or "".
    QString set_axis(const QString& key, const QStringList& values, const QString& gesture = {});

    /// The experiment for config::expand() and config::to_toml().
    [[nodiscard]] config::Experiment experiment() const;
    /// The resolved experiment as TOML, with [sweep] and cases.
    [[nodiscard]] QString to_toml() const;
    /// Contradictions between keys and what else keeps it from running (no data.path, a field that holds no
    /// valid value); empty: it can run.
    [[nodiscard]] std::vector<config::Contradiction> problems() const;
    /// One short text a problem, "… ; expected …", for tooltips of disabled buttons; empty: it can run.
    [[nodiscard]] QStringList problem_texts() const;

    /// What the data file, device or weights say against a run of these settings, found by the estimate: a
    /// whole sentence; empty: nothing. Dropped by the next change of a setting.
    void set_run_problem(const QString& text);
    /// problem_texts() and the run problem: why *Run* is not possible. A sweep may vary what is wrong.
    [[nodiscard]] QStringList run_problem_texts() const;

    /// A field holds text that is no valid value of its key, and the key kept its old value: until it is
    /// repaired the experiment cannot run. An empty text takes the note back, and so does any change of the
    /// key. `typed`: the lines of text in the field, for the session.
    void set_draft_problem(const QString& key, const QString& text, const QStringList& typed = {});
    [[nodiscard]] QString draft_problem(const QString& key) const;
    [[nodiscard]] QStringList draft_texts(const QString& key) const;

    /// Everything but the undo history, for the session: also settings that contradict each other, and text
    /// that is no value.
    [[nodiscard]] QByteArray save_state() const;
    /// Puts back what save_state() gave and clears the undo history. False where the bytes are damaged or
    /// name settings that do not exist; everything then stays as it was.
    bool restore_state(const QByteArray& bytes);

    [[nodiscard]] QUndoStack* undo_stack() { return &undo_; }

Q_SIGNALS:
    void changed(const QStringList& keys);  ///< empty list: everything may have changed
    void problems_changed();                ///< of fields (set_draft_problem); changed() implies it
    void drafts_restored();                 ///< restore_state() brought some: fields show draft_texts() again

private:
    class EditCommand;
    /// Everything that one undo step puts back.
    struct State {
        config::Config config;
        std::vector<config::Axis> axes;
        std::vector<config::Case> cases;
        std::vector<config::Assignment> scheduler;  ///< of a file, kept for it and for submissions
        [[nodiscard]] bool same_sweep(const State& other) const;
        /// Keys that file or user gave, not a preset: they are laid over each preset of a sweep over presets.
        std::set<std::string> given;
        int origin = 0;  ///< another one for each preset, file or other experiment that replaced everything
    };
    /// `base`, without a sweep, with the current values of `kept`.
    [[nodiscard]] State replaced_by(const config::Config& base, const QStringList& kept) const;
    void push(State next, const QString& title, const QString& key = {}, const QString& gesture = {});
    void apply(const State& state);
    QString read_toml(const QString& toml, const QString& where, const QString& base_folder, State& next);

    /// Text that is no value.
    struct Draft {
        QString problem;
        QStringList texts;
        bool operator==(const Draft&) const = default;
    };
    State state_;
    config::Config baseline_;
    int last_origin_ = 0;
    QString run_problem_;
    std::map<QString, Draft> drafts_;
    QUndoStack undo_;
};

}  // namespace casp::widgets
