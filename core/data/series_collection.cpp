#include "data/series_collection.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "config/text_utils.h"
#include "data/file_bytes.h"
#include "data/reader.h"
#include "data/series_csv.h"
#include "data/series_whole.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/is_there.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

namespace fs = std::filesystem;

/// The files of a collection.
struct Files {
    fs::path train;  ///< or the only file
    fs::path test;   ///< empty: there is only one file
    const Frequency* frequency = nullptr;
};

std::vector<std::string> frequency_names() {
    std::vector<std::string> names;
    for (const auto& frequency : frequencies()) names.push_back(frequency.name);
    return names;
}

std::string file_name(const Frequency& frequency, const char* part) {
    return frequency.name + "-" + part + ".csv";
}

fs::path train_file(const fs::path& folder, const Frequency& frequency) {
    return folder / "Train" / file_name(frequency, "train");
}

fs::path test_file(const fs::path& folder, const Frequency& frequency) {
    return folder / "Test" / file_name(frequency, "test");
}

bool is_folder(const fs::path& path) {
    std::error_code problem;
    return fs::is_directory(path, problem);
}

/// Frequency of a training file of M4 by its name and folder; null: another file.
const Frequency* frequency_of_file(const fs::path& path) {
    std::error_code problem;
    const fs::path whole = fs::absolute(path, problem).lexically_normal();
    if (problem || whole.parent_path().filename() != "Train") return nullptr;
    for (const auto& frequency : frequencies())
        if (whole.filename() == file_name(frequency, "train")) return &frequency;
    return nullptr;
}

/// Advice for a missing file, with the frequencies that have both files.
Phrase complete_frequencies(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& frequency : frequencies())
        if (is_there(train_file(folder, frequency)) && is_there(test_file(folder, frequency)))
            names.emplace_back(frequency.name);
    if (names.empty()) return "Add the file.";
    std::string text = "Add the file; both files are there for ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 < names.size() ? ", " : " and ";
        text += names[i];
    }
    return text + ".";
}

/// Whether a folder has training values of any frequency.
bool has_m4_files(const fs::path& folder) {
    return std::ranges::any_of(
        frequencies(), [&](const Frequency& frequency) { return is_there(train_file(folder, frequency)); });
}

Files with_test_file(const fs::path& train, const fs::path& folder, const Frequency& frequency) {
    Files files{train, test_file(folder, frequency), &frequency};
    if (!is_there(files.test))
        throw input_error(files.test.string(), "there is no such file",
                          Phrase("the test values of %1", train.string()), complete_frequencies(folder));
    return files;
}

Files locate_in_folder(const fs::path& folder, const Frequency* wanted) {
    std::vector<const Frequency*> found;
    std::vector<std::string> names;
    for (const auto& frequency : frequencies())
        if (is_there(train_file(folder, frequency))) {
            found.push_back(&frequency);
            names.emplace_back(frequency.name);
        }
    if (found.empty())
        throw input_error((wanted != nullptr ? train_file(folder, *wanted) : folder).string(),
                          wanted != nullptr ? "there is no such file"
                                            : "there is no file Train/NAME-train.csv in this folder",
                          "the files of M4: Train/Yearly-train.csv and Test/Yearly-test.csv, or of another "
                          "frequency",
                          "Give the folder that contains Train and Test.");
    if (wanted != nullptr) {
        if (std::ranges::find(found, wanted) == found.end())
            throw input_error(train_file(folder, *wanted).string(), "there is no such file",
                              Phrase("a frequency of this folder: %1", config::either(names)),
                              "Set data.frequency to it, or add the file.");
        return with_test_file(train_file(folder, *wanted), folder, *wanted);
    }
    if (found.size() > 1)
        throw input_error("data.frequency",
                          Phrase("not set, and %1 has several frequencies", folder.string()),
                          config::either(names), "Set data.frequency.");
    return with_test_file(train_file(folder, *found.front()), folder, *found.front());
}

