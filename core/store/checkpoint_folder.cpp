// Checkpoint generations in a run's last/.

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/json_text.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "gen-";

bool is_generation(const std::string& name) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of("0123456789-", prefix.size()) == std::string::npos;
}

/// The name in last/current; empty if there is none.
std::string current_name(const fs::path& last) {
    const auto pointer = last / "current";
    if (!fs::exists(pointer)) return {};
    auto name = read_small_file(pointer, 4096);
    name.erase(std::find(name.begin(), name.end(), '\n'), name.end());
    if (!is_generation(name))
        throw DamagedCheckpoint(pointer, Phrase("\"%1\" is not a checkpoint generation", name), "gen-<step>");
    return name;
}

std::vector<fs::path> generations_in(const fs::path& last) {
    std::vector<fs::path> all;
    std::error_code ignored;
    for (fs::directory_iterator it(last, ignored), end; !ignored && it != end; it.increment(ignored))
        if (is_generation(it->path().filename().string())) all.push_back(it->path());
    return all;
}

/// Step and number within it: "gen-20-2" is newer than "gen-20".
std::pair<std::int64_t, std::int64_t> age_of(const fs::path& generation) {
    const auto name = generation.filename().string().substr(prefix.size());
    const auto dash = name.find('-');
    const auto number = [](const std::string& text) {
        std::int64_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    return {number(name.substr(0, dash)), dash == std::string::npos ? 1 : number(name.substr(dash + 1))};
}

/// Advice for an unusable checkpoint, depending on what is left of the run.
Phrase way_on_without(const fs::path& where) {
    auto last = where;
    while (last.has_relative_path() && last.filename() != "last") last = last.parent_path();
    const RunFolder run(last.parent_path());
    std::error_code ignored;
    // With hard links, the checkpoint's best weights are the same file.
    if (!last.has_relative_path() || !fs::exists(run.best(), ignored) ||
        fs::equivalent(where, run.best(), ignored))
        return "The checkpoint is damaged: restore last/ from a copy, or start the run again under another "
               "name or in another --out folder.";
    return Phrase(
        "The checkpoint is damaged: restore last/ from a copy, or continue from the run's best weights with "
        "a new optimiser as a fork (train.continue_from = \"%1\", under another name or in another --out "
        "folder).",
        run.path().string());
}

void remove_generations(const fs::path& last, const std::string& but) {
    remove_temporaries(last);
    std::error_code ignored;
    for (const auto& path : generations_in(last))
        if (path.filename() != but) fs::remove_all(path, ignored);
}

}  // namespace

DamagedCheckpoint::DamagedCheckpoint(const fs::path& where, Phrase found, Phrase expected)
    : Error(ErrorKind::input,
            {where.string(), std::move(found), std::move(expected), way_on_without(where)}) {}

CheckpointWriter::CheckpointWriter(const RunFolder& folder, std::int64_t step)
    : last_(folder.last()),
      temporary_(temporary_name_for(last_ / (std::string(prefix) + std::to_string(step)))),
      step_(step) {
    std::error_code problem;
    // Create nothing above: a run whose folder was removed must not continue in a new, empty one.
    fs::create_directory(last_, problem);
    if (!problem) fs::create_directory(temporary_, problem);
    if (problem)
        throw run_error(temporary_.string(), Phrase("the folder cannot be created: %1", problem.message()),
                        {}, "Check the free space and your permissions there.");
}

CheckpointWriter::~CheckpointWriter() {
    if (committed_) return;
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
}

