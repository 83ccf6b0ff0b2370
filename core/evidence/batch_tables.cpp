#include "evidence/batch_tables.h"

#include "evidence/ranks_text.h"

namespace casp::evidence {

TableTexts batch_table_texts(const std::filesystem::path& batch_folder,
                             const std::vector<store::ResultRow>& rows) {
    auto texts = store::table_texts(rows, store::summarise(rows));
    texts.merge(batch_comparisons(batch_folder, rows).second);
    texts.merge(rank_texts(rows));
    return texts;
}

BatchTables write_batch_tables(const std::filesystem::path& batch_folder,
                               const std::vector<store::ResultRow>& rows) {
    BatchTables tables;
    tables.cells = store::write_tables(batch_folder, rows);
    tables.comparisons = write_comparisons(batch_folder, rows);
    write_ranks(batch_folder, rows);
    return tables;
}

}  // namespace casp::evidence
