#include "evidence/batch_tables.h"

#include "evidence/batch_comparisons.h"
#include "evidence/ranks_text.h"

namespace casp::evidence {

BatchTables write_batch_tables(const std::filesystem::path& batch_folder,
                               const std::vector<store::ResultRow>& rows) {
    BatchTables tables;
    tables.cells = store::write_tables(batch_folder, rows);
    tables.comparisons = write_comparisons(batch_folder, rows);
    write_ranks(batch_folder, rows);
    return tables;
}

}  // namespace casp::evidence
