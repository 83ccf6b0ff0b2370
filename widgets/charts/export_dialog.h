#pragma once
// Dialog for size, title, fonts, palette and style of exported figures, with a preview.

#include <vector>

#include <QDialog>
#include <QTimer>

#include "charts/export_figure.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
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
    /// everything is written. `ask`: asks before replacing files. What takes long shows its progress, with a
    /// button that cancels it.
    bool export_now(bool ask = true);
    void copy_to_clipboard();

Q_SIGNALS:
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QLayout* make_preview();
    QLayout* make_buttons();
    [[nodiscard]] bool is_several() const { return figures_.size() > 1; }
    [[nodiscard]] const figures::Figure& shown() const { return figures_[static_cast<std::size_t>(shown_)]; }
    QWidget* make_controls();
    [[nodiscard]] std::vector<FigureFile> files() const;
    [[nodiscard]] bool may_be_large(const std::vector<FigureFile>& files);
    [[nodiscard]] bool may_replace(const std::vector<FigureFile>& files);
    /// Throws Errors, and Cancelled; `written`: the number of complete files.
    void write(const std::vector<FigureFile>& files, std::size_t& written);
    void fill_titles();
    void load();
    void save() const;
    void changed();
    void preset_chosen();
    void update_preview();
    void say(const QString& text, bool problem);

    std::vector<figures::Figure> figures_;
    int shown_ = 0;
    QCheckBox* format_[4] = {};
    QComboBox *preset_ = nullptr, *palette_ = nullptr, *style_ = nullptr, *font_ = nullptr;
    QDoubleSpinBox *width_ = nullptr, *height_ = nullptr, *font_size_ = nullptr;
    QSpinBox* dpi_ = nullptr;
    QCheckBox *show_title_ = nullptr, *show_caption_ = nullptr;
    QLineEdit *title_ = nullptr, *path_ = nullptr;
    QTableWidget* titles_ = nullptr;
    QLabel *preview_ = nullptr, *size_note_ = nullptr, *status_ = nullptr;
    QPushButton* export_ = nullptr;
    /// Controls whose values are stored, by key.
    std::vector<std::pair<QString, QWidget*>> stored_;
    QTimer delay_;
    bool loading_ = true;
};

}  // namespace casp::widgets
