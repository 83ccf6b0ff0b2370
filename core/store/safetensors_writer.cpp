#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/safetensors.h"
#include "util/digest.h"

namespace casp::store {

struct SafetensorsWriter::State {
    AtomicFile file;
    Digest digest;
    std::vector<TensorSpec> specs;
    std::vector<std::size_t> sizes;
    std::size_t next = 0;

    explicit State(const std::filesystem::path& path) : file(path) {}
    void put(const void* bytes, std::size_t size) {
        file.write(bytes, size);
        digest.update(bytes, size);
    }
};

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path, std::vector<TensorSpec> specs,
                                     const std::map<std::string, std::string>& metadata) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::vector<std::size_t> sizes;
    std::set<std::string_view> names;
    std::uint64_t offset = 0;
    for (const auto& spec : specs) {
        if (spec.name == "__metadata__" || !names.insert(spec.name).second)
            throw std::invalid_argument("safetensors: bad or repeated name " + spec.name);
        std::uint64_t bytes = size_of(spec.dtype);
        for (const auto dimension : spec.shape)
            if (dimension < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dimension), &bytes))
                throw std::invalid_argument("safetensors: bad shape of " + spec.name);
        header[spec.name] = {{"dtype", to_string(spec.dtype)},
                             {"shape", spec.shape},
                             {"data_offsets", {offset, offset + bytes}}};
        sizes.push_back(static_cast<std::size_t>(bytes));
        offset += bytes;
    }
    auto text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    state_ = std::make_unique<State>(path);
    state_->specs = std::move(specs);
    state_->sizes = std::move(sizes);
    const std::uint64_t length = text.size();
    state_->put(&length, sizeof length);
    state_->put(text.data(), text.size());
}

SafetensorsWriter::~SafetensorsWriter() = default;

void SafetensorsWriter::write(std::string_view name, const void* data, std::size_t nbytes) {
    auto& state = *state_;
    if (state.next >= state.specs.size() || state.specs[state.next].name != name ||
        state.sizes[state.next] != nbytes)
        throw std::invalid_argument("safetensors: " + std::string(name) + " is not the next tensor");
    state.put(data, nbytes);
    ++state.next;
}

std::string SafetensorsWriter::finish() {
    if (state_->next != state_->specs.size())
        throw std::invalid_argument("safetensors: tensors are missing, the next is " +
                                    state_->specs[state_->next].name);
    state_->file.commit();
    return state_->digest.finish();
}

}  // namespace casp::store
