#pragma once
// Check whether a window can be opened: Qt aborts the program if it cannot.

#include <string>

namespace casp::gui {

/// Connects to the display that Qt would use: X, or a Wayland compositor. Other platforms (QT_QPA_PLATFORM =
/// offscreen, vnc) are left to Qt. Create it before QApplication and destroy it afterwards: an X server may
/// restart when its last client disconnects (Xvfb does), and would reject a QApplication at that moment.
class DisplayProbe {
public:
    DisplayProbe();
    ~DisplayProbe();
    DisplayProbe(const DisplayProbe&) = delete;
    DisplayProbe& operator=(const DisplayProbe&) = delete;

    /// Why no window can be opened ("no display: …"); empty if one can be opened.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    [[nodiscard]] std::string x_problem();
    bool x_server_answers();

    std::string problem_;
    void* connection_ = nullptr;  ///< of libxcb
    void (*disconnect_)(void*) = nullptr;
};

}  // namespace casp::gui
