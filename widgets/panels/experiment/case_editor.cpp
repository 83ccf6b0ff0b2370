#include "panels/experiment/case_editor.h"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>

#include "panels/experiment/experiment_undo_keys.h"
#include "panels/experiment/option_text.h"
#include "panels/experiment/sweep_fields.h"
#include "panels/experiment/sweep_values.h"

namespace casp::widgets {

namespace {

constexpr int longest_case_label = 60;

/// As read_case_value() takes it.
QString case_value_text(const config::Value& value) {
    if (const auto* split = std::get_if<config::SplitSetting>(&value); split != nullptr)
        return split->rule == "rows" || split->rule == "fractions" || split->rule == "dates"
                   ? QString::fromStdString(config::to_toml(value))
                   : value_text(value);
    return value_text(value);
}

/// One typed value of a setting; returns what is wrong, or "".
QString read_case_value(const config::OptionSpec& option, const QString& typed, config::Assignment& to) {
    const auto key = QString::fromStdString(option.key);
    if (option.type == config::OptionType::boolean) {
        const auto parsed = parse_sweep(option, typed);
        if (!parsed.problem.isEmpty()) return parsed.problem;
        if (parsed.values.size() != 1) return QObject::tr("expected one value, on or off");
        return ExperimentModel::read_setting(key, parsed.values.front(), to);
    }
    if (option.type == config::OptionType::string || option.type == config::OptionType::split)
        return ExperimentModel::read_setting(key, typed, to);
    auto parsed = parse_value(option, typed);
    if (parsed.value) to = {option.key, std::move(*parsed.value), {}};
    return parsed.problem;
}

bool same_settings(const std::vector<config::Assignment>& a, const std::vector<config::Assignment>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.key == y.key && x.value == y.value; });
}

QString case_gesture(const void* row, int count) {
    return QStringLiteral("%1 %2").arg(reinterpret_cast<quintptr>(row)).arg(count);
}

void discard(QWidget* widget) {
    widget->hide();
    widget->deleteLater();
}

}  // namespace

CaseEditor::CaseEditor(ExperimentModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    note_ =
        new QLabel(tr("Every case is combined with every combination above. The first case is the base of "
                      "comparisons."),
                   this);
    note_->setWordWrap(true);
    layout->addWidget(note_);
    boxes_layout_ = new QVBoxLayout;
    boxes_layout_->setSpacing(4);
    layout->addLayout(boxes_layout_);
    add_ = make_flat_button(this, tr("+ Add a case"),
                            tr("A case is a named bundle of settings, such as “without coverage”"),
                            tr("Add a case to the sweep"));
    layout->addWidget(add_, 0, Qt::AlignLeft);
    connect(add_, &QToolButton::clicked, this, &CaseEditor::add_case);
    connect(&model_, &ExperimentModel::changed, this, &CaseEditor::follow_model);
    follow_model();
}

CaseEditor::~CaseEditor() = default;

int CaseEditor::index_of(const Box& box) const {
    const auto place =
        std::find_if(boxes_.begin(), boxes_.end(), [&](const auto& one) { return one.get() == &box; });
    return static_cast<int>(place - boxes_.begin());
}

CaseEditor::Box& CaseEditor::add_box() {
    boxes_.push_back(std::make_unique<Box>());
    auto& box = *boxes_.back();
    box.widget = new QFrame(this);
    box.widget->setFrameShape(QFrame::StyledPanel);
    box.label = new QLineEdit(box.widget);
    box.label->setMaxLength(longest_case_label);
    box.label->setPlaceholderText(tr("Label, e.g. without coverage"));
    box.label->setToolTip(tr("Label of the case in run names and tables"));
    box.up = make_flat_button(box.widget, QStringLiteral("↑"), tr("Move the case up"), {});
    box.down = make_flat_button(box.widget, QStringLiteral("↓"), tr("Move the case down"), {});
    box.remove = make_flat_button(box.widget, QStringLiteral("✕"), tr("Remove the case"), {});
    box.add = make_flat_button(box.widget, tr("+ Add a setting"), tr("Add a setting to this case"), {});
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(box.label, 1);
    for (auto* button : {box.up, box.down, box.remove}) head->addWidget(button);
    box.rows = new QVBoxLayout;
    box.rows->setContentsMargins(16, 0, 0, 0);
    box.rows->setSpacing(2);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 0, 0, 0);
    foot->addWidget(box.add);
    foot->addStretch();
    auto* layout = new QVBoxLayout(box.widget);
    layout->setContentsMargins(6, 6, 6, 4);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addLayout(box.rows);
    layout->addLayout(foot);
    boxes_layout_->addWidget(box.widget);
    leave_undo_to(model_, box.widget);
    connect(box.label, &QLineEdit::textEdited, this,
            [this, &box] { write(tr("Rename a case"), case_gesture(&box, box.gesture)); });
    connect(box.label, &QLineEdit::editingFinished, this, [&box] { ++box.gesture; });
    connect(box.up, &QToolButton::clicked, this,
            [this, &box] { move_case(index_of(box), index_of(box) - 1); });
    connect(box.down, &QToolButton::clicked, this,
            [this, &box] { move_case(index_of(box), index_of(box) + 1); });
    connect(box.remove, &QToolButton::clicked, this, [this, &box] { remove_case(index_of(box)); });
    connect(box.add, &QToolButton::clicked, this, [this, &box] {
        add_setting(index_of(box));
        box.settings.back()->key->setFocus();
    });
    put_before(add_, {box.label, box.up, box.down, box.remove, box.add});
    return box;
}

