#include "store/hdf5_file.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "store/hdf5_id.h"
#include "store/own_file.h"
#include "util/memory.h"
#include "util/phrase.h"
#include "util/regular_file.h"

namespace casp::store {

namespace {

std::recursive_mutex& library_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

/// Latest format; no file locks, which some network file systems reject and atomic replacement makes
/// unnecessary.
Hdf5Id access_list(H5F_close_degree_t close = H5F_CLOSE_STRONG) {
    Hdf5Id list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(list.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_fclose_degree(list.get(), close);
    H5Pset_file_locking(list.get(), false, true);
    return list;
}

/// For reading. Files behind links are always opened with this close degree.
Hdf5Id reading_list() { return access_list(H5F_CLOSE_WEAK); }

/// Rejects links to anything but a file in the same folder, the only links this program writes. HDF5 would
/// block on a pipe, and look for missing files in the current folder.
herr_t only_a_file_beside(const char* parent, const char*, const char* file, const char*, unsigned*, hid_t,
                          void*) {
    const std::filesystem::path name(file);
    std::error_code ignored;
    const auto beside = std::filesystem::path(parent).parent_path() / name.filename();
    const bool usual = !name.has_parent_path() && std::filesystem::is_regular_file(beside, ignored);
    // If the linked file is damaged, HDF5 tries the one in the current folder.
    return usual && !std::filesystem::is_other(name, ignored) ? 0 : -1;
}

/// Memory needed to open a file, mainly the cache's table of 65,536 entries. If that allocation fails,
/// libhdf5 1.10.8 dereferences a null pointer (H5AC_create).
void need_memory_for_a_file() { need_memory(std::size_t{2} << 20); }

herr_t collect_message(unsigned, const H5E_error2_t* entry, void* out) {
    auto& messages = *static_cast<std::vector<std::string>*>(out);
    if (entry->desc != nullptr && *entry->desc != '\0') messages.emplace_back(entry->desc);
    return 0;
}

}  // namespace

Hdf5Image::~Hdf5Image() { std::free(bytes); }

void Hdf5Image::use_for(hid_t access) {
    H5Pset_fapl_core(access, std::size_t{1} << 18, false);
    H5FD_file_image_callbacks_t callbacks{};
    callbacks.image_malloc = [](std::size_t count, H5FD_file_image_op_t, void*) {
        return std::malloc(count);
    };
    callbacks.image_memcpy = [](void* to, const void* from, std::size_t count, H5FD_file_image_op_t, void*) {
        return std::memcpy(to, from, count);
    };
    callbacks.image_realloc = [](void* old, std::size_t count, H5FD_file_image_op_t, void* self) {
        void* grown = std::realloc(old, count);
        if (grown != nullptr) static_cast<Hdf5Image*>(self)->size = count;
        return grown;
    };
    callbacks.image_free = [](void* old, H5FD_file_image_op_t operation, void* self) -> herr_t {
        if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE)
            static_cast<Hdf5Image*>(self)->bytes = old;
        else
            std::free(old);
        return 0;
    };
    callbacks.udata_copy = [](void* self) { return self; };
    callbacks.udata_free = [](void*) -> herr_t { return 0; };
    callbacks.udata = this;
    H5Pset_file_image_callbacks(access, &callbacks);
}

std::int64_t elements_of(const Shape& shape) {
    std::int64_t count = 1;
    for (const auto size : shape)
        if (size < 0 || __builtin_mul_overflow(count, size, &count))
            throw std::invalid_argument("bad shape of an array");
    return count;
}

Hdf5Lock::Hdf5Lock() : guard_(library_mutex()) {
    // HDF5's clean-up at exit crashes on files that could not be closed (disk full); all files are closed by
    // their owners, so it is disabled. Filter plug-ins are disabled: a file must not decide which code is
    // loaded.
    static const bool once = H5dont_atexit() >= 0 && H5PLset_loading_state(0) >= 0;
    (void)once;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Phrase hdf5_error_text() {
    std::vector<std::string> messages;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect_message, &messages);
    H5Eclear2(H5E_DEFAULT);
    if (messages.empty()) return "HDF5 gave no reason";
    // Of "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = 0x..."
    // keep the system's message.
    constexpr std::string_view mark = "error message = '";
    for (auto& message : messages) {
        const auto begin = message.find(mark);
        const auto end = begin == std::string::npos ? begin : message.find('\'', begin + mark.size());
        if (end != std::string::npos)
            message = message.substr(0, message.find(':')) + ": " +
                      message.substr(begin + mark.size(), end - begin - mark.size());
        std::replace(message.begin(), message.end(), '\n', ' ');
    }
    return messages.size() == 1 ? messages.front() : messages.front() + " (" + messages.back() + ")";
}

Hdf5Id hdf5_with_groups() {
    Hdf5Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.get(), 1);
    return links;
}

