#pragma once
// HDF5's handles, lock and error words; for the sources of Hdf5File only.

#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

#include "store/hdf5_file.h"
#include "util/error.h"

namespace casp::store {

/// Held by every use of the library; recursive, because a failing read asks for the error words. Switches off
/// the printing of errors, which HDF5 keeps per thread or globally, depending on how it was built.
class Hdf5Lock {
public:
    Hdf5Lock();

private:
    std::lock_guard<std::recursive_mutex> guard_;
};

/// An identifier and how it is closed. Make and drop it under the lock.
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

/// HDF5's words for the error at hand, innermost reason first.
[[nodiscard]] std::string hdf5_error_text();

/// Takes the bytes of a file in memory at the moment when HDF5 has closed it and would free them. (While the
/// file is open, H5Fget_file_image of 1.10 clears the superblock's flags without mending its checksum.)
struct Hdf5Image {
    void* bytes = nullptr;
    std::size_t size = 0;

    Hdf5Image() = default;
    Hdf5Image(const Hdf5Image&) = delete;
    Hdf5Image& operator=(const Hdf5Image&) = delete;
    ~Hdf5Image();
    /// Makes the file of access list `access` one in memory that ends up here. `this` must outlive the file.
    void use_for(hid_t access);
};

struct Hdf5File::State {
    std::filesystem::path path;
    Hdf5Image image;
    bool writing = false;
    bool in_memory = false;  ///< no write can fail later than it is asked for
    Hdf5Id file;
    std::map<std::string, Hdf5Id> growing;

    /// The typed error for HDF5's error at hand. `object` may be empty.
    [[nodiscard]] Error failure(const std::string& object, const std::string& doing) const;
    [[nodiscard]] Error wrong(const std::string& object, std::string found, std::string expected = {}) const;
    /// Takes ownership of `id`, or throws failure().
    [[nodiscard]] Hdf5Id checked(hid_t id, Hdf5Id::Close close, const std::string& object,
                                 const std::string& doing) const;
    void check(herr_t status, const std::string& object, const std::string& doing) const {
        if (status < 0) throw failure(object, doing);
    }
    void put_attribute(const std::string& object, const std::string& name, hid_t type,
                       const void* value) const;
    [[nodiscard]] Hdf5Id open_attribute(const std::string& object, const std::string& name) const;
};

/// The type in memory and in the file (the same: little-endian machines only).
template <class T>
[[nodiscard]] hid_t hdf5_type() {
    if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
    if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
    if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
    if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
}

/// Variable-length UTF-8.
[[nodiscard]] Hdf5Id hdf5_text_type();

/// Access list of a class (H5P_LINK_ACCESS, H5P_DATASET_ACCESS, H5P_GROUP_ACCESS) for what may stand behind
/// an external link: the file there is opened as Hdf5File::open does it. By itself HDF5 1.10 opens it with
/// file locks, and fails where this process, in another thread, has that file open without. Links lead to
/// files of the same folder only.
[[nodiscard]] Hdf5Id hdf5_link_access(hid_t property_class);

}  // namespace casp::store
