#pragma once
// Size, title, fonts, palette and style of exported figures, with a preview of what the files will hold.

#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include <QDialog>
#include <QTimer>

#include "charts/export_figure.h"

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

/// Not modal: show() it and go on working. Remembers its settings (not titles) in QSettings, group "export".
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(figures::Figure figure, QWidget* parent = nullptr);
    /// Several figures with the same settings, each under its own title and id, into one folder; the preview
    /// shows any one of them. At least one.
    explicit ExportDialog(std::vector<figures::Figure> figures, QWidget* parent = nullptr);
    ~ExportDialog() override;

    [[nodiscard]] ExportOptions options() const;
    /// Chosen formats.
    [[nodiscard]] std::vector<FigureFormat> formats() const;
    /// Folder and name without suffix that the files will get; of several figures the folder.
    [[nodiscard]] QString base_path() const;
    void set_base_path(const QString& path);

    /// Writes the chosen formats to base_path(). Says what it did, or what went wrong, in the dialog; true
    /// if all is written. `ask`: asks first where files would be replaced. Several figures are written one
    /// after another from the event loop, and many numbers on a thread, with a button that cancels; true then
    /// means that it has begun, and message() tells the end. Closing the dialog cancels those numbers.
    bool export_now(bool ask = true);
    /// More rows than this are many numbers: they would take longer than one waits for a window.
    static constexpr std::int64_t rows_at_once = 20000;
    void copy_to_clipboard();

    /// The settings that the last dialog left.
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
    /// Where captions and tables of a file's figure go, without suffix.
    [[nodiscard]] static QString companion_base(const FigureFile& file);
    /// All that the export of these files writes.
    [[nodiscard]] QStringList paths_of(const std::vector<FigureFile>& files) const;
    [[nodiscard]] bool may_replace(const QStringList& paths);
    [[nodiscard]] bool is_long(const FigureFile& file) const;
    bool write_next();    ///< false: the rest is given up
    void write_beside();  ///< the same on a thread; file_ended() follows
    void file_ended(const QString& problem, bool cancelled);
    void finish_file();
    void give_up(const QString& problem);
    void tell_rows(std::int64_t done, std::int64_t all);
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
    std::jthread writer_;  ///< the last member: joined before the others go
};

}  // namespace casp::widgets
