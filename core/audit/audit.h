#pragma once
// Audit of forecasts made by other code: which windows, scaling and channels their numbers show.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/foreign_forecasts.h"
#include "audit/pipeline_hints.h"
#include "audit/truth_match.h"
#include "util/phrase.h"

namespace casp::audit {

enum class FindingCode {
    clean,
    dropped_windows,
    extra_windows,
    wrong_split,
    wrong_horizon,
    foreign_scaler,
    original_units,
    reordered_windows,
    reordered_channels,
    missing_channels,
    shifted_windows,
    not_finite,
    truth_differs
};

/// "clean", "dropped-windows", …
[[nodiscard]] std::string_view to_string(FindingCode code);

struct Finding {
    FindingCode code;
    Phrase text;  ///< one sentence with the numbers that show it
};

/// What the numbers show. Windows count from 0.
struct Audit {
    std::vector<Finding> findings;  ///< `clean` if there is no other
    std::vector<Phrase> notes;      ///< limits of the audit, a sentence each
    std::vector<Hint> hints;        ///< of pipeline_hints(); not a finding, and not set by audit_forecasts()
    std::int64_t windows = 0, horizon = 0, channels = 0;  ///< of the arrays
    std::int64_t expected_windows = 0;                    ///< test windows of the data set at this horizon
    std::vector<std::int64_t> row;  ///< [windows] row of the first target value; -1: not found
    ChannelMatch match;             ///< columns, and scaling of the predictions
    Scaling truth_scaling;          ///< of the truths; without them, of the predictions
    double mse = 0, mae = 0;        ///< as stored: over all values of pred and true; NaN without truths
    double mse_shared = 0, mae_shared = 0;  ///< over `shared` windows, scaled as our runs; NaN for none
    std::int64_t shared = 0;                ///< windows of the test split that are there, each once

    [[nodiscard]] bool is_clean() const { return findings.front().code == FindingCode::clean; }
};

/// Windows of the arrays by their place in the test split, the first one of equal ones; -1: missing.
[[nodiscard]] std::vector<std::int64_t> test_windows(const Audit& audit, const data::PreparedData& data);

/// Compares forecasts with the data set. `data`: prepared with the settings data.* that the forecasts are
/// said to have, but at the horizon of the arrays; `horizon`: data.horizon. Reads all values once or twice.
/// Progress in windows. Throws Cancelled, and an input Error for files that cannot be read and a channel that
/// the data set does not have (CSV).
[[nodiscard]] Audit audit_forecasts(const ForeignForecasts& forecasts, const data::PreparedData& data,
                                    std::int64_t horizon, const ProgressFn& progress = {},
                                    const std::stop_token& stop = {});

/// Contents of audit.json.
struct StoredAudit {
    std::vector<std::pair<std::string, Phrase>> findings;  ///< code and text
    std::vector<Phrase> notes;
    std::vector<Hint> hints;
    std::vector<std::string> channels;  ///< of the arrays, in their order; "?": no column
    Phrase scaled_with;                 ///< as Scaling::description
    std::int64_t windows = 0, expected_windows = 0, shared = 0;
    double mse = 0, mae = 0, mse_shared = 0, mae_shared = 0;  ///< as in Audit

    [[nodiscard]] bool is_clean() const { return findings.size() == 1 && findings.front().first == "clean"; }
};

/// Reads audit.json. Throws an input Error if it is missing or damaged.
[[nodiscard]] StoredAudit read_audit(const std::filesystem::path& file);

/// A line per finding, code first, then a line per note and hint.
[[nodiscard]] std::string audit_text(const Audit& audit);

/// audit.json: findings, notes, hints, shapes, rows, scaling, errors.
[[nodiscard]] std::string audit_json(const Audit& audit, const data::PreparedData& data);

}  // namespace casp::audit
