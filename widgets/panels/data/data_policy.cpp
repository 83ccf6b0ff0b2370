#include "panels/data/data_policy.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include "panels/data/data_text.h"
#include "panels/data/data_words.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

QLabel* make_text_label(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAccessibleName(name);
    return label;
}

QLabel* make_title(QWidget* parent, const QString& text) {
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

}  // namespace

DataPolicy::DataPolicy(ExperimentModel& experiment, QWidget* parent)
    : QWidget(parent), experiment_(experiment) {
    build_controls();
    build_texts();
    connect(&experiment, &ExperimentModel::changed, this, &DataPolicy::follow_experiment);
    connect(&experiment, &ExperimentModel::problems_changed, this, &DataPolicy::follow_experiment);
    follow_experiment();
}

void DataPolicy::build_controls() {
    split_ = named(new QComboBox(this), tr("Split (data.split)"),
                   tr("Borders of training, validation and test (data.split)"));
    split_->addItem(tr("auto: the data set’s rule if it is known, else 70/10/20 %"), QStringLiteral("auto"));
    split_->addItem(tr("ratio: 70 / 10 / 20 %"), QStringLiteral("ratio"));
    split_->addItem(tr("ett-hourly: 12, 4 and 4 months of hourly rows"), QStringLiteral("ett-hourly"));
    split_->addItem(tr("ett-minutely: 12, 4 and 4 months of 15-minute rows"), QStringLiteral("ett-minutely"));
    split_->addItem(tr("rows: explicit row counts"), QStringLiteral("rows"));
    split_->addItem(tr("fractions: of the rows"), QStringLiteral("fractions"));
    split_->addItem(tr("dates: first row of validation and of test"), QStringLiteral("dates"));
    split_fields_ = new SplitFields(this);
    missing_ = named(new QComboBox(this), tr("Missing values, data.missing"),
                     tr("Treatment of missing cells and listed sentinels (data.missing)"));
    missing_->addItem(tr("error: a run does not start"), QStringLiteral("error"));
    missing_->addItem(tr("interpolate: linear between the neighbours"), QStringLiteral("interpolate"));
    missing_->addItem(tr("drop-column: omit such channels"), QStringLiteral("drop-column"));
    missing_->addItem(tr("keep: sentinel values stay unchanged, as published"), QStringLiteral("keep"));
    sentinels_ = named(new QLineEdit(this), tr("Sentinels, data.sentinels"),
                       tr("Values that count as missing, separated by blanks (data.sentinels)"));
    sentinels_->setPlaceholderText(tr("none; for example -9999"));
    selected_ = new QLabel(this);
    all_channels_ = named(new QPushButton(tr("All channels"), this), tr("Use all channels"),
                          tr("Use all channels of the file (data.columns = [])"));
    for (QComboBox* combo : {split_, missing_}) {
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(20);
        set_choice_tip(combo, combo->toolTip());
    }
    connect(split_, &QComboBox::activated, this, &DataPolicy::choose_split);
    connect(split_fields_, &SplitFields::finished, this, &DataPolicy::write_split);
    connect(missing_, &QComboBox::activated, this,
            [this] { set("data.missing", missing_->currentData().toString().toStdString()); });
    connect(sentinels_, &QLineEdit::editingFinished, this, &DataPolicy::write_sentinels);
    connect(all_channels_, &QPushButton::clicked, this,
            [this] { set("data.columns", std::vector<std::string>{}); });
}

