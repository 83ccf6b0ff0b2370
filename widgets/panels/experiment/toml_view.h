#pragma once
// View of the resolved experiment as TOML beside the form, editable in place.

#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include "state/experiment_model.h"

namespace casp::widgets {

/// Follows the model; lines of changed settings are highlighted. *Edit text* makes the text editable, *Apply*
/// (Ctrl+Enter) reads it back (one undo step) or shows problems with line and column; a click on a problem
/// goes there.
class TomlView : public QWidget {
    Q_OBJECT
public:
    explicit TomlView(ExperimentModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const { return text_->toPlainText(); }
    [[nodiscard]] QPlainTextEdit* text_edit() const { return text_; }
    [[nodiscard]] QListWidget* problem_list() const { return problems_; }
    [[nodiscard]] bool is_editing() const { return !text_->isReadOnly(); }
    [[nodiscard]] QPushButton* edit_button() const { return edit_; }
    [[nodiscard]] QPushButton* apply_button() const { return apply_; }
    [[nodiscard]] QPushButton* discard_button() const { return discard_; }
    /// Keys whose lines are marked as changed, top to bottom.
    [[nodiscard]] QStringList marked_keys() const { return marked_; }

    /// The edited text that is not applied yet; empty: none.
    [[nodiscard]] QString draft() const { return is_editing() ? text() : QString(); }
    /// Restores such a text.
    void set_draft(const QString& text);
    void begin_edit();
    /// Goes to the first case of the sweep; without one, adds an example to the text.
    void edit_cases();
    bool apply();  ///< false: problems are shown, and the model is unchanged
    void discard();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refresh();
    void mark_changes();
    void show_problems(const QString& problems);
    void go_to(int line, int column);

    ExperimentModel& model_;
    QPlainTextEdit* text_ = nullptr;
    QListWidget* problems_;
    QLabel* note_;
    QPushButton *edit_, *apply_, *discard_;
    QStringList marked_;
};

}  // namespace casp::widgets
