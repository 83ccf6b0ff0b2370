#include "charts/export_dialog.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMetaProperty>
#include <QProgressDialog>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableWidget>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <exception>
#include <stop_token>

#include "charts/file_dialog.h"
#include "figures/numbers.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {
namespace {

struct Preset {
    const char* name;
    double width, height;  // mm; height 0: from the figure
    double font;
    bool title;
};

constexpr std::array<Preset, 4> presets = {{
    {QT_TRANSLATE_NOOP("core", "One column (84 mm)"), 84, 0, 8, false},
    {QT_TRANSLATE_NOOP("core", "Two columns (174 mm)"), 174, 0, 8, false},
    {QT_TRANSLATE_NOOP("core", "Slide 16:9"), 254, 142.9, 14, true},
    {QT_TRANSLATE_NOOP("core", "Custom"), 0, 0, 0, false},
}};
constexpr int custom = 3;

template <class Widget>
Widget* named(Widget* widget, const QString& name, const QString& tip) {
    widget->setAccessibleName(name);
    widget->setToolTip(tip);
    return widget;
}

/// Texts of a box are translated: its choices are stored by their data.
QVariant value_of(const QWidget& widget) {
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return box->currentData();
    return widget.metaObject()->userProperty().read(&widget);
}

void set_value(QWidget& widget, const QVariant& value) {
    if (auto* box = qobject_cast<QComboBox*>(&widget))
        box->setCurrentIndex(std::max(0, box->findData(value)));
    else
        widget.metaObject()->userProperty().write(&widget, value);
}

/// Path of captions and tables of a file's figure, without suffix.
QString companion_base(const FigureFile& file) {
    return file.path.chopped(suffix_of(file.format).size() + 1);
}

}  // namespace

ExportDialog::ExportDialog(figures::Figure figure, QWidget* parent)
    : ExportDialog(std::vector<figures::Figure>{std::move(figure)}, parent) {}

ExportDialog::ExportDialog(std::vector<figures::Figure> figures, QWidget* parent)
    : QDialog(parent), figures_(std::move(figures)) {
    setWindowTitle(is_several()              ? tr("Export %1 figures").arg(figures_.size())
                   : shown().title.isEmpty() ? tr("Export figure")
                                             : tr("Export “%1”").arg(shown().title));
    setModal(false);
    auto* columns = new QHBoxLayout;
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(make_controls());
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(scroll->widget()->minimumSizeHint().width() + 20);
    scroll->setFocusPolicy(Qt::NoFocus);
    columns->addWidget(scroll);
    columns->addLayout(make_preview(), 1);
    auto* all = new QVBoxLayout(this);
    all->addLayout(columns, 1);
    status_ = new QLabel(this);
    status_->setWordWrap(true);
    status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    status_->hide();
    all->addWidget(status_);
    all->addLayout(make_buttons());
    delay_.setSingleShot(true);
    delay_.setInterval(120);
    connect(&delay_, &QTimer::timeout, this, &ExportDialog::update_preview);
    fill_titles();
    load();
    loading_ = false;
    changed();
    resize(QSize(980, 640).boundedTo(screen()->availableSize()));
}

QLayout* ExportDialog::make_preview() {
    auto* right = new QVBoxLayout;
    if (is_several()) {
        auto* which = named(new QComboBox(this), tr("Figure in the preview"),
                            tr("Figure to preview; all figures are exported"));
        which->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // titles may be long
        which->setMinimumContentsLength(20);
        for (const auto& figure : figures_) which->addItem(figure.title.isEmpty() ? figure.id : figure.title);
        right->addWidget(which);
        connect(which, &QComboBox::currentIndexChanged, this, [this](int index) {
            shown_ = index;
            changed();
        });
    }
    preview_ = named(new QLabel(this), tr("Preview"), tr("Preview of the exported figure"));
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(320, 240);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    right->addWidget(preview_, 1);
    size_note_ = new QLabel(this);
    size_note_->setAlignment(Qt::AlignCenter);
    right->addWidget(size_note_);
    return right;
}

