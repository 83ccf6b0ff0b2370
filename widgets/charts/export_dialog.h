#pragma once
// Dialog for size, title, fonts, palette and style of exported figures, with a preview.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <QDialog>
#include <QTimer>

#include "charts/export_figure.h"
#include "state/job.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFontComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace casp::widgets {

/// Not modal: use show(). Stores its settings (not titles) in QSettings, group "export".
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(figures::Figure figure, QWidget* parent = nullptr);
    /// Exports several figures (at least one) with the same settings into one folder, each under its title
    /// and id; the preview shows one of them.
    explicit ExportDialog(std::vector<figures::Figure> figures, QWidget* parent = nullptr);
    ~ExportDialog() override;

    [[nodiscard]] ExportOptions options() const;
    /// Selected formats.
    [[nodiscard]] std::vector<FigureFormat> formats() const;
    /// Folder and file name without suffix; for several figures the folder.
    [[nodiscard]] QString base_path() const;
    void set_base_path(const QString& path);

    /// Writes the selected formats to base_path() and shows the result or the error in the dialog; true if
    /// everything is written. `ask`: asks before replacing files. Several figures are written one after
    /// another from the event loop, and large tables on a thread, with a Cancel button; true then means that
    /// writing has started, and message() reports its end. Closing the dialog cancels writing a table.
    bool export_now(bool ask = true);
    /// Tables with more rows than this are written on a thread, because they would block the GUI.
    static constexpr std::int64_t rows_at_once = 20000;
    void copy_to_clipboard();

    /// Settings of the previous dialog.
    [[nodiscard]] static ExportOptions remembered_options();
    [[nodiscard]] static std::vector<FigureFormat> remembered_formats();

Q_SIGNALS:
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] bool is_several() const { return figures_.size() > 1; }
    [[nodiscard]] const figures::Figure& shown() const { return figures_[static_cast<std::size_t>(shown_)]; }
    QWidget* make_controls();
    [[nodiscard]] std::vector<FigureFile> files() const;
    /// Path of captions and tables of a file's figure, without suffix.
    [[nodiscard]] static QString companion_base(const FigureFile& file);
    /// All paths written by the export of these files.
    [[nodiscard]] QStringList paths_of(const std::vector<FigureFile>& files) const;
    [[nodiscard]] bool may_replace(const QStringList& paths);
    [[nodiscard]] bool is_long(const FigureFile& file) const;
    bool write_next();    ///< false: the rest is abandoned
    void write_beside();  ///< the same in the background; file_ended() follows
    void file_ended(const QString& problem, bool cancelled);
    void finish_file();
    void give_up(const QString& problem);
    void report_rows(std::int64_t done, std::int64_t all);
    void go_on();
    void done();
    void fill_titles();
    void load();
    void save() const;
    void changed();
    void preset_chosen();
    void update_preview();
    void say(const QString& text, bool problem);

    std::vector<figures::Figure> figures_;
    int shown_ = 0;
    std::deque<FigureFile> to_write_;
    QCheckBox* format_[4] = {};
    QComboBox *preset_ = nullptr, *palette_ = nullptr, *style_ = nullptr;
    QDoubleSpinBox *width_ = nullptr, *height_ = nullptr, *font_size_ = nullptr;
    QSpinBox* dpi_ = nullptr;
    QCheckBox *show_title_ = nullptr, *show_caption_ = nullptr;
    QLineEdit *title_ = nullptr, *path_ = nullptr;
    QFontComboBox* font_ = nullptr;
    QCheckBox* own_font_ = nullptr;
    QTableWidget* titles_ = nullptr;
    QLabel *preview_ = nullptr, *size_note_ = nullptr, *status_ = nullptr;
    QPushButton *export_ = nullptr, *cancel_ = nullptr;
    QTimer delay_;
    bool loading_ = true;
    /// How the writing of a large table ended, for a dialog that closes before the result arrives.
    struct Written {
        bool all = false;
        QString problem;
    };
    std::shared_ptr<Written> written_;   ///< by the writer's thread, until it has ended
    std::unique_ptr<Job<bool>> writer_;  ///< of large tables
};

}  // namespace casp::widgets
