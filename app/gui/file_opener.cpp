#include "gui/file_opener.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QStandardPaths>
#include <QUrl>

#include "charts/file_dialog.h"
#include "gui/docks.h"
#include "gui/file_conversion.h"
#include "gui/launcher.h"
#include "gui/notices.h"
#include "gui/session_keeper.h"
#include "model/descriptor.h"
#include "model/python_options.h"
#include "panels/audit/audit_page.h"
#include "panels/data/data_filter.h"
#include "panels/data/data_model.h"
#include "panels/data/data_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/remote_folder.h"
#include "state/selection.h"
#include "util/error.h"
#include "util/regular_file.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

constexpr int max_recent = 10;
constexpr std::size_t longest_text = std::size_t{4} << 20;

QString default_output_folder() {
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + QStringLiteral("/CASP runs");
}

/// Whether this is a results folder of other code, or one of its arrays.
bool has_forecasts(const QFileInfo& info) {
    return info.isDir() ? QFileInfo::exists(info.absoluteFilePath() + QStringLiteral("/pred.npy"))
                        : info.suffix().compare(QStringLiteral("npy"), Qt::CaseInsensitive) == 0;
}

/// The folder of the run that this file belongs to, such as run.h5; else the file itself.
QFileInfo run_or_file(const QFileInfo& info) {
    static const QStringList files{"run.h5", "arrays.h5", "run.json"};
    if (info.isDir() || !files.contains(info.fileName()) ||
        !QFileInfo::exists(info.absolutePath() + QStringLiteral("/run.json")))
        return info;
    return QFileInfo(info.absolutePath());
}

enum class Kind { missing, forecasts, data, run, folder_of_runs, experiment, model };

Kind kind_of(const QFileInfo& info) {
    if (!info.exists()) return Kind::missing;
    if (has_forecasts(info)) return Kind::forecasts;
    if (info.isDir())
        return !widgets::training_files(info.absoluteFilePath()).isEmpty() ? Kind::data
               : QFileInfo::exists(info.absoluteFilePath() + QLatin1String("/run.json"))
                   ? Kind::run
                   : Kind::folder_of_runs;
    const auto suffix = info.suffix().toLower();
    return suffix == QLatin1String("toml") ? Kind::experiment
           : suffix == QLatin1String("py") ? Kind::model
                                           : Kind::data;
}

}  // namespace

FileOpener::FileOpener(const Parts& parts)
    : QObject(&parts.window), p_(parts), conversion_(new FileConversion(parts.window, parts.notices)) {
    connect(&p_.selection, &widgets::Selection::changed, this, [this] {
        if (remote_) remote_->show(p_.selection.state().runs);
    });
    connect(conversion_, &FileConversion::converted, this, &FileOpener::open);
}

FileOpener::~FileOpener() = default;

void FileOpener::open(const QStringList& paths) {
    QStringList data, forecasts;
    std::vector<fetch::Conversion> conversions;
    for (const auto& path : paths) {
        if (remote::is_address(path.toStdString())) {
            open_remote(path);
            p_.docks.show("runs");
            continue;
        }
        const auto info = run_or_file(QFileInfo(path));
        switch (kind_of(info)) {
            case Kind::missing:
                p_.notices.say(tr("%1 does not exist.").arg(path), true);
                break;
            case Kind::forecasts:
                forecasts << info.absoluteFilePath();
                break;
            case Kind::run:
            case Kind::folder_of_runs:
                open_folder(info.absoluteFilePath());
                break;
            case Kind::experiment:
                open_experiment(info.absoluteFilePath());
                break;
            case Kind::model:
                open_model(info.absoluteFilePath());
                break;
            case Kind::data:
                try {
                    conversions.push_back(
                        fetch::conversion_of(QFile::encodeName(info.absoluteFilePath()).toStdString()));
                    break;
                } catch (const Error&) {
                    // Read as it is; reading says what is wrong.
                }
                data << info.absoluteFilePath();
                if (!info.isDir()) note_recent(info.absoluteFilePath(), false);
                break;
        }
    }
    if (!data.isEmpty()) {
        p_.docks.page<widgets::DataPanel>("data")->open(data);
        p_.docks.show("data");
    }
    if (!conversions.empty()) conversion_->ask(conversions, p_.experiment.config().python.interpreter);
    if (forecasts.size() > 1)
        p_.notices.say(
            tr("Import one folder at a time: the form shows the last of these %1.").arg(forecasts.size()),
            true);
    if (!forecasts.isEmpty()) open_forecasts(forecasts.last(), data);
}

