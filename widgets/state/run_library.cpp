#include "state/run_library.h"

#include <algorithm>
#include <utility>

namespace casp::widgets {

QStringList in_sweep_order(const RunLibrary& library, const QStringList& run_folders) {
    std::vector<std::pair<QString, QString>> created;  // time, folder
    bool has_cases = false;
    for (const auto& folder : run_folders) {
        const int index = library.index_of(folder);
        created.emplace_back(index < 0 ? QString() : library.at(index).created, folder);
        has_cases = has_cases || (index >= 0 && !library.at(index).row.case_label.empty());
    }
    if (!has_cases) return run_folders;
    std::stable_sort(created.begin(), created.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    QStringList ordered;
    for (const auto& [time, folder] : created) ordered += folder;
    return ordered;
}

}  // namespace casp::widgets
