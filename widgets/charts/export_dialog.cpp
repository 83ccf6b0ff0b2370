#include "charts/export_dialog.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
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

#include "state/core_text.h"
#include "state/plain_text.h"

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

FigureStyle style_named(const QString& name) {
    if (name == QLatin1String("light")) return FigureStyle::light;
    if (name == QLatin1String("dark")) return FigureStyle::dark;
    return FigureStyle::print;
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
    columns->addLayout(right, 1);

    auto* all = new QVBoxLayout(this);
    all->addLayout(columns, 1);
    status_ = new QLabel(this);
    status_->setWordWrap(true);
    status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    status_->hide();
    all->addWidget(status_);
    auto* buttons = new QHBoxLayout;
    auto* copy = named(new QPushButton(tr("&Copy to clipboard"), this), tr("Copy to clipboard"),
                       tr("Copies the picture shown in the preview, at full size"));
    export_ = named(new QPushButton(tr("&Export"), this), tr("Export"), tr("Writes the selected formats"));
    export_->setDefault(true);
    auto* close = named(new QPushButton(tr("Close"), this), tr("Close"), tr("Closes this window (Esc)"));
    buttons->addWidget(copy);
    buttons->addStretch(1);
    cancel_ = named(new QPushButton(tr("C&ancel"), this), tr("Cancel"),
                    tr("Stops writing the numbers; the partial file is removed"));
    cancel_->hide();
    buttons->addWidget(cancel_);
    buttons->addWidget(close);
    buttons->addWidget(export_);
    all->addLayout(buttons);
    connect(copy, &QPushButton::clicked, this, &ExportDialog::copy_to_clipboard);
    connect(export_, &QPushButton::clicked, this, [this] { export_now(); });
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (writer_) writer_->request_stop();
        cancel_->setEnabled(false);
    });
    connect(close, &QPushButton::clicked, this, &QDialog::close);

    delay_.setSingleShot(true);
    delay_.setInterval(120);
    connect(&delay_, &QTimer::timeout, this, &ExportDialog::update_preview);
    fill_titles();
    load();
    loading_ = false;
    changed();
    resize(QSize(980, 640).boundedTo(screen()->availableSize()));
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

    const auto millimetres = [page](const QString& name, const QString& tip, double least) {
        auto* box = named(new QDoubleSpinBox(page), name, tip);
        box->setRange(least, 1000);
        box->setDecimals(1);
        box->setSuffix(QStringLiteral(" mm"));
        return box;
    };
    width_ = millimetres(tr("Width"), tr("Width of the figure on paper"), 20);
    height_ =
        millimetres(tr("Height"), tr("Height of the figure on paper; automatic: chosen to fit the plots"), 0);
    height_->setSpecialValueText(tr("Automatic"));
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    for (auto* box : {width_, height_}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
            if (!loading_) preset_->setCurrentIndex(custom);
            changed();
        });
    }
    dpi_ = named(new QSpinBox(page), tr("Resolution"),
                 tr("Pixels per inch of the PNG file; journals require 300 to 600"));
    dpi_->setRange(72, 1200);
    dpi_->setSuffix(QStringLiteral(" dpi"));
    form->addRow(tr("&Resolution"), dpi_);
    connect(dpi_, &QSpinBox::valueChanged, this, &ExportDialog::changed);

    style_ =
        named(new QComboBox(page), tr("Style"), tr("Print: black on white; light and dark: as on screen"));
    style_->addItem(tr("print"), QStringLiteral("print"));
    style_->addItem(tr("light"), QStringLiteral("light"));
    style_->addItem(tr("dark"), QStringLiteral("dark"));
    form->addRow(tr("St&yle"), style_);
    palette_ = named(new QComboBox(page), tr("Palette"),
                     tr("Colours of the series; all palettes except greys are colour-blind safe"));
    palette_->addItem(tr("As on screen"));
    palette_->addItems(figures::palette_names());
    form->addRow(tr("&Palette"), palette_);
    for (auto* box : {style_, palette_})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);

    own_font_ = named(new QCheckBox(tr("Font"), page), tr("Custom font"),
                      tr("Use a font other than the application's"));
    font_ = named(new QFontComboBox(page), tr("Font family"), tr("Font of all text in the figure"));
    font_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    font_->setMinimumContentsLength(12);
    form->addRow(own_font_, font_);
    connect(own_font_, &QCheckBox::toggled, font_, &QWidget::setEnabled);
    connect(own_font_, &QCheckBox::toggled, this, &ExportDialog::changed);
    connect(font_, &QFontComboBox::currentFontChanged, this, &ExportDialog::changed);
    font_size_ = named(new QDoubleSpinBox(page), tr("Font size"),
                       tr("Size of the axis labels; titles are one point larger"));
    font_size_->setRange(4, 36);
    font_size_->setDecimals(1);
    font_size_->setSingleStep(0.5);
    font_size_->setSuffix(QStringLiteral(" pt"));
    form->addRow(tr("Font si&ze"), font_size_);
    connect(font_size_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::changed);

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
    show_caption_ = named(new QCheckBox(tr("Caption below"), page), tr("Show the caption"),
                          !has_caption   ? tr("This figure has no caption")
                          : is_several() ? tr("Adds the caption below each figure")
                                         : shown().caption);
    show_caption_->setEnabled(has_caption);
    form->addRow(QString(), show_caption_);
    connect(show_title_, &QCheckBox::toggled, this, &ExportDialog::changed);
    connect(show_caption_, &QCheckBox::toggled, this, &ExportDialog::changed);
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
        const QString chosen = is_several()
                                   ? QFileDialog::getExistingDirectory(this, tr("Export to"), path_->text())
                                   : QFileDialog::getSaveFileName(this, tr("Export to"), path_->text(), {},
                                                                  nullptr, QFileDialog::DontConfirmOverwrite);
        if (!chosen.isEmpty()) set_base_path(chosen);
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
    options.font_family = own_font_->isChecked() ? font_->currentFont().family() : QString();
    options.font_points = font_size_->value();
    options.palette = palette_->currentIndex() > 0 ? palette_->currentText() : QString();
    options.style = style_named(style_->currentData().toString());
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

