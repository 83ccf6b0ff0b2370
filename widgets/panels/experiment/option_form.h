#pragma once
// Form of all settings, generated from config::options().

#include <map>
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

class OptionRow : public QWidget {
    Q_OBJECT
public:
    OptionRow(ExperimentModel& model, const config::OptionSpec& option, QWidget* parent);

    [[nodiscard]] const config::OptionSpec& option() const { return option_; }
    [[nodiscard]] QString key() const { return QString::fromStdString(option_.key); }
    [[nodiscard]] OptionEditor* editor() const { return editor_; }
    [[nodiscard]] QToolButton* reset_button() const { return reset_; }
    /// Text below the field: problem of the setting itself or in combination with others; may be empty.
    [[nodiscard]] QString problem() const { return problem_->text(); }
    [[nodiscard]] bool is_marked_changed() const { return changed_; }

    void refresh();  ///< value, mark and sweep, from the model
    /// Problem of this setting in combination with others.
    void set_contradictions(const QString& text);
    [[nodiscard]] int label_width() const;  ///< preferred width, bold
    void set_label_width(int width);
    /// The label above the field instead of beside it.
    void set_stacked(bool stacked);
    /// Minimum width without clipping; `label`: width of all labels.
    [[nodiscard]] int least_width(bool stacked, int label) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void show_label();
    void show_problem();

    ExperimentModel& model_;
    const config::OptionSpec& option_;
    QGridLayout* grid_;
    QLabel* label_ = nullptr;
    OptionEditor* editor_;
    QLabel* problem_;
    QLabel* sweep_;
    QToolButton* reset_;
    QString contradictions_, own_problem_;
    bool changed_ = false, stacked_ = false;
};

/// Foldable groups, a search, and a field for each setting except the preset, which is chosen above the form.
/// In a narrow form, labels are above their fields; the minimum width avoids clipping. Fields write to the
/// model immediately; other changes of the model (toolbar, undo, presets) update the fields.
class OptionForm : public QWidget {
    Q_OBJECT
public:
    explicit OptionForm(ExperimentModel& model, QWidget* parent = nullptr);

    [[nodiscard]] OptionRow* row(const QString& key) const;
    [[nodiscard]] const std::vector<OptionRow*>& rows() const { return rows_; }
    [[nodiscard]] QLineEdit* search_box() const { return search_; }
    [[nodiscard]] QToolButton* changed_only() const { return changed_only_; }
    [[nodiscard]] QScrollArea* scroll_area() const { return scroll_; }
    /// Unfolds the setting's group, scrolls to it and focuses it.
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
    void add_group(const QString& title);
    void refresh(const QStringList& keys);
    /// Whether the experiment's model reads the setting; others are hidden.
    [[nodiscard]] bool is_read(const config::OptionSpec& option) const;
    [[nodiscard]] std::vector<bool> read_rows() const;
    void filter();
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
    std::vector<Group> groups_;
    std::vector<OptionRow*> rows_;
    std::vector<bool> read_;  ///< by row, when they were last filtered
    std::map<QString, OptionRow*> by_key_;
    std::map<QString, QString> notes_;
    int room_beside_ = 0;  ///< width beside a row: scroll bar and margins
    int wide_ = 0;         ///< row width from which labels are beside the fields
    QTimer problem_timer_;
};

}  // namespace casp::widgets
