#include "gui/theme.h"

#include <QApplication>
#include <QCursor>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QScreen>
#include <QStyleOption>
#include <QSvgRenderer>
#include <QToolTip>

#include "util/embedded.h"

namespace casp::gui {

namespace {

struct Colours {
    const char *window, *base, *alternate, *text, *muted, *button, *border, *accent, *on_accent, *tip;
};
constexpr Colours light{"#f6f7f9", "#ffffff", "#f1f3f6", "#1b1f24", "#5b6470",
                        "#eceff3", "#c9d0d9", "#0b62a8", "#ffffff", "#fffbe6"};
constexpr Colours dark{"#1e2126", "#17191d", "#1f2328", "#e6e8eb", "#a3abb5",
                       "#2a2e35", "#454c56", "#5aa9e6", "#0d1014", "#33383f"};

QPalette made_of(const Colours& c) {
    QPalette p;
    const QColor text(c.text), muted(c.muted), border(c.border);
    p.setColor(QPalette::Window, QColor(c.window));
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, QColor(c.base));
    p.setColor(QPalette::AlternateBase, QColor(c.alternate));
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::Button, QColor(c.button));
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, QColor("#d55e00"));
    p.setColor(QPalette::ToolTipBase, QColor(c.tip));
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::PlaceholderText, muted);
    p.setColor(QPalette::Highlight, QColor(c.accent));
    p.setColor(QPalette::HighlightedText, QColor(c.on_accent));
    p.setColor(QPalette::Link, QColor(c.accent));
    p.setColor(QPalette::LinkVisited, QColor(c.accent));
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Midlight, QColor(c.button));
    p.setColor(QPalette::Light, QColor(c.base));
    p.setColor(QPalette::Dark, border.darker(120));
    p.setColor(QPalette::Shadow, border.darker(160));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        QColor faded = muted;
        faded.setAlphaF(0.75F);
        p.setColor(QPalette::Disabled, role, faded);
    }
    p.setColor(QPalette::Disabled, QPalette::Highlight, border);
    return p;
}

QPalette& system_palette() {
    static QPalette palette;
    return palette;
}

/// No outline in light themes, or if the focus frame is drawn instead.
QColor outline_of(const QStyleOption& option, bool shows_focus) {
    const auto window = option.palette.color(QPalette::Window);
    if (window.lightness() >= 128) return {};
    if (shows_focus && option.state.testFlag(QStyle::State_HasFocus)) return {};
    return option.state.testFlag(QStyle::State_Enabled) ? QColor(0x7d, 0x86, 0x92)
                                                        : option.palette.color(QPalette::Mid);
}

enum class Shape { square, field, circle };

void draw_outline(QPainter& painter, const QRect& rect, const QColor& colour, Shape shape) {
    if (!colour.isValid()) return;
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1));
    const QRectF line = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setRenderHint(QPainter::Antialiasing, shape != Shape::square);
    if (shape == Shape::square)
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    else if (shape == Shape::field)
        painter.drawRoundedRect(line, 2, 2);
    else
        painter.drawEllipse(line);
    painter.restore();
}

/// Breaks the lines of plain tooltips, which Qt shows as wide as the screen; it breaks rich ones itself.
/// Here, not where they are set: those of items, tabs and menus come from models and actions.
class TipLines : public QObject {
public:
    bool eventFilter(QObject* watched, QEvent* event) override {
        // Qt places it before it shows it, but after it has resized one that is shown for another text.
        const bool first = event->type() == QEvent::Show;
        auto& tip = *static_cast<QLabel*>(watched);
        if ((first || event->type() == QEvent::Resize) && break_lines(tip) && first) place(tip);
        return false;
    }

private:
    /// Whether that was necessary.
    static bool break_lines(QLabel& tip) {
        constexpr int characters = 60, longest_word = 40;
        const auto metrics = tip.fontMetrics();
        const int frame = 2 * tip.margin() + tip.indent() + 1;
        const int widest = characters * metrics.averageCharWidth();
        if (Qt::mightBeRichText(tip.text()) || tip.width() <= widest + frame) return false;
        // Paths and lists without spaces may break, too.
        static const QRegularExpression words(QStringLiteral("\\S{%1,}").arg(longest_word)),
            signs(QStringLiteral("([/\\\\,;=_])(?=[^\u200b])"));
        QString text;
        qsizetype end = 0;
        for (const auto& word : words.globalMatch(tip.text())) {
            text += tip.text().mid(end, word.capturedStart() - end);
            text += word.captured().replace(signs, QStringLiteral("\\1\u200b"));
            end = word.capturedEnd();
        }
        if (end > 0) tip.setText(text + tip.text().mid(end));
        tip.setWordWrap(true);
        const auto lines = metrics.boundingRect(QRect(0, 0, widest, 1), Qt::TextWordWrap, tip.text());
        const int width = lines.width() + frame;
        tip.resize(width, tip.heightForWidth(width));
        return true;
    }

