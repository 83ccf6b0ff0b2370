#include "figures/comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include <QHash>

#include "config/experiment.h"
#include "config/options.h"
#include "model/descriptor.h"
#include "store/known_weights.h"
#include "store/result_columns.h"
#include "util/grouping.h"

namespace casp::figures {

const QString case_key = QString::fromLatin1(store::case_key);

namespace {

const QString seed_key = QStringLiteral("train.seed");
const QString model_key = QStringLiteral("model.name"), preset_key = QStringLiteral("preset");
const QString part_mark = QStringLiteral(" · ");  ///< between parts of a name
const QString all_text = QStringLiteral("all");
const QString unknown_text = QStringLiteral("–");
const QString none_text = QStringLiteral("none"), fork_text = QStringLiteral("fork of "),
              no_fork_text = QStringLiteral("not a fork");
constexpr double gib = 1024.0 * 1024 * 1024;  ///< bytes

/// Settings that do not affect results, or only their last bits.
bool is_indifferent(const config::OptionSpec& option) {
    if (option.section.empty()) return true;  // name, preset
    if (option.section == "run") return option.member != "precision";
    return false;
}

SettingValue number_value(double value) { return {QString::number(value, 'g', 12), value}; }

SettingValue from_value(const config::Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return number_value(*number);
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return number_value(static_cast<double>(*number));
    if (const auto* text = std::get_if<std::string>(&value))
        return {text->empty() ? none_text : QString::fromStdString(*text), std::nullopt};
    return {QString::fromStdString(config::to_toml(value)), std::nullopt};
}

QString line_name(const QStringList& keys, const QStringList& values) {
    QStringList parts;
    for (qsizetype i = 0; i < keys.size(); ++i) parts += setting_text(keys[i], values[i]);
    return parts.join(part_mark);
}

bool x_before(const SettingValue& a, const SettingValue& b) {
    if (a.number && b.number) return *a.number < *b.number;
    if (a.number.has_value() != b.number.has_value()) return a.number.has_value();
    return a.text < b.text;
}

void sort_values(std::vector<SettingValue>& values, const QString& key) {
    if (key != case_key) std::stable_sort(values.begin(), values.end(), x_before);
}

/// Whether runs with equal `settings` [runs] are equal in this one, too.
bool follows_from(const std::vector<QStringList>& settings, const std::vector<CompareRun>& runs,
                  const QString& key) {
    std::map<QStringList, QString> texts;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto text = setting_of(runs[i], key).text;
        if (texts.try_emplace(settings[i], text).first->second != text) return false;
    }
    return true;
}

/// Model, data and horizon.
QStringList model_cell(const CompareRun& run) {
    return {setting_of(run, model_key).text, QString::fromStdString(run.row.data),
            QString::number(run.row.horizon)};
}

/// Whether each model has one preset with the same data and horizon.
bool has_one_preset_each(const std::vector<CompareRun>& runs) {
    std::map<QStringList, QString> presets;
    return std::all_of(runs.begin(), runs.end(), [&](const CompareRun& run) {
        const auto preset = setting_of(run, preset_key).text;
        return presets.try_emplace(model_cell(run), preset).first->second == preset;
    });
}

/// Differing settings besides the axis and the seed. Between cases, settings that the cases give are omitted:
/// they follow from data, horizon and the swept keys (as in evidence::as_one_sweep), are not swept, and do
/// not change the task. A swept preset does not count: one preset per data and horizon follows from these;
/// between models with one preset each, likewise what follows from the preset, except few-shot training.
/// Against one of the numbers that cases give, likewise what follows from data and horizon.
QStringList line_keys_of(const std::vector<CompareRun>& runs, const QString& x_key) {
    auto keys = differing_keys(runs);
    keys.removeAll(x_key);
    keys.removeAll(seed_key);
    const bool by_preset = x_key == model_key && has_one_preset_each(runs);
    const bool by_number = numbers_of_cases(runs).contains(x_key);
    if (x_key != case_key && !by_preset && !by_number) return keys;
    QStringList given{QStringLiteral("data.path"), QStringLiteral("data.horizon")};
    if (!by_number) given += by_preset ? preset_key : case_key;
    for (const auto& run : runs)
        for (const auto& [name, text] : run.row.swept)
            if (const auto key = QString::fromStdString(name); key != seed_key && key != preset_key &&
                                                               key != x_key && !given.contains(key) &&
                                                               !(by_number && key == case_key))
                given += key;
    std::vector<QStringList> settings(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const auto& key : given) settings[i] += setting_of(runs[i], key).text;
    keys.removeIf([&](const QString& key) {
        const bool few_shot = by_preset && key == QLatin1String("data.percent");
        const bool may_follow = by_number || !config::changes_the_task(key.toStdString());
        return !few_shot && may_follow && !given.contains(key) && follows_from(settings, runs, key);
    });
    return keys;
}

/// Between models, a setting that one of them does not read must not keep its runs apart from those of
/// others. Removes such keys from `line_keys`. Returns those in which runs of the same data and horizon
/// differ besides: they are a part of the compared value.
QStringList take_model_keys(const std::vector<CompareRun>& runs, QStringList& line_keys) {
    QStringList parts;
    line_keys.removeIf([&](const QString& key) {
        if (config::changes_the_task(key.toStdString())) return false;
        std::map<QStringList, std::set<QString>> of_model, of_all;  // texts by data and horizon
        bool lacks = false;
        for (const auto& run : runs) {
            const auto text = setting_of(run, key).text;
            const auto cell = model_cell(run);
            of_model[cell].insert(text);
            if (text == unknown_text)
                lacks = true;
            else
                of_all[cell.mid(1)].insert(text);
        }
        const auto several = [](const auto& texts) { return texts.second.size() > 1; };
        if (lacks && (std::any_of(of_model.begin(), of_model.end(), several) ||
                      std::any_of(of_all.begin(), of_all.end(), several)))
            parts += key;
        return lacks;
    });
    return parts;
}

/// A run's value on the axis: "casp-llm · λ_cov 0.1" with `parts`.
SettingValue axis_value(const CompareRun& run, const QString& x_key, const QStringList& parts) {
    auto x = setting_of(run, x_key);
    for (const auto& key : parts)
        if (const auto text = setting_of(run, key).text; text != unknown_text)
            x.text += part_mark + setting_text(key, text);
    return x;
}

/// "learning rate"; "PatchTST dropout" where several sections have the setting.
QString option_words(const config::OptionSpec& option) {
    if (option.type == config::OptionType::any) return QString::fromStdString(option.member);  // the user's
    const auto& all = config::options();
    const auto words = QString::fromStdString(option.member).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (std::count_if(all.begin(), all.end(),
                      [&](const config::OptionSpec& other) { return other.member == option.member; }) == 1)
        return words;
    auto group = QString::fromStdString(option.group);
    if (option.model.empty()) group[0] = group[0].toLower();
    return group + QLatin1Char(' ') + words;
}

void add_run(ComparePoint& point, const CompareRun& run, CompareMetric metric) {
    const bool early = run.row.state == store::RunState::finished_early;
    point.values.push_back(value_of(run, metric));
    point.seeds.push_back(run.row.seed);
    point.colours.push_back(run.colour);
    point.early.push_back(early);
    point.names << QString::fromStdString(run.row.run) +
                       (!early ? QString()
                        : run.row.steps < 0
                            ? QStringLiteral(", finished early")
                            : QStringLiteral(", finished early after %1 steps").arg(run.row.steps));
}

/// Of the runs that were not finished early; of a seed the first. Names say which others do not count.
store::Statistic statistic_of(ComparePoint& point) {
    std::vector<double> counting;
    std::set<std::int64_t> seeds;
    for (std::size_t i = 0; i < point.values.size(); ++i) {
        if (point.early[i]) continue;
        if (seeds.insert(point.seeds[i]).second)
            counting.push_back(point.values[i]);
        else  // the same run again: it has the same numbers, and is no further sample
            point.names[static_cast<qsizetype>(i)] += QStringLiteral(", repeats a seed: not in the mean");
    }
    return store::statistic_of(counting);
}

double last_value_of(const CompareRun& run, CompareMetric metric) {
    if (metric->real() == &store::ResultRow::test_mse) return run.row.last_value_mse;
    return metric->real() == &store::ResultRow::test_mae ? run.row.last_value_mae : store::not_known;
}

}  // namespace

