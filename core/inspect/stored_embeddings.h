#pragma once
// Reader of embeddings, similarities and layouts in a run's arrays.h5, at the best checkpoint or a snapshot.
//
// Any thread. Throws input Errors for files that are damaged or too large for the memory, and Cancelled.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "store/embeddings.h"

namespace casp::inspect {

/// The stored embeddings of `split` at the best weights or at the snapshot of `step`; nothing: none are
/// stored. They have their errors, retrievals and similarities if those are stored, and the PCA if
/// it is of their rows, but no t-SNE: see read_stored_tsne().
[[nodiscard]] std::optional<store::Embeddings> read_stored_embeddings(const std::filesystem::path& run,
                                                                      const std::string& split,
                                                                      std::optional<std::int64_t> step = {},
                                                                      const std::stop_token& stop = {});

/// The stored t-SNE of these weights and split, possibly of other rows: see Embeddings::fits(). Empty: none.
[[nodiscard]] store::EmbeddingLayout read_stored_tsne(const std::filesystem::path& run,
                                                      const std::string& split,
                                                      std::optional<std::int64_t> step = {});

/// Cosine similarities [rows, V'] of the series embeddings and the anchors, as in the model.
[[nodiscard]] std::vector<float> cosines_of(const store::Embeddings& embeddings);

}  // namespace casp::inspect
