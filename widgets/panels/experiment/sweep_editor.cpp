#include "panels/experiment/sweep_editor.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include <QEvent>
#include <QFontDatabase>
#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>

#include "model/descriptor.h"
#include "panels/experiment/option_editor.h"
#include "panels/experiment/option_text.h"
#include "panels/experiment/sweep_values.h"
#include "panels/view/view_flow.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr std::array first_keys{"loss.lambda_cov", "train.seed"};

QString problem_mark() { return QStringLiteral("⚠ "); }

void add_setting(QComboBox& box, const config::OptionSpec& option) {
    const auto key = QString::fromStdString(option.key);
    if (box.findData(key) < 0) box.addItem(option_in_group(option), key);
}

/// Adds those in the tables of the model of `config`, as far as they are missing.
void add_table_settings(QComboBox& box, const config::Config& config) {
    for (const auto* option : config::settings_in({&config}))
        if (option->type == config::OptionType::any && model::reads(config, *option))
            add_setting(box, *option);
}

/// All settings but the name, λ_cov and the seed first; also those in the tables of the model of `config`.
/// Its data are the keys.
QComboBox* make_setting_box(QWidget* parent, const config::Config& config) {
    auto* box = new QComboBox(parent);
    for (const auto* key : first_keys)
        box->addItem(option_label(*config::find_option(key)), QString::fromLatin1(key));
    box->insertSeparator(box->count());
    for (const auto& option : config::options())
        if (option.key != "name" && option.type != config::OptionType::table && !option.limits.is_planned)
            add_setting(*box, option);
    add_table_settings(*box, config);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    box->setAccessibleName(SweepEditor::tr("Setting to sweep over"));
    ignore_wheel(box);
    return box;
}

const config::OptionSpec& setting_of(const QComboBox& box) {
    return *config::find_option(box.currentData().toString().toStdString());
}

QToolButton* make_flat_button(QWidget* parent, const QString& text, const QString& tooltip,
                              const QString& accessible_name) {
    auto* button = text_button(parent, text, accessible_name, tooltip);
    button->setAutoRaise(true);
    return button;
}

/// Shows a problem below its row, marked; an empty one hides the label.
void show_row_problem(QLabel* label, const QString& problem) {
    show_note(label, problem.isEmpty() ? QString() : problem_mark() + problem);
}

QString row_problem_of(const QLabel& label) { return label.text().mid(problem_mark().size()); }

/// Places new widgets before `next` in the tab order instead of at the end of the window's.
void put_before(QWidget* next, std::initializer_list<QWidget*> widgets) {
    auto* before = next->previousInFocusChain();
    while (before != next && (before->focusPolicy() == Qt::NoFocus ||
                              std::find(widgets.begin(), widgets.end(), before) != widgets.end()))
        before = before->previousInFocusChain();
    for (auto* widget : widgets) {
        QWidget::setTabOrder(before, widget);
        before = widget;
    }
}

/// "without coverage: coverage.enabled = false"
QString case_text(const config::Case& one) {
    QStringList settings;
    for (const auto& given : one.given)
        settings.append(QString::fromStdString(given.key + " = " + config::to_toml(given.value)));
    return QString::fromStdString(one.label) + QStringLiteral(": ") + settings.join(QStringLiteral(", "));
}

/// A value as parse_sweep() returns it: lists as TOML.
QString point_text(const config::Axis::Point& point) {
    const auto toml = QString::fromStdString(config::to_toml(point.value));
    return toml.startsWith(u'[') ? toml : QString::fromStdString(point.text);
}

QString axis_text(const config::Axis& axis) {
    QStringList texts;
    for (const auto& point : axis.points) {
        const auto text = point_text(point);
        texts.append(text.startsWith(u'[') ? text : value_text(std::vector<std::string>{point.text}));
    }
    return texts.join(QStringLiteral(", "));
}

QString runs_text(int count) { return count == 1 ? QObject::tr("1 run") : QObject::tr("%1 runs").arg(count); }

