#include "figure_jobs/figure_files.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>

#include "charts/export_figure.h"
#include "data/nearest_name.h"
#include "figure_jobs/figure_embeddings.h"
#include "figures/recipe_sensitivity.h"
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

}  // namespace

const std::vector<std::string>& figure_names() {
    static const auto names = [] {
        std::vector<std::string> list;
        for (const auto& info : figure_list()) list.push_back(info.name);
        return list;
    }();
    return names;
}

std::vector<std::string> checked_figures(const std::vector<std::string>& names) {
    std::vector<std::string> wanted;
    const auto add = [&wanted](const std::string& name) {
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
    };
    for (const auto& name : names) {
        if (name == "all") {
            for (const auto& one : figure_names()) add(one);
        } else if (name.rfind("sensitivity:", 0) == 0) {
            figures::check_sensitivity(name);
            add(name);
        } else if (std::find(figure_names().begin(), figure_names().end(), name) == figure_names().end()) {
            std::string known;
            for (const auto& one : figure_names()) known += (known.empty() ? "" : ", ") + one;
            const auto nearest = data::nearest_name(name, figure_names());
            throw input_error("--figures", "there is no figure \"" + name + "\"", known + ", all",
                              nearest.empty() ? "" : "Did you mean " + nearest + "?");
        } else {
            add(name);
        }
    }
    return wanted;
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
                                    const std::vector<std::string>& figures, std::vector<std::string>& notes,
                                    const ProgressFn& progress, const std::stop_token& stop) {
    const Painting painting;
    std::vector<fs::path> folders, files;
    for (const auto& run : runs) folders.push_back(batch_folder / run);
    const auto read = read_figure_runs(folders, notes);
    if (read.inputs.empty()) return files;
    const auto folder = figures_folder(batch_folder);
    FigureWork work(figures, figures, read, true, progress);
    FigureSource source(notes, work, stop);
    std::optional<Error> failure;
    for (std::size_t number = 0; number < figures.size(); ++number) {
        if (stop.stop_requested()) throw Cancelled();
        work.begin_figure(number);
        const auto made = make_figures(figures[number], read, source);
        const FigureWork::Step drawing(work, FigureTask::drawing, {});
        for (const auto& figure : made) {
            try {
                write_figure(figure, folder, files, stop);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& problem) {
                // A problem with one file need not affect the next.
                if (failure)
                    source.note(problem.what());
                else
                    failure.emplace(ErrorKind::run, problem.parts());
            }
        }
    }
    work.finish();
    if (failure) throw Error(*failure);
    return files;
}

}  // namespace casp::figure_jobs
