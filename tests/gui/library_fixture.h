#pragma once
// Run folders and their list for the tests of the library.

#include <filesystem>

#include <QtTest>

#include "state/file_run_library.h"
#include "store/run_folder.h"

namespace casp::test {

inline constexpr int patience_ms = 60000;

/// A run folder with nothing but a run.json.
inline void write_run(const std::filesystem::path& folder, store::RunState state,
                      double val_mse = store::not_known, std::int64_t horizon = 96,
                      const char* model = "casp-llm") {
    std::filesystem::create_directories(folder);
    store::ResultRow row;
    row.run = folder.filename().string();
    row.state = state;
    row.data = "series";
    row.model = model;
    row.lookback = 512;
    row.horizon = horizon;
    row.lambda_cov = 0.1;
    row.val_mse = val_mse;
    row.swept = {{"loss.lambda_cov", "0.1"}};
    store::write_run_status(store::RunFolder(folder), {row, {}, {}});
}

inline const widgets::RunSummary& summary_of(const widgets::FileRunLibrary& library, const QString& run) {
    const int index = library.index_of(run);
    if (index >= 0) return library.at(index);
    QTest::qFail(qPrintable(run + " is not in the list"), __FILE__, __LINE__);
    static const widgets::RunSummary none;
    return none;
}

inline void open(widgets::FileRunLibrary& library, const QString& folder) {
    QSignalSpy loaded(&library, &widgets::FileRunLibrary::loaded);
    library.open(folder);
    QVERIFY(loaded.wait(patience_ms));
}

/// Moves runs to the wastebasket or back and waits; why some were not moved.
inline QStringList move(widgets::FileRunLibrary& library, const QStringList& runs, bool back = false) {
    QSignalSpy ended(&library, &widgets::FileRunLibrary::moves_ended);
    back ? library.start_restore(runs) : library.start_discard(runs);
    if (!ended.wait(patience_ms)) return {QStringLiteral("the move does not end")};
    return ended[0][0].value<widgets::RunMoves>().problems;
}

}  // namespace casp::test
