#include "state/experiment_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUndoCommand>

#include "config/presets.h"
#include "config/scheduler.h"
#include "config/text_utils.h"
#include "config/toml_reader.h"
#include "util/error.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

bool same_axes(const std::vector<config::Axis>& a, const std::vector<config::Axis>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
        return left.key == right.key &&
               std::equal(
                   left.points.begin(), left.points.end(), right.points.begin(), right.points.end(),
                   [](const auto& x, const auto& y) { return x.value == y.value && x.text == y.text; });
    });
}

/// Places for messages: there is no file.
void set_places(std::vector<config::Case>& cases) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
        cases[i].where = "case " + std::to_string(i + 1);
        for (auto& assignment : cases[i].given) assignment.where = cases[i].where;
    }
}

/// defaults < preset; the defaults for no or an unknown preset.
config::Config cell(const std::string& preset) {
    config::Config config;
    const auto& names = config::preset_names();
    if (preset.empty() || std::find(names.begin(), names.end(), preset) == names.end()) return config;
    return config::load_text("preset = " + config::in_quotes(preset), "preset " + preset, {}).base;
}

std::set<std::string> laid_over_preset(const config::Config& config) {
    std::set<std::string> keys;
    if (!config.preset.empty()) keys.insert("preset");
    for (const auto& difference : config::differences(cell(config.preset), config))
        keys.insert(difference.key);
    return keys;
}

bool survives_preset(const std::string& key) {
    return key == "name" || key == "data.path" || key.starts_with("data.csv.") || key.starts_with("run.");
}

/// One typed item of a sweep as TOML.
std::string item_toml(const config::OptionSpec& option, const QString& typed) {
    using config::OptionType;
    const auto item = typed.trimmed().toStdString();
    const bool quoted = item.size() > 1 && (item.front() == '"' || item.front() == '\'');
    double number = 0;
    const auto end = std::from_chars(item.data(), item.data() + item.size(), number);
    const bool is_number =
        end.ec == std::errc() && end.ptr == item.data() + item.size() && std::isfinite(number);
    if (option.type == OptionType::number && is_number) return config::to_toml(config::Value(number));
    // An entry of a table: what is no other value is a string.
    const bool other = is_number || config::is_almost_value(item) || item.starts_with('[');
    const bool textual = option.type == OptionType::string || (option.type == OptionType::any && !other) ||
                         (option.type == OptionType::split && !item.empty() && item.front() != '[') ||
                         (option.limits.zero_is_auto && item == "auto");
    return textual && !quoted ? config::in_quotes(item) : item;
}

QString without_place(const Error& error) {
    const auto& parts = error.parts();
    return joined_message({}, translated(parts.found), translated(parts.expected), translated(parts.advice));
}

}  // namespace

bool ExperimentModel::State::same_sweep(const State& other) const {
    return same_axes(axes, other.axes) && config::to_toml(cases) == config::to_toml(other.cases) &&
           config::scheduler_to_toml(scheduler) == config::scheduler_to_toml(other.scheduler);
}

class ExperimentModel::EditCommand : public QUndoCommand {
public:
    EditCommand(ExperimentModel& model, State before, State after, const QString& title, QString key,
                QString gesture)
        : QUndoCommand(title),
          model_(model),
          before_(std::move(before)),
          after_(std::move(after)),
          key_(std::move(key)),
          gesture_(std::move(gesture)) {}

    void undo() override { model_.apply(before_); }
    void redo() override { model_.apply(after_); }
    [[nodiscard]] int id() const override { return gesture_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* other = static_cast<const EditCommand*>(next);
        if (other->key_ != key_ || other->gesture_ != gesture_) return false;
        after_ = other->after_;
        setText(other->text());
        // A drag that ended where it began leaves no step behind.
        setObsolete(before_.config == after_.config && before_.given == after_.given &&
                    before_.same_sweep(after_));
        return true;
    }

private:
    ExperimentModel& model_;
    State before_, after_;
    QString key_, gesture_;
};

