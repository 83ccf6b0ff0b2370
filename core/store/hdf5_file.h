#pragma once
// A small layer over HDF5's C API: files as this program writes and reads them.
//
// Every file has the library's latest format (checksummed metadata, HDF5 >= 1.10 reads it). Data sets are
// chunked with a Fletcher-32 checksum, so that a flipped bit is an error and not a number; scalars are
// compact, inside the checksummed object header. Nothing is compressed. Texts have no checksum in HDF5
// (run_file.cpp adds one).
//
// Debian's serial HDF5 is not safe with threads: every call here holds one process-wide lock. HDF5's habit of
// printing its errors is switched off; they come as casp::Error with HDF5's own words: input Errors from
// files opened for reading, run Errors from files that are being written.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace casp::store {

/// Sizes of a data set; empty for a scalar.
using Shape = std::vector<std::int64_t>;

/// Number of elements; throws std::invalid_argument for negative sizes.
[[nodiscard]] std::int64_t elements_of(const Shape& shape);

/// T is std::int64_t, std::int32_t, double or float throughout. Paths are absolute ("/history/step/step");
/// groups on the way are made as needed. One object belongs to one thread at a time.
class Hdf5File {
public:
    /// Makes a file; what is there is overwritten. For large files: commit_file() it afterwards.
    [[nodiscard]] static Hdf5File create(const std::filesystem::path& path);
    /// Makes a file in memory, to be had by image(): no file system is involved, so nothing can be
    /// half-written. `name` is for messages.
    [[nodiscard]] static Hdf5File create_in_memory(const std::filesystem::path& name);
    /// Opens a file for reading, without a file lock (files are replaced whole, never changed).
    [[nodiscard]] static Hdf5File open(const std::filesystem::path& path);

    Hdf5File(Hdf5File&&) noexcept;
    Hdf5File& operator=(Hdf5File&&) noexcept;
    /// Closes without telling of errors: call close() after writing.
    ~Hdf5File();

    /// Flushes and closes; a run Error where that fails (disk full).
    void close();
    /// Closes a file made in memory and gives its bytes; empty for other files.
    [[nodiscard]] std::string image();

    [[nodiscard]] const std::filesystem::path& path() const noexcept;

    // Writing.

    void make_group(const std::string& group);
    /// Variable-length UTF-8 text.
    void set_attribute(const std::string& object, const std::string& name, std::string_view value);
    void set_attribute(const std::string& object, const std::string& name, std::int64_t value);
    void set_attribute(const std::string& object, const std::string& name, double value);

    /// A data set of fixed shape; values row-major, possibly none. Throws std::invalid_argument where their
    /// number is not that of the shape.
    template <class T>
    void write(const std::string& dataset, std::span<const T> values, const Shape& shape);
    /// [n] variable-length UTF-8 strings.
    void write_strings(const std::string& dataset, const std::vector<std::string>& values);

    /// A data set that grows along its first dimension: [0, row_shape...] at first.
    template <class T>
    void make_growing(const std::string& dataset, const Shape& row_shape);
    /// Appends `rows` rows to a data set of make_growing.
    template <class T>
    void append(const std::string& dataset, std::int64_t rows, std::span<const T> values);

    /// `link` stands for `target` inside `file`, a path relative to this file's folder.
    void link_external(const std::string& link, const std::string& file, const std::string& target);

    /// Takes `object`, a group with all that is in it or a data set, over from another file under the same
    /// path, as it is stored: chunks are copied without being read as numbers.
    void copy_from(const Hdf5File& source, const std::string& object);
    /// The attributes of a group alone; both groups must be there.
    void copy_attributes_from(const Hdf5File& source, const std::string& group);

    // Reading.

    /// Whether `object` (all of its path) is there. An external link counts only where its target is there.
    [[nodiscard]] bool exists(const std::string& object) const;
    /// Names in a group, in alphabetical order.
    [[nodiscard]] std::vector<std::string> children(const std::string& group) const;
    [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::string text_attribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] std::int64_t integer_attribute(const std::string& object, const std::string& name) const;
    [[nodiscard]] double number_attribute(const std::string& object, const std::string& name) const;

    [[nodiscard]] Shape shape_of(const std::string& dataset) const;
    /// All values. `shape` is checked where given; -1 in it accepts any size. An integer data set is no data
    /// set of floating-point numbers and the other way round. Before memory is taken, the stated size is
    /// compared with the bytes that are in the file.
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
