#include <QObject>
#include <QWidget>

#include "gui/docks.h"
#include "gui/file_exports.h"
#include "gui/file_opener.h"
#include "gui/menus.h"
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

QString file_menu() { return QObject::tr("&File"); }

void add_open_actions(const FileMenuParts& p) {
    p.actions.add({"file.open", file_menu(), QObject::tr("&Open…"),
                   QObject::tr("Opens data files, an experiment (TOML) or a model (Python)"),
                   QKeySequence::Open, QObject::tr("csv data toml load import")},
                  [p] { p.opener.choose_files(); });
    p.actions.add(
        {"file.folder", file_menu(), QObject::tr("Folder of &runs…"),
         QObject::tr("Chooses the folder of runs"), "Ctrl+Shift+O", QObject::tr("output directory results")},
        [p] { p.opener.choose_output_folder(); });
    p.actions.add({"file.remote", file_menu(), QObject::tr("Re&mote folder of runs…"),
                   QObject::tr("Shows runs of another machine, over ssh"), "Ctrl+Alt+O",
                   QObject::tr("ssh cluster server host connect")},
                  [p] { p.opener.choose_remote_folder(); });
    p.actions.add({"file.import", file_menu(), QObject::tr("&Import forecasts…"),
                   QObject::tr("Forecasts made by other code (pred.npy, true.npy) become a run, audited"),
                   "Ctrl+I", QObject::tr("results audit npy numpy foreign")},
                  [p] {
                      p.docks.show("audit");
                      p.docks.page<widgets::AuditPage>("audit")->form().choose_forecasts();
                  });
    p.actions.add({"file.sample", file_menu(), QObject::tr("Sample &data set"),
                   QObject::tr("Opens the data set that ships with the program"), "Ctrl+Shift+L",
                   QObject::tr("example demo csv")},
                  [p] { p.opener.open_sample(); });
}

void add_data_actions(const FileMenuParts& p) {
    const auto press_button = [p](const char* button) {
        return [p, button] {
            const auto first = QObject::tr("Open a CSV file first.");
            if (p.docks.page<widgets::DataPanel>("data")->current_path().isEmpty())
                p.notices.say(first, false);
            else
                press(p.docks, p.notices, "data", button, first);
        };
    };
    p.actions.add({"file.use", file_menu(), QObject::tr("&Use the open file"),
                   QObject::tr("Trains the next experiment on the file shown on the Data page"), "Ctrl+U",
                   QObject::tr("csv data set train take")},
                  press_button("data.use"));
    p.actions.add(
        {"file.try", file_menu(), QObject::tr("Tr&y the open file"),
         QObject::tr("Trains a small model on the file shown on the Data page, with λ_cov 0 and 0.1"),
         "Ctrl+Alt+Y", QObject::tr("csv data set first look")},
        press_button("data.try"));
    p.actions.add({"file.close", file_menu(), QObject::tr("C&lose the open file"),
                   QObject::tr("Closes the file shown on the Data page; the file is not deleted"), "Ctrl+F4",
                   QObject::tr("csv data tab")},
                  [p] {
                      p.docks.show("data");
                      auto* data = p.docks.page<widgets::DataPanel>("data");
                      const int index = data->model().index_of(data->current_path());
                      if (index < 0)
                          p.notices.say(QObject::tr("No file is open."), false);
                      else
                          data->model().close(index);
                  });
    p.actions.add({"file.fetch", file_menu(), QObject::tr("&Get data or GPT-2…"),
                   QObject::tr("Downloads benchmark data sets and the backbone from their public addresses"),
                   "Ctrl+G", QObject::tr("download catalogue backbone etth1 weather")},
                  [p] { p.docks.show("fetch"); });
}

void add_experiment_actions(const FileMenuParts& p) {
    const auto panel = [p] { return p.docks.page<widgets::ExperimentPanel>("experiment"); };
    p.actions.separate();
    p.actions.add({"file.edit-model", file_menu(), QObject::tr("&Edit the model's file"),
                   QObject::tr("Opens the Python file of the form's model in its editor"), "Ctrl+Alt+J",
                   QObject::tr("python code source")},
                  [p] { p.opener.edit_model(); });
    p.actions.add({"file.save-toml", file_menu(), QObject::tr("&Save experiment as…"),
                   QObject::tr("Saves the experiment as a TOML file"), QKeySequence::Save,
                   QObject::tr("toml configuration write")},
                  [panel] { panel()->choose_file_to_save(); });
    p.actions.add({"file.copy-toml", file_menu(), QObject::tr("Copy experiment as &TOML"),
                   QObject::tr("Copies the experiment as TOML, with all settings written out"),
                   "Ctrl+Shift+T", QObject::tr("configuration clipboard settings")},
                  [p, panel] {
                      panel()->copy_toml();
                      p.notices.say(QObject::tr("The experiment was copied to the clipboard as TOML."),
                                    false);
                  });
}

void add_export_actions(const FileMenuParts& p) {
    p.actions.add(
        {"file.export-weights", file_menu(), QObject::tr("Export &checkpoint…"),
         QObject::tr("The weights of the highlighted run at its best validation MSE, as safetensors"),
         "Ctrl+Shift+W", QObject::tr("weights safetensors model save")},
        [p] {
            const auto run = p.selection.highlighted();
            if (p.opener.provide(run, "best.safetensors")) p.exports.weights(run);
        });
    p.actions.add(
        {"file.export-forecasts", file_menu(), QObject::tr("Export &forecasts…"),
         QObject::tr("The stored test forecasts of the highlighted run, as a long table or as NumPy arrays"),
         "Ctrl+Shift+B", QObject::tr("csv npy numpy predictions save")},
        [p] {
            const auto run = p.selection.highlighted();
            if (p.opener.provide(run, "arrays.h5")) p.exports.forecasts(run);
        });
    // Named after the highlighted run.
    const auto name_exports = [p] {
        const auto run = p.selection.highlighted();
        const auto name = widgets::action_title(p.library, run);
        p.actions.find("file.export-weights")
            ->setText(run.isEmpty() ? QObject::tr("Export &checkpoint…")
                                    : QObject::tr("Export &checkpoint of %1…").arg(name));
        p.actions.find("file.export-forecasts")
            ->setText(run.isEmpty() ? QObject::tr("Export &forecasts…")
                                    : QObject::tr("Export &forecasts of %1…").arg(name));
    };
    QObject::connect(&p.selection, &widgets::Selection::changed, &p.opener, name_exports);
    QObject::connect(&p.selection, &widgets::Selection::highlighted_changed, &p.opener, name_exports);
    QObject::connect(&p.library, &widgets::RunLibrary::reset, &p.opener, name_exports);
    QObject::connect(&p.library, &widgets::RunLibrary::added, &p.opener, name_exports);
}

}  // namespace

void add_file_actions(const FileMenuParts& p, QWidget& window) {
    add_open_actions(p);
    add_data_actions(p);
    add_experiment_actions(p);
    add_export_actions(p);
    p.actions.separate();
    p.actions.add({"file.quit", file_menu(), QObject::tr("&Quit"),
                   QObject::tr("Closes the window. Running runs save a checkpoint first."), "Ctrl+Q",
                   QObject::tr("exit close")},
                  [&window] { window.close(); });
}

}  // namespace casp::gui
