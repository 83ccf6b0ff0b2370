#include "figure_jobs/figure_job.h"

#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>

#include "charts/export_figure.h"
#include "figure_jobs/figure_embeddings.h"
#include "figure_jobs/figure_recipes.h"
#include "util/error.h"

namespace casp::figure_jobs {

namespace {

namespace fs = std::filesystem;

/// Fonts require a QApplication; in a batch, this creates one without a display.
class Painting {
public:
    Painting() {
        if (QCoreApplication::instance() != nullptr) return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Without a session folder, as on servers, Qt would print a warning and create one permanently.
        if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR") && session_.isValid())
            qputenv("XDG_RUNTIME_DIR", QFile::encodeName(session_.path()));
        application_ = std::make_unique<QApplication>(count_, words_);
        QApplication::setStyle(QStringLiteral("Fusion"));
    }

private:
    int count_ = 1;
    char name_[11] = "caspstudio";
    char* words_[2] = {name_, nullptr};
    QTemporaryDir session_;
    std::unique_ptr<QApplication> application_;
};

/// Width: one journal column for a single plot, two for several.
widgets::ExportOptions options_for(const figures::Figure& figure) {
    widgets::ExportOptions options;
    options.width_mm = figure.plots.size() > 1 ? 174 : 84;
    return options;
}

/// Removes links in place of the figure's files, which QSaveFile would follow.
void remove_links(const figures::Figure& figure, const fs::path& base) {
    std::vector<std::string> suffixes{"txt"};
    for (const auto format : widgets::figure_formats())
        suffixes.push_back(widgets::suffix_of(format).toStdString());
    for (const auto& table : figure.tables) suffixes.push_back(table.suffix.toStdString());
    std::error_code problem;
    for (const auto& suffix : suffixes)
        if (const fs::path file = base.string() + "." + suffix; fs::is_symlink(file, problem))
            fs::remove(file, problem);
}

/// Writes all files of one figure and appends them to `files`.
void write_figure(const figures::Figure& figure, const fs::path& folder, std::vector<fs::path>& files,
                  const std::stop_token& stop) {
    const auto base = folder / figure.id.toStdString();
    remove_links(figure, base);
    for (const auto format : widgets::figure_formats()) {
        const fs::path file = base.string() + "." + widgets::suffix_of(format).toStdString();
        widgets::export_figure(figure, QString::fromStdString(file.string()), format, options_for(figure));
        files.push_back(file);
        if (stop.stop_requested()) throw Cancelled();
    }
    // Images have no caption, because papers typeset it: it is a separate file.
    for (const auto& path : widgets::write_companions(figure, QString::fromStdString(base.string())))
        files.emplace_back(path.toStdString());
}

/// What users call a figure: by its title in the window, by its name in a batch.
std::vector<std::string> titles_of(const FigureRequest& request) {
    auto titles = request.names;
    for (auto& title : titles)
        for (const auto& info : figure_list())
            if (request.folder.empty() && info.name == title) title = info.title;
    return titles;
}

void draw(const FigureRequest& request, const widgets::JobContext& job, DrawnFigures& drawn) {
    const auto runs = read_figure_runs(request.runs, drawn.notes);
    if (runs.inputs.empty()) return;
    FigureWork work(titles_of(request), job.progress);
    FigureSource source(drawn.notes, work, job.stop);
    std::optional<Error> failure;
    for (std::size_t number = 0; number < request.names.size(); ++number) {
        if (job.stop.stop_requested()) throw Cancelled();
        work.begin_figure(number);
        auto made = make_figures(request.names[number], runs, source);
        if (request.folder.empty()) {
            std::move(made.begin(), made.end(), std::back_inserter(drawn.figures));
            continue;
        }
        for (const auto& figure : made) {
            try {
                write_figure(figure, request.folder, drawn.files, job.stop);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& problem) {
                // A problem with one file need not affect the next.
                if (failure)
                    source.note(phrase_of(problem));
                else
                    failure.emplace(ErrorKind::run, problem.parts());
            }
        }
    }
    work.finish();
    if (failure) throw Error(*failure);
}

std::vector<fs::path> folders_of(const fs::path& batch_folder, const std::vector<std::string>& runs) {
    std::vector<fs::path> folders;
    folders.reserve(runs.size());
    for (const auto& run : runs) folders.push_back(batch_folder / run);
    return folders;
}

/// Runs a FigureJob synchronously and throws its failure.
DrawnFigures finished_job(FigureRequest request, std::vector<Phrase>& notes, const ProgressFn& progress,
                          const std::stop_token& stop) {
    const Painting painting;
    DrawnFigures drawn;
    FigureJob job;
    job.set_synchronous(true, stop);
    job.start(figure_work(std::move(request)),
              {.done = [&](DrawnFigures made) { drawn = std::move(made); },
               .cancelled = [&] { drawn.failure = std::make_exception_ptr(Cancelled()); },
               .progress = progress});
    notes.insert(notes.end(), drawn.notes.begin(), drawn.notes.end());
    if (drawn.failure) std::rethrow_exception(drawn.failure);
    return drawn;
}

}  // namespace

FigureJob::Work figure_work(FigureRequest request) {
    return [request = std::move(request)](const widgets::JobContext& job) {
        DrawnFigures drawn;
        try {
            draw(request, job, drawn);
        } catch (...) {
            drawn.failure = std::current_exception();
        }
        return drawn;
    };
}

fs::path figures_folder(const fs::path& batch_folder) {
    auto folder = batch_folder / "figures";
    std::error_code problem;
    if (fs::is_symlink(folder, problem))
        throw input_error(folder.string(), "this is a link", "a folder of this experiment",
                          "Remove the link, or name another output folder with --out.");
    return folder;
}

std::vector<fs::path> write_figures(const fs::path& batch_folder, const std::vector<std::string>& runs,
                                    const std::vector<std::string>& figures, std::vector<Phrase>& notes,
                                    const ProgressFn& progress, const std::stop_token& stop) {
    const auto folder = figures_folder(batch_folder);
    return finished_job({folders_of(batch_folder, runs), figures, folder}, notes, progress, stop).files;
}

std::vector<figures::Figure> draw_figures(const fs::path& batch_folder, const std::vector<std::string>& runs,
                                          const std::vector<std::string>& figures, std::vector<Phrase>& notes,
                                          const ProgressFn& progress, const std::stop_token& stop) {
    return finished_job({folders_of(batch_folder, runs), figures}, notes, progress, stop).figures;
}

}  // namespace casp::figure_jobs