QString placeholder(const config::OptionSpec& option) {
    if (option.key == "train.seed") return QObject::tr("e.g. 2021:2025:5");
    if (option.key == "loss.lambda_cov") return QObject::tr("e.g. 0, 0.05, 0.1");
    const auto one = value_text(option.default_value);
    return one.isEmpty() ? QObject::tr("values, separated by commas") : QObject::tr("e.g. %1, …").arg(one);
}

}  // namespace

SweepEditor::SweepEditor(ExperimentModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    setProperty("help_topic", QStringLiteral("sweep"));
    auto* intro = new QLabel(tr("Every combination of these values becomes one run. Enter a list (0, 0.05, "
                                "0.1) or a range as start:stop:count (0:0.5:6, or 0.001:1:4 log)."),
                             this);
    intro->setWordWrap(true);
    auto* layout = make_layout<QVBoxLayout>(this, {12, 12, 12, 12}, 8);
    layout->addWidget(intro);
    rows_layout_ = new QVBoxLayout;
    rows_layout_->setSpacing(4);
    layout->addLayout(rows_layout_);
    make_cases(*layout);
    make_plan_parts(*layout);
    connect_parts();
    follow_model();
    if (rows_.empty())
        for (const auto* key : first_keys) add_row(QString::fromLatin1(key));
    // Rows are created last but come first in tab order. Set from the last one up: Qt ignores pairs that are
    // already adjacent, and the chain is circular.
    for (auto* widget : std::initializer_list<QWidget*>{queue_, name_list_, edit_cases_, contrast_, add_})
        setTabOrder(rows_.back()->remove, widget);
    show_colours();
}

void SweepEditor::make_cases(QBoxLayout& layout) {
    add_ = make_flat_button(this, tr("+ Add a setting"), tr("Sweep over another setting"),
                            tr("Add a setting to the sweep"));
    contrast_ = make_flat_button(
        this, {}, tr("Compare λ_cov 0 with the one in the form"),
        tr("Six runs: without and with the coverage loss, three seeds each, for a paired test"));
    auto* buttons = make_layout<QHBoxLayout>(new QWidget(this));
    add_widgets(buttons, {add_, contrast_});
    buttons->addStretch();
    layout.addWidget(buttons->parentWidget());
    connect(contrast_, &QToolButton::clicked, this, &SweepEditor::fill_contrast);
    cases_ = note_label(this, tr("Cases of the sweep"));
    cases_->setToolTip(
        tr("Every case is combined with every combination above. The first case is the base of "
           "comparisons."));
    layout.addWidget(cases_);
    edit_cases_ =
        make_flat_button(this, tr("Edit cases as TOML…"),
                         tr("Opens the experiment's text. A case is a named bundle of settings, such "
                            "as “without coverage”: a table [[sweep.case]]"),
                         tr("Edit the cases of the sweep as TOML"));
    layout.addWidget(edit_cases_, 0, Qt::AlignLeft);
}

/// The λ_cov of the form, or the paper's if that is 0.
double SweepEditor::contrast() const {
    const auto lambda = model_.config().loss.lambda_cov;
    return lambda > 0 ? lambda : config::Config().loss.lambda_cov;
}

void SweepEditor::fill_contrast() {
    const auto seed = model_.config().train.seed;
    model_.set_axis(QStringLiteral("loss.lambda_cov"), {QStringLiteral("0"), value_text(contrast())});
    model_.set_axis(QStringLiteral("train.seed"),
                    {QString::number(seed), QString::number(seed + 1), QString::number(seed + 2)});
    queue_->setFocus();
}

void SweepEditor::make_plan_parts(QBoxLayout& layout) {
    summary_ = new QLabel(this);
    summary_->setWordWrap(true);
    summary_->setAccessibleName(tr("Number of runs and estimated time"));
    auto bold = summary_->font();
    bold.setBold(true);
    summary_->setFont(bold);
    layout.addWidget(summary_);
    notes_ = note_label(this, tr("Notes on the sweep"));
    layout.addWidget(notes_);
    plan_problem_ = note_label(this, tr("Problems of the sweep"));
    layout.addWidget(plan_problem_);
    name_list_ = new QPlainTextEdit(this);
    name_list_->setReadOnly(true);
    name_list_->setTabChangesFocus(true);
    name_list_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    name_list_->setLineWrapMode(QPlainTextEdit::NoWrap);
    named(name_list_, tr("Run names"), tr("Runs in queue order"));
    name_list_->setPlaceholderText(tr("The run names appear here."));
    name_list_->setMinimumHeight(90);
    layout.addWidget(name_list_, 1);
    queue_ = new QPushButton(this);
    queue_->setAutoDefault(false);
    layout.addWidget(queue_, 0, Qt::AlignRight);
}