ExportOptions ExportDialog::remembered_options() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    ExportOptions options;
    options.width_mm = settings.value(QStringLiteral("width_mm"), 174.0).toDouble();
    options.height_mm = settings.value(QStringLiteral("height_mm"), 0.0).toDouble();
    options.dpi = settings.value(QStringLiteral("dpi"), 300).toInt();
    options.show_title = settings.value(QStringLiteral("show_title"), false).toBool();
    options.show_caption = settings.value(QStringLiteral("show_caption"), false).toBool();
    options.font_family = settings.value(QStringLiteral("font_family")).toString();
    options.font_points = settings.value(QStringLiteral("font_points"), 8.0).toDouble();
    options.palette = settings.value(QStringLiteral("palette")).toString();
    options.style = style_named(settings.value(QStringLiteral("style"), QStringLiteral("print")).toString());
    return options;
}

std::vector<FigureFormat> ExportDialog::remembered_formats() {
    QSettings settings;
    const QStringList names = settings
                                  .value(QStringLiteral("export/formats"),
                                         QStringList{QStringLiteral("png"), QStringLiteral("pdf")})
                                  .toStringList();
    std::vector<FigureFormat> chosen;
    for (const FigureFormat format : figure_formats()) {
        if (names.contains(suffix_of(format))) chosen.push_back(format);
    }
    return chosen;
}

void ExportDialog::load() {
    const ExportOptions options = remembered_options();
    for (const FigureFormat format : remembered_formats())
        format_[static_cast<std::size_t>(format)]->setChecked(true);
    width_->setValue(options.width_mm);
    height_->setValue(options.height_mm);
    dpi_->setValue(options.dpi);
    show_title_->setChecked(options.show_title);
    show_caption_->setChecked(options.show_caption && show_caption_->isEnabled());
    own_font_->setChecked(!options.font_family.isEmpty());
    font_->setEnabled(own_font_->isChecked());
    font_->setCurrentFont(
        QFont(options.font_family.isEmpty() ? QApplication::font().family() : options.font_family));
    font_size_->setValue(options.font_points);
    palette_->setCurrentIndex(std::max(palette_->findText(options.palette), 0));
    style_->setCurrentIndex(static_cast<int>(options.style == FigureStyle::print   ? 0
                                             : options.style == FigureStyle::light ? 1
                                                                                   : 2));
    int preset = custom;
    for (int i = 0; i < custom; ++i) {
        const Preset& known = presets[static_cast<std::size_t>(i)];
        if (std::abs(known.width - options.width_mm) < 0.05 &&
            std::abs(known.height - options.height_mm) < 0.05)
            preset = i;
    }
    preset_->setCurrentIndex(preset);
    const QSettings settings;
    const QString folder = settings
                               .value(QStringLiteral("export/folder"),
                                      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                               .toString();
    set_base_path(is_several()
                      ? folder
                      : QDir(folder).filePath(shown().id.isEmpty() ? QStringLiteral("figure") : shown().id));
}

void ExportDialog::save() const {
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    settings.setValue(QStringLiteral("width_mm"), width_->value());
    settings.setValue(QStringLiteral("height_mm"), height_->value());
    settings.setValue(QStringLiteral("dpi"), dpi_->value());
    settings.setValue(QStringLiteral("show_title"), show_title_->isChecked());
    settings.setValue(QStringLiteral("show_caption"), show_caption_->isChecked());
    settings.setValue(QStringLiteral("font_family"),
                      own_font_->isChecked() ? font_->currentFont().family() : QString());
    settings.setValue(QStringLiteral("font_points"), font_size_->value());
    settings.setValue(QStringLiteral("palette"),
                      palette_->currentIndex() > 0 ? palette_->currentText() : QString());
    settings.setValue(QStringLiteral("style"), style_->currentData());
    QStringList names;
    for (const FigureFormat format : formats()) names << suffix_of(format);
    settings.setValue(QStringLiteral("formats"), names);
    settings.setValue(QStringLiteral("folder"), is_several() ? QFileInfo(base_path()).absoluteFilePath()
                                                             : QFileInfo(base_path()).absolutePath());
}

void ExportDialog::changed() {
    if (loading_) return;
    const bool drawable = std::any_of(figures_.begin(), figures_.end(),
                                      [](const auto& figure) { return !figure.plots.empty(); });
    export_->setEnabled(!formats().empty() && !base_path().isEmpty() && to_write_.empty());
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
