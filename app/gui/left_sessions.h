#pragma once
// What windows left behind that are gone while another number than theirs is taken: runs, and what was
// entered.

#include <memory>
#include <vector>

#include <QLockFile>
#include <QString>

#include "gui/session.h"

namespace casp::gui {

/// The sessions of the windows after this one (session-2.json, …) that no window has now, whether it was
/// closed or cut off. Its runs go over to this window's session, since nobody knows when as many windows are
/// open again; what was entered stays in its file for that window. GUI thread.
class LeftSessions {
public:
    explicit LeftSessions(SessionFile first) : first_(std::move(first)) {}

    /// Reads those after the `own`-th window's, and holds their locks until release_runs(), so that no other
    /// window takes up the same runs. Returns what could not be read, or "".
    [[nodiscard]] QString take(int own);
    [[nodiscard]] std::vector<const SessionState*> states() const;
    /// Their runs are in another session that has been saved: takes them out, and lets the files go.
    void release_runs();
    /// Those of them whose window was cut off, until forget_cut_off().
    [[nodiscard]] int cut_off() const { return static_cast<int>(cut_off_.size()); }
    /// How many windows have to be opened so that all that were cut off are open again.
    [[nodiscard]] int windows_to_open() const;
    /// They count as closed from now on; what was entered in them stays.
    void forget_cut_off();

private:
    struct Left {
        SessionFile file;
        SessionState state;
        std::unique_ptr<QLockFile> lock;
    };
    const SessionFile first_;
    int own_ = 1;
    std::vector<Left> left_;
    std::vector<int> cut_off_;  ///< numbers of windows, ascending
};

}  // namespace casp::gui