QString FileOpener::drop_text(const QStringList& paths) {
    QStringList lines;
    for (const auto& path : paths) {
        const auto info = run_or_file(QFileInfo(path));
        const auto name = info.fileName();
        switch (kind_of(info)) {
            case Kind::missing:
                break;
            case Kind::forecasts:
                lines << tr("Import the forecasts %1 on the Audit page").arg(name);
                break;
            case Kind::run:
                lines << tr("Show the run %1").arg(name);
                break;
            case Kind::folder_of_runs:
                lines << tr("Open %1 as the folder of runs").arg(name);
                break;
            case Kind::experiment:
                lines << tr("Load the experiment %1 into the form").arg(name);
                break;
            case Kind::model:
                lines << tr("Train the model %1").arg(name);
                break;
            case Kind::data:
                lines << tr("Open %1 on the Data page").arg(name);
                break;
        }
    }
    constexpr qsizetype max_lines = 6;
    if (const auto more = lines.size() - max_lines; more > 0)
        lines = lines.mid(0, max_lines) << tr("and %1 more").arg(more);
    return lines.join(QLatin1Char('\n'));
}

void FileOpener::open_forecasts(const QString& path, const QStringList& data) {
    const auto open = p_.docks.page<widgets::DataPanel>("data")->current_path();
    p_.docks.page<widgets::AuditPage>("audit")->form().set_forecasts(
        path, data.isEmpty() && !open.isEmpty() ? QStringList{open} : data);
    p_.docks.show("audit");
}

void FileOpener::open_folder(const QString& folder) {
    if (kind_of(QFileInfo(folder)) != Kind::run) {
        set_output_folder(folder);
        p_.docks.show("runs");
        return;
    }
    // A run: its batch's folder, with the run shown. What is above the batch may be anything, for example a
    // home folder.
    if (!folder.startsWith(p_.session.state().output_folder + '/'))
        set_output_folder(QDir::cleanPath(folder + "/.."));
    p_.selection.set_runs(p_.selection.state().runs + QStringList{QDir(folder).absolutePath()});
    p_.docks.show("training");
}

void FileOpener::open_model(const QString& path) {
    const QFileInfo file(path);
    try {
        const auto text = RegularFile(path.toStdString(), "a Python file").read_all(longest_text);
        const auto problem = p_.experiment.set_together({{"model.name", std::string("python")},
                                                         {"python.file", path.toStdString()},
                                                         {"python.options", model::options_in(text)}},
                                                        tr("Train the model %1").arg(file.fileName()));
        if (!problem.isEmpty()) {
            p_.notices.say(problem, true);
            return;
        }
    } catch (const std::exception& problem) {
        p_.notices.say(widgets::plain_text(problem), true);
        return;
    }
    note_recent(path, false);
    p_.docks.show("experiment");
}

void FileOpener::edit_model() {
    const auto& config = p_.experiment.config();
    const auto file = QString::fromStdString(config.python.file);
    if (!model::capabilities(config).own_process || file.isEmpty())
        p_.notices.say(tr("The model of the form is no Python file."), false);
    else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
        p_.notices.say(tr("No program opens %1.").arg(file), true);
}

void FileOpener::open_experiment(const QString& path) {
    QString toml;
    try {
        toml = QString::fromStdString(
            RegularFile(QFile::encodeName(path).toStdString(), "an experiment file (TOML)")
                .read_all(longest_text));
    } catch (const std::exception& problem) {
        p_.notices.say(widgets::plain_text(problem), true);
        return;
    }
    const QFileInfo file(path);
    const auto problems =
        p_.experiment.replace_from_toml(toml, path, file.absolutePath(), tr("Open %1").arg(file.fileName()));
    if (!problems.isEmpty()) {
        p_.notices.say(problems, true);
        return;
    }
    note_recent(path, false);
    p_.docks.show("experiment");
}

void FileOpener::open_sample() {
    try {
        open({sample_file()});
    } catch (const std::exception& problem) {
        p_.notices.say(widgets::plain_text(problem), true);
    }
}

