#include "batch/flags.h"

namespace casp::batch {

const std::vector<ModeFlag>& mode_flags() {
    using V = FlagValue;
    static const std::vector<ModeFlag> flags{
        {Mode::archive, "--archive", "DIR", V::folder, "Pack a run or a batch into one file"},
        {Mode::batch, "--batch", "FILE.toml", V::shipped_experiment, "Run an experiment or a sweep"},
        {Mode::evaluate, "--evaluate", "RUN|FILE.safetensors", V::weights,
         "Evaluate a checkpoint on other data"},
        {Mode::forecast, "--forecast", "RUN|FILE.safetensors", V::weights, "Forecast after the last row"},
        {Mode::export_forecasts, "--export", "RUN", V::folder, "Write the stored test forecasts of a run"},
        {Mode::audit, "--audit", "FOLDER|FILE", V::folder_or_file, "Audit forecasts made elsewhere"},
        {Mode::import_forecasts, "--import", "FOLDER|FILE", V::folder_or_file,
         "Import forecasts made elsewhere as a run"},
        {Mode::merge, "--merge", "DIR", V::folder, "Merge batch folders"},
        {Mode::describe, "--describe", "FILE.csv", V::table_file, "Describe a data file"},
        {Mode::convert, "--convert", "FILE", V::folder_or_file, "Convert a file of another format"},
        {Mode::print_config, "--print-config", "", V::none, "Print the resolved configuration"},
        {Mode::fetch, "--fetch", "NAME", V::download, "Download a data set, GPT-2 or CUDA"},
        {Mode::compare, "--compare", "DIR", V::folder, "Test differences between settings or cases"},
        {Mode::table, "--table", "NAME", V::paper_table, "Fill a table of the paper from finished runs"},
        {Mode::submit, "--submit", "FILE.toml", V::shipped_experiment, "Submit a job array to a cluster"},
        {Mode::verify, "--verify", "DIR|FILE.tar.gz", V::archive, "Recompute every number from forecasts"},
        {Mode::serve, "--serve", "DIR", V::folder, "Serve a folder of runs to another machine's window"},
        {Mode::list_models, "--list-models", "", V::none, "List the models"},
        {Mode::list_presets, "--list-presets", "", V::none, "List the presets"},
        {Mode::list_options, "--list-options", "", V::none, "List the settings"},
        {Mode::list_catalog, "--list-catalog", "", V::none, "List the data sets of the catalogue"},
        {Mode::completion, "--completion", "bash|zsh", V::word, "Print the completion of a shell"},
        {Mode::man, "--man", "", V::none, "Print the man page"},
        {Mode::version, "--version", "", V::none, "Print version and commit"},
        {Mode::help, "--help", "", V::none, "Print all commands and settings"}};
    return flags;
}

const std::vector<Modifier>& modifiers() {
    using V = FlagValue;
    static const std::vector<Modifier> flags{
        {"--out",
         "DIR",
         V::folder_or_file,
         "Folder for results, or the file that is written",
         {Mode::archive, Mode::batch, Mode::evaluate, Mode::forecast, Mode::export_forecasts, Mode::audit,
          Mode::import_forecasts, Mode::merge, Mode::convert, Mode::compare, Mode::table, Mode::submit}},
        {"--set",
         "KEY=VALUE",
         V::setting,
         "Change a setting; may be repeated",
         {Mode::batch, Mode::evaluate, Mode::forecast, Mode::audit, Mode::import_forecasts, Mode::describe,
          Mode::convert, Mode::print_config, Mode::list_models, Mode::submit}},
        {"--scheduler", "slurm", V::word, "Scheduler of the cluster", {Mode::submit}},
        {"--print", "", V::none, "Show the script without submitting it", {Mode::submit}},
        {"--resume", "", V::none, "Resume interrupted runs", {Mode::batch}},
        {"--trust-model",
         "",
         V::none,
         "Run the Python file of a run that came from elsewhere",
         {Mode::batch, Mode::evaluate, Mode::forecast}},
        {"--worker", "", V::none, "Take runs that no other process holds", {Mode::batch}},
        {"--no-tables", "", V::none, "Leave the folder's tables as they are", {Mode::batch}},
        {"--runs", "I/N", V::text, "Only every N-th run, from the I-th on", {Mode::batch}},
        {"--figures", "LIST", V::text, "Figures to draw, separated by commas, or all", {Mode::batch}},
        {"--log-format", "text|json", V::word, "Format of the progress on standard error", {Mode::batch}},
        {"--data",
         "FILE.csv",
         V::table_file,
         "Data file",
         {Mode::evaluate, Mode::forecast, Mode::audit, Mode::import_forecasts}},
        {"--name", "NAME", V::text, "Name of the batch folder", {Mode::import_forecasts}},
        {"--level", "80,95", V::text, "Levels of the intervals in percent", {Mode::forecast}},
        {"--origins", "N", V::text, "Forecast after each of the last N rows", {Mode::forecast}},
        {"--format", "npy|csv", V::word, "Format of the exported forecasts", {Mode::export_forecasts}},
        {"--omit", "weights,checkpoints", V::word, "Files to leave out", {Mode::archive}},
        {"--repeat", "PERCENT", V::text, "Percentage of the forecasts to compute again", {Mode::verify}},
        {"--preset", "NAME", V::preset, "Preset", {Mode::print_config}},
        {"--to", "DIR", V::folder, "Folder for the download", {Mode::fetch}},
        {"--by", "KEY", V::key, "Setting to compare by, or case", {Mode::compare}},
        {"--base", "VALUE", V::text, "Value to compare with; default: the first", {Mode::compare}},
        {"--metric", "NAME", V::text, "Column of results.csv; default: test_mse, test_mae", {Mode::compare}}};
    return flags;
}

const std::vector<Command>& commands() {
    static const std::vector<Command> all{
        {"[PATH…]",
         "opens the window, with the given CSV and TOML files and folders; ssh://[user@]host[:port]/folder: "
         "runs on another machine"},
        {"--batch FILE.toml [--out DIR] [--set KEY=VALUE]… [--resume] [--figures LIST] "
         "[--log-format text|json] [--no-tables] [--trust-model]",
         "runs an experiment or a sweep; --resume resumes interrupted runs; --no-tables leaves tables of "
         "other runs in the folder as they are; --trust-model: the Python file of a run from elsewhere may "
         "run"},
        {"--batch FILE.toml --worker [...]",
         "takes any run of the batch that no process holds until none is left; several workers may share "
         "--out, on several machines"},
        {"--batch FILE.toml --runs I/N [...]",
         "only every N-th run, from the I-th on, for machines that share no folder"},
        {"--merge DIR… --out DIR", "one batch folder, with its tables, from several"},
        {"--submit FILE.toml --scheduler slurm [--print] [--out DIR] [--set KEY=VALUE]… "
         "[--set scheduler.KEY=VALUE]…",
         "submits a job array whose tasks take the runs of an experiment one by one; --print only shows the "
         "script"},
        {"--evaluate RUN|FILE.safetensors --data FILE.csv [--out DIR] [--set KEY=VALUE]… [--trust-model]",
         "evaluates a checkpoint on another CSV or split, without training"},
        {"--forecast RUN|FILE.safetensors --data FILE.csv [--out FILE.csv] [--level 80,95] [--origins N] "
         "[--set KEY=VALUE]… [--trust-model]",
         "forecasts the horizon after the file's last row, or after each of its last N rows, with conformal "
         "intervals of the given levels (in percent)"},
        {"--export RUN [--format npy|csv] --out DIR",
         "writes the stored test forecasts of a run: pred.npy and true.npy, or forecasts.csv "
         "(unique_id,ds,cutoff,y,MODEL)"},
        {"--audit FOLDER|FILE --data FILE.csv [--set data.KEY=VALUE]… [--out DIR]",
         "shows from the numbers of forecasts made elsewhere (pred.npy and true.npy, .npz or CSV) which "
         "windows, scaler and channels they have; exit status 1 if they are not those of this data set"},
        {"--import FOLDER|FILE --data FILE.csv [--name NAME] [--out DIR] [--set data.KEY=VALUE]…",
         "audits them and makes them a run, for tables, comparisons and the window; --set train.seed=N names "
         "the seed they are paired by"},
        {"--describe FILE.csv [--set data.KEY=VALUE]…",
         "prints rows, channels, frequency, splits, windows and warnings"},
        {"--convert FILE [--out FILE.csv|FILE.safetensors] [--set python.interpreter=PYTHON]",
         "converts a file of another format (Parquet, spreadsheet, MATLAB, NetCDF, PyTorch, …) to CSV, or "
         "its "
         "weights to .safetensors, with the packages of your Python; files that can run code are left out"},
        {"--print-config [FILE.toml] [--preset NAME] [--set KEY=VALUE]…",
         "prints the resolved configuration as TOML"},
        {"--fetch NAME [--to DIR]",
         "downloads a data set, GPT-2 or (cuda) CUDA's libraries to the user's cache"},
        {"--batch paper:NAME [...]", "runs the experiment of one of the paper's tables or figures"},
        {"--batch study:NAME [...]",
         "runs a study of what the paper leaves open: language-model (does the language model matter?), "
         "few-shot, prompt-bank"},
        {"--table NAME [DIR…] [--out DIR]",
         "fills the paper's table NAME from finished runs: longterm, averages, lambda, components, anchors, "
         "crossed, mmr, balancing, paired, seeds, strata, jaccard, pca, sensitivity, fewshot, m4, tuning, "
         "strata:trend-change, strata:trend-strength, strata:low-frequency; language-model: what the "
         "language "
         "model contributes in any finished runs that differ in backbone.kind"},
        {"--compare DIR… [--by KEY] [--base VALUE] [--metric NAME] [--out DIR]",
         "paired tests between the values of a setting, or between cases"},
        {"--verify DIR|FILE.tar.gz [--repeat PERCENT]",
         "recomputes every number below DIR (or in an archive) from stored forecasts, and names the file and "
         "cell of each difference; --repeat also computes PERCENT of the forecasts again with the weights; "
         "changes nothing"},
        {"--archive DIR --out FILE.tar.gz [--omit weights,checkpoints]",
         "packs a run, or a batch with its tables and figures, into one file"},
        {"--serve DIR",
         "started over ssh by the window of another machine, which shows the runs in DIR; reads requests "
         "from standard input"},
        {"--completion bash|zsh",
         "prints the shell's completion, for eval \"$(…)\" in ~/.bashrc or ~/.zshrc"},
        {"--list-models [NAME] [--set KEY=VALUE]…",
         "lists the models with their trainable parameters, or the parameters of one by part"},
        {"--list-presets | --list-options | --list-catalog", ""},
        {"--man | --version | --help", ""}};
    return all;
}

const std::vector<Outcome>& outcomes() {
    static const std::vector<Outcome> all{
        {"0", "success"},
        {"1", "a run failed, or --audit or --verify found something"},
        {"2", "bad input, nothing was started"},
        {"130", "interrupted"},
    };
    return all;
}

FlagValue further_arguments(Mode mode) {
    switch (mode) {
        case Mode::window:
            return FlagValue::folder_or_file;
        case Mode::merge:
        case Mode::compare:
        case Mode::table:
            return FlagValue::folder;
        case Mode::print_config:
            return FlagValue::experiment;
        default:
            return FlagValue::none;
    }
}

std::vector<std::string> alternatives_of(const std::string& argument) {
    std::vector<std::string> words;
    std::size_t from = 0;
    for (std::size_t at = 0; at <= argument.size(); ++at) {
        if (at < argument.size() && argument[at] != '|' && argument[at] != ',') continue;
        words.push_back(argument.substr(from, at - from));
        from = at + 1;
    }
    return words;
}

}  // namespace casp::batch
