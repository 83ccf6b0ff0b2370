#pragma once
// Whether a window can be opened here at all: Qt aborts where it cannot.

#include <string>

namespace casp::gui {

/// Asks the display that Qt would take: X, or a Wayland compositor; of other platforms (QT_QPA_PLATFORM =
/// offscreen, vnc) Qt knows best. Make one before QApplication, and let it go after: an X server whose last
/// client leaves may start anew (Xvfb does), and would refuse a QApplication that comes in this moment.
class DisplayProbe {
public:
    DisplayProbe();
    ~DisplayProbe();
    DisplayProbe(const DisplayProbe&) = delete;
    DisplayProbe& operator=(const DisplayProbe&) = delete;

    /// Why no window can be opened here ("no display: …"), or "" where one can.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    [[nodiscard]] std::string x_problem();
    bool x_server_answers();

    std::string problem_;
    void* connection_ = nullptr;  ///< of libxcb
    void (*disconnect_)(void*) = nullptr;
};

}  // namespace casp::gui
