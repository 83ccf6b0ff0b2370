#pragma once
// Interface of pages that handle dropped files themselves.

#include <QStringList>

namespace casp::widgets {

/// A base of pages, besides QWidget. GUI thread.
class DropTarget {
public:
    DropTarget() = default;
    DropTarget(const DropTarget&) = delete;
    DropTarget& operator=(const DropTarget&) = delete;
    virtual ~DropTarget() = default;

    /// What dropping these files here does, shown while they are dragged over the page; empty: nothing
    /// special, the window opens them.
    [[nodiscard]] virtual QString drop_text(const QStringList& paths) const = 0;
    /// Called only if drop_text() is not empty.
    virtual void drop(const QStringList& paths) = 0;
};

}  // namespace casp::widgets
