#pragma once
// Description of a page: names, place, shortcut, help and factory.
//
// Each page describes itself in a function beside it (`training_page_spec()`). The list of all pages is in
// app/gui/pages.cpp. Docks, the View menu, shortcuts, the command palette, help and the keyboard page are
// made from that list.

#include <functional>
#include <vector>

#include <QString>

class QWidget;

namespace casp::widgets {

class ExperimentModel;
class RunLibrary;
class Selection;

/// What pages are made from. All members outlive the pages.
struct PageContext {
    RunLibrary& library;
    Selection& selection;
    ExperimentModel& experiment;
};

enum class PageArea { left, centre, right, bottom };

/// A help page: `topic` is the file resources/help/<topic>.md.
struct HelpTopic {
    QString topic, title;
};

struct PageSpec {
    QString id;  ///< "training": names the dock (dock.training), its actions and its state in the session
    QString title;
    QString keywords = {};  ///< additional search terms for the command palette
    PageArea area = PageArea::centre;
    bool tabbed = true;  ///< tabbed with the previous page in this area
    bool open = true;    ///< shown in the initial layout
    /// Of "Go to", for pages outside the centre; centre pages are numbered instead.
    QString shortcut = {};
    std::vector<HelpTopic> help = {};  ///< the page's own topic (named as `id`), then related ones
    std::function<QWidget*(const PageContext&)> make = {};
};

}  // namespace casp::widgets