QString backbone_text(const QString& backbone) {
    if (backbone == QLatin1String("openai-gpt2-small")) return QStringLiteral("GPT-2 small");
    if (backbone == QLatin1String("unknown-checkpoint")) return QStringLiteral("other checkpoint");
    return backbone;
}

const std::vector<CompareMetric>& compare_metrics() {
    static const auto metrics = [] {
        std::vector<CompareMetric> all;
        const auto add = [&](const auto& columns) {
            for (const auto& column : columns)
                if (column.compare > 0) all.push_back(&column);
        };
        add(store::result_columns);
        add(store::run_file_metrics);
        std::stable_sort(all.begin(), all.end(),
                         [](CompareMetric a, CompareMetric b) { return a->compare < b->compare; });
        return all;
    }();
    return metrics;
}

CompareMetric metric_named(std::string_view name) {
    for (const auto* metric : compare_metrics())
        if (name == metric->name) return metric;
    throw std::invalid_argument("no metric is called " + std::string(name));
}

double value_of(const CompareRun& run, CompareMetric metric) {
    return store::number_in(run.row, *metric) / (metric->has(store::ResultColumn::bytes) ? gib : 1);
}

bool is_only_in_run_file(CompareMetric metric) {
    const auto& columns = store::run_file_metrics;
    return std::any_of(columns.begin(), columns.end(), [&](const auto& column) { return &column == metric; });
}

