#pragma once
// Mnemonics of pages behind others do nothing.

#include <QMainWindow>
#include <QObject>

class QAction;

namespace casp::gui {

/// Qt keeps the mnemonics of dock panels behind other tabs active: Alt+F would move the focus to a hidden
/// field
/// "&Forecasts", not open the menu "&File". This opens the menu instead, and ignores other mnemonics of
/// hidden widgets. For the whole application, as long as it lives.
class HiddenMnemonics : public QObject {
    Q_OBJECT
public:
    /// Its child.
    explicit HiddenMnemonics(QMainWindow& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void open(QAction& entry);
    QMainWindow& window_;
};

}  // namespace casp::gui
