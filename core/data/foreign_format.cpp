#include "data/foreign_format.h"

#include "data/csv_text.h"

namespace casp::data {

const ForeignFormat* foreign_format(std::string_view head) {
    using namespace std::string_view_literals;
    struct Known {
        std::string_view magic;
        ForeignFormat format;
    };
    static constexpr Known known[] = {
        {"\x1F\x8B"sv, {"gzip-compressed", "Unpack it first (gunzip)."}},
        {"BZh"sv, {"bzip2-compressed", "Unpack it first (bunzip2)."}},
        {"\xFD"
         "7zXZ\0"sv,
         {"xz-compressed", "Unpack it first (unxz)."}},
        {"\x28\xB5\x2F\xFD"sv, {"zstd-compressed", "Unpack it first (unzstd)."}},
        {"PK\x03\x04"sv,
         {"a zip archive or a spreadsheet (xlsx, ods)", "Unpack it, or save the sheet as CSV."}},
        {"\xD0\xCF\x11\xE0"sv, {"an old Excel or Word file", "Save the sheet as CSV."}},
        {"PAR1"sv, {"a Parquet file", "Convert it to CSV."}},
        {"\x89HDF\r\n\x1A\n"sv, {"an HDF5 file", "Export the data as CSV."}},
        {"\x93NUMPY"sv, {"a NumPy array file", "Save it with numpy.savetxt(..., delimiter=\",\")."}},
        {"%PDF-"sv, {"a PDF document", "Export the data as CSV."}},
    };
    static constexpr ForeignFormat web_page = {
        "a web page or XML", "Was a link's page saved instead of the file? Download the file itself."};
    for (const auto& entry : known)
        if (head.starts_with(entry.magic)) return &entry.format;
    const auto text = trimmed(head.substr(0, 64));
    for (const auto tag : {"<!DOCTYPE"sv, "<!doctype"sv, "<html"sv, "<HTML"sv, "<?xml"sv})
        if (text.starts_with(tag)) return &web_page;
    return nullptr;
}

}  // namespace casp::data