QString title_of(CompareMetric metric) { return QString::fromUtf8(metric->title); }

QString in_sentence(CompareMetric metric) {
    return QString::fromStdString(store::title_in_sentence(*metric));
}

QString key_title(const QString& key) {
    if (key == QLatin1String("data.path")) return QStringLiteral(QT_TRANSLATE_NOOP("core", "data"));
    if (key == QLatin1String("backbone.path")) return QStringLiteral(QT_TRANSLATE_NOOP("core", "backbone"));
    if (key == QLatin1String("model.name")) return QStringLiteral(QT_TRANSLATE_NOOP("core", "model"));
    if (key == seed_key) return QStringLiteral(QT_TRANSLATE_NOOP("core", "seed"));
    static const auto titles = [] {
        QHash<QString, QString> all;
        for (const auto& option : config::options())
            all.insert(QString::fromStdString(option.key),
                       option.symbol.empty() ? option_words(option) : QString::fromStdString(option.symbol));
        return all;
    }();
    if (const auto known = titles.find(key); known != titles.end()) return *known;
    const auto* entry = config::find_option(key.toStdString());
    return entry == nullptr ? key : option_words(*entry);
}

QString model_title(const QString& name) {
    for (const auto& model : model::descriptors())
        if (name == QString::fromUtf8(model.name.data(), std::ssize(model.name)))
            return QString::fromUtf8(model.title.data(), std::ssize(model.title));
    return name;
}

QString setting_text(const QString& key, const QString& value) {
    if (key == QLatin1String("data.path") || key == QLatin1String("backbone.path") ||
        key == QLatin1String("run.precision") || key == case_key)
        return value;
    if (key == model_key) {  // perhaps with settings: see axis_value()
        const auto name = value.section(part_mark, 0, 0);
        return model_title(name) + value.mid(name.size());
    }
    if (key == QLatin1String("train.continue_from")) {
        if (value.isEmpty() || value == none_text || value == no_fork_text) return no_fork_text;
        return value.startsWith(fork_text) ? value : fork_text + value.section(QLatin1Char('/'), -1);
    }
    return key_title(key) + QLatin1Char(' ') + value;
}

SettingValue setting_of(const CompareRun& run, const QString& key) {
    const SettingValue unknown{unknown_text, std::nullopt};
    if (key == case_key) {
        const auto* label = store::find_setting(run.row.swept, store::case_key);
        return label == nullptr ? unknown : SettingValue{QString::fromStdString(*label), {}};
    }
    if (key == QLatin1String("data.path")) return {QString::fromStdString(run.row.data), std::nullopt};
    if (key == model_key && run.config != nullptr) return from_value(model::model_label(*run.config));
    if (key == QLatin1String("backbone.path")) {
        if (run.config != nullptr && !model::reads(*run.config, *config::find_option("backbone.path")))
            return unknown;
        const QString kind = backbone_text(QString::fromStdString(store::origin_of_words(run.row.backbone)));
        if (kind.isEmpty()) return unknown;
        if (run.row.backbone != "unknown-checkpoint" || run.config == nullptr) return {kind, std::nullopt};
        return {QString::fromStdString(run.config->backbone.path).section(QLatin1Char('/'), -1),
                std::nullopt};
    }
    const auto* option = config::find_option(key.toStdString());
    if (run.config == nullptr || option == nullptr || !model::reads(*run.config, *option)) return unknown;
    if (key == QLatin1String("loss.lambda_cov") && !model::has_coverage(*run.config)) return unknown;
    const auto value = option->get(*run.config);
    if (key == QLatin1String("train.continue_from"))
        return {setting_text(key, QString::fromStdString(std::get<std::string>(value))), std::nullopt};
    return from_value(value);
}