void SweepEditor::connect_parts() {
    connect(add_, &QToolButton::clicked, this, [this] {
        add_row();
        rows_.back()->key->setFocus();
    });
    connect(edit_cases_, &QToolButton::clicked, this, &SweepEditor::cases_requested);
    connect(queue_, &QPushButton::clicked, this, [this] { Q_EMIT queue_requested(model_.experiment()); });
    timer_.setSingleShot(true);
    timer_.setInterval(200);
    connect(&timer_, &QTimer::timeout, this, &SweepEditor::start);
    connect(&model_, &ExperimentModel::changed, this, &SweepEditor::follow_model);
    connect(&model_, &ExperimentModel::problems_changed, this, &SweepEditor::plan);
}

SweepEditor::~SweepEditor() = default;

void SweepEditor::set_preview_function(PreviewFunction function) {
    function_ = std::move(function);
    plan();
}

void SweepEditor::add_row(const QString& key, const QString& values) {
    rows_.push_back(std::make_unique<Row>());
    auto& row = *rows_.back();
    row.widget = new QWidget(this);
    row.key = make_setting_box(row.widget, model_.config());
    // Of a file: an option that the form does not have.
    if (const auto* option = config::find_option(key.toStdString())) add_setting(*row.key, *option);
    row.values = new QLineEdit(row.widget);
    row.values->setAccessibleName(tr("Values to sweep over"));
    row.remove = make_flat_button(row.widget, QStringLiteral("✕"), tr("Do not sweep over this setting"),
                                  tr("Remove this setting from the sweep"));
    row.problem = note_label(row.widget, tr("Problem of the values"));
    auto* grid = new QGridLayout(row.widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(2);
    // Below the setting, where a narrow dock has room for a list of seeds.
    grid->addWidget(row.key, 0, 0, 1, 2);
    grid->addWidget(row.values, 1, 0);
    grid->addWidget(row.remove, 1, 1);
    grid->addWidget(row.problem, 2, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    rows_layout_->addWidget(row.widget);
    auto wanted = key;
    for (int i = 0; wanted.isEmpty() && i < row.key->count(); ++i) {
        const auto candidate = row.key->itemData(i).toString();
        const bool taken = std::any_of(rows_.begin(), rows_.end() - 1, [&](const auto& other) {
            return other->key->currentData().toString() == candidate;
        });
        if (!candidate.isEmpty() && !taken) wanted = candidate;
    }
    row.key->setCurrentIndex(row.key->findData(wanted));
    row.values->setText(values);
    leave_undo_to(model_, row.widget);
    const auto describe = [&row] {
        const auto& option = setting_of(*row.key);
        row.values->setPlaceholderText(placeholder(option));
        row.values->setToolTip(option_tooltip(option));
        row.key->setToolTip(option_tooltip(option));
    };
    describe();
    connect(row.key, &QComboBox::activated, this, [this, &row, describe] {
        describe();
        read(row);
    });
    connect(row.values, &QLineEdit::textEdited, this, [this, &row] { read(row); });
    connect(row.values, &QLineEdit::editingFinished, this, [&row] { ++row.gesture; });
    connect(row.remove, &QToolButton::clicked, this, [this, &row] { remove(row); });
    put_before(add_, {row.key, row.values, row.remove});
    show_colours();
    plan();
}

void SweepEditor::read(Row& row) {
    const auto key = row.key->currentData().toString();
    const auto& option = *config::find_option(key.toStdString());
    QString problem;
    const bool twice = std::any_of(rows_.begin(), rows_.end(), [&](const auto& other) {
        return other.get() != &row && other->key->currentData() == row.key->currentData();
    });
    writing_ = true;
    if (!row.axis.isEmpty() && row.axis != key) model_.set_axis(row.axis, {});
    row.axis.clear();
    if (twice) {
        problem = tr("%1 is already swept in another row").arg(option_name(option));
    } else {
        const auto parsed = parse_sweep(option, row.values->text());
        problem = parsed.problem;
        if (problem.isEmpty())
            problem = model_.set_axis(
                key, parsed.values,
                QStringLiteral("%1 %2").arg(reinterpret_cast<quintptr>(&row)).arg(row.gesture));
        // Invalid values create no runs: the axis is omitted until they are corrected.
        if (!problem.isEmpty()) model_.set_axis(key, {});
        row.axis = key;
    }
    writing_ = false;
    show_row_problem(row.problem, problem);
    plan();
    Q_EMIT typed();
}

QByteArray SweepEditor::save_rows() const {
    QJsonArray rows;
    for (const auto& row : rows_)
        if (!row->problem->text().isEmpty())
            rows.append(QJsonObject{{QStringLiteral("key"), row->key->currentData().toString()},
                                    {QStringLiteral("values"), row->values->text()}});
    return rows.isEmpty() ? QByteArray() : QJsonDocument(rows).toJson(QJsonDocument::Compact);
}

void SweepEditor::restore_rows(const QByteArray& bytes) {
    for (const auto kept : QJsonDocument::fromJson(bytes).array()) {
        const auto object = kept.toObject();
        const auto key = object.value(QStringLiteral("key")).toString();
        const auto values = object.value(QStringLiteral("values")).toString();
        if (config::find_option(key.toStdString()) == nullptr) continue;  // from another version
        const auto place = std::find_if(rows_.begin(), rows_.end(), [&](const auto& row) {
            return row->key->currentData().toString() == key && row->values->text().isEmpty();
        });
        auto* found = place == rows_.end() ? nullptr : place->get();
        if (found == nullptr) add_row(key);  // moves the others
        auto& row = found == nullptr ? *rows_.back() : *found;
        row.values->setText(values);
        read(row);
    }
}

void SweepEditor::remove(Row& row) {
    writing_ = true;
    if (!row.axis.isEmpty()) model_.set_axis(row.axis, {});
    writing_ = false;
    row.widget->hide();
    row.widget->deleteLater();
    rows_.erase(std::find_if(rows_.begin(), rows_.end(), [&](const auto& one) { return one.get() == &row; }));
    add_->setFocus();
    plan();
    Q_EMIT typed();
}

void SweepEditor::follow_model() {
    QStringList cases;
    for (const auto& one : model_.cases()) cases.append(case_text(one));
    show_note(cases_, cases.join(u'\n'));
    contrast_->setText(tr("λ_cov 0 against %1, three seeds").arg(value_text(contrast())));
    contrast_->setVisible(model_.axes().empty() &&
                          model::reads(model_.config(), *config::find_option("loss.lambda_cov")));
    for (const auto& row : rows_) add_table_settings(*row->key, model_.config());
    if (!writing_) {
        // Undo, a file or an edit of the TOML: update the rows; keep those without values.
        const auto& axes = model_.axes();
        for (const auto& axis : axes) {
            const auto key = QString::fromStdString(axis.key);
            const auto place = std::find_if(rows_.begin(), rows_.end(), [&](const auto& row) {
                return row->key->currentData().toString() == key;
            });
            if (place == rows_.end()) {
                add_row(key, axis_text(axis));
                rows_.back()->axis = key;
                continue;
            }
            auto& row = **place;
            QStringList texts;
            for (const auto& point : axis.points) texts.append(point_text(point));
            const auto now = parse_sweep(*config::find_option(axis.key), row.values->text());
            if (!now.problem.isEmpty() || now.values != texts) row.values->setText(axis_text(axis));
            row.axis = key;
            show_row_problem(row.problem, {});
        }
        for (auto& row : rows_) {
            const bool there = std::any_of(axes.begin(), axes.end(), [&](const config::Axis& axis) {
                return QString::fromStdString(axis.key) == row->axis;
            });
            if (!there && !row->axis.isEmpty() && row->problem->isHidden()) {
                row->axis.clear();
                row->values->clear();
            }
        }
    }
    plan();
}

void SweepEditor::plan() {
    ++wanted_;
    timer_.start();
}

SweepEditor::Plan SweepEditor::make_plan(const config::Experiment& experiment,
                                         const PreviewFunction& function, const std::stop_token& stop) {
    Plan plan;
    try {
        const auto runs = config::expand(experiment);
        for (const auto& run : runs) plan.names.append(QString::fromStdString(run.name));
        for (const auto& note : config::notes_of(experiment, runs)) plan.notes.append(translated(note));
        if (!function) return plan;
        // Very many runs: estimate from an evenly spaced sample.
        const auto sampled = std::min<std::size_t>(runs.size(), 48);
        std::size_t failing = 0;
        QString first;
        for (std::size_t i = 0; i < sampled && !stop.stop_requested(); ++i) {
            const auto at = i * runs.size() / sampled;
            const auto preview = function(runs[at].config, stop);
            plan.seconds += preview.longest_seconds;
            if (preview.no_run && failing++ == 0)
                first = plan.names[static_cast<qsizetype>(at)] + QStringLiteral(": ") + preview.problem;
        }
        if (failing == sampled)
            plan.problem = first;
        else if (failing > 0)
            plan.notes.append(tr("⚠ Some runs would fail. %1").arg(first));
        plan.seconds *= static_cast<double>(runs.size()) / static_cast<double>(sampled);
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& error) {
        plan.problem = plain_text(error);
    }
    return plan;
}

void SweepEditor::start() {
    if (job_.is_running()) return;
    job_.start([experiment = model_.experiment(), function = function_](
                   const JobContext& job) { return make_plan(experiment, function, job.stop); },
               {.done = [this, generation = wanted_](const Plan& plan) {
                   shown_ = generation;
                   show_plan(plan);
                   if (is_pending())
                       timer_.start();
                   else
                       Q_EMIT planned();
               }});
}

QString SweepEditor::row_problem() const {
    for (const auto& row : rows_) {
        const auto problem = row_problem_of(*row->problem);
        if (!problem.isEmpty()) return option_name(setting_of(*row->key)) + QStringLiteral(": ") + problem;
    }
    return {};
}

void SweepEditor::show_plan(const Plan& plan) {
    // Without axes and cases, config::expand() returns the form's single run, which is not a sweep.
    const bool empty = model_.axes().empty() && model_.cases().empty();
    names_ = empty ? QStringList() : plan.names;
    const auto count = static_cast<int>(names_.size());
    const auto wrong_row = row_problem();
    const bool rows_good = wrong_row.isEmpty();
    name_list_->setPlainText(names_.join(u'\n'));
    show_note(notes_, empty ? QString() : plan.notes.join(u'\n'));
    auto problem = plan.problem;
    // Each run was checked; the settings without the sweep need not be consistent, nor name the data.
    for (const auto& option : config::options())
        if (problem.isEmpty()) problem = model_.draft_problem(QString::fromStdString(option.key));
    show_row_problem(plan_problem_, problem);
    if (!rows_good)
        summary_->setText(
            count == 0 ? tr("No sweep yet: correct the values marked above.")
                       : tr("Correct the values marked above; without them: %1.").arg(runs_text(count)));
    else if (empty)
        summary_->setText(tr("No values yet: enter values for at least one setting, or add a case."));
    else if (!problem.isEmpty())
        summary_->setText(tr("This sweep cannot run yet."));
    else
        summary_->setText(plan.seconds > 0
                              ? tr("%1, %2 in all").arg(runs_text(count), about_duration_text(plan.seconds))
                              : runs_text(count));
    const bool good = problem.isEmpty() && rows_good && !empty;
    queue_->setEnabled(good);
    queue_->setText(good ? tr("Queue %1").arg(runs_text(count)) : tr("Queue"));
    named(queue_, queue_->text(),
          good                 ? tr("Put these runs at the end of the queue")
          : !rows_good         ? wrong_row
          : !problem.isEmpty() ? problem
                               : tr("Enter values for at least one setting, or add a case"));
}

void SweepEditor::show_colours() {
    QPalette colours;
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::error));
    plan_problem_->setPalette(colours);
    for (auto& row : rows_) row->problem->setPalette(colours);
}

void SweepEditor::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && plan_problem_ != nullptr) show_colours();
}

}  // namespace casp::widgets
