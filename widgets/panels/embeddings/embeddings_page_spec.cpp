// The page Embeddings in the list of pages.
#include <QObject>

#include "panels/embeddings/embeddings_page.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec embeddings_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("embeddings");
    spec.title = QObject::tr("Embeddings");
    spec.keywords = QObject::tr("PCA t-SNE layout lasso variance");
    spec.help = {{QStringLiteral("embeddings"), QObject::tr("Embeddings")}};
    spec.make = [](const PageContext& context) {
        return new EmbeddingsPage(&context.library, &context.selection);
    };
    return spec;
}

}  // namespace casp::widgets
