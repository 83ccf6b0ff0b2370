#pragma once
// Opens the fork popover for a run, after its numbers have been read.

#include <QObject>
#include <QPointer>
#include <QString>

namespace casp::widgets {
class ForkPopover;
class FileRunLibrary;
class RunData;
struct ForkParent;
}  // namespace casp::widgets

namespace casp::run {
struct ForkPlace;
}

namespace casp::gui {

class Notices;

class ForkOpener : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    ForkOpener(widgets::FileRunLibrary& library, widgets::ForkPopover& popover, Notices& notices,
               QObject* parent);

    /// Replaces an earlier request that still waits.
    void open(const QString& run_folder);

private:
    void show(widgets::ForkParent parent, const run::ForkPlace& place);

    widgets::FileRunLibrary& library_;
    widgets::ForkPopover& popover_;
    Notices& notices_;
    QPointer<QObject> waits_;  ///< for the numbers of the requested run
};

}  // namespace casp::gui
