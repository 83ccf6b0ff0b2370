#include "evidence/batch_tables.h"

#include <iterator>
#include <system_error>
#include <utility>

#include "evidence/batch_periods.h"
#include "evidence/ranks.h"
#include "evidence/series_comparison.h"
#include "store/atomic_file.h"

namespace casp::evidence {

BatchTables batch_tables(const std::filesystem::path& batch_folder, const std::vector<store::ResultRow>& rows,
                         bool with_periods) {
    BatchTables tables;
    tables.cells = store::summarise(rows);
    tables.texts = store::table_texts(rows, tables.cells);
    BatchSeries over_series;
    for (const auto& contrast : contrasts_of(rows)) {
        auto compared = compare_rows(rows, contrast, error_metrics(rows));
        if (with_periods) add_period_tests(compared, rows, contrast, batch_folder);
        std::move(compared.begin(), compared.end(), std::back_inserter(tables.comparisons));
        over_series += compare_batch_series(batch_folder, rows, contrast);
    }
    if (!tables.comparisons.empty())
        tables.texts.merge(
            comparison_texts(tables.comparisons, series_markdown(over_series.rows, over_series.remarks)));
    tables.texts.merge(rank_texts(rows));
    return tables;
}

void write_texts(const std::filesystem::path& folder, const TableTexts& texts) {
    for (const auto& [name, text] : texts) store::write_file_atomically(folder / name, text);
}

BatchTables write_batch_tables(const std::filesystem::path& batch_folder,
                               const std::vector<store::ResultRow>& rows) {
    auto tables = batch_tables(batch_folder, rows);
    write_texts(batch_folder, tables.texts);
    std::error_code ignored;
    for (const auto* file : optional_tables)
        if (tables.texts.count(file) == 0) std::filesystem::remove(batch_folder / file, ignored);
    return tables;
}

}  // namespace casp::evidence