QLayout* ExportDialog::make_buttons() {
    auto* buttons = new QHBoxLayout;
    auto* copy = named(new QPushButton(tr("&Copy to clipboard"), this), tr("Copy to clipboard"),
                       tr("Copies the picture shown in the preview, at full size"));
    export_ = named(new QPushButton(tr("&Export"), this), tr("Export"), tr("Writes the selected formats"));
    export_->setDefault(true);
    auto* close = named(new QPushButton(tr("Close"), this), tr("Close"), tr("Closes this window (Esc)"));
    buttons->addWidget(copy);
    buttons->addStretch(1);
    buttons->addWidget(close);
    buttons->addWidget(export_);
    connect(copy, &QPushButton::clicked, this, &ExportDialog::copy_to_clipboard);
    connect(export_, &QPushButton::clicked, this, [this] { export_now(); });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    return buttons;
}

// A title being edited is applied when its field loses focus: force this now, while changed() can be called,
// and not in ~QDialog(), which also hides the dialog.
ExportDialog::~ExportDialog() { hide(); }

QWidget* ExportDialog::make_controls() {
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);

    auto* formats = new QHBoxLayout;
    const char* tips[] = {
        QT_TRANSLATE_NOOP("core", "Raster image with its resolution stored"),
        QT_TRANSLATE_NOOP("core", "Vector graphics with editable text, for Inkscape and the web"),
        QT_TRANSLATE_NOOP("core", "Vector graphics with embedded fonts, for LaTeX"),
        QT_TRANSLATE_NOOP("core", "All numbers, unsmoothed")};
    for (const FigureFormat format : figure_formats()) {
        const auto index = static_cast<std::size_t>(format);
        const QString name = suffix_of(format).toUpper();
        format_[index] = named(new QCheckBox(name, page), tr("Format %1").arg(name), translated(tips[index]));
        formats->addWidget(format_[index]);
        connect(format_[index], &QCheckBox::toggled, this, &ExportDialog::changed);
    }
    form->addRow(tr("Formats"), formats);

    preset_ = named(new QComboBox(page), tr("Size"), tr("Common sizes for journals and slides"));
    for (const Preset& preset : presets) preset_->addItem(translated(preset.name));
    form->addRow(tr("&Size"), preset_);
    connect(preset_, &QComboBox::activated, this, &ExportDialog::preset_chosen);

    const auto add = [&](const QString& label, const char* key, auto* control, const QString& name,
                         const QString& tip) {
        stored_.emplace_back(QString::fromLatin1(key), control);
        form->addRow(label, named(control, name, tip));
        return control;
    };
    const auto number = [&](const QString& label, const char* key, double least, double most, double value,
                            const QString& unit, const QString& name, const QString& tip) {
        auto* box = add(label, key, new QDoubleSpinBox(page), name, tip);
        box->setRange(least, most);
        box->setDecimals(1);
        box->setValue(value);
        box->setSuffix(unit);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::changed);
        return box;
    };
    const auto choice = [&](const QString& label, const char* key, const QString& name, const QString& tip) {
        auto* box = add(label, key, new QComboBox(page), name, tip);
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);
        return box;
    };
    const auto millimetres = QStringLiteral(" mm");
    width_ = number(tr("&Width"), "width_mm", 20, 1000, 174, millimetres, tr("Width"),
                    tr("Width of the figure on paper"));
    height_ = number(tr("&Height"), "height_mm", 0, 1000, 0, millimetres, tr("Height"),
                     tr("Height of the figure on paper; automatic: chosen to fit the plots"));
    height_->setSpecialValueText(tr("Automatic"));
    for (auto* box : {width_, height_})
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
            if (!loading_) preset_->setCurrentIndex(custom);
        });
    dpi_ = add(tr("&Resolution"), "dpi", new QSpinBox(page), tr("Resolution"),
               tr("Pixels per inch of the PNG file; journals require 300 to 600"));
    dpi_->setRange(72, 1200);
    dpi_->setValue(300);
    dpi_->setSuffix(QStringLiteral(" dpi"));
    connect(dpi_, &QSpinBox::valueChanged, this, &ExportDialog::changed);

    style_ =
        choice(tr("St&yle"), "style", tr("Style"), tr("Print: black on white; light and dark: as on screen"));
    style_->addItem(tr("print"), QStringLiteral("print"));
    style_->addItem(tr("light"), QStringLiteral("light"));
    style_->addItem(tr("dark"), QStringLiteral("dark"));
    palette_ = choice(tr("&Palette"), "palette", tr("Palette"),
                      tr("Colours of the series; all palettes except greys are colour-blind safe"));
    palette_->addItem(tr("As on screen"), QString());
    for (const auto& name : figures::palette_names()) palette_->addItem(name, name);
    font_ = choice(tr("Fo&nt"), "font_family", tr("Font family"), tr("Font of all text in the figure"));
    font_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    font_->setMinimumContentsLength(12);
    font_->addItem(tr("As on screen"), QString());
    for (const auto& family : QFontDatabase::families()) font_->addItem(family, family);
    font_size_ = number(tr("Font si&ze"), "font_points", 4, 36, 8, QStringLiteral(" pt"), tr("Font size"),
                        tr("Size of the axis labels; titles are one point larger"));
    font_size_->setSingleStep(0.5);

    show_title_ =
        named(new QCheckBox(tr("Title"), page), tr("Show the title"), tr("Adds the title above the plots"));
    title_ = named(new QLineEdit(shown().title, page), tr("Title"),
                   tr("Title of the figure, also stored in the files' metadata"));
    form->addRow(show_title_, title_);
    if (is_several()) {
        title_->hide();
        show_title_->setText(tr("Titles above"));
    }
    const bool has_caption = std::any_of(figures_.begin(), figures_.end(),
                                         [](const auto& figure) { return !figure.caption.isEmpty(); });
    show_caption_ =
        add(QString(), "show_caption", new QCheckBox(tr("Caption below"), page), tr("Show the caption"),
            !has_caption   ? tr("This figure has no caption")
            : is_several() ? tr("Adds the caption below each figure")
                           : shown().caption);
    show_caption_->setEnabled(has_caption);
    stored_.emplace_back(QStringLiteral("show_title"), show_title_);
    for (auto* box : {show_title_, show_caption_})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::changed);
    connect(title_, &QLineEdit::textChanged, this, &ExportDialog::changed);

    titles_ = named(new QTableWidget(page), tr("Titles of plots and axes"),
                    tr("Edit a cell to change the text in the exported files; clear it to omit the text"));
    if (is_several()) {
        titles_->hide();
    } else {
        auto* heading = new QLabel(tr("Titles of plots and axes"), page);
        heading->setSizePolicy(QSizePolicy::Preferred,
                               QSizePolicy::Fixed);  // or it takes all available space
        form->addRow(heading);
        form->addRow(titles_);
    }

    auto* path_row = new QHBoxLayout;
    path_ = named(new QLineEdit(page), is_several() ? tr("Folder") : tr("File name"),
                  is_several() ? tr("Destination folder; each file is named after its figure")
                               : tr("Folder and file name, without suffix"));
    const auto choose = is_several() ? tr("Choose a folder") : tr("Choose a folder and file name");
    auto* browse = named(new QToolButton(page), choose, choose);
    browse->setText(QStringLiteral("…"));
    path_row->addWidget(path_, 1);
    path_row->addWidget(browse);
    form->addRow(is_several() ? tr("&Folder") : tr("&File"), path_row);
    if (auto* label = qobject_cast<QLabel*>(form->labelForField(path_row))) label->setBuddy(path_);
    connect(path_, &QLineEdit::textChanged, this, &ExportDialog::changed);
    connect(browse, &QToolButton::clicked, this, [this] {
        auto* dialog = file_dialog(this, FileKind::exports, tr("Export to"),
                                   is_several() ? QFileDialog::Directory : QFileDialog::AnyFile);
        if (!is_several()) {
            dialog->setAcceptMode(QFileDialog::AcceptSave);
            dialog->setOption(QFileDialog::DontConfirmOverwrite);
            dialog->selectFile(QFileInfo(base_path()).fileName());
        }
        connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::set_base_path);
        dialog->open();
    });
    return page;
}