ExperimentModel::ExperimentModel(QObject* parent) : QObject(parent) {
    constexpr int max_run_steps = 500;  // each holds two configurations
    undo_.setUndoLimit(max_run_steps);
}

// The stack must not notify listeners of a half-destroyed model.
ExperimentModel::~ExperimentModel() { undo_.blockSignals(true); }

void ExperimentModel::push(State next, const QString& title, const QString& key, const QString& gesture) {
    undo_.push(new EditCommand(*this, state_, std::move(next), title, key, gesture));
}

void ExperimentModel::apply(const State& state) {
    const bool all = state.origin != state_.origin || !state.same_sweep(state_);
    QStringList keys;
    for (const auto& difference : config::differences(state_.config, state.config))
        keys.append(text(difference.key));
    if (state.config.preset != state_.config.preset) baseline_ = cell(state.config.preset);
    state_ = state;
    if (all || !keys.isEmpty()) run_problem_.clear();
    if (all)
        drafts_.clear();
    else
        for (const auto& key : keys) drafts_.erase(key);
    if (all) keys.clear();
    // An undo step whose values are those already there: nothing has changed, and "empty" would mean
    // everything.
    if (all || !keys.isEmpty()) Q_EMIT changed(keys);
}

QString ExperimentModel::set(const QString& key, const config::Value& value, const QString& gesture) {
    const auto name = key.toStdString();
    auto next = state_;
    try {
        config::set(next.config, name, value);
    } catch (const Error& error) {
        return without_place(error);
    }
    // Where the value changes, apply() drops the note together with it: nobody sees the one without the
    // other.
    if (next.config == state_.config || name == "preset") set_draft_problem(key, {});
    if (next.config == state_.config) return {};
    if (name == "preset") {
        apply_preset(text(next.config.preset));
        return {};
    }
    next.given.insert(name);
    const auto shown = text(config::abbreviated(config::to_toml(config::get(next.config, name)), 40));
    push(std::move(next), tr("%1 = %2").arg(key, shown), key, gesture);
    return {};
}

QString ExperimentModel::set_together(const std::vector<std::pair<std::string, config::Value>>& values,
                                      const QString& title) {
    auto next = state_;
    try {
        for (const auto& [key, value] : values) config::set(next.config, key, value);
    } catch (const Error& error) {
        return without_place(error);
    }
    for (const auto& [key, value] : values) {
        const bool same = config::get(state_.config, key) == value;
        if (same) set_draft_problem(text(key), {});  // else apply() drops it together with the change
        if (!same) next.given.insert(key);
    }
    if (!(next.config == state_.config)) push(std::move(next), title);
    return {};
}

void ExperimentModel::reset(const QString& key) {
    const auto name = key.toStdString();
    const auto* option = config::find_option(name);
    if (option == nullptr) return;
    auto next = state_;
    option->assign(next.config, option->get(baseline_));
    if (name != "preset") next.given.erase(name);
    if (next.config == state_.config) {
        set_draft_problem(key, {});
        return;
    }
    push(std::move(next), tr("Reset %1").arg(key));
}

void ExperimentModel::reset_all() {
    if (!drafts_.empty()) {
        drafts_.clear();
        Q_EMIT problems_changed();
    }
    // How the file is read is no choice of the experiment's.
    QStringList of_file;
    if (baseline_.data.path.empty())
        for (const auto& option : config::options())
            if (option.key == "data.path" || option.key == "data.frequency" || option.section == "data.csv")
                of_file.append(text(option.key));
    auto next = replaced_by(baseline_, of_file);
    if (next.config == state_.config && next.same_sweep(state_)) return;
    push(std::move(next), tr("Reset all settings"));
}

ExperimentModel::State ExperimentModel::replaced_by(const config::Config& base,
                                                    const QStringList& kept) const {
    State next;
    next.config = base;
    for (const auto& key : kept)
        if (const auto* option = config::find_option(key.toStdString()))
            option->assign(next.config, option->get(state_.config));
    next.given = laid_over_preset(next.config);
    next.scheduler = state_.scheduler;
    next.origin = state_.origin;
    return next;
}

