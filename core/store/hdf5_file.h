#pragma once
// Thin C++ layer over the HDF5 C API for the program's own files.
//
// Files use the library's latest format (checksummed metadata; readable with HDF5 >= 1.10). Data sets are
// chunked with a Fletcher-32 checksum, so that a flipped bit is detected; scalars are compact, inside the
// checksummed object header. Nothing is compressed. HDF5 has no checksums for variable-length text;
// run_file.cpp adds them.
//
// Debian's serial HDF5 is not thread-safe, so every call holds a process-wide lock. HDF5's error printing is
// disabled; failures are thrown as casp::Error with HDF5's messages: input Errors for files opened for
// reading, run Errors for files being written.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "util/phrase.h"

namespace casp::store {

/// Dimensions of a data set; empty for a scalar.
using Shape = std::vector<std::int64_t>;

/// Number of elements. Throws std::invalid_argument for negative dimensions.
[[nodiscard]] std::int64_t elements_of(const Shape& shape);

/// An HDF5 file. T is std::int64_t, std::int32_t, double or float. Paths are absolute ("/history/step/step");
/// missing parent groups are created. One thread at a time per object.
/// More than 25 methods: one for each HDF5 operation that the program needs.
class Hdf5File {
public:
    /// Creates or overwrites a file. For large files; call commit_file() afterwards.
    [[nodiscard]] static Hdf5File create(const std::filesystem::path& path);
    /// Creates a file in memory, retrieved with image(), so that no half-written file can exist on disk.
    /// `name` is used in messages.
    [[nodiscard]] static Hdf5File create_in_memory(const std::filesystem::path& name);
    /// Opens a file for reading, without a file lock (files are replaced atomically, never modified).
    [[nodiscard]] static Hdf5File open(const std::filesystem::path& path);

    Hdf5File(Hdf5File&&) noexcept;
    Hdf5File& operator=(Hdf5File&&) noexcept;
    /// Closes without reporting errors; call close() after writing.
    ~Hdf5File();

    /// Flushes and closes. Throws a run Error on failure (disk full).
    void close();
    /// Closes a file in memory and returns its bytes; empty for other files.
    [[nodiscard]] std::string image();

    [[nodiscard]] const std::filesystem::path& path() const noexcept;

    // Writing.

    void make_group(const std::string& group);
    /// Variable-length UTF-8 text.
    void set_attribute(const std::string& object, const std::string& name, std::string_view value);
    void set_attribute(const std::string& object, const std::string& name, std::int64_t value);
    void set_attribute(const std::string& object, const std::string& name, double value);

    /// Writes a data set of fixed shape; values are row-major and may be empty. Throws std::invalid_argument
    /// if their number does not match the shape.
    template <class T>
    void write(const std::string& dataset, std::span<const T> values, const Shape& shape);
    /// Writes [n] variable-length UTF-8 strings.
    void write_strings(const std::string& dataset, const std::vector<std::string>& values);

    /// Creates a data set that grows along its first dimension, initially [0, row_shape...].
    template <class T>
    void make_growing(const std::string& dataset, const Shape& row_shape);
    /// Appends `rows` rows to a data set created by make_growing().
    template <class T>
    void append(const std::string& dataset, std::int64_t rows, std::span<const T> values);

    /// Creates an external link to `target` in `file`, a path relative to this file's folder.
    void link_external(const std::string& link, const std::string& file, const std::string& target);

    /// Copies `object` (a data set, or a group with all its content) from another file to the same path,
    /// chunk by chunk as stored.
    void copy_from(const Hdf5File& source, const std::string& object);
    /// Copies only the attributes of a group; both groups must exist.
    void copy_attributes_from(const Hdf5File& source, const std::string& group);

    // Reading.

    /// Whether `object` and its whole path exist. An external link counts only if its target exists.
    [[nodiscard]] bool exists(const std::string& object) const;
    /// Throws an input Error with `advice` unless `object` exists.
    void require(const std::string& object, const Phrase& advice) const;
    /// Names in a group, in alphabetical order.
    [[nodiscard]] std::vector<std::string> children(const std::string& group) const;
    [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::string text_attribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::int64_t integer_attribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] double number_attribute(const std::string& object, const std::string& name) const;

    [[nodiscard]] Shape shape_of(const std::string& dataset) const;
    /// All values of a data set. Checks `shape` unless empty; -1 in it accepts any size. Integer and
    /// floating-point data sets are not converted into each other. The stated size is compared with the
    /// stored bytes before memory is allocated.
    template <class T>
    [[nodiscard]] std::vector<T> read(const std::string& dataset, const Shape& shape) const;
    /// Rows first .. first + count - 1 along the first dimension.
    template <class T>
    [[nodiscard]] std::vector<T> read_rows(const std::string& dataset, const Shape& shape, std::int64_t first,
                                           std::int64_t count) const;
    [[nodiscard]] std::vector<std::string> read_strings(const std::string& dataset) const;

private:
    struct State;
    explicit Hdf5File(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace casp::store
