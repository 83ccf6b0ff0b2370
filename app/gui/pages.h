#pragma once
// The pages of the window: names, places, shortcuts, help and factories. Docks, the View menu, shortcuts, the
// command palette, the help's contents and the keyboard page are made from this list.

#include <functional>
#include <vector>

#include <QString>

class QWidget;

namespace casp::widgets {
class ExperimentModel;
class RunLibrary;
class Selection;
}  // namespace casp::widgets

namespace casp::gui {

/// What pages are made from. All members outlive the pages.
struct PageContext {
    widgets::RunLibrary& library;
    widgets::Selection& selection;
    widgets::ExperimentModel& experiment;
};

enum class PageArea { left, centre, right, bottom };

/// A help page: `topic` is the file resources/help/<topic>.md.
struct HelpTopic {
    QString topic, title;
};

struct PageSpec {
    QString id;  ///< "training": names the dock (dock.training), its actions and its state in the session
    QString title;
    std::function<QWidget*(const PageContext&)> make;
    PageArea area = PageArea::centre;
    /// Of "Go to", for pages outside the centre; centre pages are numbered instead.
    QString shortcut = {};
    QString keywords = {};  ///< additional search terms for the command palette
    bool open = true;       ///< shown in the initial layout
    bool tabbed = true;     ///< tabbed with the previous page in this area
};

/// In the order of the picture: left, centre, right, below. Tab, F6 and the View menu follow this order;
/// within an area it is the order of the tabs.
[[nodiscard]] std::vector<PageSpec> pages();

/// The contents of the help: first steps, then the topics of each page, then those of no page.
[[nodiscard]] std::vector<HelpTopic> help_contents();

}  // namespace casp::gui
