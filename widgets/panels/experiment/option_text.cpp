#include "panels/experiment/option_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <QEvent>
#include <QWidget>

#include "config/experiment.h"
#include "config/text_utils.h"
#include "figures/comparison.h"
#include "figures/style.h"
#include "state/core_message.h"
#include "state/core_text.h"

namespace casp::widgets {

namespace {

QString utf8(const std::string& text) { return QString::fromStdString(text); }

QString in_latin(QString text) {
    static const std::pair<QString, QString> letters[] = {
        {QStringLiteral("λ"), QStringLiteral("lambda")}, {QStringLiteral("τ"), QStringLiteral("tau")},
        {QStringLiteral("β"), QStringLiteral("beta")},   {QStringLiteral("ℓ"), QStringLiteral("l")},
        {QStringLiteral("α"), QStringLiteral("alpha")},  {QStringLiteral("γ"), QStringLiteral("gamma")}};
    for (const auto& [greek, latin] : letters) text.replace(greek, latin);
    return text;
}

bool is_exact_symbol(const QString& search) {
    return std::any_of(config::options().begin(), config::options().end(), [&](const auto& option) {
        return !option.symbol.empty() && utf8(option.symbol) == search;
    });
}

QString expected_of(const config::OptionSpec& option) {
    return translated_message(config::expected_text(option));
}

QString wrong(const config::OptionSpec& option, const QString& shown, const QString& what) {
    return QObject::tr("%1 %2; expected %3").arg(shown, what, expected_of(option));
}

std::optional<double> number_of(const QString& typed) {
    const auto text = typed.toStdString();
    double number = 0;
    const char* first = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const auto end = std::from_chars(first, text.data() + text.size(), number);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<std::int64_t> integer_of(const QString& typed) {
    auto text = typed;
    text.remove(u' ').remove(u'_').remove(QChar(0x202F)).remove(QChar(0x2009));
    bool good = false;
    const auto integer = text.toLongLong(&good);
    if (good) return integer;
    // 1e6 is as good an integer as 1000000.
    const auto number = number_of(text);
    if (number && std::abs(*number) <= 9007199254740992.0 && std::floor(*number) == *number)
        return static_cast<std::int64_t>(*number);
    return std::nullopt;
}

QString number_advice(const QString& typed) {
    auto with_point = typed;
    with_point.replace(u',', u'.');
    if (typed.count(u',') == 1 && number_of(with_point))
        return QObject::tr("; use a decimal point: %1").arg(with_point);
    return {};
}

Parsed checked(const config::OptionSpec& option, config::Value value, const QString& typed) {
    const auto problem = config::problem_with(option, value);
    if (problem.empty()) return {config::in_own_type(option, std::move(value)), {}};
    const auto shown = typed.size() > 40 ? typed.left(39) + u'…' : typed;
    return {std::nullopt, wrong(option, shown, translated_message(problem))};
}

Parsed no_value(const config::OptionSpec& option, const QString& typed, const QString& what) {
    if (typed.isEmpty())
        return {std::nullopt, wrong(option, QObject::tr("The field"), QObject::tr("is empty"))};
    return {std::nullopt,
            wrong(option, QStringLiteral("“%1”").arg(typed.left(40)), what) + number_advice(typed)};
}

/// "Batch size"; the symbol, if the key spells it out.
QString english_name(const config::OptionSpec& option) {
    if (!option.symbol.empty() && in_latin(utf8(option.symbol)) == utf8(option.member))
        return utf8(option.symbol);
    auto name = utf8(option.member).replace(u'_', u' ');
    name[0] = name[0].toUpper();
    return name;
}

class WheelGuard : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Wheel) return false;
        event->ignore();
        return true;
    }
};

}  // namespace

QString option_name(const config::OptionSpec& option) { return translated(english_name(option)); }

QString option_label(const config::OptionSpec& option) {
    const auto name = option_name(option);
    const auto symbol = utf8(option.symbol);
    return symbol.isEmpty() || symbol == name ? name : name + QStringLiteral("  ") + symbol;
}

QString translated_title(const QString& title) {
    if (auto text = translated(title); text != title || title.isEmpty()) return text;
    // The names of settings are translated with a capital letter.
    auto name = title;
    name[0] = name[0].toUpper();
    const auto text = translated(name);
    return text != name ? text : title;
}

QString setting_title(const QString& key) {
    const auto* option = config::find_option(key.toStdString());
    const auto title = figures::key_title(key);
    return option != nullptr && title == utf8(option->symbol) ? option_label(*option)
                                                              : translated_title(title);
}

