#pragma once
// What a run's arrays.h5 keeps of its windows at the best checkpoint, or at a snapshot: embeddings,
// similarities, layouts.
//
// Any thread. Throws input Errors for files that are damaged or too large for the memory, Cancelled.

#include <memory>
#include <stop_token>

#include <QString>

#include "state/embedding_set.h"

namespace casp::widgets {

/// The set that is stored of them; null where there is none. Principal components are the stored ones
/// where those are of its rows, else empty.
[[nodiscard]] std::shared_ptr<EmbeddingSet> read_stored_embeddings(const QString& run_folder,
                                                                   const EmbeddingMoment& moment,
                                                                   const std::stop_token& stop = {});

/// Gives `set` the t-SNE that its run stores, if that is of its rows; else tells of which it is.
void add_stored_tsne(EmbeddingSet& set);

}  // namespace casp::widgets
