#include "state/run_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_marks = 1u << 20u;

nlohmann::json marks_document(const fs::path& file) {
    try {
        if (fs::exists(file)) {
            auto document =
                nlohmann::json::parse(store::read_small_file(file, largest_marks), nullptr, false);
            if (document.is_object()) return document;
        }
    } catch (const std::exception&) {
        // What cannot be read is replaced by the next note.
    }
    return nlohmann::json::object();
}

std::string text_in(const nlohmann::json& document, const char* key) {
    const auto found = document.find(key);
    return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void move_folder(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    fs::create_directories(to.parent_path(), problem);
    if (!problem) fs::rename(from, to, problem);
    if (problem) throw run_error(from.string(), "cannot be moved: " + problem.message());
}

}  // namespace

RunMarks read_marks(const fs::path& run_folder) {
    const auto document = marks_document(run_folder / "marks.json");
    return {text_in(document, "note"), text_in(document, "colour")};
}

void write_marks(const fs::path& run_folder, const RunMarks& marks, bool flushed) {
    if (!fs::exists(run_folder)) return;
    const auto file = run_folder / "marks.json";
    auto document = marks_document(file);
    document["note"] = marks.note;
    document["colour"] = marks.colour;
    const auto text = document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (flushed) return store::write_file_atomically(file, text);
    const auto temporary = store::temporary_name_for(file);
    std::ofstream(temporary, std::ios::binary) << text;
    std::error_code problem;
    fs::rename(temporary, file, problem);
    if (problem) throw run_error(file.string(), "cannot be written: " + problem.message());
}

std::vector<Wastebasket::Item> Wastebasket::items() const {
    std::vector<Item> found;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(basket(), problem)) {
        const auto name = entry.path().filename().string();
        int number = 0;
        const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (code != std::errc() || end != name.data() + name.size()) continue;
        for (auto below = fs::recursive_directory_iterator(entry.path(), problem);
             below != fs::recursive_directory_iterator(); below.increment(problem)) {
            if (!fs::exists(below->path() / "run.json")) continue;
            found.push_back(
                {number, below->path(), folder_ / below->path().lexically_relative(entry.path())});
            below.disable_recursion_pending();
        }
    }
    std::sort(found.begin(), found.end(), [](const Item& a, const Item& b) { return a.number < b.number; });
    return found;
}

void Wastebasket::discard(const fs::path& run_folder) const {
    const auto place = run_folder.lexically_relative(folder_);
    if (place.empty() || *place.begin() == ".." || *place.begin() == "." ||
        !fs::exists(run_folder / "run.json"))
        throw input_error(run_folder.string(), "there is no such run in " + folder_.string());
    if (const auto holder = store::RunLock::holder(store::RunFolder(run_folder)))
        throw input_error(run_folder.string(), "it is being written by " + *holder, {},
                          "Stop the run first.");
    const auto before = items();
    const int number = before.empty() ? 1 : before.back().number + 1;
    move_folder(run_folder, basket() / std::to_string(number) / place);
    std::error_code problem;
    // The experiment's folder goes with its last run; it stays where anything else is in it.
    if (place.has_parent_path()) fs::remove(run_folder.parent_path(), problem);
}

std::vector<fs::path> Wastebasket::content() const {
    std::vector<fs::path> origins;
    for (const auto& item : items()) origins.push_back(item.origin);
    return origins;
}

void Wastebasket::restore(const fs::path& run_folder) const {
    const auto all = items();
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [&](const Item& item) { return item.origin == run_folder; });
    if (found == all.rend()) throw input_error(run_folder.string(), "it is not in the wastebasket");
    if (fs::exists(run_folder))
        throw input_error(run_folder.string(), "another run stands there by now", {},
                          "Discard or rename that one first.");
    move_folder(found->path, run_folder);
    std::error_code problem;
    fs::remove_all(basket() / std::to_string(found->number), problem);
}

void Wastebasket::empty() const {
    std::error_code problem;
    fs::remove_all(basket(), problem);
    if (problem) throw run_error(basket().string(), "cannot be emptied: " + problem.message());
}

}  // namespace casp::widgets
