#include "gui/fork_opener.h"

#include <QCursor>

#include "config/experiment.h"
#include "gui/notices.h"
#include "panels/experiment/fork_popover.h"
#include "panels/runs/runs_delegate.h"
#include "run/fork.h"
#include "state/file_run_library.h"
#include "state/plain_text.h"
#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::gui {

ForkOpener::ForkOpener(widgets::FileRunLibrary& library, widgets::ForkPopover& popover, Notices& notices,
                       QObject* parent)
    : QObject(parent), library_(library), popover_(popover), notices_(notices) {}

void ForkOpener::show(widgets::ForkParent parent, const run::ForkPlace& place) {
    parent.has_checkpoint = place.from == run::ForkFrom::checkpoint;
    parent.last_weights = place.from == run::ForkFrom::last_weights;
    parent.step = place.step;
    parent.epoch = place.epoch;
    popover_.set_parent_run(parent);
    popover_.popup(QCursor::pos());
}

void ForkOpener::open(const QString& run_folder) {
    auto* run_data = library_.data(run_folder);
    delete waits_;
    if (run_data == nullptr) return;
    if (!run_data->is_loaded() && run_data->problem().isEmpty()) {
        // The step of its best weights is in its run.h5, which is read first.
        auto* once = new QObject(run_data);
        waits_ = once;
        connect(run_data, &widgets::RunData::changed, once, [this, once, run_data, run_folder] {
            if (!run_data->is_loaded()) return;
            once->deleteLater();  // this is its own connection
            disconnect(run_data, nullptr, once, nullptr);
            waits_.clear();
            open(run_folder);
        });
        return run_data->load();
    }
    try {
        widgets::ForkParent parent;
        const store::RunFolder run(run_folder.toStdString());
        parent.folder = run_folder;
        parent.name = run_data->summary().name;
        parent.label = widgets::run_title(run_data->summary());
        parent.config =
            config::load_text(store::read_small_file(run.config()), run.config().string(), {}).base;
        if (auto* remote = library_.remote())
            return remote->ask_fork_place(
                run_folder, [this, parent](const run::ForkPlace& place) { show(parent, place); });
        show(parent, run::fork_place(run, [run_data] { return &run_data->record(); }));
    } catch (const std::exception& problem) {
        notices_.say(widgets::plain_text(problem), true, run_folder);
    }
}

}  // namespace casp::gui
