#include "evidence/verify_paper.h"

#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "evidence/paper_runs.h"
#include "evidence/paper_table_text.h"
#include "evidence/verify_text.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

namespace fs = std::filesystem;

/// The comparison with the table from the runs below `runs`.
Verification compare_with_table(const fs::path& batch_folder, const std::string& name, const fs::path& runs,
                                const std::stop_token& stop) {
    const auto table = paper_table(name);
    Verification result;
    const auto filled = fill(table, with_measures(table, finished_runs({runs}, stop).runs, stop));
    for (const auto& [file, text] : paper_table_texts(filled))
        compare_text(batch_folder / file, text, result);
    return result;
}

void verify_paper_table(const fs::path& batch_folder, const std::string& name, Verification& result,
                        const std::stop_token& stop) {
    std::optional<Verification> nearest;
    for (const auto& runs : {batch_folder, batch_folder.parent_path()}) {
        auto found = compare_with_table(batch_folder, name, runs, stop);
        if (!nearest || found.findings.size() < nearest->findings.size()) nearest = std::move(found);
        if (nearest->findings.empty()) break;
    }
    result.numbers += nearest->numbers;
    std::move(nearest->findings.begin(), nearest->findings.end(), std::back_inserter(result.findings));
    for (auto& [what, folders] : nearest->unchecked) {
        auto& all = result.unchecked[what];
        all.insert(all.end(), folders.begin(), folders.end());
    }
}

}  // namespace

void verify_paper_tables(const fs::path& batch_folder, Verification& result, const std::stop_token& stop) {
    for (const std::string page : {"language-model", "tuning"})
        if (std::error_code unknown; fs::exists(batch_folder / (page + ".csv"), unknown))
            result.unchecked[Phrase("%1.csv is not checked: make it again with --table %1", page)].push_back(
                batch_folder);
    for (const auto& name : paper_table_names()) {
        std::error_code unknown;
        const auto exists = [&](const char* suffix) {
            return fs::exists(batch_folder / (paper_table_stem(name) + suffix), unknown);
        };
        if (!exists(".csv") && !exists(".md") && !exists(".tex")) continue;
        throw_if_stopped(stop);
        try {
            verify_paper_table(batch_folder, name, result, stop);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            result.unchecked[Phrase("table %1: %2", name, phrase_of(problem))].push_back(batch_folder);
        }
    }
}

}  // namespace casp::evidence
