#include "util/progress.h"

#include "util/marked_text.h"

namespace casp {

const char* words_of(Stage kind) {
    switch (kind) {
        case Stage::none:
            return "";
        case Stage::other:
            return "%1";
        case Stage::checking:
            return CASP_TEXT("checking %1");
        case Stage::comparing_anchors:
            return CASP_TEXT("Comparing anchors");
        case Stage::comparing_strata:
            return CASP_TEXT("Comparing strata");
        case Stage::computing_errors:
            return CASP_TEXT("Computing errors");
        case Stage::copying:
            return CASP_TEXT("copying");
        case Stage::copying_runs:
            return CASP_TEXT("copying runs");
        case Stage::cosine_similarity:
            return CASP_TEXT("Cosine similarity");
        case Stage::difficulty_strata:
            return CASP_TEXT("Difficulty strata");
        case Stage::distribution:
            return CASP_TEXT("Distribution of scores");
        case Stage::downloading:
            return CASP_TEXT("downloading %1");
        case Stage::embedding:
            return CASP_TEXT("embedding %1");
        case Stage::evaluating:
            return CASP_TEXT("evaluating %1");
        case Stage::exporting:
            return CASP_TEXT("exporting forecasts");
        case Stage::finding_neighbours:
            return CASP_TEXT("Finding neighbours");
        case Stage::fitting:
            return CASP_TEXT("fitting");
        case Stage::forecasting:
            return CASP_TEXT("forecasting");
        case Stage::importing:
            return CASP_TEXT("importing %1");
        case Stage::labelling_windows:
            return CASP_TEXT("Labelling windows");
        case Stage::matching_windows:
            return CASP_TEXT("Matching windows");
        case Stage::nearest_tokens:
            return CASP_TEXT("Nearest tokens");
        case Stage::packing:
            return CASP_TEXT("packing");
        case Stage::parsing:
            return CASP_TEXT("parsing %1");
        case Stage::principal_components:
            return CASP_TEXT("Principal components");
        case Stage::reading:
            return CASP_TEXT("reading %1");
        case Stage::reading_backbone:
            return CASP_TEXT("reading the backbone");
        case Stage::reading_embeddings:
            return CASP_TEXT("reading stored embeddings");
        case Stage::reading_runs:
            return CASP_TEXT("reading runs");
        case Stage::reading_weights:
            return CASP_TEXT("reading the weights");
        case Stage::repeating:
            return CASP_TEXT("repeating %1");
        case Stage::storing_embeddings:
            return CASP_TEXT("storing in the run");
        case Stage::storing_layout:
            return CASP_TEXT("storing the layout in the run");
        case Stage::storing_forecasts:
            return CASP_TEXT("Storing forecasts");
        case Stage::training:
            return CASP_TEXT("training");
        case Stage::tsne:
            return CASP_TEXT("t-SNE");
        case Stage::unpacking:
            return CASP_TEXT("unpacking %1");
        case Stage::validating:
            return CASP_TEXT("validating");
        case Stage::verifying:
            return CASP_TEXT("verifying");
        case Stage::waiting:
            return CASP_TEXT("waiting for other work");
    }
    return "";
}

std::string StageOf::text() const {
    const std::string words = words_of(kind);
    const auto at = words.find("%1");
    if (at == std::string::npos) return words;
    return of.empty() ? words.substr(0, words.find(" %1")) : words.substr(0, at) + of;
}

}  // namespace casp
