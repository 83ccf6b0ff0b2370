#include "fetch/conversion.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "config/text_utils.h"
#include "data/foreign_format.h"
#include "data/packed_file.h"
#include "data/reader.h"
#include "store/atomic_file.h"
#include "util/embedded.h"
#include "util/error.h"
#include "util/process.h"
#include "util/regular_file.h"

namespace casp::fetch {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours limit{1};
constexpr std::size_t longest_reason = 300;

bool is_weights(const fs::path& out) { return out.extension() == ".safetensors"; }

/// What Python answers, or the reason why it does not.
ProcessResult run_line(const Conversion& conversion, const fs::path& out, const std::string& interpreter,
                       const std::stop_token& stop) {
    try {
        return run_process({interpreter, "-c", std::string(embedded_file("resources/python/convert.py")),
                            data::conversion_line(*conversion.format, is_weights(conversion.out)),
                            conversion.file.string(), out.string()},
                           limit, stop);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        throw input_error(problem.parts().where, problem.parts().found, {},
                          "Install Python, or name one with python.interpreter.");
    }
}

Error failure(const Conversion& conversion, const std::string& interpreter, const ProcessResult& result) {
    const auto where = conversion.file.string();
    const auto line_break = result.output.find('\n');
    const auto kind = result.output.substr(0, line_break);
    const auto rest = line_break == std::string::npos ? "" : result.output.substr(line_break + 1);
    if (kind == "package")
        return input_error(where,
                           Phrase("%1 has no package %2, which is needed to read this", interpreter, rest),
                           {}, Phrase("Install it: %1 -m pip install %2", interpreter, rest));
    const auto by_hand = data::by_hand(*conversion.format, where, is_weights(conversion.out));
    const auto short_reason = config::abbreviated(rest, longest_reason);
    if (kind == "several")
        return input_error(where, Phrase("the file holds several tables: %1", short_reason), "one", by_hand);
    if (kind == "rows")
        return input_error(where, Phrase("the table has a row for each %1", short_reason),
                           "a row for each time", by_hand);
    if (kind == "empty")
        return input_error(
            where, is_weights(conversion.out) ? "the file holds no weights" : "the file holds no table", {},
            by_hand);
    if (kind == "failed")
        return input_error(where, Phrase("the conversion failed: %1", short_reason), {}, by_hand);
    const auto end = result.errors.find_last_not_of(" \n");
    const auto begin = result.errors.rfind('\n', end);
    const auto last_line = end == std::string::npos ? "exit status " + std::to_string(result.status)
                                                    : result.errors.substr(begin + 1, end - begin);
    return input_error(where,
                       Phrase("%1 failed: %2", interpreter, config::abbreviated(last_line, longest_reason)));
}

}  // namespace

Conversion conversion_of(const fs::path& file, const fs::path& out) {
    const auto head = data::format_head(RegularFile(file, "a file of another format"));
    const auto reads = [&](const data::Reader& reader) { return reader.recognises(file, head); };
    const auto* format = data::foreign_format(head);
    if (format == nullptr || std::ranges::any_of(data::readers(), reads))
        throw input_error(file.string(), "this file is read as it is", "a file of another format");
    const bool weights = out.empty() ? *format->line == '\0' : is_weights(out);
    if (data::conversion_line(*format, weights).empty())
        throw weights && !out.empty()
            ? data::foreign_weights_error(*format, file.string())
            : data::foreign_error(*format, file.string(), "a file that can be converted");
    return {file, out.empty() ? data::conversion_name(file, weights ? ".safetensors" : ".csv") : out, format};
}

Phrase convert(const Conversion& conversion, const std::string& interpreter, const std::stop_token& stop) {
    const auto& out = conversion.out;
    const auto check_free = [&] {
        std::error_code unknown;
        if (fs::exists(fs::symlink_status(out, unknown)))
            throw input_error(out.string(), "exists already", {}, "Give another name, or remove it.");
    };
    check_free();
    store::AtomicFile file(out);
    const auto absolute = Conversion{fs::absolute(conversion.file), out, conversion.format};
    const auto result = run_line(absolute, file.temporary(), interpreter, stop);
    std::error_code unknown;
    if (result.status != 0 || fs::file_size(file.temporary(), unknown) == 0)
        throw failure(conversion, interpreter, result);
    check_free();
    file.commit();
    return Phrase("%1 was converted to %2 with %3", conversion.file.filename().string(),
                  out.filename().string(), result.output);
}

}  // namespace casp::fetch
