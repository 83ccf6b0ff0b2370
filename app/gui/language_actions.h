#pragma once
// The menu View → Language.

#include <functional>

#include <QObject>
#include <QString>

namespace casp::gui {

class ActionList;
class Notices;

class LanguageActions : public QObject {
    Q_OBJECT
public:
    /// `restart`: closes the window and starts the program again. `why_not_restart`: why it is not possible
    /// now; empty if it is. All must outlive it.
    LanguageActions(ActionList& actions, Notices& notices, std::function<void()> restart,
                    std::function<QString()> why_not_restart, QObject* parent);

private:
    void choose(const QString& choice);
    void show_choice();
    /// `now`: restarts, unless there is a reason not to.
    void offer_restart(bool now);

    ActionList& actions_;
    Notices& notices_;
    std::function<void()> restart_;
    std::function<QString()> why_not_restart_;
};

}  // namespace casp::gui