Hdf5Id hdf5_text_type() {
    Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

Hdf5Id hdf5_link_access(hid_t property_class) {
    Hdf5Id list(H5Pcreate(property_class), H5Pclose);
    H5Pset_elink_fapl(list.get(), reading_list().get());
    H5Pset_elink_cb(list.get(), only_a_file_beside, nullptr);
    return list;
}

Error Hdf5File::State::failure(const Phrase& object, const Phrase& doing) const {
    return wrong(object, Phrase("%1: %2", doing, hdf5_error_text()));
}

Error Hdf5File::State::wrong(const Phrase& object, Phrase found, Phrase expected) const {
    const auto where = object.empty() ? Phrase(path.string()) : path.string() + ", " + object;
    if (!writing && expected.empty()) expected = "a file written by CASP Studio";
    return writing ? run_error(where, std::move(found), std::move(expected))
                   : input_error(where, std::move(found), std::move(expected), damaged_own_file);
}

Hdf5Id Hdf5File::State::checked(hid_t id, Hdf5Id::Close close, const Phrase& object,
                                const Phrase& doing) const {
    if (id < 0) throw failure(object, doing);
    return {id, close};
}

Hdf5File::Hdf5File(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

Hdf5File::~Hdf5File() {
    if (!state_) return;
    const Hdf5Lock lock;
    state_.reset();
}

const std::filesystem::path& Hdf5File::path() const noexcept { return state_->path; }

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
    const Hdf5Lock lock;
    auto state = std::make_unique<State>();
    state->path = path;
    state->writing = true;
    const auto access = access_list();
    need_memory_for_a_file();
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
    if (file < 0) {
        const auto problem = state->failure({}, "cannot be written");
        std::error_code ignored;
        std::filesystem::remove(path, ignored);  // may have been created empty
        throw Error(problem);
    }
    state->file = Hdf5Id(file, H5Fclose);
    return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::create_in_memory(const std::filesystem::path& name) {
    const Hdf5Lock lock;
    auto state = std::make_unique<State>();
    state->path = name;
    state->writing = true;
    const auto access = access_list();
    state->in_memory = true;
    need_memory_for_a_file();
    state->image.use_for(access.get());
    // Files in memory need different names, and none may be the name of a file on disk, which would be read
    // first.
    static int counter = 0;
    const auto memory = ":memory:" + std::to_string(++counter);
    state->file = state->checked(H5Fcreate(memory.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()),
                                 H5Fclose, {}, "cannot be created in memory");
    return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
    const Hdf5Lock lock;
    auto state = std::make_unique<State>();
    state->path = path;
    try {
        const RegularFile there(path, "an HDF5 file");  // HDF5 would block on a pipe
    } catch (const Error& problem) {
        throw about_own_file(problem, path);
    }
    const auto access = reading_list();
    need_memory_for_a_file();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
    if (file < 0) {
        const auto reason = hdf5_error_text().english();
        for (const int code : {EMFILE, ENFILE})  // a limit of the machine; the file is not at fault
            if (const auto words = std::generic_category().message(code);
                reason.find(words) != std::string::npos)
                throw run_error(path.string(), Phrase("the file cannot be opened: %1", words), {},
                                "Close other programs, or raise the limit (ulimit -n).");
        const bool foreign = reason.find("signature") != std::string::npos;
        throw input_error(
            path.string(),
            foreign ? Phrase("this is not an HDF5 file") : Phrase("the file cannot be opened: %1", reason),
            foreign ? "a file written by CASP Studio" : "a complete HDF5 file", damaged_own_file);
    }
    state->file = Hdf5Id(file, H5Fclose);
    return Hdf5File(std::move(state));
}

void Hdf5File::close() {
    const Hdf5Lock lock;
    // Closing a data set writes its remaining data, and closing by destructor cannot report a full disk:
    // flush and check while the identifier is still open.
    for (const auto& [dataset, id] : state_->growing)
        state_->check(H5Dflush(id.get()), dataset, "cannot be written");
    for (auto& [dataset, id] : state_->growing)
        state_->check(H5Dclose(id.release()), dataset, "cannot be closed");
    state_->growing.clear();
    if (state_->writing)
        state_->check(H5Fflush(state_->file.get(), H5F_SCOPE_GLOBAL), {}, "cannot be flushed");
    state_->check(H5Fclose(state_->file.release()), {}, "cannot be closed");
}

std::string Hdf5File::image() {
    const Hdf5Lock lock;
    close();
    const auto& image = state_->image;
    // The buffer is larger than the file, whose end is in the superblock (version 3: bytes 28 to 35).
    std::uint64_t end = 0;
    if (image.size >= 48) std::memcpy(&end, static_cast<const char*>(image.bytes) + 28, sizeof end);
    return {static_cast<const char*>(image.bytes),
            static_cast<std::size_t>(std::min<std::uint64_t>(end, image.size))};
}

void Hdf5File::require(const std::string& object, const Phrase& advice) const {
    if (!exists(object)) throw input_error(path().string(), Phrase("there is no %1", object), {}, advice);
}

bool Hdf5File::exists(const std::string& object) const {
    const Hdf5Lock lock;
    if (object == "/") return true;
    const auto follow = hdf5_link_access(H5P_LINK_ACCESS);
    // H5Lexists requires every part of the path to exist. A failure (damage) is not the same as "no".
    for (std::size_t end = object.find('/', 1);; end = object.find('/', end + 1)) {
        const auto part = object.substr(0, end);
        const auto there = H5Lexists(state_->file.get(), part.c_str(), follow.get());
        if (there < 0) throw state_->failure(part, "cannot be looked up");
        if (there == 0) return false;
        H5L_info_t info{};
        state_->check(H5Lget_info(state_->file.get(), part.c_str(), &info, follow.get()), part,
                      "cannot be looked up");
        // A link to a missing file is not damage of this file.
        if (info.type != H5L_TYPE_HARD &&
            H5Oexists_by_name(state_->file.get(), part.c_str(), follow.get()) <= 0)
            break;
        if (end == std::string::npos) return true;
    }
    H5Eclear2(H5E_DEFAULT);
    return false;
}

std::vector<std::string> Hdf5File::children(const std::string& group) const {
    const Hdf5Lock lock;
    const auto id =
        state_->checked(H5Gopen2(state_->file.get(), group.c_str(), hdf5_link_access(H5P_GROUP_ACCESS).get()),
                        H5Gclose, group, "cannot be opened");
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    hsize_t index = 0;
    state_->check(H5Literate(id.get(), H5_INDEX_NAME, H5_ITER_INC, &index, collect, &names), group,
                  "cannot be listed");
    std::sort(names.begin(), names.end());
    return names;
}

void Hdf5File::make_group(const std::string& group) {
    const Hdf5Lock lock;
    if (exists(group)) return;
    (void)state_->checked(
        H5Gcreate2(state_->file.get(), group.c_str(), hdf5_with_groups().get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Gclose, group, "cannot be created");
}

void Hdf5File::link_external(const std::string& link, const std::string& file, const std::string& target) {
    const Hdf5Lock lock;
    state_->check(H5Lcreate_external(file.c_str(), target.c_str(), state_->file.get(), link.c_str(),
                                     hdf5_with_groups().get(), H5P_DEFAULT),
                  link, "cannot be created");
}

void Hdf5File::copy_from(const Hdf5File& source, const std::string& object) {
    const Hdf5Lock lock;
    // H5Ocopy does not show whether reading or writing failed: name the file being written; HDF5's message
    // has the rest.
    state_->check(H5Ocopy(source.state_->file.get(), object.c_str(), state_->file.get(), object.c_str(),
                          H5P_DEFAULT, hdf5_with_groups().get()),
                  object, Phrase("cannot be copied from %1", source.path().string()));
}

void Hdf5File::copy_attributes_from(const Hdf5File& source, const std::string& group) {
    const Hdf5Lock lock;
    const auto from = source.state_->checked(H5Oopen(source.state_->file.get(), group.c_str(), H5P_DEFAULT),
                                             H5Oclose, group, "cannot be opened");
    const auto to = state_->checked(H5Oopen(state_->file.get(), group.c_str(), H5P_DEFAULT), H5Oclose, group,
                                    "cannot be opened");
    hid_t target = to.get();
    const auto copy_one = [](hid_t owner, const char* name, const H5A_info_t*, void* data) -> herr_t {
        const Hdf5Id attribute(H5Aopen(owner, name, H5P_DEFAULT), H5Aclose);
        const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose);
        const Hdf5Id space(H5Aget_space(attribute.get()), H5Sclose);
        const auto count = std::max<hssize_t>(1, H5Sget_simple_extent_npoints(space.get()));
        std::vector<std::byte> value(H5Tget_size(type.get()) * static_cast<std::size_t>(count));
        const Hdf5Id made(
            H5Acreate2(*static_cast<hid_t*>(data), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        if (made.get() < 0 || H5Aread(attribute.get(), type.get(), value.data()) < 0) return -1;
        const auto status = H5Awrite(made.get(), type.get(), value.data());
        if (H5Tdetect_class(type.get(), H5T_STRING) > 0 || H5Tdetect_class(type.get(), H5T_VLEN) > 0)
            H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, value.data());
        return status;
    };
    hsize_t index = 0;
    state_->check(H5Aiterate2(from.get(), H5_INDEX_NAME, H5_ITER_INC, &index, copy_one, &target), group,
                  "its attributes cannot be copied");
}

}  // namespace casp::store
