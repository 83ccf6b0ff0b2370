// Run folders and run.json.

#include "store/run_folder.h"

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/own_file.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/phrase_json.h"

namespace casp::store {

namespace {

using OrderedJson = nlohmann::ordered_json;
using UnorderedJson = nlohmann::json;  ///< for reading: fast key lookup

constexpr std::int64_t status_format_version = 1;
constexpr const char* how_to_mend_a_status =
    "The file is damaged. Remove it and start the run again with the same settings: a finished run gets a "
    "new "
    "run.json from its run.h5, an unfinished one is resumed (--resume).";

OrderedJson json_of(const std::string& text) { return text; }
OrderedJson json_of(RunState state) { return to_string(state); }
OrderedJson json_of(std::int64_t count) { return count; }
OrderedJson json_of(double number) {
    // JSON has no notation for these.
    if (!std::isfinite(number))
        return std::isnan(number) ? OrderedJson(nullptr) : OrderedJson(shortest(number));
    return number;
}

void take(std::string& text, const UnorderedJson& json) { text = json.get<std::string>(); }
void take(RunState& state, const UnorderedJson& json) {
    const auto known = run_state_from(json.get<std::string>());
    if (!known)
        throw std::invalid_argument("\"" + beginning_of(json.get<std::string>()) + "\" is not a state");
    state = *known;
}
void take(std::int64_t& count, const UnorderedJson& json) {
    if (!json.is_number_integer())
        throw std::invalid_argument(beginning_of(json.dump()) + " is not a whole number");
    count = json_integer(json);
}
void take(double& number, const UnorderedJson& json) {
    if (json.is_null())
        number = not_known;
    else if (json == "inf" || json == "-inf")
        number = json == "inf" ? INFINITY : -INFINITY;
    else
        number = json.get<double>();
}

/// The row of run.json: what every run has, then what this one has, the scores of collections last.
OrderedJson json_of_row(const ResultRow& row) {
    auto json = OrderedJson::object();
    const auto add = [&](bool later, bool scores) {
        for (const auto& column : result_columns)
            if (column.has(ResultColumn::later) == later && column.is_score() == scores &&
                (!later || scores || is_known(row, column)))
                json[column.name] =
                    visit_value(row, column, [](const auto& value) { return json_of(value); });
    };
    add(false, false);
    add(true, false);
    if (has_scores(row)) add(true, true);
    return json;
}

/// "2026-01-31T12:00:00.123456Z".
std::string precise_utc_now() {
    const auto now = std::chrono::system_clock::now();
    const auto seconds = std::chrono::system_clock::to_time_t(now);
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return std::string(text.data(), size) + "." + std::to_string(1'000'000 + micros).substr(1) + "Z";
}

/// The run.json that is replaced; nothing also if it is damaged.
std::optional<RunStatus> status_before(const RunFolder& folder) {
    try {
        return read_run_status(folder);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

void RunFolder::check_no_links() const {
    std::error_code problem;
    for (const auto& part : {folder_, folder_.parent_path()})
        if (std::filesystem::is_symlink(part, problem))
            throw input_error(part.string(), "this is a link", "a folder",
                              "Runs are not written through links: pass the link's target to --out, or "
                              "remove the link.");
}

void RunFolder::create() const {
    check_no_links();
    std::error_code problem;
    std::filesystem::create_directories(folder_, problem);
    if (problem)
        throw input_error(folder_.string(), Phrase("the folder cannot be created: %1", problem.message()), {},
                          "Choose a folder you may write to.");
}

void write_run_status(const RunFolder& folder, const RunStatus& status) {
    OrderedJson swept = OrderedJson::array();
    for (const auto& [key, value] : status.row.swept) swept.push_back({{"key", key}, {"value", value}});
    auto created = status.created;
    auto position = status.position;
    if (created.empty() || !position) {
        const auto before = status_before(folder);
        if (created.empty()) created = before ? before->created : precise_utc_now();
        if (!position && before) position = before->position;
    }
    OrderedJson document{{"format_version", status_format_version},
                         {"state", to_string(status.row.state)},
                         {"message", status.message.english()},
                         {"created", created}};
    if (position) document["position"] = *position;
    if (!status.message.is_value()) keep(document["phrases"], status.message);
    document["updated"] = utc_now();
    document["row"] = json_of_row(status.row);
    document["swept"] = swept;
    // An error message may contain bytes of a file that are not UTF-8.
    write_file_atomically(folder.run_json(),
                          document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
}

std::optional<RunStatus> read_run_status(const RunFolder& folder) {
    const auto path = folder.run_json();
    if (!std::filesystem::exists(path)) return std::nullopt;
    const auto text = [&] {
        try {
            return read_small_file(path, std::size_t{1} << 20);
        } catch (const Error& problem) {
            throw about_own_file(problem, path, how_to_mend_a_status);
        }
    }();
    try {
        const auto document = parse_json(text);
        const auto version = json_integer(document.at("format_version"));
        if (version > status_format_version)
            throw input_error(path.string(), Phrase("it has format version %1", version),
                              Phrase("at most %1", status_format_version),
                              "A newer CASP Studio wrote it; use that version or a later one.");
        RunStatus status;
        status.message = kept_phrase(document, document.at("message").get<std::string>());
        status.updated = document.at("updated").get<std::string>();
        status.created = document.value("created", status.updated);
        if (document.contains("position")) status.position = json_integer(document.at("position"));
        const auto& row = document.at("row");
        for (const auto& column : result_columns)
            if (!column.has(ResultColumn::later) || row.contains(column.name))
                visit_value(status.row, column, [&](auto& value) { take(value, row.at(column.name)); });
        for (const auto& entry : document.at("swept"))
            status.row.swept.emplace_back(entry.at("key").get<std::string>(),
                                          entry.at("value").get<std::string>());
        return status;
    } catch (const UnorderedJson::exception& problem) {
        throw input_error(path.string(), Phrase("it cannot be parsed: %1", beginning_of(problem.what())),
                          "a run.json", how_to_mend_a_status);
    } catch (const std::invalid_argument& problem) {
        throw input_error(path.string(), problem.what(), "a run.json", how_to_mend_a_status);
    }
}

}  // namespace casp::store
