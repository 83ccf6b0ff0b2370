#pragma once
// Size, title, fonts, palette and style of an exported figure, with a preview of what the files will hold.

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

    [[nodiscard]] ExportOptions options() const;
    /// Chosen formats.
    [[nodiscard]] std::vector<FigureFormat> formats() const;
    /// Folder and name without suffix that the files will get.
    [[nodiscard]] QString base_path() const;
    void set_base_path(const QString& path);

    /// Writes the chosen formats to base_path(). Says what it did, or what went wrong, in the dialog; true
    /// if all is written. `ask`: asks first where files would be replaced.
    bool export_now(bool ask = true);
    void copy_to_clipboard();

    /// The settings that the last dialog left, for "export all open views".
    [[nodiscard]] static ExportOptions remembered_options();
    [[nodiscard]] static std::vector<FigureFormat> remembered_formats();

Q_SIGNALS:
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* make_controls();
    void fill_titles();
    void load();
    void save() const;
    void changed();
    void preset_chosen();
    void update_preview();
    void say(const QString& text, bool problem);

    figures::Figure figure_;
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
    QPushButton* export_ = nullptr;
    QTimer delay_;
    bool loading_ = true;
};

}  // namespace casp::widgets
