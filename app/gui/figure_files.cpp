#include "gui/figure_files.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include <QApplication>

#include "charts/export_figure.h"
#include "config/experiment.h"
#include "data/nearest_name.h"
#include "data/prepared.h"
#include "figures/recipe_anchors.h"
#include "figures/recipe_embeddings.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_input.h"
#include "figures/recipe_training.h"
#include "panels/compare_data.h"
#include "panels/compare_figure.h"
#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::gui {

namespace {

namespace fs = std::filesystem;

/// The runs of a batch as the recipes want them.
struct BatchRuns {
    std::vector<std::unique_ptr<store::RunRecord>> records;
    std::vector<figures::RunInput> inputs;
    std::vector<widgets::CompareRun> compared;
    QString swept_key = QStringLiteral("loss.lambda_cov");
};

QString label_of(const store::ResultRow& row) {
    QStringList parts;
    for (const auto& [key, value] : row.swept)
        parts << widgets::key_title(QString::fromStdString(key)) + ' ' + QString::fromStdString(value);
    return parts.isEmpty() ? QString::fromStdString(row.run) : parts.join(QStringLiteral(" · "));
}

BatchRuns read_runs(const fs::path& batch_folder, const std::vector<std::string>& runs,
                    std::vector<std::string>& notes) {
    BatchRuns batch;
    int index = 0;
    for (const auto& name : runs) {
        const store::RunFolder folder(batch_folder / name);
        const auto status = store::read_run_status(folder);
        if (!status || !store::is_complete(status->row.state)) {
            notes.push_back(name + " is not finished and stands in no figure");
            continue;
        }
        batch.records.push_back(std::make_unique<store::RunRecord>(store::read_run_file(folder.run_file())));
        const auto config = std::make_shared<const config::Config>(
            config::load_text(store::read_small_file(folder.config()), folder.config().string(), {}).base);
        figures::RunInput input;
        input.folder = QString::fromStdString(folder.path().string());
        input.label = label_of(status->row);
        input.colour = figures::run_colour(index++);
        input.record = batch.records.back().get();
        input.config = config;
        batch.inputs.push_back(input);
        widgets::CompareRun run;
        run.folder = input.folder;
        run.row = status->row;
        run.config = config;
        if (input.record->test) run.last_value_mae = input.record->test->last_value_mae;
        batch.compared.push_back(run);
        for (const auto& [key, value] : status->row.swept)
            if (key != "train.seed") {
                batch.swept_key = QString::fromStdString(key);
                break;
            }
    }
    return batch;
}

/// [L, M] scaled lookback values from the CSV; empty where it is gone or another by now.
std::vector<float> lookback_of(const figures::RunInput& run, std::int64_t start, std::int64_t channels) {
    try {
        const auto prepared = data::prepare_data(*run.config);
        if (prepared.table.sha256 != run.record->attributes.dataset_sha256) return {};
        const auto length = run.config->data.lookback;
        std::vector<float> values(static_cast<std::size_t>(length * channels));
        for (std::int64_t t = 0; t < length; ++t)
            for (std::int64_t m = 0; m < channels; ++m)
                values[static_cast<std::size_t>(t * channels + m)] =
                    static_cast<float>((prepared.table.columns[static_cast<std::size_t>(m)]
                                            .values[static_cast<std::size_t>(start + t)] -
                                        prepared.scaler.mean[static_cast<std::size_t>(m)]) /
                                       prepared.scaler.std[static_cast<std::size_t>(m)]);
        return values;
    } catch (const Error&) {
        return {};
    }
}

/// The test window with the median error of the first run, as every run forecasts it.
figures::Figure forecast_figure(const BatchRuns& batch) {
    std::vector<figures::ForecastWindow> windows;
    std::int64_t number = -1;
    for (const auto& run : batch.inputs) {
        const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
        if (!fs::exists(file)) continue;
        if (number < 0) {
            const auto errors = figures::window_errors_of(run, store::read_forecast(file, "test"), -1);
            number = figures::pick_window(errors.mse, figures::Pick::median);
            if (number < 0) continue;
        }
        if (store::read_forecast_shape(file, "test").windows <= number) continue;
        const auto arrays = store::read_forecast(file, "test", number, 1);
        const auto lookback = lookback_of(run, arrays.start.front(), arrays.channels);
        if (auto window = figures::window_of(run, arrays, number, 0, lookback.empty() ? nullptr : &lookback,
                                             run.config->data.lookback))
            windows.push_back(std::move(*window));
    }
    figures::ForecastOptions options;
    options.split = QStringLiteral("test");
    options.errors = true;
    auto figure = windows.empty()
                      ? figures::Figure{}
                      : figures::forecast_windows(windows, batch.inputs.front().record->data, options);
    return figure;
}

figures::Figure sensitivity_figure(const BatchRuns& batch) {
    return widgets::compare_figure(
        widgets::compare(batch.compared, widgets::CompareMetric::test_mse, batch.swept_key), {});
}

using Recipe = std::function<figures::Figure(const BatchRuns&)>;

const std::vector<std::pair<std::string, Recipe>>& recipes() {
    static const std::vector<std::pair<std::string, Recipe>> all{
        {"loss-terms", [](const BatchRuns& b) { return figures::loss_terms(b.inputs, {}); }},
        {"validation", [](const BatchRuns& b) { return figures::validation(b.inputs, {}); }},
        {"gate-share", [](const BatchRuns& b) { return figures::gate_share(b.inputs, {}); }},
        {"usage-strips",
         [](const BatchRuns& b) {
             figures::AnchorOptions options;
             options.of = figures::UsageOf::test;
             return figures::usage_histogram(b.inputs, options);
         }},
        {"concentration",
         [](const BatchRuns& b) {
             figures::AnchorOptions options;
             options.of = figures::UsageOf::test;
             return figures::concentration(b.inputs, options);
         }},
        {"coverage", [](const BatchRuns& b) { return figures::coverage_course(b.inputs, {}); }},
        {"forecast", forecast_figure},
        {"errors", [](const BatchRuns& b) { return figures::error_per_step(b.inputs, false); }},
        {"sensitivity", sensitivity_figure}};
    return all;
}

/// A QApplication is needed for fonts; where the program has none (a batch), one without a display.
class Painting {
public:
    Painting() {
        if (QCoreApplication::instance() != nullptr) return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        application_ = std::make_unique<QApplication>(count_, words_);
        QApplication::setStyle(QStringLiteral("Fusion"));
    }

private:
    int count_ = 1;
    char name_[11] = "caspstudio";
    char* words_[2] = {name_, nullptr};
    std::unique_ptr<QApplication> application_;
};

}  // namespace