void ExportDialog::fill_titles() {
    titles_->setColumnCount(3);
    titles_->setHorizontalHeaderLabels({tr("Plot"), tr("x axis"), tr("y axis")});
    titles_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    titles_->verticalHeader()->hide();
    titles_->setTabKeyNavigation(false);
    titles_->setRowCount(is_several() ? 0 : static_cast<int>(shown().plots.size()));
    for (int row = 0; row < titles_->rowCount(); ++row) {
        const auto& plot = shown().plots[static_cast<std::size_t>(row)];
        const QString texts[] = {plot.title, plot.x.title, plot.y.title};
        for (int column = 0; column < 3; ++column)
            titles_->setItem(row, column, new QTableWidgetItem(texts[column]));
    }
    const int rows = std::clamp(titles_->rowCount(), 1, 4);
    titles_->setFixedHeight(titles_->horizontalHeader()->sizeHint().height() +
                            rows * titles_->verticalHeader()->defaultSectionSize() + 4);
    connect(titles_, &QTableWidget::itemChanged, this, &ExportDialog::changed);
}

ExportOptions ExportDialog::options() const {
    ExportOptions options;
    options.width_mm = width_->value();
    options.height_mm = height_->value();
    options.dpi = dpi_->value();
    options.show_title = show_title_->isChecked();
    options.show_caption = show_caption_->isChecked();
    if (!is_several()) options.title = title_->text().isEmpty() ? QStringLiteral("-") : title_->text();
    for (int row = 0; row < titles_->rowCount(); ++row) {
        const auto text = [&](int column) {
            const QString entered = titles_->item(row, column)->text().trimmed();
            return entered.isEmpty() ? QStringLiteral("-") : entered;
        };
        options.titles.push_back({text(0), text(1), text(2)});
    }
    options.font_family = font_->currentData().toString();
    options.font_points = font_size_->value();
    options.palette = palette_->currentData().toString();
    constexpr std::array styles{FigureStyle::print, FigureStyle::light, FigureStyle::dark};
    options.style = styles.at(static_cast<std::size_t>(style_->currentIndex()));
    return options;
}

