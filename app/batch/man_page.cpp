#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "batch/flags.h"
#include "config/text_utils.h"
#include "util/build_info.h"

namespace casp::batch {

namespace {

/// Text as roff: ASCII, with characters that roff would interpret escaped.
std::string roff(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (text.substr(i).starts_with("…")) {
            out += "\\&...";
            i += 2;
        } else if (byte >= 0x80) {  // two to four bytes of UTF-8
            const int more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
            unsigned code = byte & (0x3FU >> more);
            for (int k = 0; k < more; ++k)
                code = code << 6U | (static_cast<unsigned char>(text[++i]) & 0x3FU);
            char escape[16];
            std::snprintf(escape, sizeof escape, "\\[u%04X]", code);
            out += escape;
        } else if (byte == '\\') {
            out += "\\e";
        } else if (byte == '-') {
            out += "\\-";
        } else if (byte == '\'') {
            out += "\\(aq";
        } else if (byte == '~') {
            out += "\\(ti";
        } else if (byte == '^') {
            out += "\\(ha";
        } else if (byte == '`') {
            out += "\\(ga";
        } else {
            if (byte == '.' && (out.empty() || out.back() == '\n')) out += "\\&";
            out += static_cast<char>(byte);
        }
    }
    return out;
}

bool is_flag(const std::string& word) {
    if (!word.starts_with("--")) return false;
    const auto same = [&](const auto& entry) { return word == entry.flag; };
    return std::any_of(mode_flags().begin(), mode_flags().end(), same) ||
           std::any_of(modifiers().begin(), modifiers().end(), same);
}

/// The text with each word between `separators` as `in_roff` returns it.
template <class InRoff>
std::string with_words(const std::string& text, std::string_view separators, const InRoff& in_roff) {
    std::string out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find_first_of(separators, begin), text.size());
        out += in_roff(text.substr(begin, end - begin));
        if (end < text.size()) out += text[end];
        begin = end + 1;
    }
    return out;
}

/// A synopsis with bold flags and italic arguments.
std::string synopsis_in_roff(const std::string& synopsis) {
    return with_words(synopsis, " []|", [](const std::string& word) {
        if (is_flag(word)) return "\\fB" + roff(word) + "\\fR";
        const bool capital = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
        return capital ? "\\fI" + roff(word) + "\\fR" : roff(word);
    });
}

/// Prose with bold flags.
std::string prose_in_roff(const std::string& text) {
    return with_words(text, " ", [](const std::string& word) {
        const auto end = word.find_last_not_of(";,.)") + 1;
        const auto flag = word.substr(0, end);
        return (is_flag(flag) ? "\\fB" + roff(flag) + "\\fR" : roff(flag)) + word.substr(end);
    });
}

std::string section(const std::string& title) { return ".SH " + title + "\n"; }

/// A tagged paragraph; both texts are roff.
std::string paragraph(const std::string& tag, const std::string& text) {
    return ".TP\n" + tag + "\n" + text + "\n";
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string call(const char* synopsis) { return "\\fBcaspstudio\\fR " + synopsis_in_roff(synopsis); }

std::string commands_in_roff() {
    std::string out = section("COMMANDS");
    for (const auto& command : commands())
        if (*command.help != 0)
            out += paragraph(call(command.synopsis), prose_in_roff(capitalised(command.help)) + ".");
    for (const auto& entry : mode_flags()) {
        const bool listed = std::any_of(commands().begin(), commands().end(), [&](const Command& command) {
            return *command.help != 0 && std::string(command.synopsis).starts_with(entry.flag);
        });
        if (listed) continue;
        const auto tag = "\\fBcaspstudio " + roff(entry.flag) + "\\fR";
        out += paragraph(tag, prose_in_roff(entry.help) + ".");
    }
    return out;
}

std::string options_in_roff() {
    std::string out = section("OPTIONS");
    for (const auto& modifier : modifiers()) {
        auto tag = "\\fB" + roff(modifier.flag) + "\\fR";
        if (*modifier.argument != 0)
            tag += " " + (modifier.value == FlagValue::word ? roff(modifier.argument)
                                                            : "\\fI" + roff(modifier.argument) + "\\fR");
        std::string modes;
        for (const auto mode : modifier.modes)
            for (const auto& entry : mode_flags())
                if (entry.mode == mode)
                    modes += (modes.empty() ? "" : ", ") + std::string("\\fB") + roff(entry.flag) + "\\fR";
        out += paragraph(tag, prose_in_roff(modifier.help) + ".\nWith " + modes + ".");
    }
    out += ".PP\n" +
           prose_in_roff(
               "The default of --out is \"runs\"; --forecast, --audit, --compare and "
               "--table write files only with it.") +
           "\n";
    return out;
}

std::string outcomes_in_roff() {
    std::string out = section("EXIT STATUS");
    for (const auto& outcome : outcomes())
        out += paragraph("\\fB" + std::string(outcome.status) + "\\fR",
                         prose_in_roff(capitalised(outcome.meaning)) + ".");
    return out;
}

const char* const description = R"(.SH DESCRIPTION
CASP Studio trains, evaluates and examines models that forecast time series with language models.
Without a command it opens the window. With a command it works in the terminal, without a display.
.PP
Results go to standard output, progress to standard error.
The network is used only to download a file or to open a folder on another machine, on request.
)";

