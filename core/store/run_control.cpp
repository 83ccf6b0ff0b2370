#include "store/run_control.h"

#include <array>
#include <utility>

#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/json_text.h"

namespace casp::store {

namespace {

using CommandName = std::pair<RunCommand, std::string_view>;
constexpr std::array<CommandName, 4> command_names{CommandName{RunCommand::pause, "pause"},
                                                   {RunCommand::resume, "resume"},
                                                   {RunCommand::finish_early, "finish-early"},
                                                   {RunCommand::cancel, "cancel"}};

constexpr std::size_t max_control_bytes = 4096;

bool flag_in(const nlohmann::json& json, const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_boolean() && at->get<bool>();
}

}  // namespace

std::string_view to_string(RunCommand command) noexcept {
    return command_names[static_cast<std::size_t>(command)].second;
}

std::optional<RunCommand> run_command_from(std::string_view text) noexcept {
    for (const auto& [command, name] : command_names)
        if (name == text) return command;
    return std::nullopt;
}

std::filesystem::path control_file(const std::filesystem::path& run_folder) {
    return run_folder / "control.json";
}

RunControl read_control(const std::filesystem::path& run_folder) noexcept {
    try {
        const auto json = parse_json(read_small_file(control_file(run_folder), max_control_bytes));
        if (!json.is_object()) return {};
        return {flag_in(json, "pause"), flag_in(json, "finish_early"), flag_in(json, "cancel")};
    } catch (const std::exception&) {
        return {};
    }
}

void send_command(const std::filesystem::path& run_folder, RunCommand command) {
    if (!RunLock::holder(RunFolder(run_folder)))
        throw input_error(run_folder.string(), "no process trains this run", "a running run",
                          "Resume or start it first.");
    auto control = read_control(run_folder);
    switch (command) {
        case RunCommand::pause:
        case RunCommand::resume:
            control.pause = command == RunCommand::pause;
            break;
        case RunCommand::finish_early:
            control.finish_early = true;
            break;
        case RunCommand::cancel:
            control.cancel = true;
            break;
    }
    const nlohmann::json json{
        {"pause", control.pause}, {"finish_early", control.finish_early}, {"cancel", control.cancel}};
    write_file_atomically(control_file(run_folder), json.dump() + "\n");
}

void remove_control(const std::filesystem::path& run_folder) noexcept {
    std::error_code ignored;
    std::filesystem::remove(control_file(run_folder), ignored);
}

}  // namespace casp::store
