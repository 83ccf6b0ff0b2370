#include "batch/out_folder.h"

#include <system_error>

#include "util/error.h"

namespace casp::batch {

void make_out_folder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw input_error(folder.string(), problem.message(), "a folder that can be written",
                          "Choose another --out folder.");
}

}  // namespace casp::batch
