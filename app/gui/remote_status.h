#pragma once
// The connection to a remote folder, in the status bar and above it.

#include <QObject>
#include <QPointer>

class QLabel;
class QStatusBar;

namespace casp::widgets {
class RemoteFolder;
}

namespace casp::gui {

class InfoBar;
class Notices;

class RemoteStatus : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    RemoteStatus(QStatusBar& bar, Notices& notices, QObject* parent);
    /// Null: the folder of runs is on this machine.
    void follow(widgets::RemoteFolder* remote);

private:
    void update();
    void update_copying();
    /// A lost connection, with a button to try at once.
    void show_problem();

    Notices& notices_;
    InfoBar& info_;
    QLabel* label_;
    QPointer<widgets::RemoteFolder> remote_;
    QString shown_;  ///< the last problem
};

}  // namespace casp::gui
