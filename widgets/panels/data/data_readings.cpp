#include "panels/data/data_readings.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <QCompleter>
#include <QGridLayout>
#include <QLineEdit>
#include <QStringListModel>

#include "panels/data/data_text.h"
#include "panels/experiment/option_number_edit.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {}  // namespace

QString DataReadings::reading_text(const data::Reading& reading) {
    const auto found = translated(reading.found);
    return reading.why.empty() ? found : tr("%1: %2").arg(found, translated(reading.why));
}

DataReadings::DataReadings(QWidget* parent)
    : QScrollArea(parent),
      as_detected_(new QPushButton(tr("As detected"), this)),
      columns_(new QStringListModel(this)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("How this file was read"));
    auto* content = new QWidget(this);
    auto* grid = new QGridLayout(content);
    grid->setHorizontalSpacing(16);
    grid->setColumnStretch(1, 1);
    auto* intro =
        new QLabel(tr("Each decision is detected from the content. A change reads the file again."), content);
    intro->setWordWrap(true);
    as_detected_->setAccessibleName(tr("Read as detected"));
    as_detected_->setToolTip(tr("Remove all corrections and detect the format from the content"));
    grid->addWidget(intro, 0, 0, 1, 2);
    grid->addWidget(as_detected_, 0, 2);
    for (const auto& option : config::options())
        if (option.section == "data.csv") add_row(option, *grid);
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(content);
    connect(as_detected_, &QPushButton::clicked, this, [this] { Q_EMIT corrected({}); });
    set_file({});
}

void DataReadings::add_row(const config::OptionSpec& option, QGridLayout& grid) {
    const int at = grid.rowCount();
    auto* name = new QLabel(option_name(option), grid.parentWidget());
    auto* reason = new QLabel(grid.parentWidget());
    reason->setWordWrap(true);
    reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    reason->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* editor = make_option_editor(option, grid.parentWidget());
    editor->setMinimumWidth(editor->fontMetrics().averageCharWidth() * 22);
    name->setBuddy(editor->controls().front());
    name->setToolTip(option_tooltip(option));
    if (auto* number = editor->findChild<OptionNumberEdit*>()) number->set_automatic(option.default_value);
    if (option.key == "data.csv.time_column" || option.key == "data.csv.clock_column") {
        auto* completer = new QCompleter(columns_, editor);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        editor->findChild<QLineEdit*>()->setCompleter(completer);
        connect(completer, qOverload<const QString&>(&QCompleter::activated), editor,
                [editor](const QString& column) {  // the field itself says nothing then
                    editor->type({column});
                    Q_EMIT editor->finished();
                });
    }
    grid.addWidget(name, at, 0);
    grid.addWidget(reason, at, 1);
    grid.addWidget(editor, at, 2);
    connect(editor, &OptionEditor::edited, this, [this, &option](const config::Value& value, const QString&) {
        if (!option.limits.choices.empty()) return apply(option, value);
        config::set(shown_, option.key, value);  // applied when the field is finished
    });
    connect(editor, &OptionEditor::finished, this, [this, &option] { apply(option, option.get(shown_)); });
    rows_.push_back({&option, name, reason, editor});
}

void DataReadings::apply(const config::OptionSpec& option, const config::Value& value) {
    config::set(shown_, option.key, value);
    if (shown_.data_csv != asked_) Q_EMIT corrected(shown_.data_csv);
}

void DataReadings::list_columns(const data::Table& table) {
    QStringList names;
    for (const auto& name : table.format.time_columns) names << native_text(name);
    // Columns of text are no channels, but may hold the dates.
    for (const auto& warning : table.warnings)
        if (!warning.column.empty()) names << native_text(warning.column);
    for (const auto& column : table.columns) names << native_text(column.name);
    names.removeDuplicates();
    columns_->setStringList(names);
}

void DataReadings::set_file(const DataFile& file) {
    shown_.data_csv = asked_ = file.options;
    as_detected_->setEnabled(asked_ != config::Config::DataCsv{});
    for (const auto& row : rows_) {
        const QSignalBlocker blocker(row.editor);
        const auto value = row.option->get(shown_);
        row.editor->show_value(value);
        QFont font = row.name->font();
        font.setBold(value != row.option->default_value);
        row.name->setFont(font);
        row.reason->setText(file.table != nullptr ? QString() : tr("–"));
    }
    if (file.table == nullptr) return;
    list_columns(*file.table);
    for (const auto& row : rows_) {
        QStringList texts;
        for (const auto& reading : file.table->readings)
            if (reading.key == row.option->key) texts << reading_text(reading);
        row.reason->setText(texts.isEmpty() ? tr("nothing found") : texts.join(u'\n'));
        QFont font = row.reason->font();
        font.setItalic(texts.isEmpty());
        row.reason->setFont(font);
    }
}

OptionEditor* DataReadings::editor(const QString& key) const {
    for (const auto& row : rows_)
        if (QString::fromStdString(row.option->key) == key) return row.editor;
    return nullptr;
}

QString DataReadings::text_of(const QString& key) const {
    for (const auto& row : rows_)
        if (QString::fromStdString(row.option->key) == key) return row.reason->text();
    return {};
}

}  // namespace casp::widgets