void ExperimentModel::use_defaults(const QStringList& but) {
    auto next = replaced_by({}, but);
    next.origin = ++last_origin_;
    push(std::move(next), tr("Use defaults"));
}

bool ExperimentModel::is_changed(const QString& key) const {
    const auto* option = config::find_option(key.toStdString());
    return option != nullptr && option->get(state_.config) != option->get(baseline_);
}

QStringList ExperimentModel::changed_keys() const {
    QStringList keys;
    for (const auto& difference : config::differences(baseline_, state_.config))
        keys.append(text(difference.key));
    return keys;
}

void ExperimentModel::apply_preset(const QString& name) {
    const auto preset = name.toStdString();
    const auto& names = config::preset_names();
    if (!preset.empty() && std::find(names.begin(), names.end(), preset) == names.end()) return;
    auto next = state_;
    next.config = cell(preset);
    next.origin = ++last_origin_;
    next.given.clear();
    if (!preset.empty()) next.given.insert("preset");
    for (const auto& option : config::options()) {
        if (!survives_preset(option.key) || state_.given.count(option.key) == 0) continue;
        option.assign(next.config, option.get(state_.config));
        next.given.insert(option.key);
    }
    if (next.config == state_.config && next.given == state_.given) return;
    push(std::move(next), preset.empty() ? tr("Preset: none") : tr("Preset %1").arg(name));
}

void ExperimentModel::replace(const config::Config& config, const std::vector<config::Axis>& axes,
                              const QString& title) {
    State next;
    next.config = config;
    next.axes = axes;
    next.given = laid_over_preset(config);
    next.origin = ++last_origin_;
    push(std::move(next), title);
}

QString ExperimentModel::read_toml(const QString& toml, const QString& where, const QString& base_folder,
                                   State& next) {
    try {
        auto experiment = config::load_text(toml.toStdString(), where.toStdString(),
                                            std::filesystem::path(base_folder.toStdString()));
        next.config = std::move(experiment.base);
        next.axes = std::move(experiment.axes);
        next.cases = std::move(experiment.cases);
        next.scheduler = std::move(experiment.scheduler);
        next.given.clear();
        for (const auto& assignment : experiment.given) next.given.insert(assignment.key);
    } catch (const Error& error) {
        // Several problems: the head line counts them, the others say one each.
        const auto lines = translated(error.phrase()).split('\n');
        if (lines.size() == 1) return lines.front();
        QStringList problems;
        for (const auto& line : lines.mid(1)) problems.append(line.trimmed());
        return problems.join('\n');
    }
    return {};
}

QString ExperimentModel::replace_from_toml(const QString& toml, const QString& where,
                                           const QString& base_folder, const QString& title) {
    State next;
    if (auto problem = read_toml(toml, where, base_folder, next); !problem.isEmpty()) return problem;
    // As config::load() does: an experiment without a name is called as its file.
    const auto suffix = QStringLiteral(".toml");
    if (next.config.name.empty() && where.endsWith(suffix)) {
        const auto stem = where.mid(where.lastIndexOf(u'/') + 1).chopped(suffix.size()).toStdString();
        if (config::problem_with(*config::find_option("name"), stem).empty()) {
            next.config.name = stem;
            next.given.insert("name");
        }
    }
    next.origin = ++last_origin_;
    push(std::move(next), title);
    return {};
}

QString ExperimentModel::edit_from_toml(const QString& toml, const QString& where,
                                        const QString& base_folder) {
    auto next = state_;
    if (auto problem = read_toml(toml, where, base_folder, next); !problem.isEmpty()) return problem;
    // The resolved text gives every key: what equals the baseline was not chosen by anybody.
    auto given = laid_over_preset(next.config);
    for (const auto& key : next.given)
        if (state_.given.count(key) != 0) given.insert(key);
    next.given = std::move(given);
    if (next.config == state_.config && next.same_sweep(state_)) return {};
    push(std::move(next), tr("Edit TOML"));
    return {};
}