CaseEditor::Setting& CaseEditor::add_row(Box& box, const QString& key) {
    box.settings.push_back(std::make_unique<Setting>());
    auto& row = *box.settings.back();
    row.widget = new QWidget(box.widget);
    row.key = make_setting_box(row.widget, tr("Setting of the case"));
    row.key->setCurrentIndex(row.key->findData(key));
    row.value = new QLineEdit(row.widget);
    row.value->setAccessibleName(tr("Value in the case"));
    row.problem = make_problem_label(row.widget);
    row.remove = make_flat_button(row.widget, QStringLiteral("✕"), tr("Remove the setting from the case"),
                                  tr("Remove the setting from the case"));
    auto* grid = new QGridLayout(row.widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(2);
    grid->addWidget(row.key, 0, 0);
    grid->addWidget(row.value, 0, 1);
    grid->addWidget(row.remove, 0, 2);
    grid->addWidget(row.problem, 1, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    box.rows->addWidget(row.widget);
    leave_undo_to(model_, row.widget);
    connect(row.key, &QComboBox::activated, this, [this] { write(tr("Change a case"), {}); });
    connect(row.value, &QLineEdit::textEdited, this,
            [this, &row] { write(tr("Change a case"), case_gesture(&row, row.gesture)); });
    connect(row.value, &QLineEdit::editingFinished, this, [&row] { ++row.gesture; });
    connect(row.remove, &QToolButton::clicked, this, [this, &box, &row] {
        remove_row(box, row);
        write(tr("Change a case"), {});
        box.add->setFocus();
    });
    put_before(box.add, {row.key, row.value, row.remove});
    return row;
}

void CaseEditor::remove_row(Box& box, Setting& setting) {
    discard(setting.widget);
    box.settings.erase(std::find_if(box.settings.begin(), box.settings.end(),
                                    [&](const auto& one) { return one.get() == &setting; }));
}

void CaseEditor::add_setting(int index, const QString& key) {
    auto& to = box(index);
    auto wanted = key;
    const auto* choices = to.settings.empty() ? nullptr : to.settings.front()->key;
    for (int i = 0; wanted.isEmpty() && choices != nullptr && i < choices->count(); ++i) {
        const auto candidate = choices->itemData(i);
        const bool taken = std::any_of(to.settings.begin(), to.settings.end(),
                                       [&](const auto& one) { return one->key->currentData() == candidate; });
        if (!taken) wanted = candidate.toString();
    }
    add_row(to, wanted.isEmpty() ? QStringLiteral("loss.lambda_cov") : wanted);
    refresh();
}

config::Case CaseEditor::read(const Box& box) {
    config::Case found{box.label->text().toStdString(), {}, {}};
    for (const auto& row : box.settings) {
        const auto& option = setting_of(*row->key);
        QString problem;
        if (!row->value->text().trimmed().isEmpty()) {
            config::Assignment assignment;
            const bool twice = std::any_of(found.given.begin(), found.given.end(),
                                           [&](const auto& earlier) { return earlier.key == option.key; });
            problem = twice ? tr("%1 is already in this case").arg(option_name(option))
                            : read_case_value(option, row->value->text(), assignment);
            if (problem.isEmpty()) found.given.push_back(std::move(assignment));
        }
        show_row_problem(row->problem, problem);
    }
    return found;
}

std::vector<config::Case> CaseEditor::read_all() {
    std::vector<config::Case> cases;
    for (const auto& box : boxes_) cases.push_back(read(*box));
    return cases;
}

void CaseEditor::write(const QString& title, const QString& gesture) {
    writing_ = true;
    model_.set_cases(read_all(), title, gesture);
    writing_ = false;
    refresh();
    Q_EMIT edited();
}

void CaseEditor::add_case() {
    auto cases = read_all();
    QString label;
    for (int number = case_count() + 1; label.isEmpty(); ++number) {
        const auto candidate = tr("case %1").arg(number);
        const bool taken = std::any_of(cases.begin(), cases.end(), [&](const config::Case& one) {
            return one.label == candidate.toStdString();
        });
        if (!taken) label = candidate;
    }
    cases.push_back({label.toStdString(), {}, {}});
    model_.set_cases(std::move(cases), tr("Add a case"));
    add_setting(case_count() - 1);
    boxes_.back()->label->setFocus();
    boxes_.back()->label->selectAll();
}

void CaseEditor::remove_case(int index) {
    auto cases = read_all();
    cases.erase(cases.begin() + index);
    model_.set_cases(std::move(cases), tr("Remove a case"));
    add_->setFocus();
    Q_EMIT edited();
}

void CaseEditor::move_case(int from, int to) {
    if (to < 0 || to >= case_count()) return;
    auto cases = read_all();
    std::swap(cases.at(static_cast<std::size_t>(from)), cases.at(static_cast<std::size_t>(to)));
    model_.set_cases(std::move(cases), tr("Move a case"));
    auto* again = to < from ? box(to).up : box(to).down;
    if (again->isEnabled())
        again->setFocus();
    else
        box(to).label->setFocus();
    Q_EMIT edited();
}

void CaseEditor::show_case(Box& box, const config::Case& one) {
    const auto label = QString::fromStdString(one.label);
    if (box.label->text() != label) box.label->setText(label);
    if (same_settings(read(box).given, one.given)) return;
    while (box.settings.size() > one.given.size()) remove_row(box, *box.settings.back());
    while (box.settings.size() < one.given.size()) add_row(box, QStringLiteral("loss.lambda_cov"));
    for (std::size_t i = 0; i < one.given.size(); ++i) {
        auto& row = *box.settings[i];
        row.key->setCurrentIndex(row.key->findData(QString::fromStdString(one.given[i].key)));
        row.value->setText(case_value_text(one.given[i].value));
        show_row_problem(row.problem, {});
    }
}

void CaseEditor::follow_model() {
    if (writing_) return;
    const auto& cases = model_.cases();
    while (boxes_.size() > cases.size()) {
        discard(boxes_.back()->widget);
        boxes_.pop_back();
    }
    while (boxes_.size() < cases.size()) add_box();
    for (std::size_t i = 0; i < cases.size(); ++i) show_case(*boxes_[i], cases[i]);
    refresh();
}

void CaseEditor::refresh() {
    note_->setVisible(!boxes_.empty());
    QPalette colours;
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::muted));
    note_->setPalette(colours);
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::error));
    for (int i = 0; i < case_count(); ++i) {
        const auto& one = box(i);
        one.up->setEnabled(i > 0);
        one.down->setEnabled(i + 1 < case_count());
        one.label->setAccessibleName(tr("Label of case %1").arg(i + 1));
        one.up->setAccessibleName(tr("Move case %1 up").arg(i + 1));
        one.down->setAccessibleName(tr("Move case %1 down").arg(i + 1));
        one.remove->setAccessibleName(tr("Remove case %1").arg(i + 1));
        one.add->setAccessibleName(tr("Add a setting to case %1").arg(i + 1));
        for (const auto& row : one.settings) {
            const auto& option = setting_of(*row->key);
            row->key->setToolTip(option_tooltip(option));
            row->value->setToolTip(option_tooltip(option));
            const auto example = value_text(option.default_value);
            row->value->setPlaceholderText(example.isEmpty() ? tr("value") : tr("e.g. %1").arg(example));
            row->problem->setPalette(colours);
        }
    }
}

QString CaseEditor::problem() const {
    for (const auto& one : boxes_)
        for (const auto& row : one->settings)
            if (const auto problem = row_problem_of(*row->problem); !problem.isEmpty())
                return tr("%1, %2: %3").arg(one->label->text(), option_name(setting_of(*row->key)), problem);
    return {};
}

std::vector<QWidget*> CaseEditor::fields() const {
    std::vector<QWidget*> all;
    for (const auto& one : boxes_) {
        all.insert(all.end(), {one->label, one->up, one->down, one->remove});
        for (const auto& row : one->settings) all.insert(all.end(), {row->key, row->value, row->remove});
        all.push_back(one->add);
    }
    all.push_back(add_);
    return all;
}

void CaseEditor::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && add_ != nullptr) refresh();
}

}  // namespace casp::widgets
