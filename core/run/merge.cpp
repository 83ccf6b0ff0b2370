#include "run/merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "config/experiment.h"
#include "config/options.h"
#include "evidence/batch_tables.h"
#include "run/preparation.h"
#include "store/atomic_file.h"
#include "store/folder_lock.h"
#include "store/results.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/new_folders.h"

namespace casp::run {

namespace {

namespace fs = std::filesystem;

bool is_within(const fs::path& path, const fs::path& folder) {
    std::error_code unknown;
    const auto relative =
        fs::weakly_canonical(path, unknown).lexically_relative(fs::weakly_canonical(folder, unknown));
    return !relative.empty() && *relative.begin() != "..";
}

/// A run that has begun, with what must agree.
struct Part {
    store::ScannedRun run;
    config::Config config;
    std::string version, libtorch, dataset_sha256;

    [[nodiscard]] std::string place() const { return run.folder.string(); }
    [[nodiscard]] bool is_finished() const { return store::is_complete(run.status.row.state); }
};

Part read_part(store::ScannedRun run) {
    if (!run.problem.empty()) throw input_error(run.folder.string(), run.problem, "a complete run folder");
    store::RunLock::check_free(store::RunFolder(run.folder));
    const auto file = store::RunFolder(run.folder).run_file();
    auto attributes = store::read_run_file(file).attributes;
    auto config = config::load_text(attributes.config, file.string(), {}).base;
    return {std::move(run), std::move(config), attributes.version, attributes.libtorch,
            attributes.dataset_sha256};
}

/// The runs of the folders that have begun; queued ones have nothing to copy.
std::vector<Part> read_parts(const std::vector<fs::path>& folders, const ProgressFn& progress,
                             const std::stop_token& stop) {
    std::vector<Part> parts;
    for (const auto& folder : folders) {
        auto changes = store::RunStore(folder).scan({}, stop);
        std::size_t begun = 0;
        for (auto& run : changes.added) {
            throw_if_stopped(stop);
            if (progress)
                progress({Stage::reading_runs, static_cast<std::int64_t>(parts.size()),
                          static_cast<std::int64_t>(parts.size() + changes.added.size() - begun), "runs"});
            std::error_code unknown;
            const bool has_work = fs::exists(store::RunFolder(run.folder).run_file(), unknown);
            if (run.problem.empty() && !has_work && !store::is_complete(run.status.row.state)) continue;
            parts.push_back(read_part(std::move(run)));
            ++begun;
        }
        if (begun == 0)
            throw input_error(folder.string(), "there are no runs that have begun", "the folder of a batch");
    }
    return parts;
}

Phrase refusal(const Part& a, const Part& b, const Phrase& what) {
    return what + ":\n  " + a.place() + "\n  " + b.place();
}

constexpr const char* how_to_compare =
    "Merge runs of one batch only. --compare takes folders of different ones.";

std::string case_of(const Part& part) { return part.run.status.row.case_label; }

/// The settings of a run but for those that its batch sweeps, which are taken from `like`.
config::Config with_swept_of(config::Config config, const config::Config& like,
                             const std::set<std::string>& swept) {
    for (const auto& key : swept)
        if (config::find_option(key) != nullptr) config::set(config, key, config::get(like, key));
    config.name = like.name;
    return config;
}

/// Cases may differ in any settings, so runs are compared within their case.
void check_settings(const std::vector<Part>& parts, const std::set<std::string>& swept) {
    std::map<std::string, const Part*> first_of_case;
    for (const auto& part : parts) {
        const auto& first = *first_of_case.emplace(case_of(part), &part).first->second;
        const auto differences = difference_text(with_swept_of(first.config, part.config, swept), part.config,
                                                 !part.dataset_sha256.empty(), part.dataset_sha256);
        if (!differences.empty())
            throw input_error("--merge", refusal(first, part, "these runs have other settings") + differences,
                              {}, how_to_compare);
    }
}

/// Where the data are swept, runs of one name in the tables have the same.
void check_data(const std::vector<Part>& parts, const std::set<std::string>& swept) {
    const bool are_swept = swept.count("data.path") != 0 || swept.count("data.frequency") != 0;
    std::map<std::string, const Part*> first_of_data;
    for (const auto& part : parts) {
        const auto& name = part.run.status.row.data;
        const auto& first = *first_of_data.emplace(are_swept ? name : case_of(part), &part).first->second;
        if (first.dataset_sha256 != part.dataset_sha256)
            throw input_error("--merge",
                              refusal(first, part,
                                      Phrase("these runs have other data (%1; SHA-256 %2 and %3)", name,
                                             first.dataset_sha256, part.dataset_sha256)),
                              {}, "Give every machine the same file.");
    }
}

std::set<std::string> swept_keys(const std::vector<Part>& parts) {
    std::set<std::string> keys;
    for (const auto& part : parts)
        for (const auto& [key, value] : part.run.status.row.swept) keys.insert(key);
    return keys;
}

void check_versions(const std::vector<Part>& parts) {
    for (const auto& part : parts)
        if (part.version != parts.front().version)
            throw input_error(
                "--merge",
                refusal(parts.front(), part,
                        Phrase("these runs were made by different versions of CASP Studio (%1 and %2)",
                               parts.front().version, part.version)),
                {}, "Make all runs of a batch with one version.");
}

/// A row without what differs between repetitions.
std::string results_of(const Part& part) {
    auto row = part.run.status.row;
    for (const auto& column : store::result_columns)
        if (column.has(store::ResultColumn::varies)) store::forget(row, column);
    return store::results_csv({row});
}

/// Of two runs of one name, the one to keep; the first if they are equal.
bool second_is_further(const Part& first, const Part& second) {
    if (first.is_finished() && second.is_finished()) {
        if (results_of(first) != results_of(second))
            throw input_error("--merge",
                              refusal(first, second, "this run has different results in two folders"), {},
                              "Choose one of them, and leave out the other folder's.");
        return false;
    }
    if (first.is_finished() != second.is_finished()) return second.is_finished();
    return second.run.status.row.steps > first.run.status.row.steps;
}

std::vector<Part> without_repetitions(std::vector<Part> parts, std::vector<std::string>& twice) {
    std::map<std::string, std::size_t> place;
    std::vector<Part> kept;
    for (auto& part : parts) {
        const auto [known, added] = place.emplace(part.run.name, kept.size());
        if (added) {
            kept.push_back(std::move(part));
            continue;
        }
        twice.push_back(part.run.name);
        if (second_is_further(kept[known->second], part)) kept[known->second] = std::move(part);
    }
    return kept;
}

/// In the order of the sweep, as far as it is recorded, else of the runs' creation.
void sort_parts(std::vector<Part>& parts) {
    const bool known = std::all_of(parts.begin(), parts.end(),
                                   [](const Part& part) { return part.run.status.position.has_value(); });
    const auto key = [known](const Part& part) {
        return std::make_tuple(known ? *part.run.status.position : 0, part.run.created, part.run.name);
    };
    std::sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) { return key(a) < key(b); });
}