QString ExperimentModel::set_axis(const QString& key, const QStringList& values, const QString& gesture) {
    const auto name = key.toStdString();
    auto next = state_;
    const auto place = std::find_if(next.axes.begin(), next.axes.end(),
                                    [&](const config::Axis& axis) { return axis.key == name; });
    if (values.isEmpty()) {
        if (place == next.axes.end()) return {};
        next.axes.erase(place);
        push(std::move(next), tr("No sweep over %1").arg(key), "sweep " + key, gesture);
        return {};
    }
    const auto* option = config::find_option(name);
    try {
        config::Axis axis{name, {}, "sweep over " + name};
        for (const auto& value : values) {
            const auto item = option == nullptr ? value.toStdString() : item_toml(*option, value);
            // One by one: the message then names the value that is wrong.
            config::Problems problems;
            auto one = config::read_set("sweep." + name + "=[" + item + "]", problems);
            problems.raise(name);
            for (auto& point : one.axes.at(0).points) axis.points.push_back(std::move(point));
        }
        // Each value is checked before: what is wrong is more than a value that is there twice.
        for (auto point = axis.points.begin(); point != axis.points.end(); ++point)
            if (std::any_of(axis.points.begin(), point,
                            [&](const auto& earlier) { return earlier.text == point->text; }))
                return tr("%1 is listed twice; expected distinct values").arg(text(point->text));
        if (place == next.axes.end())
            next.axes.push_back(std::move(axis));
        else
            *place = std::move(axis);
    } catch (const Error& error) {
        return without_place(error);
    }
    if (same_axes(next.axes, state_.axes)) return {};
    push(std::move(next), tr("Sweep over %1").arg(key), "sweep " + key, gesture);
    return {};
}

config::Experiment ExperimentModel::experiment() const {
    auto experiment = config::experiment_of(state_.config);
    experiment.axes = state_.axes;
    experiment.cases = state_.cases;
    experiment.scheduler = state_.scheduler;
    set_places(experiment.cases);
    const auto is_preset = [](const auto& setting) { return setting.key == "preset"; };
    const bool over_presets = std::any_of(state_.axes.begin(), state_.axes.end(), is_preset);
    const bool presets_vary =
        over_presets || std::any_of(state_.cases.begin(), state_.cases.end(), [&](const auto& one) {
            return std::any_of(one.given.begin(), one.given.end(), is_preset);
        });
    std::erase_if(experiment.given, [&](const auto& setting) {
        return (over_presets && is_preset(setting)) || (presets_vary && !state_.given.contains(setting.key));
    });
    return experiment;
}

QString ExperimentModel::to_toml() const { return text(config::to_toml(experiment())); }

std::vector<config::Contradiction> ExperimentModel::problems() const {
    std::vector<config::Contradiction> found;
    for (const auto& [key, draft] : drafts_)
        found.push_back({{key.toStdString()}, draft.problem.toStdString(), {}});
    const auto& option = *config::find_option("data.path");
    if (state_.config.data.path.empty() && drafts_.count("data.path") == 0)
        found.push_back({{option.key}, Phrase("%1 is not given", option.key), config::expected_text(option)});
    auto contradictions = config::contradictions(state_.config);
    found.insert(found.end(), std::make_move_iterator(contradictions.begin()),
                 std::make_move_iterator(contradictions.end()));
    return found;
}

QStringList ExperimentModel::problem_texts() const {
    QStringList texts;
    for (const auto& problem : problems())
        texts.append(translated(problem.expected.empty()
                                    ? problem.found
                                    : Phrase("%1; expected %2", problem.found, problem.expected)));
    return texts;
}

void ExperimentModel::set_run_problem(const QString& problem) {
    if (std::exchange(run_problem_, problem) != problem) Q_EMIT problems_changed();
}

QStringList ExperimentModel::run_problem_texts() const {
    auto texts = problem_texts();
    if (!run_problem_.isEmpty()) texts.append(run_problem_);
    return texts;
}

