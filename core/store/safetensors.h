#pragma once
// Reading and writing of .safetensors files (named tensors, no executable content).
//
// Layout (https://github.com/huggingface/safetensors): 8 bytes little-endian header length N; N bytes of JSON
// {"name": {"dtype", "shape", "data_offsets": [begin, end]}, "__metadata__": {text: text}}; then the data,
// which the offsets refer to, without gaps. Independent of LibTorch: core/model converts views to tensors.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "util/phrase.h"
#include "util/regular_file.h"

namespace casp::store {

enum class Dtype { f64, f32, f16, bf16, i64, i32, u8, boolean };

/// Size of one element in bytes.
[[nodiscard]] std::size_t size_of(Dtype dtype) noexcept;
/// Name in the format: "F64", "F32", "F16", "BF16", "I64", "I32", "U8", "BOOL".
[[nodiscard]] std::string_view to_string(Dtype dtype) noexcept;
/// "[50257, 768]"; "[]" for a scalar.
[[nodiscard]] std::string shape_text(std::span<const std::int64_t> shape);

/// A tensor of an open file. Its values stay on disk until read_bytes() or to_floats() reads them.
struct TensorView {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::size_t nbytes = 0;
    std::uint64_t offset = 0;  ///< of the first byte, from the start of the file
    std::shared_ptr<const RegularFile> file;

    [[nodiscard]] std::int64_t elements() const noexcept {
        return static_cast<std::int64_t>(nbytes / size_of(dtype));
    }
};

/// Reads the values as stored (little-endian); `out` has view.nbytes bytes. Throws an input Error if the file
/// has become shorter since it was opened.
void read_bytes(const TensorView& view, std::span<std::byte> out);

/// Reads the values as float: exact for F32, F16 and BF16, rounded to nearest for F64. `out` has
/// view.elements() elements. Throws an input Error for other types and for a finite F64 beyond the range of
/// float, and as read_bytes().
void to_floats(const TensorView& view, std::span<float> out);
[[nodiscard]] std::vector<float> to_floats(const TensorView& view);

/// Converts a half-precision (IEEE binary16) or bfloat16 bit pattern to float; exact, keeps NaN payloads.
[[nodiscard]] float float_from_f16(std::uint16_t bits) noexcept;
[[nodiscard]] float float_from_bf16(std::uint16_t bits) noexcept;

/// A .safetensors file, or the shards of a model.safetensors.index.json, open for reading. Thread-safe (apart
/// from unwrap()). Not memory-mapped: if another program shortened a mapped file, this one would crash.
///
/// Opening checks everything except the values: header length (<= 16 MiB and within the file), JSON without
/// duplicate names, known dtypes, shape x element size == bytes, offsets in range without overlaps or gaps,
/// and no data after the last tensor. Throws an input Error with file, tensor, found and expected. Weights in
/// other formats (PyTorch, pickles, HDF5, …) are named, with the line of Python that converts them.
class SafetensorsFile {
public:
    explicit SafetensorsFile(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Tensors in the order of their data.
    [[nodiscard]] const std::vector<TensorView>& tensors() const noexcept { return tensors_; }
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const noexcept { return metadata_; }

    /// The tensor of that name, or nullptr.
    [[nodiscard]] const TensorView* find(std::string_view name) const noexcept;
    /// As find(), but throws an input Error with the file, the tensor and similar names.
    [[nodiscard]] const TensorView& at(std::string_view name) const;
    /// Also checks the shape.
    [[nodiscard]] const TensorView& at(std::string_view name, std::span<const std::int64_t> shape) const;

    /// Removes what training code puts before every name: "module." (DataParallel), "model." (Lightning),
    /// "_orig_mod." (torch.compile), also several of them. `fitting` counts the names that a model finds in
    /// the file. Nothing is removed unless all tensors have the prefix and more names fit without it.
    void unwrap(const std::function<std::size_t(const SafetensorsFile&)>& fitting);

    /// What was changed in reading, as a sentence for people: prefixes that unwrap() removed, and F64 values
    /// that are rounded to float. Empty: nothing.
    [[nodiscard]] Phrase conversions() const;

    /// Lower-case hex SHA-256 of a tensor's bytes, to recognise published weights.
    [[nodiscard]] static std::string sha256(const TensorView& view);

private:
    void read_shards();
    void read_tensors();
    /// Names of the tensors as they are in `tensors_`.
    void index_names();
    struct Placed {
        std::uint64_t begin = 0, end = 0;  ///< offsets in the data
        TensorView view;
    };
    /// Sorts the tensors by data offset and checks that they fill the data.
    void place(const std::string& file, std::vector<Placed> placed, std::uint64_t data_size);

    std::filesystem::path path_;
    std::shared_ptr<const RegularFile> file_;
    std::vector<TensorView> tensors_;
    std::map<std::string, std::size_t, std::less<>> index_;
    std::map<std::string, std::string> metadata_;
    std::string removed_prefix_;
};

/// Throws the input Error of SafetensorsFile for weights in another format; of a .safetensors file it reads 8
/// bytes, of the index of several none.
void reject_other_formats(const RegularFile& file);

/// Declaration of a tensor to write: the header needs all shapes in advance.
struct TensorSpec {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
};

/// Writes a file tensor by tensor in the order of `specs`. Atomic (see AtomicFile): the file appears on
/// finish(). Data starts at a multiple of 8 bytes; list wide types first to align every tensor.
///
///     SafetensorsWriter writer(path, specs, {{"format", "pt"}});
///     for (...) writer.write(name, bytes, size);
///     const auto sha256 = writer.finish();
class SafetensorsWriter {
public:
    /// Throws std::invalid_argument for duplicate or reserved names and negative dimensions (programming
    /// errors), and a run Error if the file cannot be created.
    SafetensorsWriter(const std::filesystem::path& path, std::vector<TensorSpec> specs,
                      const std::map<std::string, std::string>& metadata = {});
    ~SafetensorsWriter();
    SafetensorsWriter(const SafetensorsWriter&) = delete;
    SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

    /// Writes the next tensor. Throws std::invalid_argument if name or size does not match the next of
    /// `specs`.
    void write(std::string_view name, const void* data, std::size_t nbytes);

    /// Flushes and renames the file. Returns its SHA-256, computed while writing.
    std::string finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace casp::store