const char* const settings = R"(.SH SETTINGS
An experiment is a TOML file.
\fBcaspstudio \-\-list\-options\fR prints each setting with its type, default, range and meaning;
\fBcaspstudio \-\-print\-config\fR prints a complete file.
From lowest to highest precedence: defaults, preset, file, [sweep], [[sweep.case]], \fB\-\-set\fR.
)";

const char* const signals = R"(.SH SIGNALS
.TP
SIGINT, SIGTERM, SIGHUP, SIGUSR1
Stop after the current training step and save a checkpoint; \fB\-\-resume\fR continues.
A second SIGINT or SIGTERM ends the program immediately.
.TP
SIGUSR2
Ends the training of the current run early and evaluates it.
)";

const char* const rest = R"(.SH FILES
.TP
\fIruns/NAME/\fR
Results of the experiment \fINAME\fR: a folder for each run, and tables of all runs.
.TP
\fI\(ti/.cache/caspstudio/\fR
Downloaded data sets and weights.
.TP
\fI\(ti/.local/share/caspstudio/\fR
Session of the window.
.SH ENVIRONMENT
.TP
\fBXDG_CACHE_HOME\fR, \fBXDG_DATA_HOME\fR
Folders that replace \fI\(ti/.cache\fR and \fI\(ti/.local/share\fR.
.TP
\fBCUDA_VISIBLE_DEVICES\fR
GPUs that the program may use.
.TP
\fBOMP_NUM_THREADS\fR
Number of threads of a run, unless the setting run.threads is given.
.TP
\fBCASPSTUDIO_SSH\fR
Program that is started instead of \fBssh\fR to open a folder on another machine.
.TP
\fBCASP_NO_OPENGL\fR
If set and not 0, the window does not use OpenGL.
.TP
\fBSOURCE_DATE_EPOCH\fR
Date of the page that \fB\-\-man\fR prints; without it the page has no date.
.SH EXAMPLES
.TP
Train DLinear on a file, with three seeds:
.nf
\fBcat > demo.toml\fR
[data]
path = "demand.csv"
[model]
name = "dlinear"
[sweep]
"train.seed" = [1, 2, 3]
\fBcaspstudio \-\-batch demo.toml\fR
.fi
.TP
Resume it after an interruption:
\fBcaspstudio \-\-batch demo.toml \-\-resume\fR
.TP
Forecast the next values with 80 % and 95 % intervals:
\fBcaspstudio \-\-forecast runs/demo/seed\-1 \-\-data demand.csv \-\-level 80,95\fR
.TP
Reproduce a table of the paper:
\fBcaspstudio \-\-batch paper:longterm\fR
.SH SEE ALSO
.BR ssh (1),
.BR sbatch (1)
)";

}  // namespace

std::string date_of_epoch(const char* seconds) {
    if (seconds == nullptr) return {};
    long long since = 0;
    const auto* end = seconds + std::strlen(seconds);
    const auto [at, problem] = std::from_chars(seconds, end, since);
    constexpr long long latest = 253402300799;  // the end of the year 9999
    if (problem != std::errc() || at != end || since < 0 || since > latest) return {};
    const std::chrono::sys_seconds time{std::chrono::seconds(since)};
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
    char text[16];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                  static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
    return text;
}

std::string man_page(std::string_view date) {
    std::string out = ".\\\" Made by caspstudio --man.\n";
    out += ".TH CASPSTUDIO 1 \"" + roff(date) + "\" \"CASP Studio " + program_version() +
           "\" \"User Commands\"\n.nh\n.ad l\n";
    out += section("NAME") + "caspstudio \\- time\\-series forecasting with language models\n";
    out += section("SYNOPSIS");
    bool first = true;
    for (const auto& command : commands()) {
        out += (first ? "" : ".br\n") + call(command.synopsis) + "\n";
        first = false;
    }
    out += description;
    return out + commands_in_roff() + options_in_roff() + settings + outcomes_in_roff() + signals + rest;
}

}  // namespace casp::batch