std::vector<FigureFormat> ExportDialog::formats() const {
    std::vector<FigureFormat> chosen;
    for (const FigureFormat format : figure_formats()) {
        if (format_[static_cast<std::size_t>(format)]->isChecked()) chosen.push_back(format);
    }
    return chosen;
}

QString ExportDialog::base_path() const { return path_->text().trimmed(); }

void ExportDialog::set_base_path(const QString& path) {
    QString base = path;
    for (const FigureFormat format : figure_formats()) {
        if (is_several()) break;
        const QString suffix = QLatin1Char('.') + suffix_of(format);
        if (!base.endsWith(suffix, Qt::CaseInsensitive)) continue;
        base.chop(suffix.size());
        // A typed suffix selects that format.
        format_[static_cast<std::size_t>(format)]->setChecked(true);
        break;
    }
    path_->setText(QDir::toNativeSeparators(base));
}

void ExportDialog::load() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    for (const auto& [key, control] : stored_)
        if (settings.contains(key)) set_value(*control, settings.value(key));
    if (!show_caption_->isEnabled()) show_caption_->setChecked(false);
    const auto names =
        settings.value(QStringLiteral("formats"), QStringList{QStringLiteral("png"), QStringLiteral("pdf")})
            .toStringList();
    for (const FigureFormat format : figure_formats())
        format_[static_cast<std::size_t>(format)]->setChecked(names.contains(suffix_of(format)));
    const auto known = std::find_if(presets.begin(), presets.end(), [this](const Preset& preset) {
        return std::abs(preset.width - width_->value()) < 0.05 &&
               std::abs(preset.height - height_->value()) < 0.05;
    });
    preset_->setCurrentIndex(known == presets.end() ? custom : static_cast<int>(known - presets.begin()));
    auto folder = last_folder(FileKind::exports);
    if (folder.isEmpty()) folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    set_base_path(is_several()
                      ? folder
                      : QDir(folder).filePath(shown().id.isEmpty() ? QStringLiteral("figure") : shown().id));
}

