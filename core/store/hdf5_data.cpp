// Data sets of Hdf5File.

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "store/hdf5_id.h"
#include "util/phrase.h"

namespace casp::store {

namespace {

// A compromise: a partly filled last chunk wastes little, and reading is fast.
constexpr hsize_t chunk_bytes = hsize_t{256} << 10;

/// Halves the leading dimensions until a chunk has at most chunk_bytes.
std::vector<hsize_t> chunk_for(std::vector<hsize_t> sizes, std::size_t element) {
    hsize_t bytes = element;
    for (const auto size : sizes) bytes *= size;
    for (auto& size : sizes) {
        const hsize_t rest = bytes / size;
        size = std::clamp<hsize_t>(chunk_bytes / std::max<hsize_t>(rest, 1), 1, size);
        bytes = rest * size;
    }
    return sizes;
}

std::vector<hsize_t> sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

std::string shape_text(const Shape& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + (shape[i] < 0 ? std::string("any") : std::to_string(shape[i]));
    return text + "]";
}

/// Creation list of a data set written in one call.
Hdf5Id layout_for(const std::vector<hsize_t>& sizes, std::size_t element) {
    Hdf5Id list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const bool empty = std::find(sizes.begin(), sizes.end(), hsize_t{0}) != sizes.end();
    if (sizes.empty()) {
        H5Pset_layout(list.get(), H5D_COMPACT);
    } else if (!empty) {
        const auto chunk = chunk_for(sizes, element);
        H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
        H5Pset_fletcher32(list.get());
    }
    return list;
}

/// Upper bound on the size of the values: stored bytes times the best possible compression ratio (deflate:
/// 1032). Stored bytes are limited to the file size, since for contiguous data HDF5 returns what the header
/// states.
std::uint64_t plausible_bytes(hid_t dataset) {
    const Hdf5Id file(H5Iget_file_id(dataset), H5Fclose);
    hsize_t file_bytes = 0;
    if (file.get() < 0 || H5Fget_filesize(file.get(), &file_bytes) < 0) return 0;
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), file_bytes);
    const Hdf5Id list(H5Dget_create_plist(dataset), H5Pclose);
    const int filters = H5Pget_nfilters(list.get());
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        const auto filter = H5Pget_filter2(list.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0,
                                           nullptr, nullptr);
        if (filter == H5Z_FILTER_DEFLATE) return stored > UINT64_MAX / 1032 ? UINT64_MAX : stored * 1032;
    }
    return stored;
}

/// Whether the values are stored elsewhere: in plain files, or in data sets of other HDF5 files.
bool has_external_values(hid_t dataset) {
    const Hdf5Id list(H5Dget_create_plist(dataset), H5Pclose);
    return H5Pget_layout(list.get()) == H5D_VIRTUAL || H5Pget_external_count(list.get()) > 0;
}

}  // namespace

Hdf5Id Hdf5File::State::create_dataset(const std::string& dataset, hid_t type, const Hdf5Id& space,
                                       hid_t layout, hid_t access) const {
    return checked(
        H5Dcreate2(file.get(), dataset.c_str(), type, space.get(), hdf5_with_groups().get(), layout, access),
        H5Dclose, dataset, "cannot be created");
}

void Hdf5File::State::put_dataset(const std::string& dataset, hid_t type, const Hdf5Id& space, hid_t layout,
                                  const void* values) const {
    const auto id = create_dataset(dataset, type, space, layout);
    if (values == nullptr) return;
    check(H5Dwrite(id.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), dataset, "cannot be written");
    if (!in_memory)
        check(H5Dflush(id.get()), dataset, "cannot be written");  // closing does not report errors
}

Hdf5Id Hdf5File::State::open_dataset(const std::string& dataset) const {
    return checked(H5Dopen2(file.get(), dataset.c_str(), hdf5_link_access(H5P_DATASET_ACCESS).get()),
                   H5Dclose, dataset, "cannot be opened");
}

template <class T>
void Hdf5File::write(const std::string& dataset, std::span<const T> values, const Shape& shape) {
    if (static_cast<std::int64_t>(values.size()) != elements_of(shape))
        throw std::invalid_argument(dataset + ": " + std::to_string(values.size()) + " values for " +
                                    shape_text(shape));
    const Hdf5Lock lock;
    const auto sizes = sizes_of(shape);
    const Hdf5Id space(sizes.empty()
                           ? H5Screate(H5S_SCALAR)
                           : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                       H5Sclose);
    state_->put_dataset(dataset, hdf5_type<T>(), space, layout_for(sizes, sizeof(T)).get(),
                        values.empty() ? nullptr : values.data());
}