void FileOpener::open_remote(const QString& address) {
    std::unique_ptr<widgets::RemoteFolder> remote;
    try {
        remote = std::make_unique<widgets::RemoteFolder>(address);
    } catch (const std::exception& problem) {
        p_.notices.say(widgets::plain_text(problem), true);
        if (p_.library.folder().isEmpty()) set_output_folder({});
        return;
    }
    connect(remote.get(), &widgets::RemoteFolder::problem, this,
            [this](const QString& text) { p_.notices.say(text, true); });
    // Only addresses that worked are offered again.
    connect(
        remote.get(), &widgets::RemoteFolder::connected, this,
        [this, known = remote->address()] { note_recent(known, true); }, Qt::SingleShotConnection);
    p_.session.state().output_folder = remote->address();
    p_.launcher.set_output_folder(remote->folder());
    p_.launcher.set_remote(remote.get());
    p_.library.open_remote(*remote);
    remote->show(p_.selection.state().runs);
    std::swap(remote_, remote);
    Q_EMIT remote_changed(remote_.get());
    p_.session.save_soon();
}

bool FileOpener::provide(const QString& run_folder, const char* name) {
    if (!remote_ || !remote_->has(run_folder) || remote_->provide(run_folder, name)) return true;
    p_.notices.say(
        tr("%1 is being copied from %2. Repeat this when it is there.").arg(name, remote_->machine()), false);
    return false;
}

void FileOpener::choose_remote_folder() {
    auto recent = p_.session.state().recent_folders.filter(QStringLiteral("ssh://"));
    // The open one may have to be corrected.
    if (remote_ && !recent.contains(remote_->address())) recent.prepend(remote_->address());
    if (recent.isEmpty()) recent << QStringLiteral("ssh://");
    auto* dialog = new QInputDialog(&p_.window);
    dialog->setObjectName("remote-folder");
    dialog->setWindowTitle(tr("Remote folder of runs"));
    dialog->setLabelText(
        tr("Address of a folder of runs on another machine, which ssh reaches without a password.\n"
           "caspstudio must be installed there. Example: ssh://ada@login1/~/runs\n"
           "If caspstudio is not in the PATH there, append ?program=/path/to/caspstudio."));
    dialog->setComboBoxEditable(true);
    dialog->setComboBoxItems(recent);
    dialog->setTextValue(recent.first());
    dialog->findChild<QComboBox*>()->setAccessibleName(tr("Address"));
    dialog->setOkButtonText(tr("&Connect"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString& address) { open_remote(address.trimmed()); });
    dialog->open();
}

void FileOpener::set_output_folder(const QString& folder) {
    if (remote::is_address(folder.toStdString())) return open_remote(folder);
    const auto chosen = folder.isEmpty() ? default_output_folder() : QDir(folder).absolutePath();
    p_.session.state().output_folder = chosen;
    p_.launcher.set_output_folder(chosen);
    p_.launcher.set_remote(nullptr);
    p_.library.open(chosen);
    if (remote_) Q_EMIT remote_changed(nullptr);
    remote_.reset();
    if (QFileInfo::exists(chosen)) note_recent(chosen, true);
    p_.session.save_soon();
}

void FileOpener::note_recent(const QString& path, bool folder) {
    auto& state = p_.session.state();
    auto& list = folder ? state.recent_folders : state.recent_files;
    list.removeAll(path);
    list.prepend(path);
    while (list.size() > max_recent) list.removeLast();
    Q_EMIT recent_changed(state.recent_files, state.recent_folders);
    p_.session.save_soon();
}

void FileOpener::choose_files() {
    auto* dialog =
        widgets::file_dialog(&p_.window, widgets::FileKind::data, tr("Open"), QFileDialog::ExistingFiles);
    dialog->setNameFilters(
        {tr("Data, experiments and models (%1 *.toml *.py)").arg(widgets::data_file_patterns()),
         tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &FileOpener::open);
    dialog->open();
}

void FileOpener::choose_output_folder() {
    auto* dialog = widgets::file_dialog(&p_.window, widgets::FileKind::runs, tr("Folder of runs"),
                                        QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &FileOpener::set_output_folder);
    dialog->open();
}

}  // namespace casp::gui
