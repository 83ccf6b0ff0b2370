// Attributes of Hdf5File.

#include "store/hdf5_id.h"
#include "util/phrase.h"

namespace casp::store {

namespace {

Phrase label(const std::string& object, const std::string& name) {
    return Phrase("attribute \"%1\" of %2", name, object);
}

}  // namespace

void Hdf5File::State::put_attribute(const std::string& object, const std::string& name, hid_t type,
                                    const void* value) const {
    const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const auto owner =
        checked(H5Oopen(file.get(), object.c_str(), H5P_DEFAULT), H5Oclose, object, "does not exist");
    const auto id =
        checked(H5Acreate2(owner.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                label(object, name), "cannot be created");
    check(H5Awrite(id.get(), type, value), label(object, name), "cannot be written");
}

Hdf5Id Hdf5File::State::open_attribute(const std::string& object, const std::string& name) const {
    auto id = checked(H5Aopen_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT,
                                      hdf5_link_access(H5P_LINK_ACCESS).get()),
                      H5Aclose, label(object, name), "does not exist");
    const Hdf5Id space(H5Aget_space(id.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != 1)
        throw wrong(label(object, name), "it does not have one value", "one value");
    return id;
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, std::string_view value) {
    const Hdf5Lock lock;
    const std::string text(value);
    const char* pointer = text.c_str();
    state_->put_attribute(object, name, hdf5_text_type().get(), &pointer);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, std::int64_t value) {
    const Hdf5Lock lock;
    state_->put_attribute(object, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
    const Hdf5Lock lock;
    state_->put_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
    const Hdf5Lock lock;
    const auto there = H5Aexists_by_name(state_->file.get(), object.c_str(), name.c_str(),
                                         hdf5_link_access(H5P_LINK_ACCESS).get());
    if (there < 0) throw state_->failure(label(object, name), "cannot be looked up");
    return there > 0;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
    const Hdf5Lock lock;
    const auto id = state_->open_attribute(object, name);
    const Hdf5Id stored(H5Aget_type(id.get()), H5Tclose);
    if (H5Tis_variable_str(stored.get()) <= 0)
        throw state_->wrong(label(object, name), "it is not a text", "a variable-length string");
    const auto type = hdf5_text_type();
    char* pointer = nullptr;
    state_->check(H5Aread(id.get(), type.get(), &pointer), label(object, name), "cannot be read");
    std::string value = pointer == nullptr ? "" : pointer;
    const Hdf5Id space(H5Aget_space(id.get()), H5Sclose);
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, &pointer);
    return value;
}

void Hdf5File::State::read_number(const std::string& object, const std::string& name, H5T_class_t stored,
                                  hid_t type, void* value) const {
    const auto id = open_attribute(object, name);
    const Hdf5Id found(H5Aget_type(id.get()), H5Tclose);
    if (H5Tget_class(found.get()) != stored)
        throw wrong(label(object, name),
                    stored == H5T_INTEGER ? "it is not a whole number" : "it is not a number",
                    stored == H5T_INTEGER ? "a whole number" : "a floating-point number");
    check(H5Aread(id.get(), type, value), label(object, name), "cannot be read");
}

std::int64_t Hdf5File::integer_attribute(const std::string& object, const std::string& name) const {
    const Hdf5Lock lock;
    std::int64_t value = 0;
    state_->read_number(object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
    return value;
}

double Hdf5File::number_attribute(const std::string& object, const std::string& name) const {
    const Hdf5Lock lock;
    double value = 0;
    state_->read_number(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
    return value;
}

}  // namespace casp::store