QStringList numbers_of_cases(const std::vector<CompareRun>& runs) {
    const auto setting_texts = [](const CompareRun& run) {
        QStringList texts;
        for (const auto& [key, value] : run.row.swept)
            if (key != store::case_key && key != seed_key.toStdString())
                texts << QString::fromStdString(key + '=' + value);
        return texts;
    };
    std::map<QStringList, std::vector<CompareRun>> tasks;
    for (const auto& run : runs) {
        if (store::find_setting(run.row.swept, store::case_key) == nullptr) return {};
        if (run.config != nullptr) tasks[setting_texts(run)].push_back(run);
    }
    constexpr std::size_t fewest_values = 3;
    QStringList numbers;
    for (const auto& [task, cases] : tasks) {
        auto keys = differing_keys(cases);
        keys.removeAll(seed_key);
        for (const auto& key : keys) {
            std::set<double> values;
            for (const auto& run : cases) {
                const auto number = setting_of(run, key).number;
                if (!number) return {};
                values.insert(*number);
            }
            if (values.size() < fewest_values) return {};
            if (!numbers.contains(key)) numbers += key;
        }
    }
    return numbers;
}

QStringList differing_keys(const std::vector<CompareRun>& runs) {
    std::vector<const config::Config*> configs;
    for (const auto& run : runs)
        if (run.config != nullptr) configs.push_back(run.config.get());
    QStringList keys;
    for (const auto* option : config::settings_in(configs)) {
        if (is_indifferent(*option)) continue;
        const QString key = QString::fromStdString(option->key);
        const bool by_content = key == QLatin1String("data.path") || key == QLatin1String("backbone.path");
        const CompareRun* first = nullptr;
        const bool differs = std::any_of(runs.begin(), runs.end(), [&](const CompareRun& run) {
            if (run.config == nullptr) return false;
            if (first == nullptr) first = &run;
            return by_content ? !(setting_of(run, key) == setting_of(*first, key))
                              : option->get(*run.config) != option->get(*first->config);
        });
        if (differs) keys += key;
    }
    return keys;
}

std::size_t ComparePoint::early_runs() const {
    return static_cast<std::size_t>(std::count(early.begin(), early.end(), true));
}

Comparison compare(const std::vector<CompareRun>& runs, CompareMetric metric, const QString& x_key) {
    Comparison result;
    result.metric = metric;
    result.x_key = x_key;
    std::vector<std::size_t> used;  // [counted] index in `runs`
    std::vector<CompareRun> counted;
    counted.reserve(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (!store::is_complete(runs[i].row.state)) {
            ++result.unfinished;
        } else if (runs[i].config == nullptr || !std::isfinite(value_of(runs[i], metric))) {
            ++result.unknown;
        } else {
            used.push_back(i);
            counted.push_back(runs[i]);
            if (runs[i].row.state == store::RunState::finished_early) ++result.early;
        }
    result.complete = static_cast<int>(counted.size());
    result.original_units =
        !counted.empty() && std::all_of(counted.begin(), counted.end(),
                                        [](const CompareRun& run) { return store::has_scores(run.row); });
    result.line_keys = line_keys_of(counted, x_key);
    const auto parts = x_key == model_key ? take_model_keys(counted, result.line_keys) : QStringList();
    std::vector<SettingValue> x_of;  // [counted]
    for (const auto& run : counted) {
        x_of.push_back(axis_value(run, x_key, parts));
        result.numbers = result.numbers && x_of.back().number.has_value();
        add_once(result.x_values, x_of.back());
    }
    sort_values(result.x_values, x_key);
    const auto settings_of_line = [&](const CompareRun& run) {
        QStringList settings;
        for (const auto& key : result.line_keys) settings += setting_of(run, key).text;
        return settings;
    };
    for (const auto& [settings, members] : casp::grouped(counted, settings_of_line)) {
        CompareLine line;
        line.settings = settings;
        const auto& first = members.front()->row;
        line.name = settings.isEmpty()
                        ? QStringLiteral("%1 · H %2")
                              .arg(QString::fromStdString(first.data), QString::number(first.horizon))
                        : line_name(result.line_keys, settings);
        std::map<std::ptrdiff_t, ComparePoint> points;  // by the place of x
        for (const auto* run : members) {
            const auto i = static_cast<std::size_t>(run - counted.data());
            const auto& values = result.x_values;
            auto& point = points[std::find(values.begin(), values.end(), x_of[i]) - values.begin()];
            point.x = x_of[i];
            point.runs.push_back(used[i]);
            add_run(point, *run, metric);
            if (!std::isfinite(line.last_value)) line.last_value = last_value_of(*run, metric);
        }
        for (auto& [place, point] : points) {
            point.statistic = statistic_of(point);
            line.points.push_back(std::move(point));
        }
        result.lines.push_back(std::move(line));
    }
    return result;
}

QString spread_text(double value, double sd) {
    if (!std::isfinite(value)) return unknown_text;
    const auto decimals = [](double number, int digits) {
        return digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(number))));
    };
    if (!std::isfinite(sd) || !(sd > 0) || (value != 0 && decimals(sd, 2) >= decimals(value, 4)))
        return QString::fromStdString(store::four_digits(value));
    auto text = QString::number(value, 'f', std::max(0, decimals(sd, 2)));
    if (text.toDouble() == 0) text.remove(u'-');
    return text;
}

