#include "store/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

#include "config/text_utils.h"
#include "data/foreign_format.h"
#include "data/packed_file.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/regular_file.h"

namespace casp::store {

namespace {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian and read without conversion");

using Json = nlohmann::json;

constexpr std::uint64_t header_limit = std::uint64_t{16} << 20;  ///< of 200,000 tensors
constexpr std::size_t maximum_rank = 64;
/// Advice for a valid file with other content than expected.
constexpr std::string_view foreign_file =
    "It was written by another program, or for other settings: use the file of this model, or the settings "
    "of "
    "this file.";
constexpr std::size_t piece_bytes = std::size_t{1}
                                    << 20;  ///< read at once where values are not kept as they are

struct DtypeWord {
    Dtype dtype;
    std::string_view word;
    std::size_t size;
};
constexpr std::array<DtypeWord, 8> dtype_words{{{Dtype::f64, "F64", 8},
                                                {Dtype::f32, "F32", 4},
                                                {Dtype::f16, "F16", 2},
                                                {Dtype::bf16, "BF16", 2},
                                                {Dtype::i64, "I64", 8},
                                                {Dtype::i32, "I32", 4},
                                                {Dtype::u8, "U8", 1},
                                                {Dtype::boolean, "BOOL", 1}}};

const DtypeWord& word_of(Dtype dtype) noexcept { return dtype_words[static_cast<std::size_t>(dtype)]; }

Phrase bytes_text(std::uint64_t bytes) { return Phrase("%1 bytes", bytes); }

/// For content that no conforming library writes.
Error damaged_safetensors(const Phrase& where, const Phrase& found, const Phrase& expected) {
    return input_error(
        where, found, expected,
        "The file is damaged or was not written by a safetensors library: download or write it "
        "again.");
}

/// JSON itself allows it.
Error named_twice(const std::string& file, const std::string& name) {
    return damaged_safetensors(file, Phrase("the header names \"%1\" twice", name), "each name once");
}

/// Throws for a header that is no JSON, nested too deep, or names something twice. (As a callback of
/// Json::parse(), the same takes a time that grows with the square of the number of tensors.)
class HeaderCheck : public nlohmann::json_sax<Json> {
public:
    explicit HeaderCheck(const std::string& file) : file_(file) {}

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
    bool string(string_t& /*value*/) override { return true; }
    bool binary(binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*size*/) override { return begin(); }
    bool start_array(std::size_t /*size*/) override { return begin(); }
    bool end_object() override { return end(); }
    bool end_array() override { return end(); }
    bool key(string_t& name) override {
        // Deeper levels are ignored.
        if (depth_ <= 2 && !names_.at(depth_ - 1).insert(name).second) throw named_twice(file_, name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const Json::exception& problem) override {
        constexpr std::size_t longest = 300;  // its message repeats the last token
        const std::string words = problem.what();
        throw damaged_safetensors(file_,
                                  words.size() <= longest
                                      ? Phrase("the header is not JSON: %1", words)
                                      : Phrase("the header is not JSON: syntax error at byte %1", position),
                                  "a .safetensors file");
    }

private:
    bool begin() {
        constexpr std::size_t deepest = 3;  // root, entry, list
        // A deeply nested value could exhaust the stack when written into a message.
        if (++depth_ > deepest)
            throw damaged_safetensors(file_, "the header is nested deeper than a name, its entry and a list",
                                      "{\"name\": {\"dtype\", \"shape\", \"data_offsets\"}, ...}");
        if (depth_ == 2) names_[1].clear();
        return true;
    }
    bool end() {
        --depth_;
        return true;
    }

    const std::string& file_;
    std::size_t depth_ = 0;                       ///< open objects and lists
    std::array<std::set<std::string>, 2> names_;  ///< of the root, of the entry that is read
};

Json parse_header(const std::string& file, const std::string& text) {
    HeaderCheck check(file);
    Json::sax_parse(text, &check);
    auto header = Json::parse(text);
    if (!header.is_object())
        throw damaged_safetensors(file, "the header is not a JSON object", "{\"name\": {...}, ...}");
    return header;
}

std::map<std::string, std::string> metadata_in(const std::string& file, const Json& header) {
    std::map<std::string, std::string> texts;
    const auto found = header.find("__metadata__");
    if (found == header.end()) return texts;
    if (!found->is_object())
        throw damaged_safetensors(file, "__metadata__ is not an object", "{\"key\": \"text\"}");
    for (const auto& [key, value] : found->items()) {
        if (!value.is_string())
            throw damaged_safetensors(file,
                                      value.is_structured()
                                          ? Phrase("__metadata__ \"%1\" is a list or an object", key)
                                          : Phrase("__metadata__ \"%1\" is %2", key, value.dump()),
                                      "text");
        texts.emplace(key, value.get<std::string>());
    }
    return texts;
}

std::uint64_t unsigned_from(const Json& value, const Phrase& where, const Phrase& what) {
    if (!value.is_number_unsigned())
        throw damaged_safetensors(where, Phrase("%1 is %2", what, value.dump()), "a whole number >= 0");
    return value.get<std::uint64_t>();
}

/// One entry of the header; sets begin and end relative to the data.
TensorView parse_tensor(const std::string& file, const std::string& name, const Json& entry,
                        std::uint64_t& begin, std::uint64_t& end) {
    const auto where = Phrase("%1, tensor \"%2\"", file, name);
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets"))
        throw damaged_safetensors(where, "its entry is incomplete", "dtype, shape and data_offsets");
    TensorView view;
    view.name = name;
    const auto& dtype = entry["dtype"];
    const auto word = dtype.is_string() ? dtype.get<std::string>() : dtype.dump();
    const auto known = std::find_if(dtype_words.begin(), dtype_words.end(),
                                    [&](const DtypeWord& candidate) { return candidate.word == word; });
    if (known == dtype_words.end())
        throw input_error(where, Phrase("its type is %1", word), "F64, F32, F16, BF16, I64, I32, U8 or BOOL",
                          "Convert the tensors to F32, F16 or BF16 and write the file again.");
    view.dtype = known->dtype;
    const auto& shape = entry["shape"];
    if (!shape.is_array() || shape.size() > maximum_rank)
        throw damaged_safetensors(where, "its shape is not a list",
                                  Phrase("a list of at most %1 sizes", maximum_rank));
    std::uint64_t bytes = known->size;
    for (const auto& dimension : shape) {
        const auto size = unsigned_from(dimension, where, "a size in its shape");
        if (size > static_cast<std::uint64_t>(INT64_MAX) || __builtin_mul_overflow(bytes, size, &bytes))
            throw damaged_safetensors(where, Phrase("its shape %1 is larger than any memory", shape.dump()),
                                      "a shape whose values the file can hold");
        view.shape.push_back(static_cast<std::int64_t>(size));
    }
    const auto& offsets = entry["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2)
        throw damaged_safetensors(where, Phrase("data_offsets is %1", offsets.dump()), "[begin, end]");
    begin = unsigned_from(offsets[0], where, "data_offsets");
    end = unsigned_from(offsets[1], where, "data_offsets");
    if (end < begin)
        throw damaged_safetensors(where, Phrase("data_offsets %1 run backwards", offsets.dump()),
                                  "begin <= end");
    if (end - begin != bytes)
        throw damaged_safetensors(where, Phrase("it has %1", bytes_text(end - begin)),
                                  bytes_text(bytes) + " for " + word + " " + shape_text(view.shape));
    view.nbytes = bytes;
    return view;
}

/// The first 8 bytes of a file that has them.
std::uint64_t stated_header_size(const RegularFile& file) {
    std::uint64_t size = 0;
    file.read_at(0, std::as_writable_bytes(std::span(&size, 1)));
    return size;
}

void rounded_to_floats(const TensorView& view, std::span<float> out) {
    std::vector<double> part(std::min(out.size(), piece_bytes / sizeof(double)));
    for (std::size_t first = 0; first < out.size(); first += part.size()) {
        const auto now = std::span(part).first(std::min(part.size(), out.size() - first));
        view.file->read_at(view.offset + sizeof(double) * first, std::as_writable_bytes(now));
        for (std::size_t i = 0; i < now.size(); ++i) {
            out[first + i] = static_cast<float>(now[i]);
            if (std::isinf(out[first + i]) && std::isfinite(now[i]))
                throw input_error(
                    Phrase("%1, tensor \"%2\"", view.file->path().string(), view.name),
                    Phrase("its type is F64 and it has a value of %1", config::shortest(now[i])),
                    "values in the range of F32", "Write the file again with smaller values.");
        }
    }
}

/// Of weights in several files.
bool is_index(const std::filesystem::path& path) { return path.extension() == ".json"; }

/// The tensors of each shard by the "weight_map" of an index; checks that they are plain file names.
std::map<std::string, std::vector<std::string>> shards_of(const std::filesystem::path& path) {
    constexpr std::size_t longest_index = std::size_t{64} << 20;
    const auto where = path.string();
    const char* const expected =
        "the index of weights in several files: {\"weight_map\": {\"NAME\": \"FILE\"}}";
    Json json;
    try {
        json = parse_json(RegularFile(path, "a .safetensors file or its index").read_all(longest_index));
    } catch (const Json::exception& problem) {
        throw input_error(where, Phrase("not JSON: %1", beginning_of(problem.what())), expected,
                          "Download or write it again.");
    }
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
        throw input_error(where, "it has no \"weight_map\"", expected, "Choose a .safetensors file.");
    std::map<std::string, std::vector<std::string>> shards;
    for (const auto& [name, file] : json["weight_map"].items()) {
        const auto shard = file.is_string() ? file.get<std::string>() : std::string();
        if (!shard.ends_with(".safetensors") || shard.find('/') != std::string::npos)
            throw input_error(where, Phrase("the file of \"%1\" is %2", name, beginning_of(file.dump())),
                              "the name of a .safetensors file in the same folder",
                              "Write the weights again with save_pretrained(…, safe_serialization=True).");
        shards[shard].push_back(name);
    }
    return shards;
}

}  // namespace

std::size_t size_of(Dtype dtype) noexcept { return word_of(dtype).size; }
std::string_view to_string(Dtype dtype) noexcept { return word_of(dtype).word; }

std::string shape_text(std::span<const std::int64_t> shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
}

float float_from_bf16(std::uint16_t bits) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float float_from_f16(std::uint16_t bits) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 31u;
    const std::uint32_t mantissa = bits & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
    // Subnormal (or zero): mantissa * 2^-24, exact in float.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

void read_bytes(const TensorView& view, std::span<std::byte> out) {
    if (out.size() != view.nbytes) throw std::invalid_argument("read_bytes: wrong length for " + view.name);
    if (!out.empty()) view.file->read_at(view.offset, out);
}

void to_floats(const TensorView& view, std::span<float> out) {
    const auto count = static_cast<std::size_t>(view.elements());
    if (out.size() != count) throw std::invalid_argument("to_floats: wrong length for " + view.name);
    if (view.dtype == Dtype::f32) return read_bytes(view, std::as_writable_bytes(out));
    if (view.dtype == Dtype::f64) return rounded_to_floats(view, out);
    if (view.dtype != Dtype::f16 && view.dtype != Dtype::bf16)
        throw input_error(Phrase("%1, tensor \"%2\"", view.file->path().string(), view.name),
                          Phrase("its type is %1", to_string(view.dtype)), "F64, F32, F16 or BF16",
                          "Convert the tensor to one of these and write the file again.");
    const auto convert = view.dtype == Dtype::f16 ? float_from_f16 : float_from_bf16;
    std::vector<std::uint16_t> part(std::min(count, piece_bytes / 2));
    for (std::size_t first = 0; first < count; first += part.size()) {
        const auto now = std::span(part).first(std::min(part.size(), count - first));
        view.file->read_at(view.offset + 2 * first, std::as_writable_bytes(now));
        std::transform(now.begin(), now.end(), out.begin() + static_cast<std::ptrdiff_t>(first), convert);
    }
}

std::vector<float> to_floats(const TensorView& view) {
    std::vector<float> values(static_cast<std::size_t>(view.elements()));
    to_floats(view, values);
    return values;
}

SafetensorsFile::SafetensorsFile(std::filesystem::path path) : path_(std::move(path)) {
    if (is_index(path_))
        read_shards();
    else
        read_tensors();
}

void SafetensorsFile::read_shards() {
    for (const auto& [name, tensors] : shards_of(path_)) {
        const SafetensorsFile shard(path_.parent_path() / name);
        for (const auto& tensor : tensors) tensors_.push_back(shard.at(tensor));
        metadata_.insert(shard.metadata_.begin(), shard.metadata_.end());
    }
    index_names();
}

void SafetensorsFile::index_names() {
    index_.clear();
    for (std::size_t i = 0; i < tensors_.size(); ++i) index_.emplace(tensors_[i].name, i);
}

void SafetensorsFile::unwrap(const std::function<std::size_t(const SafetensorsFile&)>& fitting) {
    SafetensorsFile bare = *this;
    auto most = fitting(bare);
    const auto next = [&]() -> std::string_view {
        for (const std::string_view prefix : {"module.", "model.", "_orig_mod."})
            if (!bare.tensors_.empty() &&
                std::all_of(bare.tensors_.begin(), bare.tensors_.end(), [&](const auto& t) {
                    return t.name.starts_with(prefix) && t.name.size() > prefix.size();
                }))
                return prefix;
        return {};
    };
    for (auto prefix = next(); !prefix.empty(); prefix = next()) {
        for (auto& tensor : bare.tensors_) tensor.name.erase(0, prefix.size());
        bare.removed_prefix_ += prefix;
        bare.index_names();
        const auto now = fitting(bare);
        if (now <= most) continue;
        most = now;
        *this = bare;
    }
}

Phrase SafetensorsFile::conversions() const {
    const auto doubles = std::count_if(tensors_.begin(), tensors_.end(),
                                       [](const TensorView& view) { return view.dtype == Dtype::f64; });
    Phrase text;
    if (!removed_prefix_.empty())
        text =
            Phrase("the prefix \"%1\" of its %2 tensor names was removed", removed_prefix_, tensors_.size());
    if (doubles > 0)
        text += text.empty() ? Phrase("%1 of its %2 tensors were converted from float64 to float32", doubles,
                                      tensors_.size())
                             : Phrase("; %1 of its %2 tensors were converted from float64 to float32",
                                      doubles, tensors_.size());
    return text.empty() ? text : Phrase("%1: %2", path_.string(), text);
}

void reject_other_formats(const RegularFile& file) {
    if (file.size() < 8 || is_index(file.path())) return;
    const auto header_size = stated_header_size(file);
    if (header_size <= header_limit && header_size <= file.size() - 8) return;
    const auto head = data::format_head(file);
    const bool is_truncated = head.size() > 8 && head[8] == '{';
    if (const auto* other = is_truncated ? nullptr : data::foreign_format(head))
        throw data::foreign_weights_error(*other, file.path().string());
}

void SafetensorsFile::read_tensors() {
    file_ = std::make_shared<RegularFile>(path_, "a .safetensors file");
    const auto file = path_.string();
    if (file_->size() < 8)
        throw input_error(file, Phrase("it has %1", bytes_text(file_->size())), "at least 8 bytes",
                          "The file is truncated or empty: download or write it again.");
    const auto header_size = stated_header_size(*file_);
    const std::uint64_t room = file_->size() - 8;
    reject_other_formats(*file_);
    if (header_size > header_limit)
        throw input_error(
            file, Phrase("its first bytes state a header of %1", bytes_text(header_size)),
            Phrase("at most %1", bytes_text(header_limit)),
            "This is not a .safetensors file, or it is damaged: check the path, or download or write it "
            "again.");
    if (header_size > room)
        throw input_error(
            file, Phrase("the header has %1 but only %2 follow", bytes_text(header_size), bytes_text(room)),
            "a complete header",
            "The file is truncated, or not a .safetensors file: download or write it again.");
    std::string text(static_cast<std::size_t>(header_size), '\0');
    file_->read_at(8, std::as_writable_bytes(std::span(text)));
    const std::uint64_t data = 8 + header_size;
    const std::uint64_t data_size = room - header_size;

    const auto header = parse_header(file, text);
    metadata_ = metadata_in(file, header);
    std::vector<Placed> placed;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") continue;
        Placed tensor;
        tensor.view = parse_tensor(file, name, entry, tensor.begin, tensor.end);
        if (tensor.end > data_size)
            throw input_error(Phrase("%1, tensor \"%2\"", file, name),
                              Phrase("its data ends at byte %1 but the file holds %2 of data", tensor.end,
                                     bytes_text(data_size)),
                              "data inside the file", "The file is truncated: download or write it again.");
        tensor.view.offset = data + tensor.begin;
        tensor.view.file = file_;
        placed.push_back(std::move(tensor));
    }
    place(file, std::move(placed), data_size);
}

void SafetensorsFile::place(const std::string& file, std::vector<Placed> placed, std::uint64_t data_size) {
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    tensors_.reserve(placed.size());
    std::uint64_t expected = 0;
    for (auto& tensor : placed) {
        if (tensor.begin != expected)
            throw damaged_safetensors(
                Phrase("%1, tensor \"%2\"", file, tensor.view.name),
                tensor.begin < expected
                    ? Phrase("its data begins at byte %1, inside the tensor before", tensor.begin)
                    : Phrase("its data begins at byte %1, after a gap", tensor.begin),
                Phrase("byte %1", expected));
        expected = tensor.end;
        tensors_.push_back(std::move(tensor.view));
    }
    if (expected != data_size)
        throw damaged_safetensors(file, Phrase("%1 follow the last tensor", bytes_text(data_size - expected)),
                                  "nothing");
    index_names();
}

const TensorView* SafetensorsFile::find(std::string_view name) const noexcept {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &tensors_[found->second];
}

const TensorView& SafetensorsFile::at(std::string_view name) const {
    if (const auto* view = find(name)) return *view;
    // Usually only a prefix such as "transformer." or "module." differs. "bias" without a path would match
    // any tensor.
    const auto dot = name.find('.');
    const auto tail = dot == name.rfind('.') ? name : name.substr(dot + 1);
    std::string near;
    for (const auto& tensor : tensors_)
        if (near.empty() && (tensor.name.ends_with(name) || tensor.name.ends_with(tail))) near = tensor.name;
    auto advice = near.empty() ? Phrase(foreign_file) : Phrase("It has \"%1\". %2", near, foreign_file);
    if (near.ends_with("." + std::string(name)))
        advice = Phrase("It has \"%1\": write the file again without the prefix \"%2\" in its names.", near,
                        near.substr(0, near.size() - name.size()));
    throw input_error(path_.string(), Phrase("there is no tensor \"%1\" among its %2", name, tensors_.size()),
                      "a file that has it", advice);
}

const TensorView& SafetensorsFile::at(std::string_view name, std::span<const std::int64_t> shape) const {
    const auto& view = at(name);
    if (!std::equal(shape.begin(), shape.end(), view.shape.begin(), view.shape.end()))
        throw input_error(Phrase("%1, tensor \"%2\"", path_.string(), view.name),
                          Phrase("its shape is %1", shape_text(view.shape)), shape_text(shape),
                          std::string(foreign_file));
    return view;
}

std::string SafetensorsFile::sha256(const TensorView& view) {
    Digest digest;
    std::vector<std::byte> part(std::min(view.nbytes, piece_bytes));
    for (std::size_t first = 0; first < view.nbytes; first += part.size()) {
        const auto now = std::span(part).first(std::min(part.size(), view.nbytes - first));
        view.file->read_at(view.offset + first, now);
        digest.update(now.data(), now.size());
    }
    return digest.finish();
}

}  // namespace casp::store