void ExperimentModel::set_draft_problem(const QString& key, const QString& problem,
                                        const QStringList& typed) {
    const auto place = drafts_.find(key);
    const Draft draft{problem, typed};
    if (problem.isEmpty() ? place == drafts_.end() : place != drafts_.end() && place->second == draft) return;
    if (problem.isEmpty())
        drafts_.erase(place);
    else
        drafts_[key] = draft;
    Q_EMIT problems_changed();
}

QString ExperimentModel::draft_problem(const QString& key) const {
    const auto place = drafts_.find(key);
    return place == drafts_.end() ? QString() : place->second.problem;
}

QStringList ExperimentModel::draft_texts(const QString& key) const {
    const auto place = drafts_.find(key);
    return place == drafts_.end() ? QStringList() : place->second.texts;
}

QByteArray ExperimentModel::save_state() const {
    const auto list = [](const std::set<std::string>& keys) {
        QJsonArray array;
        for (const auto& key : keys) array.append(text(key));
        return array;
    };
    const auto toml = config::to_toml(state_.config) + config::to_toml(state_.axes) +
                      config::to_toml(state_.cases) + config::scheduler_to_toml(state_.scheduler);
    QJsonArray names;
    for (const auto& axis : state_.axes) {
        QJsonArray texts;
        for (const auto& point : axis.points) texts.append(text(point.text));
        names.append(texts);
    }
    QJsonObject drafts;
    for (const auto& [key, draft] : drafts_)
        drafts[key] =
            QJsonObject{{"problem", draft.problem}, {"texts", QJsonArray::fromStringList(draft.texts)}};
    const QJsonObject object{{"version", 1},
                             {"settings", text(toml)},
                             {"sweep_names", names},
                             {"given", list(state_.given)},
                             {"drafts", drafts}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

bool ExperimentModel::restore_state(const QByteArray& bytes) {
    const auto object = QJsonDocument::fromJson(bytes).object();
    if (object["version"].toInt() != 1 || !object["settings"].isString()) return false;
    State next;
    // load_text() would refuse settings that contradict each other, and those are work in progress too.
    const auto read = [](const QJsonValue& toml, State& state, config::Config& config) {
        config::Problems problems;
        auto document = config::read_document(toml.toString().toStdString(), "session", {}, problems);
        problems.raise("session");
        for (const auto& given : document.given) config::set(config, given.key, given.value);
        state.axes = std::move(document.axes);
        state.cases = std::move(document.cases);
        state.scheduler = std::move(document.scheduler);
    };
    try {
        read(object["settings"], next, next.config);
    } catch (const Error&) {
        return false;
    }
    const auto names = object["sweep_names"].toArray();
    if (names.size() != static_cast<qsizetype>(next.axes.size())) return false;
    for (std::size_t i = 0; i < next.axes.size(); ++i) {
        const auto texts = names[static_cast<qsizetype>(i)].toArray();
        auto& points = next.axes[i].points;
        if (texts.size() != static_cast<qsizetype>(points.size())) return false;
        for (std::size_t j = 0; j < points.size(); ++j)
            points[j].text = texts[static_cast<qsizetype>(j)].toString().toStdString();
        next.axes[i].where = "sweep over " + next.axes[i].key;
    }
    const auto keys = [&](const char* name, std::set<std::string>& into) {
        for (const auto& key : object[name].toArray()) into.insert(key.toString().toStdString());
    };
    keys("given", next.given);
    std::map<QString, Draft> drafts;
    const auto kept = object["drafts"].toObject();
    for (auto it = kept.begin(); it != kept.end(); ++it) {
        const auto draft = it->toObject();
        const auto problem = draft["problem"].toString();
        if (problem.isEmpty() || config::find_option(it.key().toStdString()) == nullptr) continue;
        drafts[it.key()] = {problem, draft["texts"].toVariant().toStringList()};
    }
    next.origin = ++last_origin_;
    undo_.clear();
    apply(next);
    if (drafts == drafts_) return true;
    drafts_ = std::move(drafts);
    Q_EMIT problems_changed();
    Q_EMIT drafts_restored();
    return true;
}

}  // namespace casp::widgets
