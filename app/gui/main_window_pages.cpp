// Actions that press what stands on a page, so that menus, keys and the command palette have it, too.

#include "gui/docks.h"
#include "gui/main_window.h"
#include "gui/panel_actions.h"
#include "panels/data/data_panel.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/view/view_page.h"

namespace casp::gui {

void MainWindow::make_data_actions() {
    const auto menu = tr("&File");
    actions_->add({"file.use", menu, tr("&Use the open file"),
                   tr("The next experiment trains on the file that the Data page shows"),
                   QKeySequence(tr("Ctrl+U")), tr("csv data set train take")},
                  [this] {
                      const auto first = tr("Open a CSV file first.");
                      data_->current_path().isEmpty() ? say(first, false)
                                                      : press(*docks_, *notices_, "data", "data.use", first);
                  });
    actions_->add({"file.close", menu, tr("C&lose the open file"),
                   tr("Takes the file that the Data page shows off its list; it is not deleted"),
                   QKeySequence(tr("Ctrl+F4")), tr("csv data tab")},
                  [this] {
                      show_dock("data");
                      const int index = data_->model().index_of(data_->current_path());
                      if (index < 0)
                          say(tr("No file is open."), false);
                      else
                          data_->model().close(index);
                  });
}

void MainWindow::make_page_actions() {
    const auto menu = tr("&Run") + '/' + tr("&Embeddings");
    const auto add = [this, &menu](const char* id, const QString& text, const QString& tip,
                                   const QString& keys, const QString& when_hidden) {
        actions_->add({id, menu, text, tip, QKeySequence(keys), tr("t-SNE vectors points layout")},
                      [this, id, when_hidden] { press(*docks_, *notices_, "embeddings", id, when_hidden); });
    };
    add("embeddings.compute", tr("&Compute embeddings"),
        tr("Runs the windows through the best weights of the shown runs"), tr("Ctrl+M, C"),
        tr("They are being computed, or the page shows the probe, which needs no computing."));
    add("embeddings.store", tr("&Store embeddings in the run"),
        tr("Keeps the embeddings that were computed in the run's arrays.h5"), tr("Ctrl+M, S"),
        tr("There are no computed embeddings that are not stored yet."));
    actions_->add(
        {"tsne.start", menu, tr("Start a &t-SNE"), tr("Lays the embeddings of the shown runs out anew"),
         QKeySequence(tr("Ctrl+M, T")), tr("embeddings points layout")},
        [this] {
            if (auto* page = docks_->page<widgets::EmbeddingsPage>("embeddings"); page != nullptr)
                page->layout_bar().set_method(widgets::LayoutMethod::tsne);
            press(*docks_, *notices_, "embeddings", "tsne.start", tr("A t-SNE is going on already."));
        });
    const auto none = tr("No t-SNE is going on.");
    add("tsne.pause", tr("&Pause or continue the t-SNE"), tr("Holds the t-SNE where it is, or goes on"),
        tr("Ctrl+M, P"), none);
    add("tsne.stop", tr("Stop and &keep the t-SNE"), tr("Ends the t-SNE; the layout stays as it is"),
        tr("Ctrl+M, K"), none);
    add("tsne.store", tr("Store the &layout"), tr("Keeps the layout in the runs' arrays.h5"), tr("Ctrl+M, L"),
        tr("There is no t-SNE that has ended: start one."));
}

}  // namespace casp::gui