    /// Near the pointer, from where Qt has moved it for its former width.
    static void place(QWidget& tip) {
        const auto screen = tip.screen()->geometry();
        const auto mouse = QCursor::pos();
        constexpr int beside = 2, above = 8;
        QPoint at = tip.pos();
        if (at.x() < mouse.x()) at.setX(std::min(mouse.x() + beside, screen.right() - tip.width()));
        if (at.y() + tip.height() > screen.bottom()) at.setY(mouse.y() - above - tip.height());
        tip.move(std::max(at.x(), screen.left()), std::max(at.y(), screen.top()));
    }
};

/// Fusion draws the outlines of check boxes and fields in a darker shade of the window colour, which is
/// invisible in dark themes. Here their contrast to the window is at least 3; light themes keep Fusion's
/// outlines. Docks are separated by a line and have a title bar with its own background.
class FieldStyle : public QProxyStyle {
public:
    FieldStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    using QProxyStyle::polish;
    void polish(QWidget* widget) override {
        QProxyStyle::polish(widget);
        if (widget->inherits("QTipLabel")) widget->installEventFilter(&tip_lines_);
    }
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                  const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;

private:
    TipLines tip_lines_;
};

void FieldStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto& palette = option->palette;
    if (element == PE_IndicatorDockWidgetResizeHandle) {
        const bool hovered = option->state.testFlag(State_MouseOver);
        painter->fillRect(option->rect, palette.color(hovered ? QPalette::Highlight : QPalette::Mid));
        return;
    }
    if (element == PE_PanelTipLabel) {
        painter->fillRect(option->rect, palette.color(QPalette::ToolTipBase));
        draw_outline(*painter, option->rect, palette.color(QPalette::Mid), Shape::square);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_IndicatorCheckBox)
        draw_outline(*painter, option->rect, outline_of(*option, false), Shape::square);
    else if (element == PE_IndicatorRadioButton)
        draw_outline(*painter, option->rect, outline_of(*option, false), Shape::circle);
    else if (element == PE_FrameLineEdit)
        draw_outline(*painter, option->rect, outline_of(*option, true), Shape::field);
}

void FieldStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control != CC_SpinBox) return;
    if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        spin != nullptr && spin->frame)
        draw_outline(*painter, option->rect.adjusted(0, 1, 0, -1), outline_of(*option, true), Shape::field);
}

void FieldStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    if (element == CE_DockWidgetTitle)
        painter->fillRect(option->rect, option->palette.color(QPalette::Button));
    QProxyStyle::drawControl(element, option, painter, widget);
}

int FieldStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_DockWidgetSeparatorExtent:
            return 1;
        case PM_DockWidgetTitleMargin:
        case PM_ToolTipLabelFrameWidth:
            return 4;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

}  // namespace

QString theme_name(Theme theme) {
    return theme == Theme::light  ? QStringLiteral("light")
           : theme == Theme::dark ? QStringLiteral("dark")
                                  : QStringLiteral("system");
}

Theme theme_from(const QString& name) {
    return name == QLatin1String("light")  ? Theme::light
           : name == QLatin1String("dark") ? Theme::dark
                                           : Theme::system;
}

QIcon application_icon() {
    const auto svg = embedded_file("resources/icons/app/caspstudio.svg");
    QSvgRenderer renderer(QByteArray(svg.data(), static_cast<qsizetype>(svg.size())));
    QIcon icon;
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

QPalette light_palette() { return made_of(light); }
QPalette dark_palette() { return made_of(dark); }

void remember_system_palette(const QApplication& application) { system_palette() = application.palette(); }

void follow_system_palette(QApplication& application) {
    application.setPalette(QPalette());  // the platform's palette, without ours
    remember_system_palette(application);
    apply_theme(application, Theme::system);
}

void apply_style(QApplication& application) {
    constexpr const char* has_style = "casp_field_style";
    if (application.property(has_style).toBool()) return;
    QApplication::setStyle(new FieldStyle);
    application.setProperty(has_style, true);
}

void apply_theme(QApplication& application, Theme theme) {
    // Qt 6.4 does not report the system's colour scheme; its palette reveals it.
    const bool wants_dark =
        theme == Theme::dark ||
        (theme == Theme::system && system_palette().color(QPalette::Window).lightness() < 128);
    const Colours& c = wants_dark ? dark : light;
    apply_style(application);
    application.setPalette(made_of(c));
    QToolTip::setPalette(application.palette());
}

}  // namespace casp::gui
