#pragma once
// A folder that is gone afterwards.

#include <stdlib.h>
#include <filesystem>
#include <string>

#include "util/error.h"

namespace casp::bench {

class TemporaryFolder {
public:
    TemporaryFolder() {
        auto name = (std::filesystem::temp_directory_path() / "casp_bench-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw run_error(name, "no temporary folder can be made");
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace casp::bench
