// Texts of an audit: for the terminal and audit.json.
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "audit/audit.h"
#include "data/describe.h"
#include "store/atomic_file.h"
#include "store/result_columns.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/phrase_json.h"

namespace casp::audit {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson number(double value) { return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr); }

Phrase error_pair(double mse, double mae) {
    return Phrase("MSE %1, MAE %2", store::four_digits(mse), store::four_digits(mae));
}

std::string errors_text(const Audit& audit) {
    std::string text;
    if (std::isfinite(audit.mse))
        text =
            same_scaling(audit.match.scaling, audit.truth_scaling)
                ? Phrase("As stored, over all %1 windows: %2.\n", data::with_commas(audit.windows),
                         error_pair(audit.mse, audit.mae))
                : Phrase(
                      "As stored, over all %1 windows: %2 (predictions and truths are in different units).\n",
                      data::with_commas(audit.windows), error_pair(audit.mse, audit.mae));
    if (audit.shared > 0)
        text += Phrase("Over the %1 of %2 test windows that are there, scaled as our runs: %3.\n",
                       data::with_commas(audit.shared), data::with_commas(audit.expected_windows),
                       error_pair(audit.mse_shared, audit.mae_shared));
    return text;
}

}  // namespace

std::string audit_text(const Audit& audit) {
    std::string text;
    for (const auto& finding : audit.findings)
        text += std::string(to_string(finding.code)) + ": " + finding.text.english() + "\n";
    text += errors_text(audit);
    for (const auto& note : audit.notes) text += note.english() + "\n";
    for (const auto& hint : audit.hints)
        text += Phrase("%1, line %2, shows %3: %4\n", hint.file.string(), hint.line, hint.what, hint.text);
    return text;
}

std::string audit_json(const Audit& audit, const data::PreparedData& data) {
    OrderedJson findings = OrderedJson::array();
    for (const auto& finding : audit.findings)
        findings.push_back({{"code", to_string(finding.code)}, {"text", finding.text.english()}});
    OrderedJson hints = OrderedJson::array();
    for (const auto& hint : audit.hints)
        hints.push_back({{"file", hint.file.string()},
                         {"line", hint.line},
                         {"text", hint.text},
                         {"what", hint.what.english()}});
    OrderedJson notes = OrderedJson::array(), phrases = OrderedJson::object();
    for (const auto& note : audit.notes) notes.push_back(note.english());
    for (const auto& finding : audit.findings) keep(phrases, finding.text);
    for (const auto& note : audit.notes) keep(phrases, note);
    for (const auto& hint : audit.hints) keep(phrases, hint.what);
    keep(phrases, audit.match.scaling.description);
    OrderedJson channels = OrderedJson::array();
    for (const auto column : audit.match.column)
        channels.push_back(column < 0
                               ? OrderedJson(nullptr)
                               : OrderedJson(data.table.columns[static_cast<std::size_t>(column)].name));
    const auto& scaling = audit.match.scaling;
    const OrderedJson document{
        {"format_version", 1},
        {"findings", findings},
        {"notes", notes},
        {"hints", hints},
        {"data",
         {{"path", data.table.path.filename().string()}, {"sha256", data.table.sha256}, {"name", data.name}}},
        {"windows", audit.windows},
        {"horizon", audit.horizon},
        {"channels", channels},
        {"expected", {{"windows", audit.expected_windows}, {"first_row", data.plan.test.target_begin}}},
        {"scaling",
         {{"with", scaling.description.english()},
          {"mean", scaling.scaler.mean},
          {"std", scaling.scaler.std},
          {"truths_with", audit.truth_scaling.description.english()}}},
        {"errors",
         {{"stored", {{"mse", number(audit.mse)}, {"mae", number(audit.mae)}}},
          {"shared",
           {{"windows", audit.shared},
            {"mse", number(audit.mse_shared)},
            {"mae", number(audit.mae_shared)}}}}},
        {"rows", audit.row},
        {"phrases", phrases}};
    return document.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

StoredAudit read_audit(const std::filesystem::path& file) {
    constexpr std::size_t largest = std::size_t{256} << 20;  // a row for each window
    const auto number_in = [](const nlohmann::json& value) {
        return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    };
    try {
        const auto document = parse_json(store::read_small_file(file, largest));
        const auto phrase_in = [&](const nlohmann::json& english) {
            return kept_phrase(document, english.get<std::string>());
        };
        StoredAudit audit;
        for (const auto& finding : document.at("findings"))
            audit.findings.emplace_back(finding.at("code").get<std::string>(), phrase_in(finding.at("text")));
        for (const auto& note : document.at("notes")) audit.notes.push_back(phrase_in(note));
        for (const auto& hint : document.at("hints"))
            audit.hints.push_back({hint.at("file").get<std::string>(), hint.at("line").get<std::int64_t>(),
                                   hint.at("text").get<std::string>(), phrase_in(hint.at("what"))});
        for (const auto& channel : document.at("channels"))
            audit.channels.push_back(channel.is_null() ? "?" : channel.get<std::string>());
        audit.scaled_with = phrase_in(document.at("scaling").at("with"));
        document.at("windows").get_to(audit.windows);
        document.at("expected").at("windows").get_to(audit.expected_windows);
        const auto& errors = document.at("errors");
        errors.at("shared").at("windows").get_to(audit.shared);
        audit.mse = number_in(errors.at("stored").at("mse"));
        audit.mae = number_in(errors.at("stored").at("mae"));
        audit.mse_shared = number_in(errors.at("shared").at("mse"));
        audit.mae_shared = number_in(errors.at("shared").at("mae"));
        return audit;
    } catch (const nlohmann::json::exception& problem) {
        throw input_error(file.string(), beginning_of(problem.what()), "an audit.json as --import writes it",
                          "Import the forecasts again.");
    }
}

}  // namespace casp::audit