void Hdf5File::write_strings(const std::string& dataset, const std::vector<std::string>& values) {
    // HDF5 has no checksum for variable-length text; run.h5 adds one.
    const Hdf5Lock lock;
    const std::vector<hsize_t> sizes{values.size()};
    const Hdf5Id space(H5Screate_simple(1, sizes.data(), nullptr), H5Sclose);
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const auto& value : values) pointers.push_back(value.c_str());
    state_->put_dataset(dataset, hdf5_text_type().get(), space, H5P_DEFAULT,
                        values.empty() ? nullptr : pointers.data());
}

template <class T>
void Hdf5File::make_growing(const std::string& dataset, const Shape& row_shape) {
    const Hdf5Lock lock;
    std::vector<hsize_t> sizes{0};
    std::vector<hsize_t> limits{H5S_UNLIMITED};
    std::vector<hsize_t> typical{chunk_bytes};  // more rows than fit into a chunk
    for (const auto size : row_shape) {
        if (size <= 0) throw std::invalid_argument(dataset + ": bad row shape " + shape_text(row_shape));
        sizes.push_back(static_cast<hsize_t>(size));
        limits.push_back(static_cast<hsize_t>(size));
        typical.push_back(static_cast<hsize_t>(size));
    }
    const auto chunk = chunk_for(typical, sizeof(T));
    const Hdf5Id layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_fletcher32(layout.get());
    // Rows arrive in portions: partly filled chunks must stay in the cache, or each would be read, checked
    // and rewritten.
    const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    std::size_t across = 1;
    for (std::size_t i = 1; i < chunk.size(); ++i) across *= (typical[i] + chunk[i] - 1) / chunk[i];
    H5Pset_chunk_cache(access.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, (across + 1) * chunk_bytes, 1.0);
    const Hdf5Id space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()),
                       H5Sclose);
    state_->growing[dataset] =
        state_->create_dataset(dataset, hdf5_type<T>(), space, layout.get(), access.get());
}

