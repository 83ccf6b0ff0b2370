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

class RemoteStatus : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    RemoteStatus(QStatusBar& bar, InfoBar& info, QObject* parent);
    /// Null: the folder of runs is on this machine.
    void follow(widgets::RemoteFolder* remote);

private:
    void update();
    void update_copying();
    /// A lost connection, with a button to try at once.
    void show_problem();

    InfoBar& info_;
    QLabel* label_;
    QPointer<widgets::RemoteFolder> remote_;
};

}  // namespace casp::gui