void DataPolicy::build_texts() {
    problem_ = new DataProblemBox(this);
    refusal_ = new DataProblemBox(this);
    origin_ = make_text_label(this, tr("Origin of the file"));
    split_label_ = make_text_label(this, tr("Effect of the split"));
    scaler_label_ = make_text_label(this, tr("Effect of the scaler"));
    missing_label_ = make_text_label(this, tr("Treatment of missing values"));
    missing_label_->setTextFormat(Qt::PlainText);
    mark_suspects_ = new QPushButton(this);
    use_published_ = new QPushButton(this);
    statistics_ = new ChannelStatistics(this);
    named(mark_suspects_, tr("Count suspicious values as missing"),
          tr("Adds the suspicious values to data.sentinels"));
    named(use_published_, tr("Treat missing values as published"),
          tr("Sets data.missing as it was for the published numbers"));
    connect(mark_suspects_, &QPushButton::clicked, this, [this] {
        if (!review_) return;
        auto listed = experiment_.config().data.sentinels;
        for (const auto& suspect : review_->suspects()) listed.push_back(suspect.value);
        set("data.sentinels", listed);
    });
    connect(use_published_, &QPushButton::clicked, this, [this] {
        if (review_ && review_->known.entry != nullptr) set("data.missing", review_->known.entry->missing);
    });
    const auto write_names = [this](const char* key) {
        return [this, key](const QStringList& names) {
            std::vector<std::string> channels;
            for (const QString& name : names) channels.push_back(name.toStdString());
            set(key, channels);
        };
    };
    connect(statistics_, &ChannelStatistics::columns_requested, this, write_names("data.columns"));
    connect(statistics_, &ChannelStatistics::targets_requested, this, write_names("data.targets"));

    auto* upper = new QWidget(this);
    auto* grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    auto add_row = [grid, row = 0](QLabel* title, QWidget* field) mutable {
        if (title != nullptr) {
            title->setAlignment(Qt::AlignTop | Qt::AlignLeft);
            title->setContentsMargins(0, qobject_cast<QLabel*>(field) != nullptr ? 0 : 4, 6, 0);
            grid->addWidget(title, row, 0);
        }
        grid->addWidget(field, row++, 1);
    };
    auto* column = make_layout<QVBoxLayout>(upper, {0, 6, 8, 6});
    column->addLayout(grid);
    column->addStretch();
    const auto beside = [&](QWidget* field, QPushButton* button) {
        auto* both = new QWidget(upper);
        auto* row = make_layout<QHBoxLayout>(both);
        row->addWidget(field, 1);
        row->addWidget(button);
        return both;
    };
    auto* channels_box = new QWidget(upper);
    auto* channels = make_layout<QHBoxLayout>(channels_box);
    add_widgets(channels, {selected_, all_channels_});
    channels->addStretch();
    const auto labelled = [&](const QString& text, QWidget* field) {
        QLabel* label = make_title(upper, text);
        label->setBuddy(field);
        return label;
    };
    add_row(make_title(upper, tr("Data set")), origin_);
    add_row(nullptr, problem_);
    add_row(nullptr, refusal_);
    add_row(labelled(tr("S&plit"), split_), split_);
    add_row(nullptr, split_fields_);
    add_row(nullptr, split_label_);
    add_row(labelled(tr("M&issing values"), missing_), beside(missing_, use_published_));
    add_row(labelled(tr("Se&ntinels"), sentinels_), beside(sentinels_, mark_suspects_));
    add_row(nullptr, missing_label_);
    add_row(make_title(upper, tr("Scaler")), scaler_label_);
    add_row(make_title(upper, tr("Channels")), channels_box);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(upper);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    upper->setAutoFillBackground(false);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setObjectName(QStringLiteral("preparation"));
    splitter->setChildrenCollapsible(false);
    add_widgets(splitter, {scroll, statistics_});
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* all = make_layout<QVBoxLayout>(this);
    all->addWidget(splitter);
}

void DataPolicy::set(const char* key, const config::Value& value) {
    const bool changes = config::get(experiment_.config(), key) != value;
    if (const QString wrong = experiment_.set(QString::fromLatin1(key), value); !wrong.isEmpty()) {
        refuse({QString::fromLatin1(key), wrong, {}, {}}, {});
        follow_experiment();
    } else if (changes) {
        Q_EMIT chosen(QString::fromLatin1(key));
    }
}

/// Numbers or dates to begin with: today's borders where the rule can express them.
config::SplitSetting DataPolicy::first_setting(const std::string& rule) const {
    config::SplitSetting setting{rule};
    if (rule == "fractions") setting.fractions = {0.7, 0.1, 0.2};
    if (!review_ || !review_->plan) return setting;
    const auto& parts = review_->plan->part_rows;
    if (rule == "rows") setting.rows = parts;
    if (rule != "dates" || table_ == nullptr || table_->time.empty()) return setting;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto row = static_cast<std::size_t>(i == 0 ? parts[0] : parts[0] + parts[1]);
        setting.dates.at(i) = table_->step.local.text(table_->time[row]);
        constexpr std::string_view midnight = " 00:00:00";
        if (setting.dates.at(i).ends_with(midnight))
            setting.dates.at(i).resize(setting.dates.at(i).size() - midnight.size());
    }
    return setting;
}

void DataPolicy::choose_split() {
    const auto rule = split_->currentData().toString();
    if (!SplitFields::has_fields(rule)) {
        split_fields_->set_rule(rule);
    } else {
        const auto first = first_setting(rule.toStdString());
        if (config::problem_with(*config::find_option("data.split"), first).empty())
            split_fields_->show_setting(first);
        else
            split_fields_->set_rule(rule);
        split_fields_->setFocus();
    }
    write_split();
}

void DataPolicy::write_split() {
    const auto parsed = split_fields_->parse();
    if (parsed.value) return set("data.split", *parsed.value);
    QStringList texts;
    for (const auto* field : split_fields_->fields()) texts << field->text();
    refuse({QStringLiteral("data.split"), parsed.problem, {}, {}}, texts);
}

