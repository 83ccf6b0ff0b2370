// Generations of a checkpoint in a run's last/.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/digest.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "gen-";

// As train::read_checkpoint() says it.
constexpr const char* damaged = "The checkpoint is damaged; start the run again in an empty folder.";

bool is_generation(const std::string& name) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of("0123456789-", prefix.size()) == std::string::npos;
}

/// The name in last/current; empty where there is none.
std::string current_name(const fs::path& last) {
    const auto pointer = last / "current";
    if (!fs::exists(pointer)) return {};
    auto name = read_small_file(pointer, 4096);
    name.erase(std::find(name.begin(), name.end(), '\n'), name.end());
    if (!is_generation(name))
        throw input_error(pointer.string(), "\"" + name + "\" is no generation of a checkpoint", "gen-<step>",
                          damaged);
    return name;
}

void remove_generations(const fs::path& last, const std::string& but) {
    remove_temporaries(last);
    std::error_code ignored;
    std::vector<fs::path> old;
    for (fs::directory_iterator it(last, ignored), end; !ignored && it != end; it.increment(ignored)) {
        const auto name = it->path().filename().string();
        if (is_generation(name) && name != but) old.push_back(it->path());
    }
    for (const auto& path : old) fs::remove_all(path, ignored);
}

}  // namespace

CheckpointWriter::CheckpointWriter(const RunFolder& folder, std::int64_t step)
    : last_(folder.last()),
      temporary_(temporary_name_for(last_ / (std::string(prefix) + std::to_string(step)))),
      step_(step) {
    std::error_code problem;
    // Nothing above: a run whose folder was taken away must not go on in a new, empty one.
    fs::create_directory(last_, problem);
    if (!problem) fs::create_directory(temporary_, problem);
    if (problem)
        throw run_error(temporary_.string(), "the folder cannot be made: " + problem.message(), {},
                        "Is there room, and may you write there?");
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
    // A second checkpoint at the same step must not touch the one that counts until now.
    auto name = std::string(prefix) + std::to_string(step_);
    for (int again = 2; name == before; ++again)
        name = std::string(prefix) + std::to_string(step_) + "-" + std::to_string(again);
    const auto generation = last_ / name;
    std::error_code problem;
    fs::remove_all(generation, problem);  // left by a kill between the rename and the pointer
    fs::rename(temporary_, generation, problem);
    if (problem) throw run_error(generation.string(), "cannot be made: " + problem.message());
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
        throw input_error((folder.last() / "current").string(), "it names " + name + ", which is not there",
                          "a folder of that name",
                          "The checkpoint is lost; remove the run's folder to start it anew.");
    return generation;
}

void clean_checkpoints(const RunFolder& folder) {
    remove_generations(folder.last(), current_name(folder.last()));
}

void verify_generation(const fs::path& generation) {
    const auto state_path = generation / "state.json";
    const auto state = nlohmann::json::parse(read_small_file(state_path), nullptr, false);
    if (!state.is_object() || !state.contains("files") || !state["files"].is_object())
        throw input_error(state_path.string(), "it does not list the checkpoint's files",
                          "\"files\": {\"model.safetensors\": \"<sha256>\"}", damaged);
    for (const auto& [name, digest] : state["files"].items()) {
        if (!digest.is_string() || name.find('/') != std::string::npos)
            throw input_error(state_path.string(), "\"files\" has a bad entry \"" + name + "\"",
                              "name and SHA-256", damaged);
        const auto path = generation / name;
        if (!fs::exists(path))
            throw input_error(path.string(), "this part of the checkpoint is missing",
                              "every file that state.json lists", damaged);
        const auto found = sha256_of_file(path);
        if (found != digest.get<std::string>())
            throw input_error(path.string(), "its SHA-256 is " + found, digest.get<std::string>(), damaged);
    }
}

void remove_checkpoints(const RunFolder& folder, bool keep_model) {
    const auto last = folder.last();
    if (!fs::exists(last)) return;
    std::error_code ignored;
    if (!keep_model) {
        // The pointer first: a kill on the way leaves no pointer to something half removed.
        fs::remove(last / "current", ignored);
        fs::remove_all(last, ignored);
        return;
    }
    if (const auto generation = current_checkpoint(folder))
        hard_link_or_copy(*generation / "model.safetensors", folder.last_model());
    fs::remove(last / "current", ignored);
    remove_generations(last, {});
}

}  // namespace casp::store
