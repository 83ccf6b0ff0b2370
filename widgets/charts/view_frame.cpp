#include "charts/view_frame.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QStyleOptionToolButton>
#include <QToolButton>

#include "charts/export_dialog.h"
#include "charts/figure_view.h"
#include "charts/plot_text.h"
#include "figures/numbers.h"

namespace casp::widgets {

namespace {

constexpr qint64 max_copied_cells = 1'000'000;  ///< about ten megabytes, which other programs still accept

/// Without the arrow, which would repeat the dots. No style sheet: a widget with one keeps the colours of the
/// theme in which it was first shown.
class MenuButton : public QToolButton {
public:
    using QToolButton::QToolButton;

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override {
        QToolButton::initStyleOption(option);
        option->features &= ~QStyleOptionToolButton::HasMenu;
    }
};

}  // namespace

ViewFrame::ViewFrame(const QString& title, const QString& help_topic, QWidget* parent)
    : QFrame(parent), help_topic_(help_topic) {
    setFrameShape(QFrame::StyledPanel);
    auto* column = new QVBoxLayout(this);
    layout_ = column;
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    header_ = new QHBoxLayout;
    header_->setContentsMargins(8, 2, 2, 2);
    header_->setSpacing(4);
    column->addLayout(header_);

    title_ = new QLabel(this);
    title_->setTextFormat(Qt::PlainText);
    QFont font = title_->font();
    font.setWeight(QFont::DemiBold);
    title_->setFont(font);
    // A long title is elided in favour of the controls.
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    title_->setMinimumWidth(40);
    header_->addWidget(title_, 1);
    controls_at_ = header_->count();

    make_buttons();
    make_menu();
    make_offer();
    set_title(title);
    set_maximised(false);
}

void ViewFrame::make_buttons() {
    maximise_ = new QToolButton(this);
    maximise_->setText(QStringLiteral("⤢"));
    maximise_->setAutoRaise(true);
    maximise_->setCheckable(true);
    maximise_->setFocusPolicy(Qt::TabFocus);
    header_->addWidget(maximise_);
    connect(maximise_, &QToolButton::clicked, this, [this](bool checked) {
        set_maximised(checked);
        Q_EMIT maximise_requested(checked);
    });

    menu_ = new QMenu(this);
    more_ = new MenuButton(this);
    more_->setText(QStringLiteral("⋯"));
    more_->setAutoRaise(true);
    more_->setMenu(menu_);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setFocusPolicy(Qt::TabFocus);
    header_->addWidget(more_);
}

void ViewFrame::make_menu() {
    copy_picture_ = menu_->addAction(tr("Copy &picture"), this, &ViewFrame::copy_picture);
    copy_numbers_ = menu_->addAction(tr("Copy &numbers"), this, &ViewFrame::copy_numbers);
    copy_numbers_->setToolTip(tr("Copies all numbers as CSV, unsmoothed"));
    export_ = menu_->addAction(tr("&Export…"), this, &ViewFrame::export_figure);
    first_common_ = copy_picture_;
    menu_->addSeparator();
    settings_ = menu_->addAction(tr("&Settings of the shown runs"), this, &ViewFrame::show_settings);
    settings_->setToolTip(tr("Settings side by side with their results (panel Difference)"));
    settings_->setVisible(false);
    if (!help_topic_.isEmpty()) {
        setProperty("help_topic", help_topic_);  // F1 explains the focused view
        menu_->addAction(tr("&Help for this view"), this, [this] { Q_EMIT help_requested(help_topic_); });
    }
    connect(menu_, &QMenu::aboutToShow, this, &ViewFrame::update_menu);
}

void ViewFrame::make_offer() {
    auto* row = new QWidget(this);
    row->setAutoFillBackground(true);
    row->setBackgroundRole(QPalette::Base);  // of the empty page above it
    auto* middle = new QHBoxLayout(row);
    middle->setContentsMargins(0, 0, 0, 10);
    offer_ = new QToolButton(row);
    offer_->setObjectName(QStringLiteral("offer"));
    offer_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    offer_->setFocusPolicy(Qt::TabFocus);
    middle->addWidget(offer_, 0, Qt::AlignHCenter);
    layout_->addWidget(row);
    row->hide();
}

void ViewFrame::set_title(const QString& title) {
    title_text_ = title;
    title_->setText(shaped(title, title_->font()));
    title_->setToolTip(title +
                       tr("\nIn a chart, Ctrl+wheel zooms (Ctrl+Shift+wheel: the y axis), Shift+wheel "
                          "pans, dragging zooms to a box, and a double click shows everything"));
    setAccessibleName(title);
    maximise_->setAccessibleName(tr("Enlarge %1").arg(title));
    more_->setAccessibleName(tr("Menu of %1").arg(title));
    update_tooltips();
    offer_->setAccessibleName(tr("How to fill %1").arg(title));
    if (offer_->defaultAction() == nullptr) offer_->setToolTip(offer_->accessibleName());
}

void ViewFrame::update_tooltips() {
    QStringList parts{tr("Copy, export")};
    if (show_settings_) parts << tr("settings");
    if (!help_topic_.isEmpty()) parts << tr("help");
    const auto last = parts.takeLast();
    more_->setToolTip(parts.isEmpty()
                          ? tr("Copy or export this view")
                          : tr("%1 and %2 of this view").arg(parts.join(QStringLiteral(", ")), last));
}

QString ViewFrame::title() const { return title_text_; }

void ViewFrame::set_content(QWidget* content) {
    if (content_ == content) return;
    if (content_ != nullptr) {
        layout_->removeWidget(content_);
        content_->deleteLater();
    }
    content_ = content;
    // Above the offer.
    if (content_ != nullptr) layout_->insertWidget(layout_->count() - 1, content_, 1);
}

FigureView* ViewFrame::figure_view() const {
    if (content_ == nullptr) return nullptr;
    if (auto* view = qobject_cast<FigureView*>(content_)) return view;
    return content_->findChild<FigureView*>();
}

void ViewFrame::add_control(QWidget* control) { header_->insertWidget(controls_at_++, control); }

void ViewFrame::add_action(QAction* action) {
    if (first_common_ == copy_picture_) first_common_ = menu_->insertSeparator(copy_picture_);
    menu_->insertAction(first_common_, action);
}

void ViewFrame::set_figure_source(std::function<figures::Figure()> source) {
    figure_source_ = std::move(source);
}

void ViewFrame::set_picture_source(std::function<QImage()> source) { picture_source_ = std::move(source); }

void ViewFrame::set_offer(QAction* action) {
    for (auto* before : offer_->actions())
        if (before != action) offer_->removeAction(before);
    if (action != nullptr) offer_->setDefaultAction(action);
    offer_->parentWidget()->setVisible(action != nullptr);
}

void ViewFrame::set_busy_source(std::function<bool()> source) { busy_source_ = std::move(source); }

bool ViewFrame::is_busy() const {
    if (busy_source_) return busy_source_();
    const FigureView* view = figure_view();
    return view != nullptr && view->busy();
}

void ViewFrame::set_settings(std::function<void()> show) {
    show_settings_ = std::move(show);
    settings_->setVisible(static_cast<bool>(show_settings_));
    update_tooltips();
}

figures::Figure ViewFrame::current_figure() const {
    figures::Figure figure;
    if (figure_source_)
        figure = figure_source_();
    else if (const FigureView* view = figure_view())
        figure = view->figure();
    if (figure.title.isEmpty()) figure.title = title();
    return figure;
}

void ViewFrame::set_maximised(bool maximised) {
    maximise_->setChecked(maximised);
    maximise_->setToolTip(maximised ? tr("Return to the other views")
                                    : tr("Enlarge this view to fill the centre"));
}

bool ViewFrame::maximised() const { return maximise_->isChecked(); }

void ViewFrame::update_menu() {
    const figures::Figure figure = current_figure();
    const bool plots = !figure.plots.empty();
    copy_picture_->setEnabled(plots || picture_source_);
    copy_numbers_->setEnabled(plots || figure.numbers);
    export_->setEnabled(plots || figure.numbers);
}

void ViewFrame::copy_picture() {
    QImage image;
    if (picture_source_)
        image = picture_source_();
    else if (const FigureView* view = figure_view())
        image = view->picture(2);
    if (image.isNull()) return report_empty();
    image.setDevicePixelRatio(1);
    QApplication::clipboard()->setImage(image);
    Q_EMIT message(tr("Picture of “%1” copied").arg(title()));
}

void ViewFrame::copy_numbers() {
    const figures::Figure figure = current_figure();
    if (figure.plots.empty() && !figure.numbers) return report_empty();
    const QLocale locale(QLocale::English);
    if (const auto cells = figures::cell_count(figure); cells > max_copied_cells) {
        Q_EMIT message(tr("“%1” has %2 cells, too many for the clipboard (at most %3). Use "
                          "Export… to write them to a CSV file.")
                           .arg(title(), locale.toString(cells), locale.toString(max_copied_cells)));
        return;
    }
    const QByteArray csv = figures::csv_of(figure);
    auto* mime = new QMimeData;
    mime->setText(QString::fromUtf8(csv));
    mime->setData(QStringLiteral("text/csv"), csv);
    QApplication::clipboard()->setMimeData(mime);
    Q_EMIT message(tr("Numbers of “%1” copied as CSV").arg(title()));
}

void ViewFrame::export_figure() {
    auto figure = current_figure();
    if (figure.plots.empty() && !figure.numbers) return report_empty();
    auto* dialog = new ExportDialog(std::move(figure), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::message, this, &ViewFrame::message);
    dialog->show();
}

void ViewFrame::show_settings() {
    if (show_settings_) return show_settings_();
    Q_EMIT message(tr("“%1” shows no runs").arg(title()));
}

void ViewFrame::enlarge_or_put_back() { maximise_->click(); }

void ViewFrame::report_empty() { Q_EMIT message(tr("“%1” is still empty").arg(title())); }

void ViewFrame::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange && title_ != nullptr) {
        QFont font = this->font();
        font.setWeight(QFont::DemiBold);
        title_->setFont(font);
        set_title(title_text_);
    }
    QFrame::changeEvent(event);
}

}  // namespace casp::widgets
