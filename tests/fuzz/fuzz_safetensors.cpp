// .safetensors: header, tensors, and the numbers in them.
#include "fuzz_support.h"
#include "store/safetensors.h"

using namespace casp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::MemoryFile file;
    const auto path = file.holding(data, size);
    fuzz::accepts([&] {
        const store::SafetensorsFile tensors(path);
        std::size_t total = 0;
        for (const auto& view : tensors.tensors()) {
            total += view.nbytes;
            fuzz::must(tensors.find(view.name) == &view, "a tensor is found by its name");
            // Every byte is there to be read.
            std::vector<std::byte> bytes(view.nbytes);
            store::read_bytes(view, bytes);
            fuzz::accepts([&] { (void)store::to_floats(view); });
            fuzz::accepts([&] { (void)tensors.at(view.name, std::span<const std::int64_t>()); });
        }
        fuzz::must(total < size, "tensors lie within the file");
        fuzz::accepts([&] { (void)tensors.at("h.0.attn.c_attn.weight"); });
    });
    return 0;
}
