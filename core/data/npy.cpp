#include "data/npy.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "data/foreign_format.h"
#include "util/error.h"
#include "util/regular_file.h"
#include "util/thread_charset.h"

namespace casp::data {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr char pickle_magic = '\x80';
constexpr std::int64_t max_entry_bytes = std::int64_t{4} << 30;

Error no_array(const std::string& where, const Phrase& found) {
    return input_error(where, found, "a NumPy array of float16, float32 or float64",
                       "Save it again with numpy.save or numpy.savez.");
}

Error pickled(const std::string& where, const Phrase& what, const std::string& line) {
    return input_error(
        where, Phrase("%1 pickled Python objects, which are not read: unpickling can run code", what),
        "arrays of float16, float32 or float64",
        Phrase("If you trust the file, this line of Python converts it: import numpy; %1", line));
}

/// Python that makes numbers of objects of this shape, as code that saves lists leaves them.
/// `key`: name of the array in a dictionary.
std::string numbers_of(const std::string& objects, const std::vector<std::int64_t>& shape,
                       const std::string& key) {
    if (shape.empty())
        return "numpy.asarray(" + objects + ".item()[" + python_literal(key) + "], \"float64\")";
    // Batches, of which the last is smaller; of numbers, the same.
    if (shape.size() == 1)
        return "numpy.concatenate([numpy.atleast_1d(x) for x in " + objects + "]).astype(\"float64\")";
    return objects + ".astype(\"float64\")";
}

Error pickled_array(const std::string& path, const std::vector<std::int64_t>& shape) {
    const auto file = python_literal(path), array = "numpy.load(" + file + ", allow_pickle=True)";
    const auto key = std::filesystem::path(path).stem().string();
    return pickled(path, "it holds", "numpy.save(" + file + ", " + numbers_of(array, shape, key) + ")");
}

/// Of ndarray.dump() or pickle.dump().
Error pickled_file(const std::string& path) {
    const auto file = python_literal(path);
    return pickled(
        path, "it has",
        "numpy.save(" + file + ", numpy.asarray(numpy.load(" + file + ", allow_pickle=True), \"float64\"))");
}

Error pickled_entry(const std::string& path, const std::string& name,
                    const std::vector<std::int64_t>& shape) {
    const auto file = python_literal(path), key = python_literal(name);
    return pickled(path + ", " + name, "it holds",
                   "z = numpy.load(" + file + ", allow_pickle=True); numpy.savez(" + file + ", **{**z, " +
                       key + ": " + numbers_of("z[" + key + "]", shape, name) + "})");
}

/// What follows `'key':` in the header's dictionary.
std::optional<std::string_view> value_of(std::string_view text, const std::string& key) {
    const auto at = text.find("'" + key + "':");
    if (at == std::string_view::npos) return {};
    auto rest = text.substr(at + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
}

std::optional<std::vector<std::int64_t>> shape_of(std::string_view tuple) {
    if (!tuple.starts_with('(') || tuple.find(')') == std::string_view::npos) return {};
    std::vector<std::int64_t> shape;
    const char* p = tuple.data() + 1;
    const char* const end = tuple.data() + tuple.find(')');
    while (p < end) {
        if (*p == ' ' || *p == ',') {
            ++p;
            continue;
        }
        std::int64_t size = 0;
        const auto [after, problem] = std::from_chars(p, end, size);
        if (problem != std::errc() || size < 0) return {};
        shape.push_back(size);
        p = after;
    }
    return shape;
}

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8u | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// The number that 16 bits are in IEEE 754's half precision.
double half(std::uint16_t bits) {
    const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
    const int exponent = bits >> 10u & 31u, fraction = bits & 1023u;
    if (exponent == 31)
        return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double number_at(const char* at, std::size_t width, bool swapped) {
    char bytes[8];
    std::memcpy(bytes, at, width);
    if (swapped) std::reverse(bytes, bytes + width);
    if (width == 2) {
        std::uint16_t value = 0;
        std::memcpy(&value, bytes, 2);
        return half(value);
    }
    if (width == 4) {
        float value = 0;
        std::memcpy(&value, bytes, 4);
        return static_cast<double>(value);
    }
    double value = 0;
    std::memcpy(&value, bytes, 8);
    return value;
}

/// The shape of an array of objects, by the header of a .npy file; nothing for other bytes.
std::optional<std::vector<std::int64_t>> shape_of_objects(std::string_view bytes) {
    constexpr std::size_t longest_header = 4096;
    if (!bytes.starts_with(magic)) return {};
    const auto type = value_of(bytes.substr(0, longest_header), "descr"),
               shape = value_of(bytes.substr(0, longest_header), "shape");
    if (!type || type->substr(0, 5).find('O') == std::string_view::npos) return {};
    return (shape ? shape_of(*shape) : std::nullopt).value_or(std::vector<std::int64_t>{0});
}

using ArchivePointer = std::unique_ptr<archive, int (*)(archive*)>;

Error damaged(const std::filesystem::path& path, archive* file) {
    const char* text = archive_error_string(file);
    return input_error(path.string(), text != nullptr ? text : "the archive cannot be read",
                       "an .npz file as numpy.savez writes it");
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, std::uint64_t file_size, const std::string& where) {
    if (bytes.starts_with(pickle_magic)) throw pickled_file(where);
    if (!bytes.starts_with(magic) || bytes.size() < 12) throw no_array(where, "this is not a .npy file");
    if (const auto shape = shape_of_objects(bytes)) throw pickled_array(where, *shape);
    const int version = static_cast<unsigned char>(bytes[6]);
    if (version < 1 || version > 3) throw no_array(where, Phrase("it has format version %1", version));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const auto length = little_endian(bytes.substr(8, length_bytes));
    NpyHeader header;
    header.data = 8 + length_bytes;
    if (length > bytes.size() - header.data) throw no_array(where, "its header is cut off");
    const auto text = bytes.substr(header.data, static_cast<std::size_t>(length));
    header.data += static_cast<std::size_t>(length);
    const auto type_text = value_of(text, "descr"), order = value_of(text, "fortran_order"),
               size = value_of(text, "shape");
    const auto shape = size ? shape_of(*size) : std::nullopt;
    if (type_text && type_text->starts_with('['))
        throw no_array(where, "its values are records of several fields");
    if (!type_text || !order || !shape || !type_text->starts_with('\''))
        throw no_array(where, "its header cannot be read");
    const std::string type(type_text->substr(1, type_text->find('\'', 1) - 1));
    if (type.size() != 3 || type[1] != 'f' ||
        std::string_view("248").find(type[2]) == std::string_view::npos ||
        std::string_view("<>=").find(type[0]) == std::string_view::npos)
        throw input_error(where, Phrase("its values are of type %1", type),
                          "a NumPy array of float16, float32 or float64",
                          "Save them as numbers of such a type: array.astype(\"float64\").");
    const bool big = std::endian::native == std::endian::big;
    header.swapped = type[0] == (big ? '<' : '>');
    header.width = static_cast<std::size_t>(type[2] - '0');
    header.fortran = order->starts_with("True");
    header.shape = *shape;
    std::uint64_t count = 1;
    for (const auto extent : header.shape)
        if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count)) count = UINT64_MAX;
    const auto available = file_size - header.data;
    if (count > available / header.width || count * header.width != available)
        throw no_array(where, "its size does not match its shape");
    header.count = static_cast<std::size_t>(count);
    return header;
}

void read_npy_values(const NpyHeader& header, const char* bytes, std::span<double> out) {
    if (header.width == 4 && !header.swapped) {  // the usual case, five times as fast
        std::array<float, 1024> part{};
        for (std::size_t i = 0; i < out.size(); i += part.size()) {
            const auto count = std::min(part.size(), out.size() - i);
            std::memcpy(part.data(), bytes + i * sizeof(float), count * sizeof(float));
            std::copy_n(part.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return;
    }
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = number_at(bytes + i * header.width, header.width, header.swapped);
}

std::string npy_header(const std::vector<std::int64_t>& shape, std::size_t width) {
    std::string text = std::string("{'descr': '") + (std::endian::native == std::endian::big ? '>' : '<') +
                       "f" + std::to_string(width) + "', 'fortran_order': False, 'shape': (";
    for (const auto size : shape) text += std::to_string(size) + ", ";
    text += "), }";
    constexpr std::size_t before = 10, alignment = 64;  // magic, version and length; as NumPy aligns values
    text.resize((before + text.size()) / alignment * alignment + alignment - before - 1, ' ');
    text += '\n';
    std::string header(magic);
    header += {'\1', '\0', static_cast<char>(text.size() & 0xffu), static_cast<char>(text.size() >> 8u)};
    return header + text;
}

void read_npz(const std::filesystem::path& path, const std::stop_token& stop,
              const std::function<bool(const std::string& name)>& wanted,
              const std::function<void(const std::string& name, std::string_view bytes)>& use) {
    const RegularFile opened(path, "an .npz file");
    std::array<std::byte, 1> first{};
    if (opened.size() > 0) opened.read_at(0, first);
    if (first[0] == std::byte{0x80})
        throw pickled(path.string(), "it has",
                      "numpy.savez(" + python_literal(path.string()) + ", **numpy.load(" +
                          python_literal(path.string()) +
                          ", allow_pickle=True)) (of a dictionary of arrays)");
    const ThreadCharset names(ThreadCharset::Name::utf8);
    const ArchivePointer file(archive_read_new(), archive_read_free);
    archive_read_support_format_zip(file.get());
    constexpr std::size_t block = 1u << 16u;
    if (archive_read_open_fd(file.get(), opened.descriptor(), block) != ARCHIVE_OK)
        throw damaged(path, file.get());
    std::string bytes;
    while (true) {
        throw_if_stopped(stop);
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(file.get(), &entry);
        if (status == ARCHIVE_EOF) return;
        // A warning is a name that is not UTF-8.
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw damaged(path, file.get());
        const char* text = archive_entry_pathname(entry);
        std::string name = text != nullptr ? text : "";
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        if (!wanted(name)) continue;
        bytes.clear();
        const void* part = nullptr;
        std::size_t size = 0;
        la_int64_t offset = 0;
        int reading = ARCHIVE_OK;
        while ((reading = archive_read_data_block(file.get(), &part, &size, &offset)) == ARCHIVE_OK) {
            if (std::ssize(bytes) + static_cast<std::int64_t>(size) > max_entry_bytes)
                throw input_error(path.string(), Phrase("%1 has more than 4 GiB", name), "smaller arrays");
            bytes.append(static_cast<const char*>(part), size);
        }
        if (reading != ARCHIVE_EOF) throw damaged(path, file.get());
        if (const auto shape = shape_of_objects(bytes)) throw pickled_entry(path.string(), name, *shape);
        use(name, bytes);
    }
}

}  // namespace casp::data
