#include "gui/file_actions.h"

#include <QWidget>

#include "gui/docks.h"
#include "gui/file_exports.h"
#include "gui/file_opener.h"
#include "gui/notices.h"
#include "gui/panel_actions.h"
#include "panels/audit/audit_page.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/runs/runs_delegate.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::gui {

namespace {

QString file_menu() { return FileActions::tr("&File"); }

}  // namespace

FileActions::FileActions(const Parts& parts, QWidget& window) : QObject(&window), p_(parts) {
    add_open_actions();
    add_data_actions();
    add_experiment_actions();
    add_export_actions();
    ActionSpec quit{"file.quit",
                    file_menu(),
                    tr("&Quit"),
                    tr("Closes the window. Running runs save a checkpoint first."),
                    QKeySequence(QStringLiteral("Ctrl+Q")),
                    tr("exit close")};
    quit.separator_before = true;
    p_.actions.add(quit, [&window] { window.close(); });
}

void FileActions::add_open_actions() {
    p_.actions.add({"file.open", file_menu(), tr("&Open…"), tr("Opens CSVs or an experiment file (TOML)"),
                    QKeySequence::Open, tr("csv data toml load import")},
                   [this] { p_.opener.choose_files(); });
    p_.actions.add({"file.folder", file_menu(), tr("Folder of &runs…"), tr("Chooses the folder of runs"),
                    QKeySequence(QStringLiteral("Ctrl+Shift+O")), tr("output directory results")},
                   [this] { p_.opener.choose_output_folder(); });
    p_.actions.add({"file.remote", file_menu(), tr("Re&mote folder of runs…"),
                    tr("Shows runs of another machine, over ssh"), QKeySequence(QStringLiteral("Ctrl+Alt+O")),
                    tr("ssh cluster server host connect")},
                   [this] { p_.opener.choose_remote_folder(); });
    p_.actions.add({"file.import", file_menu(), tr("&Import forecasts…"),
                    tr("Forecasts made by other code (pred.npy, true.npy) become a run, audited"),
                    QKeySequence(QStringLiteral("Ctrl+I")), tr("results audit npy numpy foreign")},
                   [this] {
                       p_.docks.show("audit");
                       p_.docks.page<widgets::AuditPage>("audit")->form().choose_forecasts();
                   });
    p_.actions.add({"file.sample", file_menu(), tr("Sample &data set"),
                    tr("Opens the data set that ships with the program"),
                    QKeySequence(QStringLiteral("Ctrl+Shift+L")), tr("example demo csv")},
                   [this] { p_.opener.open_sample(); });
}

void FileActions::add_data_actions() {
    p_.actions.add({"file.use", file_menu(), tr("&Use the open file"),
                    tr("Trains the next experiment on the file shown on the Data page"),
                    QKeySequence(QStringLiteral("Ctrl+U")), tr("csv data set train take")},
                   [this] {
                       const auto first = tr("Open a CSV file first.");
                       if (p_.docks.page<widgets::DataPanel>("data")->current_path().isEmpty())
                           p_.notices.say(first, false);
                       else
                           press(p_.docks, p_.notices, "data", "data.use", first);
                   });
    p_.actions.add({"file.close", file_menu(), tr("C&lose the open file"),
                    tr("Closes the file shown on the Data page; the file is not deleted"),
                    QKeySequence(QStringLiteral("Ctrl+F4")), tr("csv data tab")},
                   [this] {
                       p_.docks.show("data");
                       auto* data = p_.docks.page<widgets::DataPanel>("data");
                       const int index = data->model().index_of(data->current_path());
                       if (index < 0)
                           p_.notices.say(tr("No file is open."), false);
                       else
                           data->model().close(index);
                   });
    p_.actions.add({"file.fetch", file_menu(), tr("&Get data or GPT-2…"),
                    tr("Downloads benchmark data sets and the backbone from their public addresses"),
                    QKeySequence(QStringLiteral("Ctrl+G")), tr("download catalogue backbone etth1 weather")},
                   [this] { p_.docks.show("fetch"); });
}

void FileActions::add_experiment_actions() {
    const auto panel = [this] { return p_.docks.page<widgets::ExperimentPanel>("experiment"); };
    ActionSpec save{"file.save-toml",           file_menu(),
                    tr("&Save experiment as…"), tr("Saves the experiment as a TOML file"),
                    QKeySequence::Save,         tr("toml configuration write")};
    save.separator_before = true;
    p_.actions.add(save, [panel] { panel()->choose_file_to_save(); });
    p_.actions.add({"file.copy-toml", file_menu(), tr("Copy experiment as &TOML"),
                    tr("Copies the experiment as TOML, with all settings written out"),
                    QKeySequence(QStringLiteral("Ctrl+Shift+T")), tr("configuration clipboard settings")},
                   [this, panel] {
                       panel()->copy_toml();
                       p_.notices.say(tr("The experiment was copied to the clipboard as TOML."), false);
                   });
}

void FileActions::add_export_actions() {
    p_.actions.add({"file.export-weights", file_menu(), tr("Export &checkpoint…"),
                    tr("The weights of the highlighted run at its best validation MSE, as safetensors"),
                    QKeySequence(QStringLiteral("Ctrl+Shift+W")), tr("weights safetensors model save")},
                   [this] {
                       const auto run = p_.selection.highlighted();
                       if (p_.opener.provide(run, "best.safetensors")) p_.exports.weights(run);
                   });
    p_.actions.add(
        {"file.export-forecasts", file_menu(), tr("Export &forecasts…"),
         tr("The stored test forecasts of the highlighted run, as a long table or as NumPy arrays"),
         QKeySequence(QStringLiteral("Ctrl+Shift+B")), tr("csv npy numpy predictions save")},
        [this] {
            const auto run = p_.selection.highlighted();
            if (p_.opener.provide(run, "arrays.h5")) p_.exports.forecasts(run);
        });
    connect(&p_.selection, &widgets::Selection::changed, this, &FileActions::name_exports);
    connect(&p_.selection, &widgets::Selection::highlighted_changed, this, &FileActions::name_exports);
    connect(&p_.library, &widgets::RunLibrary::reset, this, &FileActions::name_exports);
    connect(&p_.library, &widgets::RunLibrary::added, this, &FileActions::name_exports);
}

void FileActions::name_exports() {
    const auto run = p_.selection.highlighted();
    const auto name = widgets::action_title(p_.library, run);
    p_.actions.find("file.export-weights")
        ->setText(run.isEmpty() ? tr("Export &checkpoint…") : tr("Export &checkpoint of %1…").arg(name));
    p_.actions.find("file.export-forecasts")
        ->setText(run.isEmpty() ? tr("Export &forecasts…") : tr("Export &forecasts of %1…").arg(name));
}

}  // namespace casp::gui
