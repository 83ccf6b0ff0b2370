#include "store/safetensors_header.h"

#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

namespace casp::store {

namespace {

using Json = nlohmann::json;

constexpr int deepest_header = 3;  // root, entry, list
constexpr std::size_t most_values = 1000;
constexpr std::size_t longest_words = 300;  ///< of the JSON library's messages, which repeat the last token

/// SAX handler that builds one entry at a time; a tree of the whole header would be many times its size.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
    HeaderReader(const std::string& file, const HeaderEntries& entries) : file_(file), entries_(entries) {}

    bool null() override { return value(nullptr); }
    bool boolean(bool found) override { return value(found); }
    bool number_integer(number_integer_t found) override { return value(found); }
    bool number_unsigned(number_unsigned_t found) override { return value(found); }
    bool number_float(number_float_t found, const string_t& /*text*/) override { return value(found); }
    bool string(string_t& found) override { return value(std::move(found)); }
    bool binary(binary_t& /*found*/) override { return true; }  // does not occur in JSON

    bool start_object(std::size_t /*size*/) override {
        begin(Json::object());
        return true;
    }
    bool end_object() override {
        end();
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        if (depth_ == 0) is_list_ = true;
        begin(Json::array());
        listed_ = 0;
        return true;
    }
    bool end_array() override {
        end();
        return true;
    }

    bool key(string_t& found) override {
        if (depth_ == 1) {
            name_ = std::move(found);
            in_metadata_ = name_ == "__metadata__";
            if (in_metadata_ && std::exchange(had_metadata_, true)) throw named_twice(file_, name_);
            if (++names_ > most_header_names) throw too_many("tensors");
        } else if (depth_ == 2) {
            key_ = std::move(found);
            if (++keys_ > (in_metadata_ ? most_header_names : most_values))
                throw too_many(in_metadata_ ? "texts in __metadata__" : "keys in one entry");
            if (!in_metadata_ && entry_.contains(key_)) throw named_twice(file_, key_);
        }
        return true;  // deeper levels are ignored
    }

    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const Json::exception& problem) override {
        const std::string words = problem.what();
        throw damaged_safetensors(
            file_,
            "the header is not JSON: " +
                (words.size() <= longest_words ? words : "syntax error at byte " + std::to_string(position)),
            "a .safetensors file");
    }

    void finish() const {
        if (!is_object_)
            throw damaged_safetensors(file_, "the header is not a JSON object", "{\"name\": {...}, ...}");
    }

private:
    [[nodiscard]] Error too_many(const std::string& what) const {
        return damaged_safetensors(file_, "the header has too many " + what,
                                   "at most " + std::to_string(most_header_names) + " names, and " +
                                       std::to_string(most_values) + " in an entry");
    }

    /// Start of an object or a list.
    void begin(Json empty) {
        // A deeply nested value could exhaust the stack when written into a message.
        if (depth_ >= deepest_header)
            throw damaged_safetensors(file_, "the header is nested deeper than a name, its entry and a list",
                                      "{\"name\": {\"dtype\", \"shape\", \"data_offsets\"}, ...}");
        if (depth_ == 0 && empty.is_object()) is_object_ = true;
        if (depth_ == 1 && is_object_) {
            keys_ = 0;
            if (in_metadata_ && !empty.is_object()) throw no_texts();
            if (!in_metadata_) entry_ = std::move(empty);
        } else if (depth_ == 2 && is_object_) {
            if (in_metadata_) throw no_text(empty.is_array() ? "a list" : "an object");
            if (entry_.is_object()) entry_[key_] = std::move(empty);
        }
        ++depth_;
    }

    void end() {
        --depth_;
        if (depth_ == 1 && is_object_ && !in_metadata_) entries_.tensor(std::move(name_), entry_);
    }

    template <class Value>
    bool value(Value found) {
        if (depth_ == 0 || is_list_) return true;  // reported by finish()
        if (depth_ == 1) {
            if (in_metadata_) throw no_texts();
            entries_.tensor(std::move(name_), Json(std::move(found)));
        } else if (depth_ == 2 && in_metadata_) {
            if constexpr (std::is_same_v<Value, string_t>)
                entries_.metadata(std::move(key_), std::move(found));
            else
                throw no_text(Json(found).dump());
        } else if (depth_ == 2) {
            if (entry_.is_object()) entry_[key_] = std::move(found);
        } else {
            add_to_list(Json(std::move(found)));
        }
        return true;
    }

    /// Counts values, so that an overlong list is rejected before it fills the memory.
    void add_to_list(Json found) {
        auto* list = entry_.is_object() ? &entry_[key_] : nullptr;
        if (list == nullptr || !list->is_array()) return;
        if (++listed_ > most_values)
            throw damaged_safetensors(
                file_, "a list in the header has more than " + std::to_string(most_values) + " values",
                "a shape of at most " + std::to_string(maximum_rank) + " sizes");
        list->push_back(std::move(found));
    }

    [[nodiscard]] Error no_texts() const {
        return damaged_safetensors(file_, "__metadata__ is not an object", "{\"key\": \"text\"}");
    }
    [[nodiscard]] Error no_text(const std::string& found) const {
        return damaged_safetensors(file_, "__metadata__ \"" + key_ + "\" is " + found, "text");
    }

    const std::string& file_;
    const HeaderEntries& entries_;
    int depth_ = 0;  ///< open objects and lists
    bool is_object_ = false, is_list_ = false, in_metadata_ = false, had_metadata_ = false;
    std::size_t names_ = 0, keys_ = 0, listed_ = 0;
    std::string name_, key_;
    Json entry_;
};

}  // namespace

Error damaged_safetensors(const std::string& where, const std::string& found, const std::string& expected) {
    return input_error(
        where, found, expected,
        "The file is damaged or was not written by a safetensors library: download or write it "
        "again.");
}

Error named_twice(const std::string& file, const std::string& name) {
    return damaged_safetensors(file, "the header names \"" + name + "\" twice", "each name once");
}

void read_header(const std::string& file, std::string_view text, const HeaderEntries& entries) {
    HeaderReader reader(file, entries);
    Json::sax_parse(text.begin(), text.end(), &reader);
    reader.finish();
}

}  // namespace casp::store