bool is_relative(const Comparison& comparison) {
    return !comparison.metric->has(store::ResultColumn::can_be_zero);
}

QString axis_title(const Comparison& comparison) {
    auto title = QString::fromStdString(store::axis_title(*comparison.metric));
    if (comparison.original_units)
        title.replace(QStringLiteral("(scaled)"), QStringLiteral("(original units)"));
    return title;
}

QString early_text(const Comparison& comparison) {
    if (comparison.early == 0) return {};
    return QStringLiteral("%1 of %2 finished early")
        .arg(comparison.early)
        .arg(comparison.complete == 1 ? QStringLiteral("1 run")
                                      : QStringLiteral("%1 runs").arg(comparison.complete));
}

QStringList comparison_header(const Comparison& comparison, bool exact) {
    QStringList header;
    // Files keep the keys of settings that have neither a symbol nor a usual name.
    const auto title = [exact](const QString& key) {
        const auto words = key_title(key);
        const auto* option = exact ? config::find_option(key.toStdString()) : nullptr;
        return option != nullptr && words == option_words(*option) ? key : words;
    };
    for (const auto& key : comparison.line_keys) header += title(key);
    bool single = false;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points) single = single || point.statistic.n == 1;
    header << title(comparison.x_key) << QStringLiteral("n")
           << (single && !exact ? QStringLiteral(QT_TRANSLATE_NOOP("core", "mean (n = 1: value)"))
                                : QStringLiteral(QT_TRANSLATE_NOOP("core", "mean")))
           << QStringLiteral(QT_TRANSLATE_NOOP("core", "sd"));
    if (exact)
        header << QStringLiteral("finished_early") << QStringLiteral("early_in_mean")
               << QStringLiteral("early_values");
    else if (comparison.early > 0)
        header << QStringLiteral(QT_TRANSLATE_NOOP("core", "early"));
    if (exact || !comparison.base.isEmpty()) header += test_header(exact);
    return header;
}

std::vector<QStringList> comparison_rows(const Comparison& comparison, bool exact) {
    const auto text = [exact](double value, double sd = store::not_known) {
        if (!exact) return spread_text(value, sd);
        return std::isfinite(value) ? QString::fromStdString(store::shortest(value)) : QString();
    };
    const auto tests = tests_of_rows(comparison);
    std::vector<QStringList> rows;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points) {
            QStringList row = line.settings;
            row << point.x.text << QString::number(point.statistic.n)
                << text(point.statistic.mean, point.statistic.sd)
                << text(point.statistic.sd, point.statistic.sd);
            const auto early = point.early_runs();
            if (exact) {
                QStringList values;
                for (std::size_t i = 0; i < point.values.size(); ++i)
                    if (point.early[i]) values << text(point.values[i]);
                row << QString::number(early) << (early == 0 ? QString() : QStringLiteral("no"))
                    << values.join(QLatin1Char(' '));
            } else if (comparison.early > 0) {
                row << (early == 0 ? QString()
                                   : QStringLiteral("%1 of %2").arg(early).arg(point.values.size()));
            }
            if (exact || !comparison.base.isEmpty()) row += test_cells(comparison, tests[rows.size()], exact);
            rows.push_back(row);
        }
    if (exact) return rows;
    while (rows.size() < tests.size()) {
        const auto* test = tests[rows.size()];
        QStringList row{all_text};
        while (row.size() < comparison.line_keys.size()) row << QString();
        row << QString::fromStdString(test->result.other) << QString() << text(test->result.mean_other)
            << QString();
        if (comparison.early > 0) row << QString();
        rows.push_back(row + test_cells(comparison, test, false));
    }
    return rows;
}

}  // namespace casp::figures