void DataPolicy::refuse(const DataProblem& problem, const QStringList& typed) {
    refusal_->set_problem(problem);
    experiment_.set_draft_problem(problem.where, problem.found, typed);
}

void DataPolicy::write_sentinels() {
    static const QRegularExpression blanks(QStringLiteral("[\\s,;\\[\\]]+"));
    std::vector<double> values;
    for (QString word : sentinels_->text().split(blanks, Qt::SkipEmptyParts)) {
        bool ok = false;
        const double value = word.replace(QChar(0x2212), u'-').toDouble(&ok);  // a typographic minus
        if (!ok || !std::isfinite(value)) {
            return refuse({QStringLiteral("data.sentinels"),
                           tr("“%1” is not a number").arg(word),
                           tr("numbers separated by blanks, such as -9999 999.9"),
                           {}},
                          {sentinels_->text()});
        }
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    set("data.sentinels", values);
}

void DataPolicy::follow_experiment() {
    // Repaired, here or in the form.
    if (experiment_.draft_problem(refusal_->problem().where).isEmpty()) refusal_->set_problem({});
    const auto& section = experiment_.config().data;
    // What was typed stays until it can be read.
    if (refusal_->problem().where != QStringLiteral("data.split")) {
        split_->setCurrentIndex(split_->findData(native_text(section.split.rule)));
        split_fields_->show_setting(section.split);
    }
    missing_->setCurrentIndex(missing_->findData(native_text(section.missing)));
    QStringList values;
    for (const double value : section.sentinels) values << exact_text(value);
    if (!sentinels_->hasFocus() || refusal_->problem().where != QStringLiteral("data.sentinels"))
        sentinels_->setText(values.join(u' '));
    all_channels_->setEnabled(!section.columns.empty());
}

void DataPolicy::set_review(std::shared_ptr<const data::Table> table, std::optional<DataReview> review) {
    if (review || table != table_) statistics_->set_review(review);
    table_ = std::move(table);
    review_ = std::move(review);
    show_texts();
}

void DataPolicy::show_texts() {
    const bool ready = table_ != nullptr && review_.has_value();
    for (QLabel* label : {origin_, split_label_, scaler_label_, missing_label_}) label->setEnabled(ready);
    statistics_->setEnabled(ready);
    if (!ready) {
        if (table_ != nullptr) return;  // keep the text of the previous settings, dimmed
        for (QLabel* label : {origin_, split_label_, scaler_label_, missing_label_, selected_})
            label->clear();
        problem_->set_problem({});
        mark_suspects_->hide();
        use_published_->hide();
        return;
    }
    problem_->set_problem(review_->problem());
    origin_->setText(describe_origin(*review_));
    split_label_->setText(describe_split(*table_, *review_, palette()));
    split_label_->setVisible(review_->plan.has_value());
    scaler_label_->setText(describe_scaler(*review_));
    missing_label_->setText(describe_missing(*review_));
    std::int64_t selected = 0;
    for (const auto& channel : review_->channels)
        selected += channel.fate != ChannelFate::not_selected ? 1 : 0;
    selected_->setText(tr("%1 of %2 ticked in the table below")
                           .arg(count_text(selected))
                           .arg(count_text(static_cast<std::int64_t>(review_->channels.size()))));
    const auto suspects = review_->suspects();
    QStringList values;
    for (const auto& suspect : suspects) values << exact_text(suspect.value);
    const QString list = values.mid(0, 3).join(QStringLiteral(", "));
    mark_suspects_->setText(tr("Count %1 as missing").arg(list));
    mark_suspects_->setAccessibleName(mark_suspects_->text());
    mark_suspects_->setVisible(!suspects.empty());
    const bool other = review_->known.entry != nullptr && !review_->known.entry->missing.empty() &&
                       review_->known.entry->missing != review_->choices.missing;
    use_published_->setVisible(other);
    if (other) {
        use_published_->setText(tr("As published: “%1”").arg(native_text(review_->known.entry->missing)));
        named(use_published_, use_published_->text(),
              tr("Published numbers of %1 were made with data.missing = \"%2\"")
                  .arg(native_text(review_->known.entry->name), native_text(review_->known.entry->missing)));
    }
}

QString DataPolicy::words() const {
    static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
    QStringList all;
    if (problem_->problem().is_set()) all << problem_->problem().text();
    for (const QLabel* label : {origin_, split_label_, scaler_label_, missing_label_})
        all << label->text().replace(tags, QStringLiteral(" "));
    return all.join(u'\n');
}

void DataPolicy::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && review_) show_texts();
}

}  // namespace casp::widgets