/// data.frequency; null: empty. Throws an input Error that suggests the nearest name.
const Frequency* frequency_called(const std::string& frequency) {
    const Frequency* wanted = frequency.empty() ? nullptr : find_frequency(frequency);
    if (!frequency.empty() && wanted == nullptr)
        throw input_error("data.frequency", Phrase("%1 is not a frequency", config::in_quotes(frequency)),
                          config::either(frequency_names()),
                          Phrase("The nearest name is %1.",
                                 config::in_quotes(config::nearest_name(frequency, frequency_names()))));
    return wanted;
}

/// Finds the files of a collection; reads none of them.
Files locate(const fs::path& path, const std::string& frequency) {
    const Frequency* wanted = frequency_called(frequency);
    if (is_folder(path)) return locate_in_folder(path, wanted);
    const Frequency* named = frequency_of_file(path);
    if (named == nullptr) return {path, {}, wanted};
    if (wanted != nullptr && wanted != named)
        throw input_error(
            "data.frequency",
            Phrase("%1, but data.path is %2", config::in_quotes(wanted->name), path.filename().string()),
            config::in_quotes(named->name), "Correct one of them, or leave data.frequency empty.");
    std::error_code problem;
    const fs::path folder = fs::absolute(path, problem).lexically_normal().parent_path().parent_path();
    if (!is_there(path))
        throw input_error(path.string(), "there is no such file", "a training file of M4",
                          complete_frequencies(folder));
    return with_test_file(path, folder, *named);
}

/// Series of one file that the other lacks.
struct Unmatched {
    std::size_t count = 0;
    std::size_t first = std::numeric_limits<std::size_t>::max();

    void add(std::size_t series) {
        ++count;
        first = std::min(first, series);
    }
    void check(const SeriesFile& file, const std::string& where, const std::string& other) const {
        if (count == 0) return;
        throw input_error(at_line(where, file.lines[first]),
                          count == 1 ? Phrase("%1 is missing in %2", shown_series(file.ids[first]), other)
                                     : Phrase("%1 and %2 more series are missing in %3",
                                              shown_series(file.ids[first]), count - 1, other),
                          "the same series in both files", "Add them there, or remove them here.");
    }
};

/// [series of the test file] the same series in the training file.
std::vector<std::size_t> match(const SeriesFile& train, const std::string& train_name, const SeriesFile& test,
                               const std::string& test_name) {
    auto places = places_of(train, train_name);
    places_of(test, test_name);
    std::vector<std::size_t> matching(test.ids.size());
    Unmatched only_train;
    Unmatched only_test;
    for (std::size_t s = 0; s < test.ids.size(); ++s) {
        const auto place = places.find(test.ids[s]);
        if (place == places.end()) {
            only_test.add(s);
            continue;
        }
        matching[s] = place->second;
        places.erase(place);
    }
    for (const auto& [id, series] : places) only_train.add(series);
    if (only_train.count == train.ids.size())
        throw input_error(test_name,
                          Phrase("no series of %1 is in this file: the first ids are %2 and %3", train_name,
                                 shown_text(train.ids.front()), shown_text(test.ids.front())),
                          "the same series in both files",
                          "The files seem to be of different frequencies. Replace one of them.");
    only_train.check(train, train_name, test_name);
    only_test.check(test, test_name, train_name);
    return matching;
}

std::int64_t length_of(const SeriesFile& file, std::size_t series) {
    return file.offsets[series + 1] - file.offsets[series];
}

Phrase count_text(std::int64_t count, const char* what) {
    return count == 1 ? Phrase("%1 %2 value", count, what) : Phrase("%1 %2 values", count, what);
}

/// Checks that all series have H test values. `given`: H is data.horizon, else that of the first series.
void check_test_counts(const SeriesFile& test, const std::string& where, std::int64_t horizon, bool given) {
    for (std::size_t s = 0; s < test.ids.size(); ++s) {
        const std::int64_t count = length_of(test, s);
        if (count == horizon) continue;
        bool all = s == 0;
        for (std::size_t k = 1; all && k < test.ids.size(); ++k) all = length_of(test, k) == count;
        throw input_error(
            at_line(where, test.lines[s]),
            all && test.ids.size() > 1
                ? Phrase("%1 and all others have %2", shown_series(test.ids[s]), count_text(count, "test"))
                : Phrase("%1 has %2", shown_series(test.ids[s]), count_text(count, "test")),
            given ? Phrase("%1 (data.horizon = %2)", horizon, horizon)
                  : Phrase("%1, as %2 has", horizon, shown_series(test.ids[0])),
            all ? Phrase("Set data.horizon = %1.", count)
                : Phrase("All series need the same number of test values: correct the line, or remove the "
                         "series."));
    }
}

