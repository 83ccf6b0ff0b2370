#pragma once
// Opens files and folders: data as CSV or folders of M4, experiments as TOML, runs and folders of runs,
// forecasts of other code; other formats after a conversion.

#include <memory>

#include <QObject>
#include <QStringList>

class QWidget;

namespace casp::widgets {
class DataPanel;
class ExperimentModel;
class FileRunLibrary;
class RemoteFolder;
class Selection;
}  // namespace casp::widgets

namespace casp::gui {

class Docks;
class FileConversion;
class Launcher;
class Notices;
class SessionKeeper;

class FileOpener : public QObject {
    Q_OBJECT
public:
    /// What files are opened into; all outlive it.
    struct Parts {
        SessionKeeper& session;
        Launcher& launcher;
        widgets::FileRunLibrary& library;
        widgets::Selection& selection;
        widgets::ExperimentModel& experiment;
        Docks& docks;
        Notices& notices;
        QWidget& window;  ///< the parent of dialogs
    };
    explicit FileOpener(const Parts& parts);
    ~FileOpener() override;

    /// Each as what it is; reports what cannot be opened.
    void open(const QStringList& paths);
    /// What opening them does, a line for each kind; empty: nothing.
    [[nodiscard]] static QString drop_text(const QStringList& paths);
    void open_experiment(const QString& path);
    /// A Python file becomes the form's model, with the options that it reads.
    void open_model(const QString& path);
    /// In the user's editor.
    void edit_model();
    void open_sample();
    /// Empty: the default folder. "ssh://…": a folder on another machine.
    void set_output_folder(const QString& folder);
    /// Whether a file of a run can be read now; if it is still to be copied from another machine, that
    /// begins, and the user is told.
    [[nodiscard]] bool provide(const QString& run_folder, const char* name);
    void choose_files();
    void choose_output_folder();
    void choose_remote_folder();
    /// To the front of the recent files, or of the recent folders.
    void note_recent(const QString& path, bool folder);

Q_SIGNALS:
    /// Null: the folder of runs is on this machine.
    void remote_changed(casp::widgets::RemoteFolder* remote);
    void recent_changed(const QStringList& files, const QStringList& folders);

private:
    void open_folder(const QString& folder);
    void open_remote(const QString& address);
    /// `data`: data sets opened with them.
    void open_forecasts(const QString& path, const QStringList& data);

    const Parts p_;
    std::unique_ptr<widgets::RemoteFolder> remote_;
    FileConversion* conversion_;
};

}  // namespace casp::gui
