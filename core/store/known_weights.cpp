#include "store/known_weights.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "util/embedded.h"

namespace casp::store {

std::string origin_of_words(std::string_view backbone) {
    if (backbone.ends_with(words_only)) backbone.remove_suffix(words_only.size());
    return std::string(backbone);
}

const TensorView* find_gpt2_tensor(const SafetensorsFile& file, std::string_view plain) {
    for (const char* prefix : {"", "transformer.", "gpt2.", "llm_model."})
        if (const auto* view = file.find(prefix + std::string(plain))) return view;
    return nullptr;
}

WeightDigests::WeightDigests(std::string_view json) {
    const auto table = nlohmann::json::parse(json);
    for (const auto& [name, facts] : table.items())
        sha256_.emplace(name, facts.at("sha256_fp32_le").get<std::string>());
}

const WeightDigests& WeightDigests::openai_gpt2_small() {
    static const WeightDigests digests(embedded_file("resources/openai_gpt2_small_sha256.json"));
    return digests;
}

bool WeightDigests::matches(std::string_view plain, const TensorView& view) const {
    const auto known = sha256_.find(plain);
    return known != sha256_.end() && view.dtype == Dtype::f32 &&
           SafetensorsFile::sha256(view) == known->second;
}

bool WeightDigests::match_all(const SafetensorsFile& file) const {
    return std::all_of(sha256_.begin(), sha256_.end(), [&](const auto& entry) {
        const auto* view = find_gpt2_tensor(file, entry.first);
        return view != nullptr && matches(entry.first, *view);
    });
}

}  // namespace casp::store
