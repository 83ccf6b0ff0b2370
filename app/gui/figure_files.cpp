#include "gui/figure_files.h"

#include <algorithm>
#include <memory>

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>

#include "charts/export_figure.h"
#include "data/nearest_name.h"
#include "gui/figure_embeddings.h"
#include "gui/figure_sensitivity.h"
#include "util/error.h"

namespace casp::gui {

namespace {

namespace fs = std::filesystem;

/// A QApplication is needed for fonts; where the program has none (a batch), one without a display.
class Painting {
public:
    Painting() {
        if (QCoreApplication::instance() != nullptr) return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Qt wants a folder of the login session, which a batch on a server may have none of; it would say so
        // and make one that stays.
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

/// One column of a journal for a single plot, two for several.
widgets::ExportOptions options_for(const figures::Figure& figure) {
    widgets::ExportOptions options;
    options.width_mm = figure.plots.size() > 1 ? 174 : 84;
    return options;
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
            check_sensitivity(name);
            add(name);
        } else if (std::find(figure_names().begin(), figure_names().end(), name) == figure_names().end()) {
            std::string known;
            for (const auto& one : figure_names()) known += (known.empty() ? "" : ", ") + one;
            const auto nearest = data::nearest_name(name, figure_names());
            throw input_error("--figures", "no figure is called \"" + name + "\"", known + ", all",
                              nearest.empty() ? "" : "Did you mean " + nearest + "?");
        } else {
            add(name);
        }
    }
    return wanted;
}

std::vector<fs::path> write_figures(const fs::path& batch_folder, const std::vector<std::string>& runs,
                                    const std::vector<std::string>& figures, std::vector<std::string>& notes,
                                    const ProgressFn& progress, const std::stop_token& stop) {
    const Painting painting;
    std::vector<fs::path> folders, files;
    for (const auto& run : runs) folders.push_back(batch_folder / run);
    const auto read = read_figure_runs(folders, notes);
    if (read.inputs.empty()) return files;
    FigureSource source(notes, progress, stop);
    std::int64_t done = 0;
    for (const auto& name : figures) {
        if (stop.stop_requested()) throw Cancelled();
        if (progress)
            progress({"Figures: " + name, done, static_cast<std::int64_t>(figures.size()), "figures"});
        ++done;
        const auto made = make_figures(name, read, source);
        if (made.empty()) notes.push_back("no " + name + ": the runs hold no numbers for it");
        for (const auto& figure : made) {
            const auto base = batch_folder / "figures" / figure.id.toStdString();
            for (const auto format : widgets::figure_formats()) {
                const fs::path file = base.string() + "." + widgets::suffix_of(format).toStdString();
                widgets::export_figure(figure, QString::fromStdString(file.string()), format,
                                       options_for(figure));
                files.push_back(file);
                if (stop.stop_requested()) throw Cancelled();
            }
            // Pictures go into papers without their caption: it stands beside them.
            for (const auto& path : widgets::write_companions(figure, QString::fromStdString(base.string())))
                files.emplace_back(path.toStdString());
        }
    }
    return files;
}

}  // namespace casp::gui
