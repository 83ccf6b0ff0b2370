#include "data/reader.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "data/foreign_format.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::data {

namespace {

constexpr std::size_t head_bytes = 512;

/// Nothing if the file cannot be opened or read.
std::optional<std::string> head_of(const std::filesystem::path& path) {
    try {
        const RegularFile file(path, readable_files());
        std::string head(std::min<std::uint64_t>(file.size(), head_bytes), '\0');
        file.read_at(0, std::as_writable_bytes(std::span(head)));
        return head;
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool has_extension(const Reader& reader, const std::filesystem::path& path) {
    auto extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(reader.extensions.begin(), reader.extensions.end(),
                       [&](const std::string& known) { return extension == "." + known; });
}

}  // namespace

const std::vector<Reader>& readers() {
    static const std::vector<Reader> all{
        {"csv",
         "CSV",
         {"csv", "tsv", "txt", "dat"},
         [](const std::filesystem::path&, std::string_view head) { return foreign_format(head) == nullptr; },
         [](const std::filesystem::path& path, const ReadOptions& options, const ProgressFn& progress,
            std::stop_token stop) { return import_csv(path, options.csv, progress, std::move(stop)); }},
    };
    return all;
}

const Reader& reader_for(const std::filesystem::path& path) {
    const auto& all = readers();
    const auto head = head_of(path);
    for (const auto& reader : all)
        if (head ? reader.recognises(path, *head) : has_extension(reader, path)) return reader;
    if (!head) return all.back();
    const auto* other = foreign_format(*head);
    throw input_error(path.string(),
                      "not a data file that can be read" +
                          (other != nullptr ? std::string(": this is ") + other->name : std::string()),
                      readable_files(), other != nullptr ? other->advice : "Convert it first.");
}

Table read_table(const std::filesystem::path& path, const ReadOptions& options, const ProgressFn& progress,
                 std::stop_token stop) {
    return reader_for(path).read(path, options, progress, std::move(stop));
}

std::string readable_files() {
    const auto& all = readers();
    std::string text = "a ";
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + all[i].title;
    return text + " file";
}

}  // namespace casp::data