void check_training_counts(const SeriesFile& train, const std::string& where, std::int64_t horizon) {
    for (std::size_t s = 0; s < train.ids.size(); ++s)
        if (length_of(train, s) < horizon + 1)
            throw input_error(
                at_line(where, train.lines[s]),
                Phrase("%1 has %2", shown_series(train.ids[s]), count_text(length_of(train, s), "training")),
                Phrase("at least %1 (horizon %2 + 1)", horizon + 1, horizon),
                "Remove the series from both files, or shorten the horizon.");
}

}  // namespace

bool is_m4(const fs::path& path) {
    return is_folder(path) ? has_m4_files(path) : frequency_of_file(path) != nullptr;
}

WholeSeries read_m4(const fs::path& path, const CollectionOptions& options, const ProgressFn& progress,
                    const std::stop_token& stop) {
    auto files = locate(path, options.frequency);
    if (files.frequency == nullptr) throw std::logic_error("files of M4 have a frequency");
    const int threads = thread_count(options.csv.threads);
    WholeSeries whole;
    whole.file = read_series_csv(files.train, threads, progress, stop);
    whole.test = read_series_csv(files.test, threads, progress, stop);
    whole.frequency = *files.frequency;
    whole.path = std::move(files.train);
    whole.test_path = std::move(files.test);
    return whole;
}

std::string WholeSeries::sha256() const {
    return test_path.empty() ? file.sha256 : sha256_of(file.sha256 + test.sha256);
}

SeriesCollection joined_files(const WholeSeries& whole, const CollectionOptions& options) {
    const auto& train = whole.file;
    const auto& test = whole.test;
    const auto train_name = whole.path.string(), test_name = whole.test_path.string();
    const auto matching = match(train, train_name, test, test_name);
    const std::int64_t horizon = options.horizon > 0 ? options.horizon : length_of(test, 0);
    check_test_counts(test, test_name, horizon, options.horizon > 0);
    check_training_counts(train, train_name, horizon);

    SeriesCollection out;
    out.path = whole.path;
    out.frequency = whole.frequency;
    out.horizon = horizon;
    out.sha256 = whole.sha256();
    out.values.reserve(train.values.size());
    out.offsets.reserve(train.offsets.size());
    for (const std::size_t s : matching) {
        out.values.insert(out.values.end(), train.values.begin() + train.offsets[s],
                          train.values.begin() + train.offsets[s + 1]);
        out.offsets.push_back(std::ssize(out.values));
    }
    out.ids = test.ids;
    out.test = test.values;
    return out;
}

bool is_collection(const fs::path& path) {
    std::error_code problem;
    if (!fs::exists(path, problem)) return false;
    try {
        return reader_for(path).read_series != nullptr;
    } catch (const Error&) {
        return false;
    }
}

void check_options(const CollectionOptions& options) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (options.horizon < 0 || options.horizon > most)
        throw input_error("data.horizon", std::to_string(options.horizon), "1 to " + std::to_string(most));
    (void)frequency_called(options.frequency);
}

WholeSeries read_series(const fs::path& path, const CollectionOptions& options, const ProgressFn& progress,
                        const std::stop_token& stop) {
    // A folder without M4's files, and a table whose data.frequency is set: the errors of these readers say
    // what is missing.
    const auto read = is_folder(path) ? read_m4 : reader_for(path).read_series;
    return (read != nullptr ? read : read_long_csv)(path, options, progress, stop);
}

std::vector<fs::path> data_files(const fs::path& path, const std::string& frequency) {
    auto files = locate(path, frequency);
    if (files.test.empty()) return {std::move(files.train)};
    return {std::move(files.train), std::move(files.test)};
}

std::string dataset_digest(const fs::path& path, const std::string& frequency) {
    const auto files = data_files(path, frequency);
    const auto first = content_digest(files.front());
    return files.size() == 1 ? first : sha256_of(first + content_digest(files.back()));
}

}  // namespace casp::data
