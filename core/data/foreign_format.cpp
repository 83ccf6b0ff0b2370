#include "data/foreign_format.h"

#include <filesystem>
#include <system_error>

#include "data/csv_text.h"
#include "data/packed_file.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t searched_bytes = std::size_t{64} << 10;

struct Known {
    std::string_view magic;
    std::size_t offset;       ///< of the magic bytes
    std::string_view inside;  ///< also occurs in the first 64 KiB; empty: no condition
    ForeignFormat format;
};

// Sentences with the line that converts the file, or without one.
Phrase unpack(const std::string&) { return "Unpack it first."; }
Phrase pull_it(const std::string&) { return "Fetch the file itself with git lfs pull, or download it."; }
Phrase export_csv(const std::string&) { return "Export the data as CSV."; }
Phrase save_sheet(const std::string&) { return "Save the sheet as CSV."; }
Phrase save_table(const std::string&) { return "Save the table as CSV."; }
Phrase use_weights(const std::string&) {
    return "Weights are evaluated with --evaluate, or set as backbone.path.";
}
Phrase with_python(const std::string& line) { return Phrase("Convert it with Python: %1", line); }
Phrase each_array(const std::string& line) {
    return Phrase("Convert it with Python, each array to a file: %1", line);
}
Phrase all_tables(const std::string& line) {
    return Phrase("Convert it with Python, each table to a file: %1", line);
}
Phrase or_save_as(const std::string& line) {
    return Phrase("Save the sheet as CSV, or convert each one with Python: %1", line);
}
Phrase trusted_only(const std::string& line) {
    return Phrase("Reading it can run code in it. If you trust its origin, convert it with Python: %1", line);
}
Phrase at_one_place(const std::string& line) {
    return Phrase(
        "Convert it with Python, at one place (.sel(…) or .isel(…) before .to_dataframe()) if it has a grid: "
        "%1",
        line);
}
Phrase saved_page(const std::string& line) {
    return Phrase(
        "If the page of a link was saved instead of the file, download the file. If it shows the table, "
        "convert it with Python: %1",
        line);
}
Phrase weights_here(const std::string& line) {
    return Phrase("It seems to hold weights of a model. Convert them with Python: %1", line);
}
Phrase in_r(const std::string& line) { return Phrase("Convert it in R: %1", line); }
Phrase each_in_r(const std::string& line) {
    return Phrase("Convert it in R, each object to a file: %1", line);
}

constexpr const char* excel =
    "import pandas; [t.to_csv(n + \".csv\", index=False, header=False) for n, t in pandas.read_excel({in}, "
    "header=None, sheet_name=None, dtype=object).items()]";
constexpr const char* feather = "import pandas; pandas.read_feather({in}).to_csv({out})";
constexpr const char* sas =
    "import pandas; pandas.read_sas({in}, encoding=\"utf-8\").to_csv({out}, index=False)";
constexpr const char* spss = "import pandas; pandas.read_spss({in}).to_csv({out}, index=False)";
constexpr const char* stata = "import pandas; pandas.read_stata({in}).to_csv({out}, index=False)";
constexpr const char* pickle = "import pandas; pandas.DataFrame(pandas.read_pickle({in})).to_csv({out})";
constexpr const char* rds = "write.csv(as.data.frame(readRDS({in})), {out}, row.names = FALSE)";
constexpr const char* rdata =
    "e <- new.env(); for (n in load({in}, e)) write.csv(as.data.frame(get(n, e)), paste0(n, \".csv\"), "
    "row.names = "
    "FALSE)";
constexpr const char* netcdf = "import xarray; xarray.open_dataset({in}).to_dataframe().to_csv({out})";
constexpr const char* xml = "import pandas; pandas.read_xml({in}, dtype=str).to_csv({out}, index=False)";
constexpr const char* html = "import pandas; pandas.read_html({in})[0].to_csv({out}, index=False)";
constexpr const char* pytorch =
    "import torch, safetensors.torch as s; d = torch.load({in}, map_location=\"cpu\", weights_only=True); "
    "c = [v for v in d.values() if isinstance(v, dict) and any(map(torch.is_tensor, v.values()))]; d = "
    "next((d[k] for k in (\"state_dict\", \"model_state_dict\", \"model\") if isinstance(d.get(k), dict)), "
    "c[0] if len(c) == 1 else d); "
    "s.save_file({k: "
    "v.detach().clone().contiguous() for k, v in d.items() if torch.is_tensor(v)}, {out})";
