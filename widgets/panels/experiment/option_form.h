#pragma once
// Form of all settings, generated from config::options().

#include <map>
#include <set>
#include <vector>

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "panels/experiment/option_editor.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// Name, field, reset button and sweep of a setting. A problem of the value is a mark in place of the reset
/// button, so that nothing moves: its text is below the field while that has the focus (OptionForm), in
/// tooltips, and in the panel below the form.
class OptionRow : public QWidget {
    Q_OBJECT
public:
    OptionRow(ExperimentModel& model, const config::OptionSpec& option, QWidget* parent);

    [[nodiscard]] const config::OptionSpec& option() const { return option_; }
    [[nodiscard]] QString key() const { return QString::fromStdString(option_.key); }
    [[nodiscard]] OptionEditor* editor() const { return editor_; }
    [[nodiscard]] QToolButton* reset_button() const { return reset_; }
    /// Problem of the setting itself or in combination with others; may be empty.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] bool is_marked_changed() const { return changed_; }
    [[nodiscard]] bool is_read() const;  ///< by the experiment's model; other rows are hidden
    [[nodiscard]] bool is_swept() const { return sweep_ != nullptr && !sweep_->isHidden(); }

    void refresh();  ///< value, mark and sweep, from the model
    /// Problem of this setting in combination with others.
    void set_contradictions(const QString& text);
    [[nodiscard]] int label_width() const;  ///< preferred width, bold
    void set_label_width(int width);
    /// The label above the field instead of beside it.
    void set_stacked(bool stacked);
    /// Minimum width without clipping; `label`: width of all labels.
    [[nodiscard]] int min_width(bool stacked, int label) const;

Q_SIGNALS:
    void problem_changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void make_parts();
    void connect_editor();
    void connect_model();
    void go_back();
    void show_label();
    void show_sweep();
    void show_problem();

    ExperimentModel& model_;
    const config::OptionSpec& option_;
    QGridLayout* grid_ = nullptr;
    QLabel* label_ = nullptr;
    OptionEditor* editor_ = nullptr;
    QLabel* sweep_ = nullptr;  ///< from the first sweep over this setting on
    QToolButton* reset_ = nullptr;
    QString contradictions_, own_problem_;
    bool changed_ = false, stacked_ = false;
};

/// Foldable groups, a search over all settings, and a field for each setting except the preset, which is
/// chosen above the form. Essential, changed and swept settings are shown at first, the others on request.
/// In a narrow form, labels are above their fields; the minimum width avoids clipping. Fields write to the
/// model immediately; other changes of the model (toolbar, undo, presets) update the fields.
/// More than 25 methods: accessors; each row is a separate class (OptionRow).
class OptionForm : public QWidget {
    Q_OBJECT
public:
    explicit OptionForm(ExperimentModel& model, QWidget* parent = nullptr);

    [[nodiscard]] OptionRow* row(const QString& key) const;
    [[nodiscard]] const std::vector<OptionRow*>& rows() const { return rows_; }
    [[nodiscard]] QLineEdit* search_box() const { return search_; }
    [[nodiscard]] QToolButton* changed_only() const { return changed_only_; }
    /// Below the last setting: shows the others as well.
    [[nodiscard]] QToolButton* all_settings() const { return all_; }
    [[nodiscard]] QScrollArea* scroll_area() const { return scroll_; }
    /// The problem below the field that has the focus; empty: none.
    [[nodiscard]] QString shown_problem() const { return bubble_->isHidden() ? QString() : bubble_->text(); }
    /// Shows the setting in its group, scrolls to it and focuses it.
    void show_option(const QString& key);
    [[nodiscard]] QStringList folded_groups() const;
    void set_folded_groups(const QStringList& titles);
    /// Shows a note below a setting's field that does not depend on other settings (such as a missing file);
    /// an empty text removes it.
    void set_note(const QString& key, const QString& text);
    /// Shows contradictions now instead of shortly after the last keystroke.
    void show_problems_now();

private:
    struct Group {
        QString title;  ///< in English: part of the session
        QToolButton* header;
        QWidget* body;
        std::vector<OptionRow*> rows;
    };
    void make_top(QLayout* layout);
    void make_rows();
    void make_foot();
    void connect_parts();
    void add_group(const QString& title);
    void refresh(const QStringList& keys);
    /// Whether the row is shown if the model reads it and the search, if any, finds it.
    [[nodiscard]] bool is_wanted(const OptionRow& row) const;
    void begin_filter();  ///< another search or choice: rows that were kept may go
    void filter();
    void show_bubble();
    void count_changes();
    void align_labels();
    void arrange();
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    ExperimentModel& model_;
    QLineEdit* search_;
    QToolButton* changed_only_;
    QScrollArea* scroll_;
    QLabel* nothing_;
    QLabel* bubble_;
    QToolButton* all_;
    std::vector<Group> groups_;
    std::vector<OptionRow*> rows_;
    std::set<const OptionRow*> kept_;  ///< stay until the next search or choice
    std::map<QString, OptionRow*> by_key_;
    std::map<QString, QString> notes_;
    int room_beside_ = 0;  ///< width beside a row: scroll bar and margins
    int wide_ = 0;         ///< row width from which labels are beside the fields
    QTimer problem_timer_;
};

}  // namespace casp::widgets
