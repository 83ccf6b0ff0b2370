#pragma once
// Ctrl+K: finds any action by a few letters of its words.

#include <vector>

#include <QFrame>
#include <QString>

class QLineEdit;
class QListWidget;

namespace casp::gui {

class ActionList;

/// How well `text` answers `query`: letters of the query in order, better at word beginnings and in a row; 0:
/// not at all. Case and accents do not count.
[[nodiscard]] int fuzzy_score(const QString& query, const QString& text);

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(const ActionList& actions, QWidget* window);

    /// Shows it at the window's top centre with the cursor in the field.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void refill();
    void run_current();

    const ActionList& actions_;
    QLineEdit* query_;
    QListWidget* list_;
};

}  // namespace casp::gui