template <class T>
void Hdf5File::append(const std::string& dataset, std::int64_t rows, std::span<const T> values) {
    const Hdf5Lock lock;
    const auto found = state_->growing.find(dataset);
    if (found == state_->growing.end())
        throw std::invalid_argument(dataset + " was not created with make_growing");
    const hid_t id = found->second.get();
    const auto sizes_now = [&] {
        const Hdf5Id space(H5Dget_space(id), H5Sclose);
        std::vector<hsize_t> sizes(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
        H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
        return sizes;
    };
    auto sizes = sizes_now();
    Shape added(sizes.begin(), sizes.end());
    added[0] = rows;
    if (static_cast<std::int64_t>(values.size()) != elements_of(added))
        throw std::invalid_argument(dataset + ": " + std::to_string(values.size()) + " values for " +
                                    shape_text(added));
    if (values.empty()) return;
    std::vector<hsize_t> start(sizes.size(), 0);
    start[0] = sizes[0];
    sizes[0] += static_cast<hsize_t>(rows);
    state_->check(H5Dset_extent(id, sizes.data()), dataset, "cannot grow");
    const Hdf5Id space(H5Dget_space(id), H5Sclose);
    const auto count = sizes_of(added);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Hdf5Id memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    state_->check(H5Dwrite(id, hdf5_type<T>(), memory.get(), space.get(), H5P_DEFAULT, values.data()),
                  dataset, "cannot be written");
}

Shape Hdf5File::shape_of(const std::string& dataset) const {
    const Hdf5Lock lock;
    const auto id = state_->open_dataset(dataset);
    const Hdf5Id space(H5Dget_space(id.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank < 0) throw state_->failure(dataset, "its shape cannot be read");
    std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
    if (rank > 0) H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
    Shape shape;
    for (const auto size : sizes) {
        if (size > static_cast<hsize_t>(INT64_MAX))
            throw state_->wrong(dataset, "its shape is larger than any memory");
        shape.push_back(static_cast<std::int64_t>(size));
    }
    return shape;
}

template <class T>
std::vector<T> Hdf5File::read(const std::string& dataset, const Shape& shape) const {
    return read_rows<T>(dataset, shape, 0, -1);
}

template <class T>
std::vector<T> Hdf5File::read_rows(const std::string& dataset, const Shape& shape, std::int64_t first,
                                   std::int64_t count) const {
    const Hdf5Lock lock;
    const auto found = shape_of(dataset);
    bool same = found.size() == shape.size();
    for (std::size_t i = 0; same && i < shape.size(); ++i) same = shape[i] < 0 || shape[i] == found[i];
    if (!same) throw state_->wrong(dataset, Phrase("its shape is %1", shape_text(found)), shape_text(shape));

    const auto id = state_->open_dataset(dataset);
    const Hdf5Id type(H5Dget_type(id.get()), H5Tclose);
    constexpr auto expected_class = std::is_floating_point_v<T> ? H5T_FLOAT : H5T_INTEGER;
    // Forecasts of collections are float64, and views read them as float32.
    constexpr std::size_t largest = std::is_floating_point_v<T> ? sizeof(double) : sizeof(T);
    if (H5Tget_class(type.get()) != expected_class || H5Tget_size(type.get()) > largest)
        throw state_->wrong(dataset, "its values have another type",
                            std::is_floating_point_v<T>
                                ? Phrase("floating-point numbers of at most %1 bits", 8 * largest)
                                : Phrase("whole numbers of at most %1 bits", 8 * largest));
    if (has_external_values(id.get()))
        throw state_->wrong(dataset, "its values are in another file", "values in this file");
    std::uint64_t stated = H5Tget_size(type.get());
    for (const auto size : found)
        if (__builtin_mul_overflow(stated, static_cast<std::uint64_t>(size), &stated))
            throw state_->wrong(dataset, Phrase("its shape is %1", shape_text(found)),
                                "a size that fits the file");
    if (stated > plausible_bytes(id.get()))
        throw state_->wrong(dataset, Phrase("its shape %1 needs %2 bytes, more than the file holds",
                                            shape_text(found), stated));

    const Hdf5Id space(H5Dget_space(id.get()), H5Sclose);
    if (found.empty()) {
        std::vector<T> values(1);
        state_->check(H5Dread(id.get(), hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                      dataset, "cannot be read");
        return values;
    }
    if (count < 0) count = std::max<std::int64_t>(found[0] - first, 0);
    if (first < 0 || first > found[0] || count > found[0] - first)
        throw state_->wrong(dataset, Phrase("there are no rows %1 to %2", first, first + count - 1),
                            Phrase("%1 rows", found[0]));
    Shape wanted = found;
    wanted[0] = count;
    std::vector<T> values(static_cast<std::size_t>(elements_of(wanted)));
    if (values.empty()) return values;
    std::vector<hsize_t> start(found.size(), 0);
    start[0] = static_cast<hsize_t>(first);
    const auto sizes = sizes_of(wanted);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, sizes.data(), nullptr);
    const Hdf5Id memory(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
    state_->check(H5Dread(id.get(), hdf5_type<T>(), memory.get(), space.get(), H5P_DEFAULT, values.data()),
                  dataset, "cannot be read; the file is damaged");
    return values;
}

std::vector<std::string> Hdf5File::read_strings(const std::string& dataset) const {
    const Hdf5Lock lock;
    const auto shape = shape_of(dataset);
    const auto id = state_->open_dataset(dataset);
    const Hdf5Id stored(H5Dget_type(id.get()), H5Tclose);
    if (shape.size() != 1 || H5Tis_variable_str(stored.get()) <= 0)
        throw state_->wrong(dataset, "it is not a list of texts", "[n] variable-length strings");
    if (has_external_values(id.get()))
        throw state_->wrong(dataset, "its values are in another file", "values in this file");
    if (static_cast<std::uint64_t>(shape[0]) > plausible_bytes(id.get()))
        throw state_->wrong(dataset, Phrase("its shape %1 is larger than the file", shape_text(shape)));
    std::vector<std::string> values(static_cast<std::size_t>(shape[0]));
    if (values.empty()) return values;
    const auto type = hdf5_text_type();
    std::vector<char*> pointers(values.size(), nullptr);
    const Hdf5Id space(H5Dget_space(id.get()), H5Sclose);
    const auto status = H5Dread(id.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
    if (status >= 0)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (pointers[i] != nullptr) values[i] = pointers[i];
    const auto text = status < 0 ? hdf5_error_text() : Phrase();
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
    if (status < 0) throw state_->wrong(dataset, Phrase("cannot be read; the file is damaged: %1", text));
    return values;
}

#define CASP_HDF5_ELEMENT(T)                                                                       \
    template void Hdf5File::write<T>(const std::string&, std::span<const T>, const Shape&);        \
    template void Hdf5File::make_growing<T>(const std::string&, const Shape&);                     \
    template void Hdf5File::append<T>(const std::string&, std::int64_t, std::span<const T>);       \
    template std::vector<T> Hdf5File::read<T>(const std::string&, const Shape&) const;             \
    template std::vector<T> Hdf5File::read_rows<T>(const std::string&, const Shape&, std::int64_t, \
                                                   std::int64_t) const;
CASP_HDF5_ELEMENT(std::int64_t)
CASP_HDF5_ELEMENT(std::int32_t)
CASP_HDF5_ELEMENT(double)
CASP_HDF5_ELEMENT(float)
#undef CASP_HDF5_ELEMENT

}  // namespace casp::store