constexpr const char* pickled_weights =
    "import numpy, pickle, safetensors.numpy as s; s.save_file({k: numpy.array(v, order=\"C\") for k, v in "
    "pickle.load(open({in}, \"rb\")).items()}, {out})";
constexpr const char* hdf5_weights =
    "import h5py, safetensors.numpy as s; d = {}; h5py.File({in}).visititems(lambda k, v: "
    "d.update({k.replace(\"/\", \".\"): v[()]}) if isinstance(v, h5py.Dataset) else None); s.save_file(d, "
    "{out})";
constexpr const char* keras =
    "import h5py, zipfile, safetensors.numpy as s; d = {}; "
    "h5py.File(zipfile.ZipFile({in}).open(\"model.weights.h5\")).visititems(lambda k, v: "
    "d.update({k.replace(\"/\", "
    "\".\"): v[()]}) if isinstance(v, h5py.Dataset) else None); s.save_file(d, {out})";
constexpr const char* tensorflow =
    "import tensorflow, safetensors.numpy as s; r = tensorflow.train.load_checkpoint({in}[:-6]); "
    "s.save_file({k.replace(\"/\", \".\"): r.get_tensor(k) for k in r.get_variable_to_dtype_map() if "
    "hasattr(r.get_tensor(k), \"shape\")}, {out})";
constexpr const char* gguf =
    "import gguf, safetensors.numpy as s; s.save_file({t.name: gguf.dequantize(t.data, t.tensor_type).copy() "
    "for t in "
    "gguf.GGUFReader({in}).tensors}, {out})";
constexpr const char* onnx =
    "import onnx, onnx.numpy_helper as n, safetensors.numpy as s; s.save_file({t.name: n.to_array(t).copy() "
    "for t in "
    "onnx.load({in}).graph.initializer}, {out})";
// Rows of a table by columns would be in the order of their numbers as texts.
constexpr const char* json =
    "import pandas; pandas.read_json({in}, precise_float=True, "
    "convert_dates=False).sort_index().to_csv({out})";

