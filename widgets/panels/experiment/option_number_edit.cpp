#include "panels/experiment/option_number_edit.h"

#include <cmath>

#include <QEvent>
#include <QLineEdit>
#include <QStyle>
#include <QStyleOptionSpinBox>

#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// 3 and −2 give exactly 0.03; 3 * 0.01 does not.
double from_decimal(double mantissa, int exponent) {
    return QStringLiteral("%1e%2").arg(mantissa, 0, 'f', 0).arg(exponent).toDouble();
}

int exponent_of(double number) { return static_cast<int>(std::floor(std::log10(std::abs(number)) + 1e-12)); }

double stepped(double number, int steps, int smallest) {
    const int direction = steps > 0 ? 1 : -1;
    for (int step = 0; step != steps; step += direction) {
        if (number == 0) {
            number = from_decimal(direction, smallest);
            continue;
        }
        int exponent = exponent_of(number);
        auto mantissa = number / std::pow(10.0, exponent);
        // Down from 0.1 comes 0.09, not 0.
        const bool towards_zero = (number > 0) == (direction < 0);
        if (towards_zero && std::abs(mantissa) < 1 + 1e-9) {
            if (exponent <= smallest) {
                number = 0;
                continue;
            }
            --exponent;
            mantissa *= 10;
        }
        const auto edge = direction > 0 ? std::floor(mantissa + 1e-9) : std::ceil(mantissa - 1e-9);
        number = from_decimal(edge + direction, exponent);
    }
    return number;
}

QString automatic_text() { return OptionNumberEdit::tr("auto"); }

}  // namespace

OptionNumberEdit::OptionNumberEdit(const config::OptionSpec& option, QWidget* parent)
    : QAbstractSpinBox(parent), option_(option) {
    setFocusPolicy(Qt::StrongFocus);
    setCorrectionMode(CorrectToPreviousValue);
    setAccelerated(true);
    ignore_wheel(this);
    ignore_wheel(lineEdit());
    connect(lineEdit(), &QLineEdit::textEdited, this, &OptionNumberEdit::typed);
    if (!option.unit.empty()) {
        unit_ = new QLabel(translated(option.unit), lineEdit());
        unit_->setAttribute(Qt::WA_TransparentForMouseEvents);
        unit_->setForegroundRole(QPalette::PlaceholderText);
        unit_->setObjectName(QStringLiteral("unit"));
        place_unit();
    }
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OptionNumberEdit::set_characters(int characters) {
    characters_ = characters;
    updateGeometry();
}

void OptionNumberEdit::show_text(const QString& text) {
    const auto shown = automatic_ && text == value_text(*automatic_) ? automatic_text() : text;
    if (lineEdit()->text() != shown) lineEdit()->setText(shown);
}

Parsed OptionNumberEdit::parsed() const {
    if (automatic_ && lineEdit()->text() == automatic_text()) return {automatic_, {}};
    return parse_value(option_, lineEdit()->text());
}

void OptionNumberEdit::stepBy(int steps) {
    const auto now = parsed();
    // Invalid text: nothing to step from.
    auto start = now.value ? *now.value : option_.default_value;
    config::Value next;
    if (std::holds_alternative<std::int64_t>(start)) {
        next = std::get<std::int64_t>(start) + steps;
    } else {
        const auto default_number = std::get<double>(option_.default_value);
        const int smallest = (default_number == 0 ? 0 : exponent_of(default_number)) - 2;
        next = stepped(std::get<double>(start), steps, smallest);
    }
    if (!config::problem_with(option_, next).empty()) return;
    const auto text = value_text(next);
    show_text(text);
    lineEdit()->selectAll();
    Q_EMIT typed(text);
}

QAbstractSpinBox::StepEnabled OptionNumberEdit::stepEnabled() const {
    const auto now = parsed();
    if (!now.value) return StepUpEnabled | StepDownEnabled;
    const auto number = std::holds_alternative<double>(*now.value)
                            ? std::get<double>(*now.value)
                            : static_cast<double>(std::get<std::int64_t>(*now.value));
    StepEnabled enabled = StepNone;
    if (!option_.limits.max || number < *option_.limits.max) enabled |= StepUpEnabled;
    if (!option_.limits.min || number > *option_.limits.min) enabled |= StepDownEnabled;
    return enabled;
}

QSize OptionNumberEdit::sizeHint() const {
    ensurePolished();
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    auto width = fontMetrics().horizontalAdvance(QString(characters_, u'0')) + 8;
    if (unit_ != nullptr) width += unit_->sizeHint().width() + 6;
    const QSize inner(width, lineEdit()->sizeHint().height());
    return style()->sizeFromContents(QStyle::CT_SpinBox, &option, inner, this);
}

void OptionNumberEdit::resizeEvent(QResizeEvent* event) {
    QAbstractSpinBox::resizeEvent(event);
    place_unit();
}

void OptionNumberEdit::changeEvent(QEvent* event) {
    QAbstractSpinBox::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) place_unit();
}

void OptionNumberEdit::place_unit() {
    if (unit_ == nullptr) return;
    unit_->resize(unit_->sizeHint());
    lineEdit()->setTextMargins(0, 0, unit_->width() + 4, 0);
    unit_->move(lineEdit()->width() - unit_->width() - 4, (lineEdit()->height() - unit_->height()) / 2);
}

}  // namespace casp::widgets
