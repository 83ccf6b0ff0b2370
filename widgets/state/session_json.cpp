#include "state/session_json.h"

#include <QJsonArray>

namespace casp::widgets {

namespace {

QJsonValue text_of(char c) { return c == '\0' ? QString() : QString(QLatin1Char(c)); }

std::optional<char> char_of(const QJsonValue& value) {
    if (!value.isString()) return {};
    const auto text = value.toString().toLatin1();
    if (text.size() > 1) return {};
    return text.isEmpty() ? '\0' : text[0];
}

QJsonArray list_of(const std::set<std::int64_t>& numbers) {
    QJsonArray list;
    for (const auto number : numbers) list << static_cast<qint64>(number);
    return list;
}

std::set<std::int64_t> numbers_of(const QJsonValue& value) {
    std::set<std::int64_t> numbers;
    for (const auto entry : value.toArray())
        if (entry.isDouble()) numbers.insert(entry.toInteger());
    return numbers;
}

}  // namespace

QJsonObject to_json(const data::CsvOptions& options) {
    QJsonObject object;
    if (options.delimiter) object["delimiter"] = text_of(*options.delimiter);
    if (options.decimal) object["decimal"] = text_of(*options.decimal);
    if (options.quote) object["quote"] = text_of(*options.quote);
    if (options.header) object["header"] = *options.header;
    if (options.encoding) object["encoding"] = QString::fromStdString(*options.encoding);
    if (options.time_columns) {
        QJsonArray columns;
        for (const auto& name : *options.time_columns) columns << QString::fromStdString(name);
        object["time_columns"] = columns;
    }
    if (options.time_style != data::TimeStyle::automatic)
        object["time_style"] = static_cast<int>(options.time_style);
    return object;
}

data::CsvOptions csv_options_of(const QJsonObject& object) {
    data::CsvOptions options;
    options.delimiter = char_of(object["delimiter"]);
    options.decimal = char_of(object["decimal"]);
    options.quote = char_of(object["quote"]);
    if (object["header"].isBool()) options.header = object["header"].toBool();
    if (object["encoding"].isString()) options.encoding = object["encoding"].toString().toStdString();
    if (object["time_columns"].isArray()) {
        options.time_columns.emplace();
        for (const auto name : object["time_columns"].toArray())
            options.time_columns->push_back(name.toString().toStdString());
    }
    const int style = object["time_style"].toInt();
    if (style >= 0 && style <= static_cast<int>(data::TimeStyle::unix_milliseconds))
        options.time_style = static_cast<data::TimeStyle>(style);
    return options;
}

QJsonObject to_json(const SelectionState& state) {
    QJsonObject object{{"runs", QJsonArray::fromStringList(state.runs)},
                       {"split", state.split},
                       {"channels", list_of(state.channels)},
                       {"windows", list_of(state.windows)},
                       {"anchors", list_of(state.anchors)}};
    if (state.step) object["step"] = static_cast<qint64>(*state.step);
    return object;
}

SelectionState selection_of(const QJsonObject& object) {
    SelectionState state;
    for (const auto run : object["runs"].toArray()) state.runs << run.toString();
    state.split = object["split"].toString();
    state.channels = numbers_of(object["channels"]);
    state.windows = numbers_of(object["windows"]);
    state.anchors = numbers_of(object["anchors"]);
    if (object["step"].isDouble()) state.step = object["step"].toInteger();
    return state;
}

}  // namespace casp::widgets
