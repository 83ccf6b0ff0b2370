#pragma once
// Data page of the main window: open files (tables, collections of series), how they were read, warnings, and
// their preparation for a run.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <QByteArray>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QWidget>

#include "panels/data/collection_view.h"
#include "panels/data/data_channels.h"
#include "panels/data/data_model.h"
#include "panels/data/data_policy.h"
#include "panels/data/data_preview.h"
#include "panels/data/data_problem_box.h"
#include "panels/data/data_readings.h"
#include "panels/data/data_review.h"
#include "panels/data/data_warnings.h"
#include "state/experiment_model.h"
#include "state/job.h"

namespace casp::widgets {

/// GUI thread; reads and reviews files on worker threads. The main window passes dropped files to open().
/// More than 25 methods: accessors and signals; the others show one file and its review.
class DataPanel : public QWidget {
    Q_OBJECT
public:
    enum Page { table_page, channels_page, preparation_page, reading_page };

    /// Reads and writes the sections [data] and [data.csv] of `experiment`, which must outlive the panel.
    explicit DataPanel(ExperimentModel& experiment, QWidget* parent = nullptr);
    ~DataPanel() override;

    /// Starts reading the files and shows the last of them; does not wait. The experiment's file is read with
    /// its [data.csv]. A folder of M4 opens a file per frequency.
    void open(const QStringList& paths);
    /// Opens the file dialog; does not wait.
    void choose_files();
    /// Opens the dialog for a folder of M4; does not wait.
    void choose_folder();
    [[nodiscard]] QStringList paths() const;  ///< of the open files, in the order of the tabs
    [[nodiscard]] QString current_path() const;
    void set_current(const QString& path);
    /// Whether the file is unchanged since it was read. If not, its problem is shown and reported. True for
    /// files that are not open here.
    bool look_again(const QString& path);
    void show_page(Page page);
    /// Makes the experiment train on the current file as it was read, as the button does: sets data.path,
    /// data.frequency and data.csv.* in one undo step.
    void use_current();
    /// The current file if it was read and the experiment does not use it yet; else empty.
    [[nodiscard]] QString usable_path() const;
    /// Moves the focus to the field that finds a channel, or a series of a collection. Without either, sends
    /// a message instead.
    void go_to_channel();
    /// Whether the current file has been read, and a table reviewed with the current settings.
    [[nodiscard]] bool is_settled() const;

    /// Column widths, splitters and the page. restore_state() returns false for other bytes.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// The user's corrections of each open file, and the file shown. Call restore_readings() before open(),
    /// which then shows that file.
    [[nodiscard]] QByteArray save_readings() const;
    void restore_readings(const QByteArray& bytes);

    [[nodiscard]] DataModel& model() { return *model_; }
    [[nodiscard]] TablePreview& preview() { return *preview_; }
    [[nodiscard]] WarningList& warnings() { return *warnings_; }
    [[nodiscard]] ChannelJump& jump() { return *jump_; }
    [[nodiscard]] DataReadings& readings() { return *readings_; }
    [[nodiscard]] DataPolicy& policy() { return *policy_; }
    [[nodiscard]] DataChannels& channels() { return *channels_; }
    [[nodiscard]] CollectionView& collection() { return *collection_; }
    [[nodiscard]] DataProblemBox& problem() { return *problem_; }
    /// Of all figures of the page; those of hidden views have no plots.
    [[nodiscard]] QList<ViewFrame*> frames() { return collection_->frames() + QList{channels_->frame()}; }
    [[nodiscard]] const std::optional<DataReview>& review() const { return review_; }

Q_SIGNALS:
    void opened(const QString& path);             ///< the file was read
    void files_chosen(const QStringList& paths);  ///< to open, perhaps after a conversion
    /// The experiment was set to this file, by these settings; none of them if it had no file before.
    void use_requested(const QString& path, const QStringList& keys);
    /// A first look at the file with a small model, by these settings (trial_settings()).
    void trial_requested(const std::vector<std::pair<std::string, casp::config::Value>>& settings);
    void usable_changed(const QString& path);  ///< usable_path()
    void message(const QString& text, bool is_error);
    void sample_requested();
    void fetch_requested(const QString& name);  ///< entry of the catalogue

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* build_start();
    QWidget* build_head();
    QWidget* build_progress();
    QWidget* build_table_page();
    void connect_model();
    void show_current();
    void follow_corrections(const DataFile& file);
    void show_table(const DataFile& file);
    /// Of the file, with those of its split once it is reviewed.
    void show_warnings(std::shared_ptr<const data::Table> table);
    void show_progress();
    /// Names of the files, shortened so that they stay different.
    void show_tabs();
    void update_use_button();
    void try_current();
    void start_review();
    void expect_corrections(const QStringList& paths);
    /// What the experiment changes in the view of a collection.
    void update_collection();
    void use_preset(const QString& name);
    void follow_experiment();
    /// Returns what is wrong, or ""; `keys`: the settings that the file has a say in.
    QString set_experiment(const DataFile& file, QStringList* keys = nullptr);
    /// Whether the experiment trains on this file, read as here.
    [[nodiscard]] bool is_in_use(const DataFile& file) const;
    void go_to(qint64 line, const QString& column);
    [[nodiscard]] const DataFile* current() const;

    ExperimentModel& experiment_;
    std::map<QString, std::set<std::string>> chosen_;  ///< settings made on the page of a file, by its path
    DataModel* model_;
    QStackedWidget* stack_;
    QTabBar* tabs_;
    QPushButton *open_, *try_, *use_;
    QLabel *info_, *progress_text_;
    QWidget* progress_box_;
    QProgressBar* progress_;
    QPushButton *cancel_, *retry_, *former_, *close_;
    DataProblemBox* problem_;
    QStackedWidget* content_;  ///< pages_ or collection_
    CollectionView* collection_;
    QTabWidget* pages_;
    DataReadings* readings_;
    ChannelJump* jump_;
    TablePreview* preview_;
    WarningList* warnings_;
    DataChannels* channels_;
    DataPolicy* policy_;
    QSplitter* table_splitter_;

    QString followed_;  ///< the experiment's file, being read with other corrections; empty: none
    QString front_;     ///< file to show when it is opened next
    QString usable_;    ///< last usable_changed()
    std::optional<DataReview> review_;  ///< of the current file
    std::shared_ptr<const data::Table> reviewed_;
    Job<DataReview> review_job_{2};  ///< the next one does not wait for the end of a cancelled one
};

}  // namespace casp::widgets
