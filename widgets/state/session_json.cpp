#include "state/session_json.h"

#include <QJsonArray>

#include "config/experiment.h"
#include "config/options.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

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

QJsonObject to_json(const config::Config::DataCsv& corrections) {
    config::Config config;
    config.data_csv = corrections;
    std::string toml;
    for (const auto& difference : config::differences(config::Config{}, config))
        toml += difference.key + " = " + difference.b + '\n';
    return toml.empty() ? QJsonObject() : QJsonObject{{"settings", QString::fromStdString(toml)}};
}

std::optional<config::Config::DataCsv> corrections_of(const QJsonObject& object) {
    const auto toml = object["settings"].toString();
    if (toml.isEmpty() && !object.isEmpty()) return {};
    try {
        return config::load_text(toml.toStdString(), "the session", {}).base.data_csv;
    } catch (const Error&) {
        return {};
    }
}

QJsonObject to_json(const SelectionState& state) {
    QJsonObject object{{"runs", QJsonArray::fromStringList(state.runs)},
                       {"split", state.split},
                       {"channels", list_of(state.channels)},
                       {"windows", list_of(state.windows)},
                       {"anchors", list_of(state.anchors)},
                       {"anchors_of", state.anchors_of}};
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
    // Sessions of 1.0.0 do not say whose they are.
    state.anchors_of = object["anchors_of"].toString(state.anchors.empty() ? "" : state.runs.value(0));
    if (object["step"].isDouble()) state.step = object["step"].toInteger();
    return state;
}

}  // namespace casp::widgets
