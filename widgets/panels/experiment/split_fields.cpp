#include "panels/experiment/split_fields.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

QStringList part_names() { return {QObject::tr("training"), QObject::tr("validation"), QObject::tr("test")}; }

QStringList short_part_names() { return {QObject::tr("train"), QObject::tr("val"), QObject::tr("test")}; }

/// Parts that a rule has fields for.
QStringList parts_of(const QString& rule, const QStringList& names) {
    return rule == QStringLiteral("dates") ? names.mid(1) : names;
}

QString missing_field(const QString& rule, const QString& part) {
    if (rule == QStringLiteral("dates")) return QObject::tr("The first date of %1 is missing").arg(part);
    if (rule == QStringLiteral("fractions")) return QObject::tr("The fraction for %1 is missing").arg(part);
    return QObject::tr("The row count for %1 is missing").arg(part);
}

}  // namespace

SplitFields::SplitFields(QWidget* parent) : QWidget(parent) {
    auto* layout = make_layout<QVBoxLayout>(this);
    const std::array<const char*, 3> rules{"rows", "fractions", "dates"};
    for (std::size_t i = 0; i < rules.size(); ++i) {
        auto& group = groups_.at(i);
        group.rule = QString::fromLatin1(rules.at(i));
        group.box = new QWidget(this);
        auto* row = new QHBoxLayout(group.box);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        for (const auto& name : parts_of(group.rule, short_part_names())) {
            auto* edit = new QLineEdit(group.box);
            edit->setPlaceholderText(i == 2 ? tr("%1: yyyy-mm-dd").arg(name) : name);
            row->addWidget(edit);
            group.fields.append(edit);
            connect(edit, &QLineEdit::textEdited, this, &SplitFields::edited);
            connect(edit, &QLineEdit::editingFinished, this, &SplitFields::finished);
        }
        layout->addWidget(group.box);
    }
    describe_fields();
    set_rule({});
}

bool SplitFields::has_fields(const QString& rule) {
    return rule == QStringLiteral("rows") || rule == QStringLiteral("fractions") ||
           rule == QStringLiteral("dates");
}

void SplitFields::describe_fields() {
    const std::array<QString, 3> names{tr("Rows for %1"), tr("Fraction of the rows for %1"),
                                       tr("Date of the first row of %1")};
    const std::array<QString, 3> tips{
        tr("Rows for %1, counted from the first row on"), tr("Fraction of the rows for %1, such as 0.7"),
        tr("The first row at or after this date begins %1: 2018-07-01 or 2018-07-01 12:00")};
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const auto parts = parts_of(groups_.at(i).rule, part_names());
        for (qsizetype at = 0; at < parts.size(); ++at) {
            groups_.at(i).fields[at]->setAccessibleName(names.at(i).arg(parts[at]));
            groups_.at(i).fields[at]->setToolTip(tips.at(i).arg(parts[at]));
        }
    }
}

const SplitFields::Group* SplitFields::shown() const {
    const auto at =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) { return group.rule == rule_; });
    return at == groups_.end() ? nullptr : &*at;
}

void SplitFields::set_rule(const QString& rule) {
    rule_ = rule;
    for (const auto& group : groups_) {
        group.box->setVisible(group.rule == rule);
        if (group.rule != rule)
            for (auto* edit : group.fields) edit->clear();
    }
    setVisible(has_fields(rule));
    if (const auto* group = shown(); group != nullptr) setFocusProxy(group->fields.front());
}

void SplitFields::show_setting(const config::SplitSetting& setting) {
    set_rule(QString::fromStdString(setting.rule));
    const auto* group = shown();
    if (group == nullptr) return;
    for (std::size_t i = 0; std::cmp_less(i, group->fields.size()); ++i) {
        const auto text = setting.rule == "rows"        ? QString::number(setting.rows.at(i))
                          : setting.rule == "fractions" ? value_text(config::Value(setting.fractions.at(i)))
                                                        : QString::fromStdString(setting.dates.at(i));
        if (auto* edit = group->fields[static_cast<int>(i)]; edit->text() != text) edit->setText(text);
    }
}

Parsed SplitFields::parse() const {
    config::SplitSetting split;
    split.rule = rule_.toStdString();
    const auto* group = shown();
    for (std::size_t i = 0; group != nullptr && std::cmp_less(i, group->fields.size()); ++i) {
        const auto text = group->fields[static_cast<int>(i)]->text().trimmed();
        if (text.isEmpty())
            return {std::nullopt,
                    missing_field(rule_, parts_of(rule_, short_part_names())[static_cast<int>(i)])};
        bool good = true;
        if (split.rule == "rows")
            split.rows.at(i) = text.toLongLong(&good);
        else if (split.rule == "fractions")
            split.fractions.at(i) = text.toDouble(&good);
        else
            split.dates.at(i) = text.toStdString();
        if (!good)
            return {std::nullopt, (split.rule == "rows" ? tr("“%1” is not a row count")
                                                        : tr("“%1” is not a fraction, such as 0.7"))
                                      .arg(text)};
    }
    const auto& option = *config::find_option("data.split");
    if (const auto problem = config::problem_with(option, split); !problem.empty())
        return {std::nullopt, tr("The split %1").arg(translated(problem))};
    return {config::Value(split), {}};
}

QString SplitFields::typed_rule() const {
    for (const auto& group : groups_)
        for (const auto* edit : group.fields)
            if (!edit->text().isEmpty()) return group.rule;
    return groups_.front().rule;
}

QList<QLineEdit*> SplitFields::fields() const {
    QList<QLineEdit*> all;
    for (const auto& group : groups_) all += group.fields;
    return all;
}

}  // namespace casp::widgets
