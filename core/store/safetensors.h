#pragma once
// Reading and writing .safetensors: named tensors in one file, no code in it.
//
// Layout (https://github.com/huggingface/safetensors): 8 bytes little-endian length N of the header; N bytes
// JSON
// {"name": {"dtype", "shape", "data_offsets": [begin, end]}, "__metadata__": {text: text}}; then the data, to
// which the offsets refer, without gaps. LibTorch is not used here: core/model turns views into tensors.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "util/regular_file.h"

namespace casp::store {

enum class Dtype { f64, f32, f16, bf16, i64, i32, u8, boolean };

/// Size of one element in bytes.
[[nodiscard]] std::size_t size_of(Dtype dtype) noexcept;
/// The format's word: "F64", "F32", "F16", "BF16", "I64", "I32", "U8", "BOOL".
[[nodiscard]] std::string_view to_string(Dtype dtype) noexcept;
/// "[50257, 768]"; "[]" for a scalar.
[[nodiscard]] std::string shape_text(std::span<const std::int64_t> shape);

/// A tensor of a file that stays open as long as this lives. The values are on the disk: read_bytes() or
/// to_floats() brings them.
struct TensorView {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::size_t nbytes = 0;
    std::uint64_t offset = 0;  ///< of its first byte in the file
    std::shared_ptr<const RegularFile> file;

    [[nodiscard]] std::int64_t elements() const noexcept {
        return static_cast<std::int64_t>(nbytes / size_of(dtype));
    }
};

/// The values as they lie in the file (little-endian); `out` holds view.nbytes bytes. Throws an input Error
/// where the file has become shorter since it was opened.
void read_bytes(const TensorView& view, std::span<std::byte> out);

/// Values as float; exact for F32, F16 and BF16. Throws an input Error for other types, and as read_bytes().
/// `out` holds view.elements() floats.
void to_floats(const TensorView& view, std::span<float> out);
[[nodiscard]] std::vector<float> to_floats(const TensorView& view);

/// One half-precision (IEEE binary16) or bfloat16 pattern as float; exact, NaN payloads kept.
[[nodiscard]] float float_from_f16(std::uint16_t bits) noexcept;
[[nodiscard]] float float_from_bf16(std::uint16_t bits) noexcept;

/// A .safetensors file, open for reading. Immutable, so it may be read from any thread. (It is not mapped: a
/// file that another program shortens would end this one.)
///
/// Opening checks everything but the values: header length (<= 100 MB and inside the file), JSON without
/// duplicate names, known dtype, shape x size == bytes, offsets in range, without overlap or gap, and that
/// the file ends where the data ends. Each failure is an input Error that says file, tensor, found and
/// expected.
class SafetensorsFile {
public:
    explicit SafetensorsFile(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// In the order of their data.
    [[nodiscard]] const std::vector<TensorView>& tensors() const noexcept { return tensors_; }
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const noexcept { return metadata_; }

    /// The tensor of that name, or nullptr.
    [[nodiscard]] const TensorView* find(std::string_view name) const noexcept;
    /// Likewise, but throws an input Error that names the file, the tensor and near names.
    [[nodiscard]] const TensorView& at(std::string_view name) const;
    /// Likewise, and the shape must be `shape`.
    [[nodiscard]] const TensorView& at(std::string_view name, std::span<const std::int64_t> shape) const;

    /// Lower-case hex SHA-256 of one tensor's raw bytes (to recognise published weights).
    [[nodiscard]] static std::string sha256(const TensorView& view);

private:
    struct Placed {
        std::uint64_t begin = 0, end = 0;  ///< in the data
        TensorView view;
    };
    /// Puts the tensors in the order of their data, and checks that they fill it.
    void place(const std::string& file, std::vector<Placed> placed, std::uint64_t data_size);

    std::filesystem::path path_;
    std::shared_ptr<const RegularFile> file_;
    std::vector<TensorView> tensors_;
    std::map<std::string, std::size_t, std::less<>> index_;
    std::map<std::string, std::string> metadata_;
};

/// What will be written: the header needs all shapes before the first byte of data.
struct TensorSpec {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
};

/// Writes a file tensor by tensor in the order of `specs`; atomic (see AtomicFile), so nothing appears before
/// finish(). Data starts at a multiple of 8 bytes; give wide types first so that every tensor is aligned.
///
///     SafetensorsWriter writer(path, specs, {{"format", "pt"}});
///     for (...) writer.write(name, bytes, size);
///     const auto sha256 = writer.finish();
class SafetensorsWriter {
public:
    /// Throws std::invalid_argument for duplicate or reserved names and negative dimensions (a programming
    /// error), a run Error where the file cannot be made.
    SafetensorsWriter(const std::filesystem::path& path, std::vector<TensorSpec> specs,
                      const std::map<std::string, std::string>& metadata = {});
    ~SafetensorsWriter();
    SafetensorsWriter(const SafetensorsWriter&) = delete;
    SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

    /// The next tensor's bytes, whole. Throws std::invalid_argument where name or size is not what comes
    /// next.
    void write(std::string_view name, const void* data, std::size_t nbytes);

    /// Flushes, renames, and returns the SHA-256 of the whole file (computed on the way, costs no second
    /// reading).
    std::string finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace casp::store