fs::path CheckpointWriter::commit() {
    for (const auto& entry : fs::recursive_directory_iterator(temporary_)) sync_path(entry.path());
    sync_path(temporary_);
    const auto before = current_name(last_);
    // A second checkpoint at the same step must not touch the current one.
    auto name = std::string(prefix) + std::to_string(step_);
    for (int again = 2; name == before; ++again)
        name = std::string(prefix) + std::to_string(step_) + "-" + std::to_string(again);
    const auto generation = last_ / name;
    std::error_code problem;
    fs::remove_all(generation, problem);  // left by a kill between rename and pointer
    fs::rename(temporary_, generation, problem);
    if (problem) throw run_error(generation.string(), Phrase("cannot be created: %1", problem.message()));
    committed_ = true;
    sync_path(last_);
    write_file_atomically(last_ / "current", name + "\n");
    remove_generations(last_, name);
    return generation;
}

std::optional<fs::path> current_checkpoint(const RunFolder& folder) {
    const auto name = current_name(folder.last());
    if (name.empty()) return std::nullopt;
    auto generation = folder.last() / name;
    if (!fs::is_directory(generation))
        throw DamagedCheckpoint(folder.last() / "current", Phrase("it names %1, which does not exist", name),
                                "a folder of that name");
    return generation;
}

FoundGenerations find_generations(const RunFolder& folder) {
    auto all = generations_in(folder.last());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return age_of(a) > age_of(b); });
    FoundGenerations found;
    for (const auto& generation : all) {
        try {
            verify_generation(generation);
            found.complete = generation;
            return found;
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            if (found.problem.empty()) found.problem = problem.parts().where + ": " + problem.parts().found;
        }
    }
    return found;
}

bool has_generations(const RunFolder& folder) { return !generations_in(folder.last()).empty(); }

void adopt_generation(const RunFolder& folder, const fs::path& generation) {
    const auto name = generation.filename().string();
    if (current_name(folder.last()) != name) write_file_atomically(folder.last() / "current", name + "\n");
}

void clean_checkpoints(const RunFolder& folder) {
    remove_generations(folder.last(), current_name(folder.last()));
}

std::string read_checkpoint_state(const fs::path& generation) {
    const auto path = generation / "state.json";
    std::error_code unknown;
    if (!fs::exists(path, unknown) && !unknown)
        throw DamagedCheckpoint(path, "this part of the checkpoint is missing", "the state of the run");
    return read_small_file(path);
}

void verify_generation(const fs::path& generation) {
    const auto state_path = generation / "state.json";
    const auto state = parse_json_or_discard(read_checkpoint_state(generation));
    if (!state.is_object() || !state.contains("files") || !state["files"].is_object())
        throw DamagedCheckpoint(state_path, "it does not list the checkpoint's files",
                                "\"files\": {\"model.safetensors\": \"<sha256>\"}");
    for (const auto& [name, digest] : state["files"].items()) {
        if (!digest.is_string() || name.find('/') != std::string::npos)
            throw DamagedCheckpoint(state_path, Phrase("\"files\" has a bad entry \"%1\"", name),
                                    "name and SHA-256");
        const auto path = generation / name;
        if (!fs::exists(path))
            throw DamagedCheckpoint(path, "this part of the checkpoint is missing",
                                    "every file that state.json lists");
        const auto found = sha256_of_file(path);
        if (found != digest.get<std::string>())
            throw DamagedCheckpoint(path, Phrase("its SHA-256 is %1", found), digest.get<std::string>());
    }
}

void remove_checkpoints(const RunFolder& folder, bool keep_model) {
    const auto last = folder.last();
    if (!fs::exists(last)) return;
    std::error_code ignored;
    if (!keep_model) {
        // Remove the pointer first: after a kill, no pointer leads to a partly removed generation.
        fs::remove(last / "current", ignored);
        fs::remove_all(last, ignored);
        return;
    }
    if (const auto generation = current_checkpoint(folder)) {
        hard_link_or_copy(*generation / "model.safetensors", folder.last_model());
        if (fs::exists(*generation / "model.state", ignored))  // of a model in Python
            hard_link_or_copy(*generation / "model.state", last / "model.state");
    }
    fs::remove(last / "current", ignored);
    remove_generations(last, {});
}

}  // namespace casp::store
