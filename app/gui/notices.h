#pragma once
// Messages to the user: in the message drawer and, if they need attention, in place of the status bar.

#include <QDeadlineTimer>
#include <QString>

namespace casp::widgets {
class MessageDrawer;
class RunLibrary;
}  // namespace casp::widgets

namespace casp::gui {

class InfoBar;

class Notices {
public:
    /// All must outlive it. The library gives runs their titles.
    Notices(const widgets::RunLibrary& library, widgets::MessageDrawer& drawer, InfoBar& bar)
        : library_(library), drawer_(drawer), bar_(bar) {}

    enum class Level { note, warning, error };
    /// Into the drawer only.
    void log(const QString& text, Level level, const QString& run = {});
    /// Also in place of the status bar: notes for a few seconds, errors until half a minute after the user's
    /// next key or click.
    void say(const QString& text, bool is_error, const QString& run = {});
    /// A run has started: an error about it no longer holds. Empty: the user has started runs, and one about
    /// no run is past, too.
    void started(const QString& run);
    /// Errors in place of the status bar too, anything else into the drawer only.
    void report(const QString& text, bool is_error);
    /// For exceptions that nothing caught. False: the same was reported a moment ago.
    bool report_unexpected(const QString& problem);
    [[nodiscard]] InfoBar& bar() const { return bar_; }

private:
    const widgets::RunLibrary& library_;
    widgets::MessageDrawer& drawer_;
    InfoBar& bar_;
    QString error_run_;   ///< of the last error in place of the status bar
    QString unexpected_;  ///< reported last, and until when not again
    QDeadlineTimer unexpected_quiet_;
    bool reporting_ = false;
};

}  // namespace casp::gui
