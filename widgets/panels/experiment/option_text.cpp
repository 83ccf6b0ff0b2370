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
#include "util/error.h"
#include "words/core_text.h"

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

QString expected_of(const config::OptionSpec& option) { return translated(config::expected_text(option)); }

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
    return {std::nullopt, wrong(option, shown, translated(problem))};
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
    if (option.type == config::OptionType::any) return utf8(option.member);  // as the user's file reads it
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

QString option_in_group(const config::OptionSpec& option) {
    return option_label(option) + QStringLiteral("  (%1)").arg(translated(option.group));
}

QString setting_title(const QString& key) {
    const auto* option = config::find_option(key.toStdString());
    const auto title = figures::key_title(key);
    return option != nullptr && title == utf8(option->symbol) ? option_label(*option)
                                                              : translated_title(title);
}

QString option_tooltip(const config::OptionSpec& option) {
    auto html = QStringLiteral("<p style='white-space:pre'><b>%1</b>%2</p><p>%3.</p>")
                    .arg(utf8(option.key).toHtmlEscaped(),
                         option.symbol.empty() ? QString() : u' ' + utf8(option.symbol).toHtmlEscaped(),
                         translated(option.help).toHtmlEscaped());
    return html + QObject::tr("<p>Expected: %1</p><p>Default: %2</p>")
                      .arg(expected_of(option).toHtmlEscaped(),
                           short_value(option.default_value, 60).toHtmlEscaped());
}

QString option_description(const config::OptionSpec& option) {
    return QObject::tr("%1. Expected: %2.").arg(translated(option.help), expected_of(option));
}

QString option_help_topic(const config::OptionSpec& option) {
    return QStringLiteral("options/") + utf8(option.key);
}

bool option_matches(const config::OptionSpec& option, const QString& search) {
    const auto wanted = search.trimmed();
    if (wanted.isEmpty()) return true;
    const auto symbol = utf8(option.symbol);
    if (is_exact_symbol(wanted)) return symbol == wanted;
    const auto text = QStringList{utf8(option.key),
                                  english_name(option),
                                  symbol,
                                  in_latin(symbol),
                                  utf8(option.group),
                                  translated(option.group),
                                  translated(option.help),
                                  option_name(option),
                                  utf8(option.help),
                                  in_latin(utf8(option.help)),
                                  utf8(option.member).replace(u'_', u' ')}
                          .join(u'\n');
    const auto words = wanted.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

QString value_text(const config::Value& value) {
    struct Writer {
        QString operator()(std::int64_t integer) const { return QString::number(integer); }
        QString operator()(double number) const { return utf8(config::shortest(number)); }
        QString operator()(bool boolean) const { return boolean ? QObject::tr("on") : QObject::tr("off"); }
        QString operator()(const std::string& text) const { return utf8(text); }
        QString operator()(const std::vector<double>& items) const {
            QStringList texts;
            for (const auto item : items) texts.append(utf8(config::shortest(item)));
            return texts.join(QStringLiteral(", "));
        }
        QString operator()(const std::vector<std::string>& items) const {
            QStringList texts;
            for (const auto& item : items) {
                auto text = utf8(item);
                const bool quote = text.isEmpty() || text.contains(u',') || text.contains(u'"') ||
                                   text.contains(u'\'') || text.trimmed() != text;
                if (quote) text = text.contains(u'"') ? u'\'' + text + u'\'' : u'"' + text + u'"';
                texts.append(text);
            }
            return texts.join(QStringLiteral(", "));
        }
        QString operator()(const config::SplitSetting& split) const {
            if (split.rule == "dates")
                return QStringLiteral("%1, %2").arg(utf8(split.dates[0]), utf8(split.dates[1]));
            if (split.rule == "fractions")
                return (*this)(std::vector<double>(split.fractions.begin(), split.fractions.end()));
            if (split.rule != "rows") return utf8(split.rule);
            return QStringLiteral("%1, %2, %3").arg(split.rows[0]).arg(split.rows[1]).arg(split.rows[2]);
        }
        QString operator()(const config::OptionTable& table) const {
            QStringList texts;
            for (const auto& [name, entry] : table) {
                const auto value = std::visit([](const auto& v) { return config::Value(v); }, entry);
                texts.append(utf8(name) + QStringLiteral(" = ") + utf8(config::to_toml(value)));
            }
            return texts.join(QStringLiteral(", "));
        }
    };
    return std::visit(Writer{}, value);
}

QString short_value(const config::Value& value, int longest) {
    // Text for the reset button: unquoted, with a word for empty values.
    auto text = std::holds_alternative<std::string>(value) ? utf8(std::get<std::string>(value))
                                                           : utf8(config::to_toml(value));
    if (std::holds_alternative<double>(value) || std::holds_alternative<bool>(value))
        text = value_text(value);
    if (text.isEmpty()) return QObject::tr("nothing");
    if (text == QStringLiteral("[]")) return QObject::tr("empty list");
    return text.size() > longest ? u'…' + text.right(longest - 1) : text;
}

QStringList split_items(const QString& typed) {
    QStringList items;
    QString item;
    QChar quote;
    bool quoted = false;
    const auto finish = [&] {
        items.append(quoted ? item : item.trimmed());
        item.clear();
        quoted = false;
    };
    for (const auto c : typed) {
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
            else
                item += c;
        } else if ((c == u'"' || c == u'\'') && item.trimmed().isEmpty() && !quoted) {
            item.clear();
            quote = c;
            quoted = true;
        } else if (c == u',') {
            finish();
        } else if (!quoted || !c.isSpace()) {
            item += c;
        }
    }
    if (!item.isEmpty() || quoted || !items.isEmpty()) finish();
    // A trailing comma, typed before the next item, does not create an empty item.
    if (!items.isEmpty() && items.back().isEmpty() && !typed.trimmed().endsWith(u'"') &&
        !typed.trimmed().endsWith(u'\''))
        items.removeLast();
    return items;
}