void ExportDialog::save() const {
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    for (const auto& [key, control] : stored_) settings.setValue(key, value_of(*control));
    QStringList names;
    for (const FigureFormat format : formats()) names << suffix_of(format);
    settings.setValue(QStringLiteral("formats"), names);
    set_last_folder(FileKind::exports, is_several() ? QFileInfo(base_path()).absoluteFilePath()
                                                    : QFileInfo(base_path()).absolutePath());
}

void ExportDialog::changed() {
    if (loading_) return;
    const bool drawable = std::any_of(figures_.begin(), figures_.end(),
                                      [](const auto& figure) { return !figure.plots.empty(); });
    export_->setEnabled(!formats().empty() && !base_path().isEmpty());
    dpi_->setEnabled(drawable && format_[static_cast<std::size_t>(FigureFormat::png)]->isChecked());
    delay_.start();
}

void ExportDialog::preset_chosen() {
    const int index = preset_->currentIndex();
    if (index == custom) return;
    const Preset& preset = presets[static_cast<std::size_t>(index)];
    loading_ = true;
    width_->setValue(preset.width);
    height_->setValue(preset.height);
    font_size_->setValue(preset.font);
    show_title_->setChecked(preset.title);
    loading_ = false;
    changed();
}

void ExportDialog::update_preview() {
    const ExportOptions chosen = options();
    const QSizeF size = size_mm(shown(), chosen);
    size_note_->setText(tr("%1 × %2 mm").arg(size.width(), 0, 'f', 0).arg(size.height(), 0, 'f', 0));
    if (shown().plots.empty()) {
        preview_->setText(tr("This figure has numbers only: select CSV."));
        return;
    }
    ExportOptions small = chosen;
    // As many dots as the preview has pixels.
    const QSizeF room = QSizeF(preview_->size()) * devicePixelRatioF();
    small.dpi = static_cast<int>(
        std::clamp(std::min(room.width() / size.width(), room.height() / size.height()) * 25.4, 36.0, 400.0));
    try {
        QImage image = figure_image(shown(), small);
        image.setDevicePixelRatio(devicePixelRatioF());
        if (image.width() > room.width() + 1 || image.height() > room.height() + 1)
            image = image.scaled((room).toSize(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
        preview_->setPixmap(QPixmap::fromImage(image));
    } catch (const std::exception& error) {
        preview_->setText(plain_text(error));
    }
}

void ExportDialog::say(const QString& text, bool problem) {
    QPalette palette = this->palette();
    if (problem)
        palette.setColor(QPalette::WindowText,
                         figures::readable_on(QColor(0xD5, 0x5E, 0x00), palette.color(QPalette::Window)));
    status_->setPalette(palette);
    status_->setText(text);
    status_->setVisible(true);
}

std::vector<FigureFile> ExportDialog::files() const {
    if (is_several()) return figure_files(figures_, base_path(), formats());
    std::vector<FigureFile> files;
    for (const FigureFormat format : formats())
        if (!shown().plots.empty() || format == FigureFormat::csv)
            files.push_back({0, format, base_path() + QLatin1Char('.') + suffix_of(format)});
    return files;
}

bool ExportDialog::may_replace(const std::vector<FigureFile>& files) {
    QStringList paths, existing;
    for (const auto& file : files) {
        paths << file.path;
        if (is_several()) paths << companion_paths(figures_[file.figure], companion_base(file));
    }
    paths.removeDuplicates();  // companions of a figure in several formats
    for (const auto& path : paths)
        if (QFileInfo::exists(path)) existing << QFileInfo(path).fileName();
    if (existing.isEmpty()) return true;
    constexpr qsizetype max_named = 8;
    QString names = existing.mid(0, max_named).join(QStringLiteral(", "));
    if (existing.size() > max_named) names += tr(" and %1 more").arg(existing.size() - max_named);
    return QMessageBox::question(this, tr("Replace files?"),
                                 tr("These files already exist: %1. Replace them?").arg(names),
                                 QMessageBox::Yes | QMessageBox::Cancel) == QMessageBox::Yes;
}

bool ExportDialog::may_be_large(const std::vector<FigureFile>& files) {
    // Charts are mostly of one colour: 20 million pixels a second, as 10 MB.
    constexpr double bytes_per_pixel = 0.5, bytes_per_second = 10e6;
    const auto chosen = options();
    double bytes = 0;
    for (const auto& file : files) {
        const auto& figure = figures_[file.figure];
        if (file.format == FigureFormat::csv) bytes += static_cast<double>(figures::csv_size(figure));
        if (file.format != FigureFormat::png) continue;
        const auto pixels = size_mm(figure, chosen) / 25.4 * chosen.dpi;
        bytes += bytes_per_pixel * pixels.width() * pixels.height();
    }
    return may_export(this, static_cast<std::int64_t>(bytes), bytes_per_second);
}

void ExportDialog::write(const std::vector<FigureFile>& files, std::size_t& written) {
    const auto chosen = options();
    // It handles events while it counts, so that the window stays responsive.
    constexpr int of_file = 1000;
    QProgressDialog progress(QString(), tr("C&ancel"), 0, of_file * static_cast<int>(files.size()), this);
    progress.setWindowModality(Qt::WindowModal);
    progress.setAutoReset(false);
    std::stop_source stop;
    for (; written < files.size(); ++written) {
        const auto& file = files[written];
        const auto& figure = figures_[file.figure];
        const auto rows = static_cast<double>(figures::row_count(figure));
        progress.setLabelText(tr("Writing %1").arg(QFileInfo(file.path).fileName()));
        const auto show = [&](std::int64_t done) {
            progress.setValue(of_file * static_cast<int>(written) +
                              static_cast<int>(of_file * (static_cast<double>(done) / std::max(rows, 1.0))));
            if (progress.wasCanceled()) stop.request_stop();
        };
        show(0);
        if (stop.stop_requested()) throw Cancelled();
        if (file.format == FigureFormat::csv)
            export_numbers(figure, file.path, show, stop.get_token());
        else
            export_figure(figure, file.path, file.format, chosen);
        // Captions and tables beside the last of a figure's files, as the batch writes them.
        if (is_several() && (written + 1 == files.size() || files[written + 1].figure != file.figure))
            write_companions(figure, companion_base(file));
    }
}

bool ExportDialog::export_now(bool ask) {
    const auto all = files();
    if (ask && !(may_replace(all) && may_be_large(all))) return false;
    std::size_t written = 0;
    try {
        write(all, written);
    } catch (const Cancelled&) {
        say(tr("Cancelled; %1 was not written.").arg(QFileInfo(all[written].path).fileName()), false);
        return false;
    } catch (const std::exception& error) {
        const auto before = all[written].figure;
        say(before == 0 ? plain_text(error)
                        : tr("%1 figures were written, then: %2").arg(before).arg(plain_text(error)),
            true);
        return false;
    }
    save();
    QStringList paths;
    for (const auto& file : all) paths << file.path;
    const QString text = is_several() ? tr("Wrote %1 figures to %2").arg(figures_.size()).arg(base_path())
                                      : tr("Wrote %1").arg(paths.join(QStringLiteral(", ")));
    say(text, false);
    Q_EMIT message(text);
    return true;
}

void ExportDialog::copy_to_clipboard() {
    try {
        QApplication::clipboard()->setImage(figure_image(shown(), options()));
        say(tr("Picture copied to the clipboard."), false);
        Q_EMIT message(tr("Picture copied"));
        save();
    } catch (const std::exception& error) {
        say(plain_text(error), true);
    }
}

void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    delay_.start();
}

void ExportDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && preview_ != nullptr) delay_.start();
    QDialog::changeEvent(event);
}

}  // namespace casp::widgets
