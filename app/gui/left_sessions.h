#pragma once
// Sessions of further windows (session-2.json, …) that are no longer open.

#include <memory>
#include <vector>

#include <QLockFile>
#include <QString>

#include "gui/session.h"

namespace casp::gui {

/// Adopts the sessions of further windows (session-2.json, …) that were closed or killed. Their runs move to
/// this window's session, because it is unknown when as many windows will be open again. Their input stays in
/// their files for those windows. GUI thread.
class LeftSessions {
public:
    explicit LeftSessions(SessionFile first) : first_(std::move(first)) {}

    /// Reads the sessions after that of the `own`-th window and locks them until release_runs(), so that no
    /// other window adopts the same runs. Returns the problem, or "".
    [[nodiscard]] QString take(int own);
    [[nodiscard]] std::vector<const SessionState*> states() const;
    /// Call after the runs were saved in another session: removes them from these sessions and unlocks the
    /// files.
    void release_runs();
    /// Sessions whose window was killed, until forget_cut_off().
    [[nodiscard]] int cut_off() const { return static_cast<int>(cut_off_.size()); }
    /// Number of windows to open so that all killed ones are open again.
    [[nodiscard]] int windows_to_open() const;
    /// Marks them as closed; their input is kept.
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
    std::vector<int> cut_off_;  ///< window numbers, ascending
};

}  // namespace casp::gui
