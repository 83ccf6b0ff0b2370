#pragma once
// Notes and tables that are only read.

class QLabel;
class QString;
class QTableWidget;
class QWidget;

namespace casp::widgets {

/// A hidden label for sentences, whose text can be selected.
[[nodiscard]] QLabel* note_label(QWidget* parent, const QString& name);
/// Shows the text; hides the label if it is empty.
void show_note(QLabel* label, const QString& text);

/// A table without editing, grid and row names, which the tab key leaves.
[[nodiscard]] QTableWidget* reading_table(QWidget* parent, const QString& name, const QString& help);

}  // namespace casp::widgets
