#pragma once
// The Data page of the window: open files, how they were read, what is odd about them, what a run will do
// with them.

#include <memory>
#include <optional>
#include <stop_token>

#include <QByteArray>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QWidget>

#include "panels/data/data_channels.h"
#include "panels/data/data_format.h"
#include "panels/data/data_jump.h"
#include "panels/data/data_policy.h"
#include "panels/data/data_preview.h"
#include "panels/data/data_problem_box.h"
#include "panels/data/data_review.h"
#include "panels/data/data_warnings.h"
#include "state/background.h"
#include "state/data_model.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// Reads and reviews on threads of its own; GUI thread. The window hands dropped files to open().
class DataPanel : public QWidget {
    Q_OBJECT
public:
    enum Page { table_page, channels_page, preparation_page };

    /// `experiment` is read and written (section data); it must outlive the panel. Null: nothing is written.
    explicit DataPanel(ExperimentModel* experiment, QWidget* parent = nullptr);
    ~DataPanel() override;

    /// Begins to read the files and shows the last of them. Returns at once.
    void open(const QStringList& paths);
    /// Asks for files with the system's dialog, without waiting.
    void ask_for_files();
    [[nodiscard]] QStringList paths() const;  ///< of the open files, in the order of the tabs
    [[nodiscard]] QString current_path() const;
    void set_current(const QString& path);
    /// Whether this file is still what was read of it; else its problem is shown and told. True for files
    /// that are not open here.
    bool look_again(const QString& path);
    void show_page(Page page);
    /// Makes the current file the one that the experiment trains on, as the button does; a corrected one is
    /// saved as a copy first.
    void use_current();
    /// The current file, where it was read as it is and is not in use yet; else empty.
    [[nodiscard]] QString usable_path() const;
    /// Puts the cursor on the field that finds a channel of the table; without a table a message says so.
    void go_to_channel();
    /// True once the current file has been read and reviewed under the settings as they are.
    [[nodiscard]] bool is_settled() const;

    /// Column widths, splitters and the page; restore_state() of anything else returns false.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// How each open file is read where the user corrected that, and which one is shown. restore_readings()
    /// comes before open(), which then shows that one.
    [[nodiscard]] QByteArray save_readings() const;
    void restore_readings(const QByteArray& bytes);

    [[nodiscard]] DataModel& model() { return *model_; }
    [[nodiscard]] TablePreview& preview() { return *preview_; }
    [[nodiscard]] WarningList& warnings() { return *warnings_; }
    [[nodiscard]] ChannelJump& jump() { return *jump_; }
    [[nodiscard]] DataFormat& format() { return *format_; }
    [[nodiscard]] DataPolicy& policy() { return *policy_; }
    [[nodiscard]] DataChannels& channels() { return *channels_; }
    [[nodiscard]] DataProblemBox& problem() { return *problem_; }
    [[nodiscard]] const std::optional<DataReview>& review() const { return review_; }

Q_SIGNALS:
    void opened(const QString& path);          ///< it was read
    void use_requested(const QString& path);   ///< data.path was set to it
    void usable_changed(const QString& path);  ///< usable_path()
    void message(const QString& text, bool is_error);
    void sample_requested();
    void fetch_requested(const QString& name);  ///< of the catalogue

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* build_head();
    QWidget* build_progress();
    QWidget* build_table_page();
    void connect_model();
    void show_current();
    void show_progress();
    void show_tab(int index);
    void update_use_button();
    void start_review();
    void save_copy(const QString& target);
    void go_to(qint64 line, const QString& column, int place);
    [[nodiscard]] const DataFile* current() const;

    QPointer<ExperimentModel> experiment_;
    DataModel* model_;
    QStackedWidget* stack_;
    QTabBar* tabs_;
    QPushButton *open_, *use_;
    QLabel *info_, *progress_text_;
    QWidget* progress_box_;
    QProgressBar* progress_;
    QPushButton *cancel_, *retry_, *former_, *close_;
    DataProblemBox* problem_;
    QTabWidget* pages_;
    DataFormat* format_;
    ChannelJump* jump_;
    TablePreview* preview_;
    WarningList* warnings_;
    DataChannels* channels_;
    DataPolicy* policy_;
    QSplitter* table_splitter_;

    QString front_;                     ///< of the next files that are opened the one to show
    QString usable_;                    ///< as it was told last
    std::optional<DataReview> review_;  ///< of the current file
    std::shared_ptr<const data::Table> reviewed_;
    std::int64_t review_number_ = 0;
    std::stop_source review_stop_;
    std::stop_source copy_stop_;
    QString copying_;  ///< file that is being written; empty: none
    double copy_share_ = 0;
    Inbox inbox_;
    WorkPool pool_;
};

/// The page in the window's list of pages (panels/view/page_spec.h).
struct PageSpec;
[[nodiscard]] PageSpec data_page_spec();

}  // namespace casp::widgets
