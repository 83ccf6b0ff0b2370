#include "panels/data/data_format.h"

#include <QGridLayout>

#include "panels/data/data_text.h"
#include "state/core_text.h"

namespace casp::widgets {

namespace {

constexpr int per_row = 4;

struct Choice {
    QString text;
    QVariant value;
};

/// Choices of each control besides "auto"; columns are added per file.
std::vector<Choice> choices(DataFormat::Field field) {
    const auto sign = [](char c) { return QVariant(QString(QLatin1Char(c))); };
    switch (field) {
        case DataFormat::delimiter:
            return {{QObject::tr("comma ,"), sign(',')},
                    {QObject::tr("semicolon ;"), sign(';')},
                    {QObject::tr("tab"), sign('\t')},
                    {QObject::tr("bar |"), sign('|')},
                    {QObject::tr("spaces"), sign(' ')}};
        case DataFormat::decimal:
            return {{QObject::tr("point 0.5"), sign('.')}, {QObject::tr("comma 0,5"), sign(',')}};
        case DataFormat::quote:
            return {{QObject::tr("double \""), sign('"')},
                    {QObject::tr("single '"), sign('\'')},
                    {QObject::tr("none"), QVariant(QString())}};
        case DataFormat::header:
            return {{QObject::tr("names"), true}, {QObject::tr("values"), false}};
        case DataFormat::encoding:
            return {{QStringLiteral("UTF-8"), QStringLiteral("UTF-8")},
                    {QStringLiteral("Latin-1"), QStringLiteral("Latin-1")},
                    {QStringLiteral("UTF-16LE"), QStringLiteral("UTF-16LE")},
                    {QStringLiteral("UTF-16BE"), QStringLiteral("UTF-16BE")}};
        case DataFormat::time_style: {
            using Style = data::TimeStyle;
            const auto style = [](Style s) { return QVariant(static_cast<int>(s)); };
            return {{QObject::tr("year-month-day (ISO)"), style(Style::iso)},
                    {QObject::tr("day first 31.12.2024"), style(Style::day_first)},
                    {QObject::tr("month first 12/31/2024"), style(Style::month_first)},
                    {QObject::tr("Unix seconds"), style(Style::unix_seconds)},
                    {QObject::tr("Unix milliseconds"), style(Style::unix_milliseconds)}};
        }
        default:
            return {};
    }
}

QString title(DataFormat::Field field) {
    static const std::array<const char*, DataFormat::fields> titles{
        QT_TRANSLATE_NOOP("core", "Delimiter"),
        QT_TRANSLATE_NOOP("core", "Decimal separator"),
        QT_TRANSLATE_NOOP("core", "Quotes"),
        QT_TRANSLATE_NOOP("core", "First line"),
        QT_TRANSLATE_NOOP("core", "Encoding"),
        QT_TRANSLATE_NOOP("core", "Time column"),
        QT_TRANSLATE_NOOP("core", "Time-of-day column"),
        QT_TRANSLATE_NOOP("core", "Date format")};
    return translated(titles.at(static_cast<std::size_t>(field)));
}

QString tip(DataFormat::Field field) {
    static const std::array<const char*, DataFormat::fields> tips{
        QT_TRANSLATE_NOOP("core", "Delimiter between the cells of a line"),
        QT_TRANSLATE_NOOP("core", "Decimal separator of numbers"),
        QT_TRANSLATE_NOOP("core", "Quote character that may enclose a cell; a delimiter inside it is text"),
        QT_TRANSLATE_NOOP("core", "Whether the first line contains the column names"),
        QT_TRANSLATE_NOOP("core", "Encoding of letters beyond ASCII; it does not affect numbers"),
        QT_TRANSLATE_NOOP("core", "Column with the date, with or without the time of day"),
        QT_TRANSLATE_NOOP("core", "Column with the time of day, if it is separate from the date"),
        QT_TRANSLATE_NOOP("core", "Order of day, month and year, or seconds since 1970")};
    return QObject::tr("%1. A change reads the file again.")
        .arg(translated(tips.at(static_cast<std::size_t>(field))));
}

QString name_of_sign(DataFormat::Field field, char c) {
    for (const auto& choice : choices(field))
        if (choice.value.toString() == (c == '\0' ? QString() : QString(QLatin1Char(c)))) return choice.text;
    return QStringLiteral("“%1”").arg(QLatin1Char(c));
}

QVariant chosen_sign(const std::optional<char>& sign) {
    if (!sign) return {};
    return *sign == '\0' ? QVariant(QString()) : QVariant(QString(QLatin1Char(*sign)));
}

}  // namespace

DataFormat::DataFormat(QWidget* parent) : QWidget(parent), as_detected_(new QPushButton(this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    for (int i = 0; i < fields; ++i) {
        const auto field = static_cast<Field>(i);
        auto* label = new QLabel(title(field), this);
        auto* combo = new QComboBox(this);
        label->setBuddy(combo);
        label->setWordWrap(true);  // on a narrow page
        label->setAlignment(Qt::AlignBottom);
        combo->setAccessibleName(title(field));
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(6);  // least width; the tooltip states an elided choice
        combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        grid->addWidget(label, i / per_row * 2, i % per_row);
        grid->addWidget(combo, i / per_row * 2 + 1, i % per_row);
        grid->setColumnStretch(i % per_row, 1);
        controls_[static_cast<std::size_t>(i)] = combo;
        labels_[static_cast<std::size_t>(i)] = label;
        connect(combo, &QComboBox::activated, this, [this] {
            const auto asked = options();
            if (!same_reading(asked, shown_)) Q_EMIT corrected(asked);
        });
    }
    as_detected_->setText(tr("As detected"));
    as_detected_->setAccessibleName(tr("Read as detected"));
    as_detected_->setToolTip(tr("Remove all corrections and detect the format from the content"));
    grid->addWidget(as_detected_, 3, per_row);
    connect(as_detected_, &QPushButton::clicked, this, [this] { Q_EMIT corrected({}); });
    set_file({});
}

void DataFormat::fill(Field field, const QString& detected, const QVariant& chosen) {
    QComboBox* combo = control(field);
    const QSignalBlocker blocker(combo);
    combo->clear();
    combo->addItem(detected.isEmpty() ? tr("auto") : tr("auto: %1").arg(detected));
    for (const auto& choice : choices(field)) combo->addItem(choice.text, choice.value);
    if (chosen.isValid()) {
        int at = combo->findData(chosen);
        if (at < 1) {
            combo->addItem(chosen.toString(), chosen);
            at = combo->count() - 1;
        }
        combo->setCurrentIndex(at);
    }
}

void DataFormat::fill_columns(const DataFile& file) {
    QStringList names;
    QString detected = tr("none");
    if (file.table != nullptr) {
        QStringList times;
        for (const auto& name : file.table->format.time_columns) times << native_text(name);
        if (!times.isEmpty()) detected = times.join(QStringLiteral(" + "));
        names = times;
        // Columns of text are no channels, but may contain the dates.
        for (const auto& warning : file.table->warnings)
            if (!warning.column.empty()) names << native_text(warning.column);
        for (const auto& column : file.table->columns) names << native_text(column.name);
        names.removeDuplicates();
    }
    const auto& chosen = file.options.time_columns;
    if (chosen)
        for (const auto& name : *chosen)
            if (!names.contains(native_text(name))) names << native_text(name);
    QComboBox* date = control(time_column);
    QComboBox* clock = control(clock_column);
    const QSignalBlocker date_blocker(date);
    const QSignalBlocker clock_blocker(clock);
    date->clear();
    clock->clear();
    date->addItem(chosen ? tr("auto") : tr("auto: %1").arg(detected));
    date->addItem(tr("none"), QString());
    clock->addItem(chosen ? tr("the same column") : tr("auto"));
    for (const QString& name : names) {
        date->addItem(name, name);
        clock->addItem(name, name);
    }
    if (chosen) {
        date->setCurrentIndex(chosen->empty() ? 1 : date->findData(native_text(chosen->front())));
        if (chosen->size() > 1) clock->setCurrentIndex(clock->findData(native_text(chosen->at(1))));
    }
    clock->setEnabled(chosen && !chosen->empty());
}

void DataFormat::set_file(const DataFile& file) {
    shown_ = file.options;
    const auto* table = file.table.get();
    // The detected value is known only for properties that were not corrected in that reading.
    const auto& with = file.read_with;
    const auto found = [&](bool prescribed, const QString& text) {
        return table == nullptr || prescribed ? QString() : text;
    };
    const data::Format format = table != nullptr ? table->format : data::Format{};
    fill(delimiter, found(with.delimiter.has_value(), name_of_sign(delimiter, format.delimiter)),
         chosen_sign(shown_.delimiter));
    fill(decimal, found(with.decimal.has_value(), name_of_sign(decimal, format.decimal)),
         chosen_sign(shown_.decimal));
    fill(quote, found(with.quote.has_value(), name_of_sign(quote, format.quote)), chosen_sign(shown_.quote));
    fill(header, found(with.header.has_value(), format.has_header ? tr("names") : tr("values")),
         shown_.header ? QVariant(*shown_.header) : QVariant());
    fill(encoding,
         found(with.encoding.has_value(),
               native_text(format.encoding) + (format.bom ? tr(" with mark") : QString())),
         shown_.encoding ? QVariant(native_text(*shown_.encoding)) : QVariant());
    fill(time_style, found(with.time_style != data::TimeStyle::automatic, native_text(format.time_format)),
         shown_.time_style == data::TimeStyle::automatic ? QVariant()
                                                         : QVariant(static_cast<int>(shown_.time_style)));
    fill_columns(file);
    for (int i = 0; i < fields; ++i) {
        QLabel* label = labels_[static_cast<std::size_t>(i)];
        QComboBox* combo = controls_[static_cast<std::size_t>(i)];
        QFont font = label->font();
        font.setBold(combo->currentIndex() > 0);
        // The choice may be elided in the box.
        combo->setToolTip(QStringLiteral("%1\n%2").arg(combo->currentText(), tip(static_cast<Field>(i))));
        label->setFont(font);
    }
    as_detected_->setEnabled(!same_reading(shown_, {}));
}

data::CsvOptions DataFormat::options() const {
    data::CsvOptions asked = shown_;
    const auto value = [this](Field field) {
        return controls_.at(static_cast<std::size_t>(field))->currentData();
    };
    const auto sign = [&](Field field) -> std::optional<char> {
        const QVariant chosen = value(field);
        if (!chosen.isValid()) return std::nullopt;
        const QString text = chosen.toString();
        return text.isEmpty() ? '\0' : text[0].toLatin1();
    };
    asked.delimiter = sign(delimiter);
    asked.decimal = sign(decimal);
    asked.quote = sign(quote);
    asked.header.reset();
    if (value(header).isValid()) asked.header = value(header).toBool();
    asked.encoding.reset();
    if (value(encoding).isValid()) asked.encoding = value(encoding).toString().toStdString();
    asked.time_style = value(time_style).isValid() ? static_cast<data::TimeStyle>(value(time_style).toInt())
                                                   : data::TimeStyle::automatic;
    asked.time_columns.reset();
    if (value(time_column).isValid()) {
        asked.time_columns.emplace();
        const QString name = value(time_column).toString();
        if (!name.isEmpty()) {
            asked.time_columns->push_back(name.toStdString());
            const QString clock = value(clock_column).toString();
            if (!clock.isEmpty() && clock != name) asked.time_columns->push_back(clock.toStdString());
        }
    }
    return asked;
}

}  // namespace casp::widgets