const std::vector<std::string>& figure_names() {
    static const auto names = [] {
        std::vector<std::string> list;
        for (const auto& [name, recipe] : recipes()) list.push_back(name);
        return list;
    }();
    return names;
}

std::vector<std::string> checked_figures(const std::vector<std::string>& names) {
    std::vector<std::string> wanted;
    for (const auto& name : names) {
        if (name == "all") return figure_names();
        if (std::find(figure_names().begin(), figure_names().end(), name) == figure_names().end()) {
            std::string known;
            for (const auto& one : figure_names()) known += (known.empty() ? "" : ", ") + one;
            const auto nearest = data::nearest_name(name, figure_names());
            throw input_error("--figures", "no figure is called \"" + name + "\"", known + ", all",
                              nearest.empty() ? "" : "Did you mean " + nearest + "?");
        }
        wanted.push_back(name);
    }
    return wanted;
}

std::vector<fs::path> write_figures(const fs::path& batch_folder, const std::vector<std::string>& runs,
                                    const std::vector<std::string>& figures,
                                    std::vector<std::string>& notes) {
    const Painting painting;
    const auto batch = read_runs(batch_folder, runs, notes);
    std::vector<fs::path> files;
    if (batch.inputs.empty()) return files;
    widgets::ExportOptions options;
    for (const auto& [name, recipe] : recipes()) {
        if (std::find(figures.begin(), figures.end(), name) == figures.end()) continue;
        auto figure = recipe(batch);
        if (figure.plots.empty()) {
            notes.push_back("no " + name + ": the runs hold no numbers for it");
            continue;
        }
        figure.id = QString::fromStdString(name);
        for (const auto format : widgets::figure_formats()) {
            const auto file =
                batch_folder / "figures" / (name + "." + widgets::suffix_of(format).toStdString());
            widgets::export_figure(figure, QString::fromStdString(file.string()), format, options);
            files.push_back(file);
        }
    }
    return files;
}

}  // namespace casp::gui
