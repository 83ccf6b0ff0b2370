#include "inspect/checkpoint_channels.h"

#include <algorithm>
#include <string>
#include <vector>

#include "config/text_utils.h"
#include "model/descriptor.h"
#include "store/run_file.h"
#include "util/error.h"
#include "util/whole_path.h"

namespace casp::inspect {

namespace {

using Names = std::vector<std::string>;

/// Those of `a` that are not in `b`, in quotes.
Names without(const Names& a, const Names& b) {
    Names found;
    for (const auto& name : a)
        if (std::ranges::find(b, name) == b.end()) found.push_back(config::in_quotes(name));
    return found;
}

/// Whether a name is at another place.
bool is_mixed_up(const Names& run, const Names& data) {
    for (auto at = run.begin(); at != run.end(); ++at)
        if (const auto found = std::ranges::find(data, *at);
            found != data.end() && found - data.begin() != at - run.begin())
            return true;
    return false;
}

Names quoted(Names names) {
    for (auto& name : names) name = config::in_quotes(name);
    return names;
}

}  // namespace

std::optional<store::RunFolder> run_of(const std::filesystem::path& checkpoint) {
    if (std::filesystem::is_directory(checkpoint)) return store::RunFolder(checkpoint);
    const store::RunFolder folder(whole_path(checkpoint).parent_path());
    if (whole_path(checkpoint) != folder.best() || !std::filesystem::exists(folder.run_file())) return {};
    return folder;
}

std::optional<store::RunRecord> record_of(const std::filesystem::path& checkpoint) {
    const auto folder = run_of(checkpoint);
    if (!folder) return {};
    try {
        return store::read_run_file(folder->run_file());
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return {};
    }
}

void check_channels(const std::filesystem::path& checkpoint, const config::Config& config,
                    const train::SessionData& data, train::TrainObserver& observer) {
    const auto record = record_of(checkpoint);
    const auto& table = data.prepared->table;
    const bool is_table =
        record && store::is_complete(record->attributes.state) && record->data.series.empty();
    if (is_table && data.prepared->collection)
        throw input_error(table.path.string(), "this is a collection of series, and the run is on a table",
                          "a table");
    const auto capabilities = model::capabilities(config);
    if (data.prepared->collection || data.prepared->single_channel || !capabilities.mixes_channels) return;
    Names names;
    for (const auto& column : table.columns) names.push_back(column.name);
    constexpr std::size_t most = 8;
    if (!record || record->data.inputs().empty()) {
        if (names.size() > 1 && !std::filesystem::is_directory(checkpoint))
            observer.on_message(
                train::MessageLevel::warning,
                Phrase("the names of the channels that %1 was trained on are not known; it is "
                       "given the columns in this order: %2",
                       checkpoint.string(), config::listed(quoted(names), most)));
        return;
    }
    const auto& run = record->data.inputs();
    const auto missing = without(run, names), further = without(names, run);
    const Phrase expected("the run's channels: %1", config::listed(quoted(run), most));
    const bool mixed_up = is_mixed_up(run, names);
    if (mixed_up && missing.empty())
        throw input_error(
            table.path.string(),
            Phrase(
                "its columns have another order than the run's channels, which the model distinguishes: %1",
                config::listed(quoted(names), most)),
            expected, "Bring the columns into this order.");
    if (missing.empty() && further.empty()) return;
    const bool same_kind = missing.size() < run.size() && run.size() != names.size();
    if (mixed_up || (capabilities.own_process && same_kind))
        throw input_error(
            table.path.string(),
            missing.empty()
                ? Phrase("it has columns that the run did not have: %1", config::listed(further, most))
                : Phrase("it lacks %1", config::listed(missing, most)),
            expected, missing.empty() ? Phrase("Select the run's with data.columns.") : Phrase());
    observer.on_message(train::MessageLevel::warning,
                        Phrase("%1 has other columns than the run had; the model is given %2 instead of %3",
                               table.path.filename().string(), config::listed(quoted(names), most),
                               config::listed(quoted(run), most)));
}

}  // namespace casp::inspect
