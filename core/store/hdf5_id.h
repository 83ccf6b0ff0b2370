#pragma once
// HDF5 handles, lock and error messages; internal to Hdf5File.

#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

#include "store/hdf5_file.h"
#include "util/error.h"

namespace casp::store {

/// Process-wide lock, held during every use of the library; recursive, because error handling retrieves
/// messages under it. Also disables error printing, which HDF5 stores per thread or globally, depending on
/// its build.
class Hdf5Lock {
public:
    Hdf5Lock();

private:
    std::lock_guard<std::recursive_mutex> guard_;
};

/// Owning HDF5 identifier with its close function. Create and destroy it under the lock.
class Hdf5Id {
public:
    using Close = herr_t (*)(hid_t);
    Hdf5Id() = default;
    Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
    Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Id& operator=(Hdf5Id&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Hdf5Id() {
        if (id_ >= 0) close_(id_);
    }
    [[nodiscard]] hid_t get() const noexcept { return id_; }
    [[nodiscard]] hid_t release() noexcept { return std::exchange(id_, -1); }

private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// HDF5's messages for the current error, innermost first.
[[nodiscard]] Phrase hdf5_error_text();

/// Captures the bytes of a file in memory when HDF5 closes it and would free them. (H5Fget_file_image of HDF5
/// 1.10 on an open file clears superblock flags without updating the checksum.)
struct Hdf5Image {
    void* bytes = nullptr;
    std::size_t size = 0;

    Hdf5Image() = default;
    Hdf5Image(const Hdf5Image&) = delete;
    Hdf5Image& operator=(const Hdf5Image&) = delete;
    ~Hdf5Image();
    /// Configures the access list `access` for a file in memory captured here. `this` must outlive the file.
    void use_for(hid_t access);
};

struct Hdf5File::State {
    std::filesystem::path path;
    Hdf5Image image;
    bool writing = false;
    bool in_memory = false;  ///< writes cannot fail later than the call
    Hdf5Id file;
    std::map<std::string, Hdf5Id> growing;

    /// Typed error for HDF5's current error. `object` may be empty.
    [[nodiscard]] Error failure(const Phrase& object, const Phrase& doing) const;
    [[nodiscard]] Error wrong(const Phrase& object, Phrase found, Phrase expected = {}) const;
    /// Takes ownership of `id`; throws failure() if it is invalid.
    [[nodiscard]] Hdf5Id checked(hid_t id, Hdf5Id::Close close, const Phrase& object,
                                 const Phrase& doing) const;
    void check(herr_t status, const Phrase& object, const Phrase& doing) const {
        if (status < 0) throw failure(object, doing);
    }
    void put_attribute(const std::string& object, const std::string& name, hid_t type,
                       const void* value) const;
    [[nodiscard]] Hdf5Id open_attribute(const std::string& object, const std::string& name) const;
    /// A number of this class of types in the file, as `type` in memory.
    void read_number(const std::string& object, const std::string& name, H5T_class_t stored, hid_t type,
                     void* value) const;
    /// Creates a data set with its groups.
    [[nodiscard]] Hdf5Id create_dataset(const std::string& dataset, hid_t type, const Hdf5Id& space,
                                        hid_t layout = H5P_DEFAULT, hid_t access = H5P_DEFAULT) const;
    /// Writes all values of a new data set; null: there are none.
    void put_dataset(const std::string& dataset, hid_t type, const Hdf5Id& space, hid_t layout,
                     const void* values) const;
    [[nodiscard]] Hdf5Id open_dataset(const std::string& dataset) const;
};

/// Type in memory and in the file (equal, since only little-endian machines are supported).
template <class T>
[[nodiscard]] hid_t hdf5_type() {
    if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
    if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
    if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
    if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
}

/// Creation list of a link with the groups before it.
[[nodiscard]] Hdf5Id hdf5_with_groups();

/// Type of variable-length UTF-8 text.
[[nodiscard]] Hdf5Id hdf5_text_type();

/// Access list of a class (H5P_LINK_ACCESS, H5P_DATASET_ACCESS, H5P_GROUP_ACCESS) for objects behind external
/// links. The target file is opened as by Hdf5File::open(); by default, HDF5 1.10 would use file locks, and
/// fail if another thread has the file open without one. Links lead to files of the same folder only.
[[nodiscard]] Hdf5Id hdf5_link_access(hid_t property_class);

}  // namespace casp::store
