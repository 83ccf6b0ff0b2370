#include "gui/embedding_actions.h"

#include "gui/docks.h"
#include "gui/notices.h"
#include "gui/panel_actions.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"

namespace casp::gui {

namespace {

QString embeddings_menu() { return EmbeddingActions::tr("&Run") + '/' + EmbeddingActions::tr("&Embeddings"); }

}  // namespace

EmbeddingActions::EmbeddingActions(ActionList& actions, Docks& docks, Notices& notices, QObject* parent)
    : QObject(parent), actions_(actions), docks_(docks), notices_(notices) {
    add("embeddings.compute", tr("&Compute embeddings"),
        tr("Runs the windows through the best weights of the shown runs"), QStringLiteral("Ctrl+M, C"),
        tr("Embeddings are being computed, or the page shows the probe, which needs no computing."));
    add("embeddings.store", tr("&Store embeddings in the run"),
        tr("Stores the computed embeddings in the run's arrays.h5"), QStringLiteral("Ctrl+M, S"),
        tr("All computed embeddings are stored already."));
    actions_.add({"tsne.start", embeddings_menu(), tr("Start a &t-SNE"),
                  tr("Computes a new layout of the embeddings of the shown runs"),
                  QKeySequence(QStringLiteral("Ctrl+M, T")), tr("embeddings points layout")},
                 [this] {
                     if (auto* page = docks_.page<widgets::EmbeddingsPage>("embeddings"); page != nullptr)
                         page->layout_bar().set_method(widgets::LayoutMethod::tsne);
                     press(docks_, notices_, "embeddings", "tsne.start", tr("A t-SNE is running already."));
                 });
    const auto none = tr("No t-SNE is running.");
    add("tsne.pause", tr("&Pause or continue the t-SNE"), tr("Pauses the t-SNE, or resumes it"),
        QStringLiteral("Ctrl+M, P"), none);
    add("tsne.stop", tr("Stop and &keep the t-SNE"), tr("Stops the t-SNE and keeps the current layout"),
        QStringLiteral("Ctrl+M, K"), none);
    add("tsne.store", tr("Store the &layout"), tr("Stores the layout in the runs' arrays.h5"),
        QStringLiteral("Ctrl+M, L"), tr("No t-SNE has finished yet: start one."));
}

void EmbeddingActions::add(const char* id, const QString& text, const QString& tip, const QString& keys,
                           const QString& when_hidden) {
    actions_.add({id, embeddings_menu(), text, tip, QKeySequence(keys), tr("t-SNE vectors points layout")},
                 [this, id, when_hidden] { press(docks_, notices_, "embeddings", id, when_hidden); });
}

}  // namespace casp::gui
