#include "data/reader.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "data/foreign_format.h"
#include "data/long_columns.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/kept_values.h"

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

std::atomic<std::int64_t> sets_read{0};

Table import_table(const std::filesystem::path& path, const CsvOptions& options, const ProgressFn& progress,
                   const std::stop_token& stop) {
    const auto& reader = reader_for(path);
    if (reader.read == nullptr)
        throw input_error(path.string(), Phrase("this is a collection of series (%1)", reader.title),
                          "a table");
    return reader.read(path, options, progress, stop);
}

std::int64_t table_bytes(const Table& table) { return table.bytes(); }

std::int64_t series_bytes(const WholeSeries& whole) {
    return (std::ssize(whole.file.values) + std::ssize(whole.value_lines) + std::ssize(whole.test.values)) *
           static_cast<std::int64_t>(sizeof(double));
}

std::int64_t collection_bytes(const SeriesCollection& collection) {
    return (std::ssize(collection.values) + std::ssize(collection.test)) *
           static_cast<std::int64_t>(sizeof(double));
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

DataSource DataSource::of(const std::filesystem::path& path, const CollectionOptions& options) {
    DataSource source{{}, options};
    source.options.csv.threads = 0;
    std::vector<std::filesystem::path> files{path};
    try {
        files = data_files(path, options.frequency);
    } catch (const Error&) {  // which reading reports
    }
    for (const auto& file : files) source.files.push_back(FileState::of(file));
    return source;
}

bool DataSource::still_has(const std::string& sha256, std::chrono::system_clock::time_point begun) const {
    const auto fresh = [&](const FileState& file) { return file.is_fresh(begun); };
    if (std::ranges::none_of(files, fresh)) return true;
    try {
        return dataset_digest(files.front().path, options.frequency) == sha256;
    } catch (const Error&) {
        return false;  // reading says what is wrong
    }
}

std::shared_ptr<const Table> read_table(const std::filesystem::path& path, const CsvOptions& options,
                                        const ProgressFn& progress, const std::stop_token& stop) {
    static KeptValues<DataSource, Table> tables(max_kept_bytes, table_bytes);
    const auto source = DataSource::of(path, {.csv = options});
    return tables.get(
        source,
        [&](const ProgressFn& report) {
            ++sets_read;
            return import_table(path, options, report, stop);
        },
        [&](const Table& table, auto begun) { return source.still_has(table.sha256, begun); }, progress,
        stop);
}

std::shared_ptr<const SeriesCollection> read_collection(const std::filesystem::path& path,
                                                        const CollectionOptions& options,
                                                        const ProgressFn& progress,
                                                        const std::stop_token& stop) {
    static KeptValues<DataSource, WholeSeries> files(max_kept_bytes, series_bytes);
    static KeptValues<DataSource, SeriesCollection> collections(max_kept_bytes, collection_bytes);
    check_options(options);
    const auto source = DataSource::of(path, options);
    auto whole_source = source;
    whole_source.options.horizon = 0;
    whole_source.options.missing.reset();
    if (source.files.size() > 1) whole_source.options.frequency.clear();  // M4's names of files say it
    const auto read = [&](const ProgressFn& report) {
        ++sets_read;
        return read_series(path, options, report, stop);
    };
    const auto divide = [&](const ProgressFn& report) {
        const auto is_current = [&](const WholeSeries& whole, auto begun) {
            return whole_source.still_has(whole.sha256(), begun);
        };
        return divided(*files.get(whole_source, read, is_current, report, stop), options);
    };
    const auto is_current = [&](const SeriesCollection& collection, auto begun) {
        return source.still_has(collection.sha256, begun);
    };
    try {
        return collections.get(source, divide, is_current, progress, stop);
    } catch (const std::bad_alloc&) {
        throw input_error(path.string(), "the series do not fit into memory", {},
                          "Close other programs, or use a machine with more memory.");
    }
}

std::int64_t data_sets_read() { return sets_read; }

Phrase readable_files() {
    std::string titles;
    for (const auto& reader : readers())
        if (!reader.extensions.empty()) titles += (titles.empty() ? "" : ", ") + reader.title;
    return Phrase("a file of these kinds: %1", titles);
}

}  // namespace casp::data