namespace {

/// Entries as in an inline table of TOML: "d_model = 256, name = \"x\"".
Parsed parse_table(const config::OptionSpec& option, const QString& text) {
    try {
        const auto dot = option.key.find('.');
        const auto base =
            config::load_text("model.name = \"" + option.model + "\"\n[" + option.key.substr(0, dot) + "]\n" +
                                  option.key.substr(dot + 1) + " = { " + text.toStdString() + " }\n",
                              "", {})
                .base;
        return checked(option, option.get(base), text);
    } catch (const Error&) {
        return no_value(option, text,
                        QObject::tr("is not a list of entries such as d_model = 256, dropout = 0.1"));
    }
}

}  // namespace

Parsed parse_value(const config::OptionSpec& option, const QString& typed) {
    const auto text = typed.trimmed();
    switch (option.type) {
        case config::OptionType::integer:
            if (option.limits.zero_is_auto && text == QStringLiteral("auto"))
                return checked(option, std::int64_t{0}, text);
            if (const auto integer = integer_of(text)) return checked(option, *integer, text);
            return no_value(option, text, QObject::tr("is not a whole number"));
        case config::OptionType::number:
            if (const auto number = number_of(text)) return checked(option, *number, text);
            return no_value(option, text, QObject::tr("is not a number"));
        case config::OptionType::numbers: {
            std::vector<double> numbers;
            for (const auto& item : split_items(text)) {
                const auto number = number_of(item);
                if (!number) return no_value(option, item, QObject::tr("is not a number"));
                numbers.push_back(*number);
            }
            return checked(option, std::move(numbers), text);
        }
        case config::OptionType::strings: {
            std::vector<std::string> items;
            for (const auto& item : split_items(text)) items.push_back(item.toStdString());
            return checked(option, std::move(items), text);
        }
        case config::OptionType::table:
            return parse_table(option, text);
        case config::OptionType::string:
            return checked(option, text.toStdString(), text.isEmpty() ? QObject::tr("The field") : text);
        case config::OptionType::boolean:
        case config::OptionType::split:
        case config::OptionType::any:
            break;
    }
    return no_value(option, text, QObject::tr("is not valid text"));
}

QColor tone_colour(const QPalette& palette, Tone tone) {
    const auto background = palette.color(QPalette::Window);
    const auto text = palette.color(QPalette::WindowText);
    QColor colour;
    switch (tone) {
        case Tone::error:
            colour = QColor(0xD5, 0x2B, 0x1E);
            break;
        case Tone::warning:
            colour = QColor(0xB8, 0x6E, 0x00);
            break;
        case Tone::good:
            colour = QColor(0x00, 0x8F, 0x66);
            break;
        case Tone::accent:
            colour = figures::style_of(palette).accent;
            break;
        case Tone::muted:
            colour = figures::style_of(palette).muted;
            break;
    }
    // Blend towards the text colour until readable.
    for (int step = 0; step < 20 && figures::contrast(colour, background) < 4.5; ++step)
        colour = QColor::fromRgbF(colour.redF() * 0.9F + text.redF() * 0.1F,
                                  colour.greenF() * 0.9F + text.greenF() * 0.1F,
                                  colour.blueF() * 0.9F + text.blueF() * 0.1F);
    return colour;
}

void ignore_wheel(QWidget* editor) {
    editor->installEventFilter(new WheelGuard(editor));
    if (editor->focusPolicy() == Qt::WheelFocus) editor->setFocusPolicy(Qt::StrongFocus);
}

}  // namespace casp::widgets
