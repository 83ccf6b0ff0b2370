#pragma once
// Docks of all pages: makes them from the list of pages, shows, moves and lays them out.
//
// Docks left, right and below belong to the window; those of the centre belong to a second main window inside
// it, so that the areas keep their places while each can be rearranged.

#include <vector>

#include <QByteArray>
#include <QDockWidget>
#include <QHash>
#include <QMainWindow>
#include <QObject>

#include "gui/pages.h"

namespace casp::widgets {
class ViewPage;
}

namespace casp::gui {

class Docks : public QObject {
    Q_OBJECT
public:
    /// Makes the pages and their docks.
    Docks(QMainWindow& window, QMainWindow& centre, std::vector<PageSpec> pages, const PageContext& context);
    /// Deletes the docks and their pages.
    ~Docks() override;

    [[nodiscard]] const std::vector<PageSpec>& pages() const { return pages_; }
    /// Null if there is no such page.
    [[nodiscard]] QDockWidget* dock(const QString& id) const { return docks_.value(id); }
    /// In the order of the picture: left, centre, right, below.
    [[nodiscard]] const QList<QDockWidget*>& all() const { return order_; }
    /// The content of a dock; null if it is not a `Page`.
    template <class Page>
    [[nodiscard]] Page* page(const QString& id) const {
        auto* found = dock(id);
        return found == nullptr ? nullptr : qobject_cast<Page*>(found->widget());
    }
    /// Those pages that are grids of views, in the same order, by id.
    [[nodiscard]] const std::vector<std::pair<QString, widgets::ViewPage*>>& view_pages() const {
        return view_pages_;
    }
    [[nodiscard]] bool is_in_centre(const QDockWidget* dock) const;
    [[nodiscard]] bool is_open(const QString& id) const;

    void show(const QString& id);
    /// Back to the initial layout. Of the pages of the centre the visible one stays in front; of several,
    /// `preferred`.
    void reset_layout(const QDockWidget* preferred);
    /// Hides the docks around the centre, or shows them again.
    void fill_with_centre(bool on);
    void float_or_dock(QDockWidget* dock);
    /// Pages of the centre move within it, others around it.
    static void move(QDockWidget* dock, Qt::DockWidgetArea area);

    /// For the session; of the layout around a centre that fills the window, the one before.
    [[nodiscard]] QByteArray save_layout() const;
    [[nodiscard]] QByteArray save_centre_layout() const;
    void restore_layout(const QByteArray& layout);
    void restore_centre_layout(const QByteArray& layout);

Q_SIGNALS:
    void centre_filled(bool on);

private:
    /// `before`: the dock of the page before it in its area, or null.
    QDockWidget* add(const PageSpec& spec, QWidget* content, QDockWidget* before);
    void give_sides_their_width();

    QMainWindow& window_;
    QMainWindow& centre_;
    std::vector<PageSpec> pages_;
    QHash<QString, QDockWidget*> docks_;
    QList<QDockWidget*> order_;
    std::vector<std::pair<QString, widgets::ViewPage*>> view_pages_;
    QByteArray first_layout_, first_centre_layout_;
    QByteArray layout_before_;  ///< before the centre filled the window; empty: it does not
};

}  // namespace casp::gui
