#pragma once
// What the language model contributes to the errors of models that have one: the page of
// study:language-model, from any finished runs that differ in backbone.kind. Without LibTorch; any thread.

#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "evidence/comparisons.h"
#include "evidence/run_settings.h"
#include "store/results.h"
#include "util/phrase.h"

namespace casp::evidence {

/// Name of the study, of its page's files, and in --table.
inline constexpr const char* language_study_name = "language-model";

/// One kind of backbone in one model and task.
struct LanguageRow {
    std::string model;          ///< title: "CASP-LLM"
    std::string task;           ///< "ETTh1-96", with what else distinguishes tasks
    std::string kind;           ///< backbone.kind
    store::Statistic test_mse;  ///< over seeds
    /// Against "gpt2" with the same seeds and other settings; nothing: of "gpt2" itself, or without a pair.
    /// Δ above zero: the error is larger without the language model. p_holm: over the kinds of a model and
    /// task.
    std::optional<Comparison> change;
    store::Statistic seconds;                                       ///< of training and evaluation
    std::int64_t parameters_trainable = -1, parameters_total = -1;  ///< -1: not known
    /// Mean over seeds of (MSE with damaged look-backs / MSE − 1) in per cent; NaN without
    /// run.lookback_checks.
    double shuffled = store::not_known, masked = store::not_known, exchanged = store::not_known;
    std::set<std::string> backbones, precisions;  ///< of the runs, as in results.csv
};

struct LanguageStudy {
    std::vector<LanguageRow> rows;  ///< by model and task in order of first appearance, then by kind
};

/// Of the finished runs whose model reads backbone.kind. Reads the number of parameters from their run.h5.
[[nodiscard]] LanguageStudy language_study(const std::vector<SettledRun>& runs,
                                           const std::stop_token& stop = {});

/// Texts of language-model.md, .csv and .tex.
[[nodiscard]] TableTexts language_study_texts(const LanguageStudy& study);

}  // namespace casp::evidence
