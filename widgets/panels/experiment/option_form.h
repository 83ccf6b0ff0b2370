#pragma once
// All settings as a form, made from config::options() alone.

#include <map>
#include <vector>

#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>

#include "panels/experiment/option_row.h"

namespace casp::widgets {

/// Groups that fold, a search, and each setting with its field; the preset has none, it is chosen above the
/// form. Where it is narrow, labels stand above their fields; it does not become so narrow that one is cut.
/// Fields write to the model at once; whatever else changes the model (toolbar, undo, a preset) shows up
/// here.
class OptionForm : public QWidget {
    Q_OBJECT
public:
    explicit OptionForm(ExperimentModel& model, QWidget* parent = nullptr);

    [[nodiscard]] OptionRow* row(const QString& key) const;
    [[nodiscard]] const std::vector<OptionRow*>& rows() const { return rows_; }
    [[nodiscard]] QLineEdit* search_box() const { return search_; }
    [[nodiscard]] QToolButton* changed_only() const { return changed_only_; }
    [[nodiscard]] QScrollArea* scroll_area() const { return scroll_; }
    /// Opens the setting's group, scrolls there and gives it the keyboard.
    void show_option(const QString& key);
    [[nodiscard]] QStringList folded_groups() const;
    void set_folded_groups(const QStringList& titles);
    /// Something to know about a setting that no other setting contradicts, shown below its field (the file
    /// is not there); an empty text takes it back.
    void set_note(const QString& key, const QString& text);
    /// Contradictions are shown a moment after the last keystroke; this shows them now.
    void show_problems_now();

private:
    struct Group {
        QString title;
        QToolButton* header;
        QWidget* body;
        std::vector<OptionRow*> rows;
    };
    void add_group(const QString& title);
    void refresh(const QStringList& keys);
    /// Whether the experiment's model reads the setting; others are hidden.
    [[nodiscard]] bool is_read(const config::OptionSpec& option) const;
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
    std::map<QString, OptionRow*> by_key_;
    std::map<QString, QString> notes_;
    int room_beside_ = 0;  ///< of a row: scroll bar and margins
    int wide_ = 0;         ///< from this width of a row on the labels stand beside the fields
    QTimer problem_timer_;
};

}  // namespace casp::widgets
