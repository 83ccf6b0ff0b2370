// run.json and the state of a checkpoint.
#include <fstream>

#include "fuzz_support.h"
#include "store/run_folder.h"

using namespace casp;

namespace {

/// A folder in memory, for as long as the process.
const std::filesystem::path& folder() {
    static const auto path = [] {
        char name[] = "/dev/shm/casp-fuzz-XXXXXX";
        fuzz::must(::mkdtemp(name) != nullptr, "there is a folder in memory");
        static const struct Remover {
            std::filesystem::path path;
            ~Remover() {
                std::error_code ignored;
                std::filesystem::remove_all(path, ignored);
            }
        } remover{name};
        return remover.path;
    }();
    return path;
}

void put(const char* name, const std::uint8_t* data, std::size_t size) {
    std::ofstream file(folder() / name, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    put("run.json", data, size);
    put("state.json", data, size);
    const store::RunFolder run(folder());
    fuzz::accepts([&] {
        const auto status = store::read_run_status(run);
        fuzz::must(status.has_value(), "a run.json that is there says something");
        // What was understood can be written, and reads back.
        store::write_run_status(run, *status);
        const auto again = store::read_run_status(run);
        fuzz::must(again && again->row.state == status->row.state && again->row.steps == status->row.steps &&
                       again->row.swept == status->row.swept &&
                       again->row.case_label == status->row.case_label,
                   "a run.json reads back as it was");
    });
    fuzz::accepts([&] { store::verify_generation(folder()); });
    return 0;
}
