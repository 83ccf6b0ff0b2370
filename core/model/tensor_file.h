#pragma once
// Named tensors to .safetensors files and back.

#include <filesystem>
#include <map>
#include <string>

#include "model/parameters.h"

namespace casp::store {
class SafetensorsFile;
}

namespace casp::model {

/// Writes tensors (float32 or int64, any device) under their names; atomic. Returns the file's SHA-256.
std::string write_tensors(const std::filesystem::path& path, const model::NamedTensors& tensors,
                          const std::map<std::string, std::string>& metadata = {});

/// Copies the file's values into the given tensors, all of which must be there with their shapes and types
/// (fp16 and bf16 are widened, fp64 is rounded). A tensor that is given under several names is read from
/// those in the file, at least one, whose values must be equal. Further tensors in the file are ignored.
/// Throws an input Error: file, tensor, found, expected.
void read_tensors(const store::SafetensorsFile& file, const model::NamedTensors& tensors);
void read_tensors(const std::filesystem::path& path, const model::NamedTensors& tensors);

/// SHA-256 over names and bytes of tensors.
[[nodiscard]] std::string digest_of(const NamedTensors& tensors);

}  // namespace casp::model