// A more special line is before a more general one of the same first bytes.
// clang-format off
constexpr Known table[] = {
    {"PK\x03\x04"sv, 0, "\nxl/workbook.xml\n"sv, {"a spreadsheet (.xlsx)", or_save_as, excel}},
    {"PK\x03\x04"sv, 0, "\nxl/workbook.bin\n"sv, {"a spreadsheet (.xlsb)", save_sheet}},
    {"PK\x03\x04"sv, 0, "\nword/document.xml\n"sv, {"a Word document", save_table}},
    {"PK\x03\x04"sv, 0, "\nMETA-INF/manifest.xml\n"sv, {"a spreadsheet or document (.ods, .odt)", or_save_as, excel}},
    {"PK\x03\x04"sv, 0, ".npy\n"sv, {"a file of NumPy arrays (.npz)", each_array, "import numpy, pandas; [pandas.DataFrame(a.reshape(len(a), -1)).add_prefix(\"x\").to_csv(k + \".csv\", index=False) for k, a in numpy.load({in}).items() if a.ndim]", "import numpy, safetensors.numpy as s; s.save_file({k: numpy.array(v, order=\"C\") for k, v in numpy.load({in}).items()}, {out})"}},
    {"PK\x03\x04"sv, 0, "/constants.pkl\n"sv, {"a TorchScript file", trusted_only, "", "import torch, safetensors.torch as s; s.save_file({k: v.detach().clone().contiguous() for k, v in torch.jit.load({in}, map_location=\"cpu\").state_dict().items()}, {out})"}},
    {"PK\x03\x04"sv, 0, "/data.pkl\n"sv, {"a PyTorch file", weights_here, "", pytorch}},
    {"PK\x03\x04"sv, 0, "model.weights.h5\n"sv, {"a Keras file", weights_here, "", keras}},
    // Contents of files that are unpacked already.
    {"PK\x03\x04"sv, 0, "\0"sv, {"a zip archive or spreadsheet inside a compressed file", unpack}},
    {"\x1F\x8B\x08"sv, 0, {}, {"a compressed file inside another", unpack}},
    {"\xD0\xCF\x11\xE0"sv, 0, {}, {"an old Excel or Word file (.xls, .doc)", or_save_as, excel}},
    {"PAR1"sv, 0, "\0"sv, {"a Parquet file", with_python, "import pandas; pandas.read_parquet({in}).to_csv({out})"}},
    {"ARROW1"sv, 0, "\0"sv, {"an Arrow (Feather) file", with_python, feather}},
    {"FEA1"sv, 0, "\0"sv, {"a Feather file", with_python, feather}},
    {"\xFF\xFF\xFF\xFF"sv, 0, "\0\0\x10\0\0\0"sv, {"an Arrow stream", with_python, "import pyarrow; pyarrow.ipc.open_stream({in}).read_pandas().to_csv({out})"}},
    {"ORC"sv, 0, "\0"sv, {"an ORC file", with_python, "import pandas; pandas.read_orc({in}).to_csv({out})"}},
    {"Obj\x01"sv, 0, {}, {"an Avro file", with_python, "import fastavro, pandas; pandas.DataFrame(fastavro.reader(open({in}, \"rb\"))).to_csv({out}, index=False)"}},
    {"MATLAB 7.3 MAT-file"sv, 0, {}, {"a MATLAB file (v7.3)", each_array, "import h5py, pandas; [pandas.DataFrame(v[()].T if v.shape[1] > 1 else v[()]).add_prefix(k).to_csv(k + \".csv\", index=False) for k, v in h5py.File({in}).items() if getattr(v, \"ndim\", 0) == 2]"}},
    {"MATLAB 5.0 MAT-file"sv, 0, {}, {"a MATLAB file (v5 to v7)", each_array, "import scipy.io, pandas; [pandas.DataFrame(v if len(v) > 1 else v.T).add_prefix(k).to_csv(k + \".csv\", index=False) for k, v in scipy.io.loadmat({in}).items() if getattr(v, \"ndim\", 0) == 2]"}},
    {"\x89HDF\r\n\x1A\n"sv, 0, "pandas_type"sv, {"an HDF5 file of pandas", trusted_only, "import pandas; pandas.read_hdf({in}).to_csv({out})"}},
    {"\x89HDF\r\n\x1A\n"sv, 0, "_NCProperties"sv, {"a NetCDF file", at_one_place, netcdf}},
    {"\x89HDF\r\n\x1A\n"sv, 0, {}, {"an HDF5 file", each_array, "import h5py, pandas; h5py.File({in}).visititems(lambda k, v: pandas.DataFrame(v[()].reshape(len(v), -1)).add_prefix(\"x\").to_csv(k.replace(\"/\", \"_\") + \".csv\", index=False) if getattr(v, \"ndim\", 0) else None)", hdf5_weights}},
    {"CDF\x01"sv, 0, {}, {"a NetCDF file", at_one_place, netcdf}},
    {"CDF\x02"sv, 0, {}, {"a NetCDF file", at_one_place, netcdf}},
    {"CDF\x05"sv, 0, {}, {"a NetCDF file", at_one_place, netcdf}},
    {"GRIB"sv, 0, "\0"sv, {"a GRIB file", at_one_place, "import xarray; xarray.open_dataset({in}, engine=\"cfgrib\").to_dataframe().to_csv({out})"}},
    {"\x93NUMPY"sv, 0, {}, {"a NumPy array (.npy)", with_python, "import numpy, pandas; a = numpy.load({in}); pandas.DataFrame(a.reshape(len(a), -1)).add_prefix(\"x\").to_csv({out}, index=False)"}},
    {"SQLite format 3\0"sv, 0, {}, {"an SQLite database", all_tables, "import sqlite3, pandas; c = sqlite3.connect({in}); [pandas.read_sql(f'SELECT * FROM \"{t}\"', c).to_csv(t + \".csv\", index=False) for (t,) in c.execute(\"SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'\").fetchall()]"}},
    {"\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv, 0, {}, {"a PyTorch file (before version 1.6)", weights_here, "", pytorch}},
    {"GGUF"sv, 0, "\0"sv, {"a GGUF file", weights_here, "", gguf}},
    {"\0\0\x06\x08\x01\x1A\x02\x08\x01"sv, 0, {}, {"the index of a TensorFlow checkpoint", weights_here, "", tensorflow}},
    {"\x80\x02"sv, 0, {}, {"a Python pickle", trusted_only, pickle, pickled_weights}},
    {"\x80\x03"sv, 0, {}, {"a Python pickle", trusted_only, pickle, pickled_weights}},
    {"\x80\x04"sv, 0, {}, {"a Python pickle", trusted_only, pickle, pickled_weights}},
    {"\x80\x05"sv, 0, {}, {"a Python pickle", trusted_only, pickle, pickled_weights}},
    {"X\n\0\0\0"sv, 0, {}, {"an R object (.rds)", in_r, rds}},
    {"A\n2\n"sv, 0, "\n131840\n"sv, {"an R object (.rds)", in_r, rds}},
    {"A\n3\n"sv, 0, "\n197888\n"sv, {"an R object (.rds)", in_r, rds}},
    {"RDX"sv, 0, "\nX\n"sv, {"an R workspace (.RData)", each_in_r, rdata}},
    {"RDA"sv, 0, "\nA\n"sv, {"an R workspace (.RData)", each_in_r, rdata}},
    {"<stata_dta>"sv, 0, {}, {"a Stata file", with_python, stata}},
    {"\x73\x01\x01\0"sv, 0, {}, {"a Stata file", with_python, stata}},
    {"\x73\x02\x01\0"sv, 0, {}, {"a Stata file", with_python, stata}},
    {"\x72\x01\x01\0"sv, 0, {}, {"a Stata file", with_python, stata}},
    {"\x72\x02\x01\0"sv, 0, {}, {"a Stata file", with_python, stata}},
    {"\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08"sv, 12, {}, {"a SAS file", with_python, sas}},
    {"HEADER RECORD*******LIB"sv, 0, {}, {"a SAS transport file", with_python, "import pandas; pandas.read_sas({in}, format=\"xport\", encoding=\"utf-8\").to_csv({out}, index=False)"}},
    {"$FL2"sv, 0, "\0"sv, {"an SPSS file", with_python, spss}},
    {"$FL3"sv, 0, "\0"sv, {"an SPSS file", with_python, spss}},
    {"%PDF-"sv, 0, {}, {"a PDF document", export_csv}},
    {"ustar"sv, 257, {}, {"a tar archive", unpack}},
    {"7z\xBC\xAF\x27\x1C"sv, 0, {}, {"a 7z archive", unpack}},
    {"Rar!\x1A\x07"sv, 0, {}, {"a RAR archive", unpack}},
};
// clang-format on

constexpr ForeignFormat json_file = {"JSON", with_python, json};
constexpr ForeignFormat onnx_file = {"an ONNX file", weights_here, "", onnx};
constexpr ForeignFormat safetensors_file = {"a .safetensors file", use_weights};
constexpr ForeignFormat json_lines = {"JSON lines", with_python,
                                      "import pandas; pandas.read_json({in}, lines=True, precise_float=True, "
                                      "convert_dates=False).to_csv({out}, index=False)"};
constexpr ForeignFormat lfs_pointer = {"a pointer of Git LFS to the file", pull_it};
constexpr ForeignFormat web_page = {"a web page", saved_page, html};
constexpr ForeignFormat xml_file = {"XML", with_python, xml};

/// Whether `text` begins with `first` and, after blanks, one of `then`. A heading such as [Date] does not.
bool opens(std::string_view text, char first, std::string_view then) {
    if (!text.starts_with(first)) return false;
    const auto next = text.find_first_not_of(" \t\r\n", 1);
    return next != std::string_view::npos && then.find(text[next]) != std::string_view::npos;
}

const ForeignFormat* format_of_text(std::string_view head) {
    if (head.starts_with("\xEF\xBB\xBF"sv)) head.remove_prefix(3);
    const auto begin = head.find_first_not_of(" \t\r\n");
    const auto text = head.substr(begin == std::string_view::npos ? head.size() : begin);
    if (text.starts_with("version https://git-lfs.github.com/spec/"sv)) return &lfs_pointer;
    for (const auto tag : {"<!DOCTYPE"sv, "<!doctype"sv, "<html"sv, "<HTML"sv, "<table"sv, "<TABLE"sv})
        if (text.starts_with(tag)) return &web_page;
    if (text.starts_with("<?xml"sv))
        return text.find("<html"sv) != std::string_view::npos ? &web_page : &xml_file;
    if (opens(text, '{', "\"") &&
        (text.find("}\n{"sv) != std::string_view::npos || text.find("}\r\n{"sv) != std::string_view::npos))
        return &json_lines;
    return opens(text, '{', "\"") || opens(text, '[', "{[") ? &json_file : nullptr;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

std::string with_names(std::string line, std::string_view in, std::string_view out) {
    replace_all(line, "{in}", in);
    replace_all(line, "{out}", out);
    return line;
}

/// `line` with the names of a file and of its conversion.
std::string filled_in(const char* line, const std::string& where, const char* extension) {
    const auto file = without_packing(where);
    return with_names(line, python_literal(file.string()),
                      python_literal(conversion_name(file, extension).string()));
}

/// `advice`, after the command that does it, if there is one.
Phrase or_command(const ForeignFormat& format, bool weights, const Phrase& advice) {
    if (conversion_line(format, weights).empty()) return advice;
    return weights && *format.line != '\0'
               ? Phrase("Use caspstudio --convert with --out FILE.safetensors, or do it by hand. %1", advice)
               : Phrase("Use caspstudio --convert, or do it by hand. %1", advice);
}

}  // namespace

const ForeignFormat* foreign_format(std::string_view head) {
    head = head.substr(0, searched_bytes);
    for (const auto& known : table)
        if (head.size() > known.offset && head.substr(known.offset).starts_with(known.magic) &&
            head.find(known.inside) != std::string_view::npos)
            return &known.format;
    // A protocol buffer: the version (3 or later), then producer, graph or operators.
    if (head.size() > 2 && head[0] == 8 && head[1] >= 3 && head[1] < ' ' &&
        "\x12\x3A\x42"sv.find(head[2]) != std::string_view::npos)
        return &onnx_file;
    if (head.size() > 8 && head.substr(4, 5) == "\0\0\0\0{"sv) return &safetensors_file;
    return format_of_text(head);
}

std::filesystem::path conversion_name(const std::filesystem::path& file, const std::string& extension) {
    const auto named = [&](const std::string& end) {
        return file.parent_path() / (file.stem().string() + end + extension);
    };
    auto out = named("");
    std::error_code unknown;
    for (int number = 1; out == file || std::filesystem::exists(out, unknown); ++number)
        out = named(number == 1 ? "-converted" : "-converted-" + std::to_string(number));
    return out;
}

std::string conversion_line(const ForeignFormat& format, bool weights) {
    const bool is_safe = format.advice != trusted_only && format.advice != saved_page &&
                         format.advice != in_r && format.advice != each_in_r;
    return is_safe ? with_names(weights ? format.weights : format.line, "source", "target") : "";
}

std::string python_literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

Phrase by_hand(const ForeignFormat& format, const std::string& where, bool weights) {
    if (!weights) return format.advice(filled_in(format.line, where, ".csv"));
    const auto line = filled_in(format.weights, where, ".safetensors");
    return format.advice == trusted_only
               ? Phrase(
                     "Reading it can run code in it. If you trust its origin, convert the weights with "
                     "Python: %1",
                     line)
               : Phrase("Convert the weights with Python: %1", line);
}

Phrase weights_advice(const ForeignFormat& format, const std::string& where) {
    if (*format.weights == '\0') return {};
    return or_command(format, true, by_hand(format, where, true));
}

Error foreign_weights_error(const ForeignFormat& format, const std::string& where) {
    const auto advice = &format == &lfs_pointer ? pull_it({}) : weights_advice(format, where);
    return input_error(where, Phrase("this is %1", format.name), "a .safetensors file",
                       advice.empty() ? "Choose another file." : advice);
}

Error foreign_error(const ForeignFormat& format, const std::string& where, const Phrase& expected) {
    const bool is_table = *format.line != '\0';
    auto advice = or_command(format, !is_table,
                             is_table ? by_hand(format, where, false)
                                      : format.advice(filled_in(format.weights, where, ".safetensors")));
    if (without_packing(where) != where && is_table) advice = Phrase("Unpack it first. %1", advice);
    return input_error(where, Phrase("this is %1", format.name), expected, advice);
}

}  // namespace casp::data
