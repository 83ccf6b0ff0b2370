#include "state/run_moves.h"

#include <filesystem>
#include <map>
#include <utility>

#include "state/plain_text.h"
#include "store/wastebasket.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

/// A list takes this many out at once in about the time that it takes for a few.
constexpr qsizetype runs_in_piece = 128;

/// What is in the wastebasket by where it was, the newest of each place: read once, whatever is restored.
std::map<std::filesystem::path, store::DiscardedRun> newest_by_place(const store::Wastebasket& basket) {
    std::map<std::filesystem::path, store::DiscardedRun> newest;
    for (auto& run : basket.list()) {
        auto place = run.folder;
        newest.emplace(std::move(place), std::move(run));
    }
    return newest;
}

}  // namespace

RunMoves move_runs(const QString& output_folder, bool back, const QStringList& run_folders,
                   const std::function<void(const QStringList&)>& piece,
                   const std::function<void(qsizetype)>& progress, const std::stop_token& stop) {
    RunMoves moves;
    moves.folder = output_folder;
    moves.back = back;
    const store::Wastebasket basket(output_folder.toStdString());
    const auto in_basket = back ? newest_by_place(basket) : decltype(newest_by_place(basket)){};
    const auto move = [&](const QString& folder) {
        const std::filesystem::path place = folder.toStdString();
        if (!back) return (void)basket.discard(place);
        const auto found = in_basket.find(place);
        if (found == in_basket.end()) throw input_error(place.string(), "it is not in the wastebasket");
        basket.restore(found->second);
    };
    QStringList since;
    const auto tell = [&] {
        if (piece && !since.isEmpty()) piece(std::exchange(since, {}));
    };
    qsizetype looked_at = 0;
    for (const auto& folder : run_folders) {
        if (stop.stop_requested()) break;
        try {
            move(folder);
            moves.moved << folder;
            since << folder;
        } catch (const std::exception& failure) {
            moves.failed << folder;
            moves.problems << plain_text(failure);
        }
        ++looked_at;
        if (progress) progress(looked_at);
        if (since.size() == runs_in_piece) tell();
    }
    tell();
    moves.left = run_folders.size() - looked_at;
    return moves;
}

}  // namespace casp::widgets
