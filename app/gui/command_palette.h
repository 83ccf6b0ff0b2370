#pragma once
// Command palette (Ctrl+K): finds any action by a few letters.

#include <vector>

#include <QAction>
#include <QFrame>
#include <QList>
#include <QPointer>
#include <QString>

class QLineEdit;
class QListWidget;

namespace casp::gui {

class ActionList;

/// How well `text` matches `query`: its letters in order, better at the beginning of words and in a row; 0:
/// no match. Ignores case and accents.
[[nodiscard]] int fuzzy_score(const QString& query, const QString& text);

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(const ActionList& actions, QWidget* window);

    /// Further actions, of panels, listed with the name of their menu.
    void add_actions(const QList<QAction*>& actions, const QString& menu);

    /// Shows it at the window's top centre with the cursor in the field.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void run_current();

    struct Candidate {
        QPointer<QAction> action;
        QString menu, keywords;
    };
    [[nodiscard]] std::vector<Candidate> candidates() const;

    const ActionList& actions_;
    std::vector<Candidate> more_, found_;
    void leave();
    QPointer<QWidget> before_;  ///< focused when it was opened; gets the focus back
    QLineEdit* query_;
    QListWidget* list_;
};

}  // namespace casp::gui
