#include "panels/data/data_readings.h"

#include <QGridLayout>

#include "data/csv_settings.h"
#include "state/core_message.h"
#include "state/core_text.h"

namespace casp::widgets {

DataReadings::DataReadings(QWidget* parent) : QScrollArea(parent) {
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
    grid->addWidget(intro, 0, 0, 1, 3);
    for (const auto& option : config::options())
        if (option.section == "data.csv") add_row(option, *grid);
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(content);
}

void DataReadings::add_row(const config::OptionSpec& option, QGridLayout& grid) {
    const int at = grid.rowCount();
    auto* name = new QLabel(option_name(option), widget());
    auto* reason = new QLabel(grid.parentWidget());
    reason->setWordWrap(true);
    reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    reason->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* editor = make_option_editor(option, grid.parentWidget());
    editor->setMinimumWidth(editor->fontMetrics().averageCharWidth() * 18);
    name->setBuddy(editor->controls().front());
    name->setToolTip(option_tooltip(option));
    grid.addWidget(name, at, 0, Qt::AlignTop);
    grid.addWidget(reason, at, 1, Qt::AlignTop);
    grid.addWidget(editor, at, 2, Qt::AlignTop);
    connect(editor, &OptionEditor::edited, this, [this, &option](const config::Value& value, const QString&) {
        if (!option.limits.choices.empty()) return apply(option, value);
        config::set(shown_, option.key, value);  // applied when the field is finished
    });
    connect(editor, &OptionEditor::finished, this, [this, &option] { apply(option, option.get(shown_)); });
    rows_.push_back({&option, reason, editor});
}

void DataReadings::apply(const config::OptionSpec& option, const config::Value& value) {
    config::set(shown_, option.key, value);
    Q_EMIT corrected(data::csv_options(shown_));
}

void DataReadings::set_file(const DataFile& file) {
    try {
        shown_.data_csv = data::csv_settings(file.options);
    } catch (const Error&) {
        shown_.data_csv = {};  // an option that no setting has, from a library's caller
    }
    shown_.run.threads = file.options.threads;
    for (const auto& row : rows_) {
        const QSignalBlocker blocker(row.editor);
        row.editor->show_value(row.option->get(shown_));
        row.reason->setText(file.table != nullptr ? QString() : tr("–"));
    }
    if (file.table == nullptr) return;
    for (const auto& row : rows_) {
        QStringList texts;
        for (const auto& reading : file.table->readings)
            if (reading.key == row.option->key)
                texts << (reading.why.empty() ? translated_message(reading.found)
                                              : tr("%1: %2").arg(translated_message(reading.found),
                                                                 translated_message(reading.why)));
        row.reason->setText(texts.isEmpty() ? tr("nothing of this kind") : texts.join(u'\n'));
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
