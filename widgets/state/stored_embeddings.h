#pragma once
// Reader of embeddings, similarities and layouts in a run's arrays.h5, at the best checkpoint or a snapshot.
//
// Any thread. Throws input Errors for files that are damaged or too large for the memory, and Cancelled.

#include <memory>
#include <stop_token>

#include <QString>

#include "state/embedding_set.h"

namespace casp::widgets {

/// The stored set; null: none. It has the stored principal components if those have its rows, else none.
[[nodiscard]] std::shared_ptr<EmbeddingSet> read_stored_embeddings(const QString& run_folder,
                                                                   const EmbeddingMoment& moment,
                                                                   const std::stop_token& stop = {});

/// Adds the run's stored t-SNE to `set` if it has the same rows; else sets `other_tsne`.
void add_stored_tsne(EmbeddingSet& set);

}  // namespace casp::widgets
