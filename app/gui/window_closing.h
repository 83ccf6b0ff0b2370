#pragma once
// Closing the window: saves the session, lets runs write their checkpoints, and asks if something would be
// lost.

#include <QObject>
#include <QString>
#include <QStringList>

class QCloseEvent;
class QWidget;

namespace casp::gui {

class Notices;
class RunQueue;
class SessionKeeper;

class WindowClosing : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    WindowClosing(SessionKeeper& session, RunQueue& queue, Notices& notices, QWidget& window);

    void handle(QCloseEvent* event);
    /// Closes without a question; what cannot be saved is reported on the terminal.
    void close_for_signal();
    void note_failed_run(const QString& run_folder, const QString& text);

private:
    /// Saves what is to be kept; if that fails, asks.
    bool may_close();
    void ask(const QStringList& lost, bool saved);
    /// The window that was to be closed stays in use.
    void stay_open();
    void set_closing(bool closing);

    SessionKeeper& session_;
    RunQueue& queue_;
    Notices& notices_;
    QWidget& window_;
    bool closing_ = false;
    bool anyway_ = false;  ///< although something is lost
    bool for_signal_ = false;
    bool holds_queue_ = false;  ///< held by the closing window, not by the user
    QStringList failed_;        ///< of each run that failed while the window closed: what is lost, and why
    QStringList on_terminal_;   ///< reported there already
};

}  // namespace casp::gui
