#include "fetch/cuda_libraries.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "data/catalog.h"
#include "util/descriptor.h"
#include "util/embedded.h"
#include "util/error.h"
#include "util/process.h"
#include "util/progress.h"

namespace casp::fetch {

namespace fs = std::filesystem;

namespace {

/// As fetch_libtorch.sh writes them: one file for each list.
constexpr std::array<const char*, 2> stamps{"complete", "complete-cuda"};

/// The script and what it reads, as files for the lifetime of this object.
class Scripts {
public:
    Scripts() : folder_(cuda_folder().parent_path() / (".fetch-cuda-" + std::to_string(::getpid()))) {
        std::error_code problem;
        fs::create_directories(folder_ / "packaging", problem);
        for (const auto* file : {"packaging/fetch_libtorch.sh", "packaging/lib.sh", "packaging/libtorch.txt",
                                 "packaging/libtorch-cuda.txt"}) {
            std::ofstream written(folder_ / file, std::ios::binary);
            if (problem || !(written << embedded_file(file)).flush())
                throw run_error(
                    folder_.string(), "cannot be written", {},
                    "Free disk space, or set XDG_CACHE_HOME to a writable folder on a larger disk.");
        }
    }
    ~Scripts() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Scripts(const Scripts&) = delete;
    Scripts& operator=(const Scripts&) = delete;

    [[nodiscard]] std::string main() const { return (folder_ / "packaging/fetch_libtorch.sh").string(); }
    [[nodiscard]] fs::path reason() const { return folder_ / "reason"; }

private:
    fs::path folder_;
};

}  // namespace

fs::path cuda_folder() {
    constexpr std::string_view torch = "\ntorch==";
    const auto list = embedded_file("packaging/libtorch.txt");
    const auto version = list.substr(list.find(torch) + torch.size());
    return data::cache_folder() / "caspstudio" /
           ("libtorch-" + std::string(version.substr(0, version.find(' '))));
}

bool has_cuda_libraries(const fs::path& folder) {
    return std::all_of(stamps.begin(), stamps.end(), [&](const char* stamp) {
        std::error_code unknown;
        return fs::exists(folder / stamp, unknown);
    });
}

fs::path fetch_cuda_libraries(const std::stop_token& stop) {
    const Scripts scripts;
    const auto nothing = open_nothing();
    const auto process =
        start_process({"env", "CASP_SPEAKER=caspstudio", "CASP_REASON=" + scripts.reason().string(), "bash",
                       scripts.main(), "--with-cuda"},
                      {nothing.get(), STDERR_FILENO, STDERR_FILENO}, /*own_session=*/true, "Install bash.");
    constexpr std::chrono::hours longest{24 * 365};
    auto status = wait_for_end(process, longest, stop);
    if (!status) {
        ::kill(-process, SIGTERM);  // with its children
        status = wait_for_end(process, longest);
    }
    throw_if_stopped(stop);
    if (status != 0) {
        std::ifstream file(scripts.reason(), std::ios::binary);
        const std::string reason{std::istreambuf_iterator<char>(file), {}};
        throw run_error("--fetch cuda", reason.empty()
                                            ? Phrase("bash ended with status %1", status.value_or(-1))
                                            : Phrase(reason));
    }
    return cuda_folder();
}

}  // namespace casp::fetch