/// Runs of the sweep that no folder has, as far as the recorded places in the sweep show.
std::int64_t missing_runs(const std::vector<Part>& parts) {
    std::set<std::int64_t> places;
    for (const auto& part : parts)
        if (part.run.status.position) places.insert(*part.run.status.position);
    return places.empty() ? 0 : *places.rbegin() + 1 - std::ssize(places);
}

std::string name_of_batch(const std::vector<Part>& parts) {
    const auto& name = parts.front().run.batch;
    for (const auto& part : parts)
        if (part.run.batch != name)
            throw input_error("--merge",
                              Phrase("the folders have different batches: \"%1\" (%2) and \"%3\" (%4)", name,
                                     parts.front().place(), part.run.batch, part.place()),
                              "folders of one batch", how_to_compare);
    return name;
}

void copy_run(const fs::path& from, const fs::path& to) {
    for (fs::recursive_directory_iterator it(from), end; it != end; ++it) {
        const auto name = it->path().filename().string();
        const auto target = to / it->path().lexically_relative(from);
        if (it->is_symlink() || store::belongs_to_writer(name)) {
            it.disable_recursion_pending();
        } else if (it->is_directory()) {
            fs::create_directories(target);
        } else {
            fs::copy_file(it->path(), target);
            store::sync_path(target);
        }
    }
}

