#include "data/reader.h"

#include <utility>

#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "data/long_columns.h"
#include "data/series_whole.h"
#include "util/error.h"

namespace casp::data {

namespace {

/// Empty if the file cannot be opened or read.
std::string head_of(const std::filesystem::path& path) {
    try {
        return head_of_content(path, head_bytes, readable_files());
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

const std::vector<Reader>& readers() {
    static const std::vector<Reader> all{
        {"m4",
         "M4",
         {},
         [](const std::filesystem::path& path, std::string_view) { return is_m4(path); },
         nullptr,
         read_m4},
        {"tsf",
         "Monash .tsf",
         {"tsf"},
         [](const std::filesystem::path&, std::string_view head) { return begins_as_tsf(head); },
         nullptr,
         read_tsf},
        {"json-lines",
         "JSON lines",
         {"jsonl", "json", "ndjson"},
         [](const std::filesystem::path&, std::string_view head) { return begins_as_json_lines(head); },
         nullptr,
         read_json_lines},
        {"long-csv",
         "CSV with a row per value",
         {},
         [](const std::filesystem::path& path, std::string_view head) {
             return foreign_format(head) == nullptr && is_long_csv(path, head);
         },
         nullptr,
         read_long_csv},
        {"csv",
         "CSV",
         {"csv", "tsv", "txt", "dat"},
         [](const std::filesystem::path&, std::string_view head) { return foreign_format(head) == nullptr; },
         [](const std::filesystem::path& path, const CsvOptions& options, const ProgressFn& progress,
            std::stop_token stop) {
             auto table = import_csv(path, options, progress, std::move(stop));
             check_long_format(table);
             return table;
         },
         nullptr},
    };
    return all;
}

const Reader& reader_for(const std::filesystem::path& path) {
    const auto head = head_of(path);
    for (const auto& reader : readers())
        if (reader.recognises(path, head)) return reader;
    if (const auto* other = foreign_format(head))
        throw foreign_error(*other, path.string(), readable_files());
    throw input_error(path.string(), "not a data file that can be read", readable_files(),
                      "Convert it first.");
}

Table read_table(const std::filesystem::path& path, const CsvOptions& options, const ProgressFn& progress,
                 std::stop_token stop) {
    const auto& reader = reader_for(path);
    if (reader.read == nullptr)
        throw input_error(path.string(), "this is a collection of series (" + reader.title + ")", "a table");
    return reader.read(path, options, progress, std::move(stop));
}

std::string readable_files() {
    std::string titles;
    for (const auto& reader : readers())
        if (!reader.extensions.empty()) titles += (titles.empty() ? "" : ", ") + reader.title;
    return "a file of these kinds: " + titles;
}

}  // namespace casp::data
