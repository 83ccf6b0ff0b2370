#pragma once
// The weights and the settings of a checkpoint: of a run folder, or of a .safetensors file.

#include <filesystem>
#include <string>
#include <vector>

namespace casp::inspect {

struct CheckpointSettings {
    std::filesystem::path file;  ///< the weights
    std::string name;            ///< for folders and tables
    std::string text;            ///< the settings as TOML; empty: the file has none
    std::string where;           ///< names the settings in messages
};

/// `checkpoint`: a run folder (its best.safetensors and config.toml) or a .safetensors file. Throws an input
/// Error if the weights are missing, or if a file has no settings and `sets` (KEY=VALUE) do not describe its
/// model or windows either.
[[nodiscard]] CheckpointSettings read_checkpoint_settings(const std::filesystem::path& checkpoint,
                                                          const std::vector<std::string>& sets);

}  // namespace casp::inspect