/// A folder that is removed unless it is moved to its place.
class TemporaryBatch {
public:
    explicit TemporaryBatch(const fs::path& destination)
        : destination_(destination), path_(store::temporary_name_for(destination)) {
        fs::create_directories(path_);
    }
    TemporaryBatch(const TemporaryBatch&) = delete;
    TemporaryBatch& operator=(const TemporaryBatch&) = delete;
    ~TemporaryBatch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }
    void commit() { store::commit_file(path_, destination_); }

private:
    fs::path destination_, path_;
};

}  // namespace

MergedBatch merge_batches(const std::vector<fs::path>& folders, const fs::path& out,
                          const ProgressFn& progress, const std::stop_token& stop) {
    MergedBatch merged;
    auto parts = read_parts(folders, progress, stop);
    merged.folder = out / name_of_batch(parts);
    if (fs::exists(fs::symlink_status(merged.folder)))
        throw input_error(merged.folder.string(), "this exists", "a new folder",
                          "Choose another --out folder: nothing is merged into existing runs.");
    for (const auto& folder : folders)
        if (is_within(merged.folder, folder))
            throw input_error(out.string(), Phrase("it is in %1, whose runs are merged", folder.string()),
                              "a folder outside of the merged ones",
                              "Choose another --out folder: the runs would be there twice.");
    check_versions(parts);
    const auto swept = swept_keys(parts);
    check_data(parts, swept);
    check_settings(parts, swept);
    std::set<std::string> libraries;
    for (const auto& part : parts) libraries.insert(Phrase("LibTorch %1", part.libtorch));
    if (libraries.size() > 1)
        merged.notes.push_back(
            Phrase("The runs were made with %1 and %2: their numbers may differ in the last digits.",
                   *libraries.begin(), *libraries.rbegin()));
    parts = without_repetitions(std::move(parts), merged.twice);
    sort_parts(parts);
    if (const auto missing = missing_runs(parts); missing > 0)
        merged.notes.push_back(
            missing == 1 ? Phrase("At least %1 run of the sweep is in none of the folders: is a share "
                                  "(--runs I/N) missing, or do they belong to other batches (paper:NAME)?",
                                  missing)
                         : Phrase("At least %1 runs of the sweep are in none of the folders: is a share "
                                  "(--runs I/N) missing, or do they belong to other batches (paper:NAME)?",
                                  missing));

    try {
        const NewFolders made(out);
        TemporaryBatch batch(merged.folder);
        std::vector<std::string> names;
        for (const auto& part : parts) {
            throw_if_stopped(stop);
            if (progress)
                progress({Stage::copying_runs, static_cast<std::int64_t>(names.size()),
                          static_cast<std::int64_t>(parts.size()), "runs"});
            fs::create_directories(batch.path() / part.run.name);
            copy_run(part.run.folder, batch.path() / part.run.name);
            names.push_back(part.run.name);
        }
        evidence::write_batch_tables(batch.path(), store::collect_rows(batch.path(), names));
        batch.commit();
    } catch (const fs::filesystem_error& problem) {
        throw run_error(problem.path1().string(), problem.code().message(), {},
                        "Check the free space and your permissions there. The merged folder was not made.");
    }
    merged.runs = parts.size();
    merged.finished = static_cast<std::size_t>(
        std::count_if(parts.begin(), parts.end(), [](const Part& part) { return part.is_finished(); }));
    return merged;
}

}  // namespace casp::run
