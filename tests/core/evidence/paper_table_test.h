#pragma once
// Runs and cells for the tests of the paper's tables.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "config/experiment.h"
#include "evidence/paper_table.h"

namespace casp::test {

inline const evidence::PaperCell& cell_of(const evidence::PaperTable& table,
                                          const std::vector<std::string>& row,
                                          const std::vector<std::string>& column) {
    const auto r = std::find(table.rows.begin(), table.rows.end(), row) - table.rows.begin();
    const auto c = std::find(table.columns.begin(), table.columns.end(), column) - table.columns.begin();
    return table.cell(static_cast<std::size_t>(r), static_cast<std::size_t>(c)).value();
}

/// A finished run of a configuration of the table.
inline evidence::PaperRun run_of(const std::string& preset, const std::vector<std::string>& sets,
                                 std::int64_t seed, double mse) {
    evidence::PaperRun run;
    run.config = config::load_text("preset = \"" + preset + "\"", "test", {}, sets).base;
    run.config.train.seed = seed;
    run.row.state = store::RunState::finished;
    run.row.data = run.config.data.path.substr(run.config.data.path.find(':') + 1);
    run.row.horizon = run.config.data.horizon;
    run.row.seed = seed;
    run.row.test_mse = mse;
    run.row.test_mae = mse / 2;
    run.row.usage_entropy = 2.0794;
    run.row.backbone = "openai-gpt2-small";
    return run;
}

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace casp::test
