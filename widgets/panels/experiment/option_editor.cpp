#include "panels/experiment/option_editor.h"

#include <algorithm>
#include <array>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "charts/file_dialog.h"
#include "config/text_utils.h"
#include "data/catalog.h"
#include "panels/experiment/option_number_edit.h"
#include "panels/experiment/option_text.h"
#include "panels/experiment/split_fields.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

using config::OptionSpec;
using config::OptionType;
using config::Value;

/// Limits::empty_word.
[[maybe_unused]] constexpr std::array empty_words{QT_TRANSLATE_NOOP("core", "all"),
                                                  QT_TRANSLATE_NOOP("core", "none")};

template <class Layout = QHBoxLayout>
Layout* row_layout(QWidget* widget) {
    auto* layout = new Layout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    return layout;
}

class NumberEditor : public OptionEditor {
public:
    NumberEditor(const OptionSpec& option, QWidget* parent) : OptionEditor(option, parent) {
        edit_ = new OptionNumberEdit(option, this);
        row_layout(this)->addWidget(edit_);
        setFocusProxy(edit_);
        connect(edit_, &OptionNumberEdit::typed, this, [this] { report(edit_->parsed()); });
        connect(edit_, &QAbstractSpinBox::editingFinished, this, [this] {
            if (const auto parsed = edit_->parsed(); parsed.value)
                edit_->show_text(value_text(*parsed.value));
            Q_EMIT finished();
        });
        describe_controls();
    }
    void show_value(const Value& value) override {
        if (const auto parsed = edit_->parsed();
            !parsed.value || *parsed.value != value || !edit_->hasFocus())
            edit_->show_text(value_text(value));
    }
    [[nodiscard]] QWidgetList controls() const override { return {edit_}; }

private:
    OptionNumberEdit* edit_;
};

class BooleanEditor : public OptionEditor {
public:
    BooleanEditor(const OptionSpec& option, QWidget* parent) : OptionEditor(option, parent) {
        box_ = new QCheckBox(this);
        row_layout(this)->addWidget(box_);
        setFocusProxy(box_);
        show_text();
        connect(box_, &QCheckBox::toggled, this, &BooleanEditor::show_text);
        connect(box_, &QCheckBox::clicked, this, [this](bool on) { Q_EMIT edited(on, {}); });
        describe_controls();
    }
    void show_value(const Value& value) override { box_->setChecked(std::get<bool>(value)); }
    [[nodiscard]] QWidgetList controls() const override { return {box_}; }

private:
    void show_text() { box_->setText(box_->isChecked() ? OptionEditor::tr("on") : OptionEditor::tr("off")); }
    QCheckBox* box_;
};

/// A combo box of texts that does not affect the row's width: long items are elided, the list shows them in
/// full.
QComboBox* make_combo(QWidget* parent, bool editable = false) {
    auto* combo = new QComboBox(parent);
    combo->setEditable(editable);
    combo->setInsertPolicy(QComboBox::NoInsert);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return combo;
}

class ChoiceEditor : public OptionEditor {
public:
    ChoiceEditor(const OptionSpec& option, QWidget* parent) : OptionEditor(option, parent) {
        combo_ = make_combo(this);
        for (const auto& choice : option.limits.choices) {
            const auto text = QString::fromStdString(choice);
            combo_->addItem(text, text);
        }
        row_layout(this)->addWidget(combo_);
        setFocusProxy(combo_);
        connect(combo_, &QComboBox::activated, this, [this] {
            Q_EMIT edited(combo_->currentData().toString().toStdString(), {});
            Q_EMIT finished();
        });
        describe_controls();
    }
    void show_value(const Value& value) override {
        combo_->setCurrentIndex(combo_->findData(QString::fromStdString(std::get<std::string>(value))));
    }
    [[nodiscard]] QWidgetList controls() const override { return {combo_}; }

private:
    QComboBox* combo_;
};

/// Alternatives to a file path: matching catalogue entries and keywords.
QStringList instead_of_file(const OptionSpec& option) {
    QStringList names;
    const auto& words = option.limits.words;
    const bool backbone = std::find(words.begin(), words.end(), "untrained") != words.end();
    for (const auto& word : words) {
        if (word == "catalog:") {
            for (const auto& entry : data::catalog())
                if (backbone ? entry.kind == "backbone" : data::is_data_set(entry))
                    names.append(QString::fromStdString(word + entry.name));
        } else {
            names.append(QString::fromStdString(word));
        }
    }
    return names;
}

/// Strings, counts and lists as text, perhaps with suggestions; paths with a button for the file dialog.
class TextEditor : public OptionEditor {
public:
    TextEditor(const OptionSpec& option, const QStringList& suggestions, QWidget* parent)
        : OptionEditor(option, parent) {
        auto* layout = row_layout(this);
        if (!suggestions.isEmpty()) {
            combo_ = make_combo(this, true);
            combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            combo_->setMinimumContentsLength(8);
            combo_->setCompleter(nullptr);  // no text that was not typed
            combo_->addItems(suggestions);
            edit_ = combo_->lineEdit();
            connect(combo_, &QComboBox::activated, this, [this] {
                next_gesture();
                read();
                Q_EMIT finished();
            });
        } else {
            edit_ = new QLineEdit(this);
        }
        layout->addWidget(field());
        setFocusProxy(field());
        if (!option.limits.example.empty())
            edit_->setPlaceholderText(OptionEditor::tr("%1, or e.g. %2")
                                          .arg(translated(option.limits.empty_word.c_str()),
                                               QString::fromStdString(option.limits.example)));
        if (option.limits.is_path) add_browse(layout);
        connect(edit_, &QLineEdit::textEdited, this, &TextEditor::read);
        connect(edit_, &QLineEdit::editingFinished, this, [this] {
            if (const auto parsed = parse(); parsed.value && edit_->text() != value_text(*parsed.value))
                edit_->setText(value_text(*parsed.value));
            Q_EMIT finished();
        });
        describe_controls();
        if (browse_ != nullptr) {
            browse_->setAccessibleName(OptionEditor::tr("Browse for %1").arg(option_name(option)));
            browse_->setToolTip(OptionEditor::tr("Choose with the file dialog"));
        }
    }
    void show_value(const Value& value) override {
        if (const auto parsed = parse(); !parsed.value || *parsed.value != value || !field()->hasFocus())
            if (edit_->text() != value_text(value)) edit_->setText(value_text(value));
    }
    [[nodiscard]] QWidgetList controls() const override {
        return browse_ == nullptr ? QWidgetList{field()} : QWidgetList{field(), browse_};
    }

private:
    /// The focused widget.
    [[nodiscard]] QWidget* field() const {
        return combo_ == nullptr ? static_cast<QWidget*>(edit_) : static_cast<QWidget*>(combo_);
    }
    [[nodiscard]] Parsed parse() const {
        auto text = edit_->text().trimmed();
        const auto& limits = option().limits;
        if (!limits.is_path || text.isEmpty()) return parse_value(option(), text);
        if (text.startsWith(QStringLiteral("~/"))) text = QDir::homePath() + text.mid(1);
        const bool word =
            std::any_of(limits.words.begin(), limits.words.end(), [&](const std::string& known) {
                const auto name = QString::fromStdString(known);
                return known.back() == ':' ? text.startsWith(name) : text == name;
            });
        // The window has no base folder for relative paths.
        if (!word && QDir::isRelativePath(text))
            return {std::nullopt,
                    OptionEditor::tr("“%1” is a relative path; expected an absolute path, starting with /")
                        .arg(text)};
        return parse_value(option(), text);
    }

    void read() { report(parse()); }

    void add_browse(QHBoxLayout* layout) {
        browse_ = new QToolButton(this);
        browse_->setText(QStringLiteral("…"));
        browse_->setFocusPolicy(Qt::StrongFocus);
        layout->addWidget(browse_);
        connect(browse_, &QToolButton::clicked, this, [this] {
            // A path without alternatives is a run folder, others are files.
            const bool is_run = option().limits.words.empty();
            auto* dialog = file_dialog(this, is_run ? FileKind::runs : FileKind::data,
                                       OptionEditor::tr("Choose %1").arg(option_name(option()).toLower()),
                                       is_run ? QFileDialog::Directory : QFileDialog::ExistingFile);
            connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
                next_gesture();
                edit_->setText(file);
                read();
                Q_EMIT finished();
            });
            dialog->open();
        });
    }

    QLineEdit* edit_;
    QComboBox* combo_ = nullptr;
    QToolButton* browse_ = nullptr;
};

/// A list with a subset of a few choices.
class SubsetEditor : public OptionEditor {
public:
    SubsetEditor(const OptionSpec& option, QWidget* parent) : OptionEditor(option, parent) {
        auto* layout = row_layout(this);
        for (const auto& choice : option.limits.choices) {
            auto* box = new QCheckBox(QString::fromStdString(choice), this);
            layout->addWidget(box);
            boxes_.append(box);
            connect(box, &QCheckBox::clicked, this, [this] {
                std::vector<std::string> items;
                for (const auto* one : boxes_)
                    if (one->isChecked()) items.push_back(one->text().toStdString());
                Q_EMIT edited(items, {});
            });
        }
        layout->addStretch();
        if (!boxes_.isEmpty()) setFocusProxy(boxes_.front());
        describe_controls();
        for (auto* box : boxes_) box->setAccessibleName(option_name(option) + u' ' + box->text());
    }
    void show_value(const Value& value) override {
        const auto& items = std::get<std::vector<std::string>>(value);
        for (auto* box : boxes_)
            box->setChecked(std::find(items.begin(), items.end(), box->text().toStdString()) != items.end());
    }
    [[nodiscard]] QWidgetList controls() const override {
        QWidgetList list;
        for (auto* box : boxes_) list.append(box);
        return list;
    }

private:
    QList<QCheckBox*> boxes_;
};

class SplitEditor : public OptionEditor {
public:
    SplitEditor(const OptionSpec& option, QWidget* parent) : OptionEditor(option, parent) {
        auto* layout = row_layout<QVBoxLayout>(this);
        rule_ = make_combo(this);
        for (const auto& choice : option.limits.choices) {
            const auto name = QString::fromStdString(choice);
            rule_->addItem(name, name);
        }
        rule_->addItem(OptionEditor::tr("row counts"), QStringLiteral("rows"));
        rule_->addItem(OptionEditor::tr("fractions"), QStringLiteral("fractions"));
        rule_->addItem(OptionEditor::tr("dates"), QStringLiteral("dates"));
        layout->addWidget(rule_);
        fields_ = new SplitFields(this);
        layout->addWidget(fields_);
        setFocusProxy(rule_);
        connect(fields_, &SplitFields::edited, this, [this] { report(fields_->parse()); });
        connect(fields_, &SplitFields::finished, this, &OptionEditor::finished);
        connect(rule_, &QComboBox::activated, this, [this] {
            const auto rule = rule_->currentData().toString();
            fields_->set_rule(rule);
            next_gesture();
            report(fields_->parse());
            if (SplitFields::has_fields(rule)) fields_->setFocus();
        });
        describe_controls();
        fields_->describe_fields();
    }
    void show_value(const Value& value) override {
        if (const auto now = fields_->parse(); now.value && *now.value == value) return;
        const auto& split = std::get<config::SplitSetting>(value);
        rule_->setCurrentIndex(rule_->findData(QString::fromStdString(split.rule)));
        fields_->show_setting(split);
    }
    void type(const QStringList& texts) override {
        const auto lines = fields_->fields();
        if (lines.size() != texts.size()) return;
        for (qsizetype i = 0; i < lines.size(); ++i) lines[i]->setText(texts[i]);
        const auto rule = fields_->typed_rule();  // only a rule with fields can be invalid
        rule_->setCurrentIndex(rule_->findData(rule));
        fields_->set_rule(rule);
        report(fields_->parse());
    }
    [[nodiscard]] QWidgetList controls() const override {
        QWidgetList list{rule_};
        for (auto* edit : fields_->fields()) list.append(edit);
        return list;
    }

private:
    QComboBox* rule_;
    SplitFields* fields_;
};

/// A field for each entry of a table, and one for further entries.
class TableEditor : public OptionEditor {
public:
    TableEditor(const OptionSpec& option, QWidget* parent) : OptionEditor(option, parent) {
        form_ = row_layout<QFormLayout>(this);
        form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
        more_ = new QLineEdit(this);
        more_->setPlaceholderText(OptionEditor::tr("Add: name = value"));
        form_->addRow(more_);
        setFocusProxy(more_);
        connect(more_, &QLineEdit::editingFinished, this, [this] {
            next_gesture();
            if (!more_->text().trimmed().isEmpty()) {
                const auto parsed = with_another();
                report(parsed);
                if (parsed.value) more_->clear();
            }
            Q_EMIT finished();
        });
        describe_controls();
    }
    void show_value(const Value& value) override {
        const auto& table = std::get<config::OptionTable>(value);
        std::vector<std::string> names;
        for (const auto& [name, entry] : table) names.push_back(name);
        if (names != names_) make_fields(names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto& entry = table.at(names[i]);
            if (entry_of(i) != std::optional(entry)) fields_[i]->setText(text_of(names[i], entry));
        }
    }
    [[nodiscard]] QWidgetList controls() const override {
        QWidgetList list;
        for (auto* field : fields_) list.append(field);
        return list << more_;
    }

private:
    /// Fields of names that stay are kept: one may have the focus, or be the one that reports.
    void make_fields(const std::vector<std::string>& names) {
        for (std::size_t i = names_.size(); i-- > 0;) {
            if (std::find(names.begin(), names.end(), names_[i]) != names.end()) continue;
            auto row = form_->takeRow(static_cast<int>(i));
            for (auto* item : {row.labelItem, row.fieldItem}) {
                item->widget()->blockSignals(true);  // losing the focus is no edit
                item->widget()->hide();
                item->widget()->deleteLater();
                delete item;
            }
            names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(i));
            fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (std::size_t i = 0; i < names.size(); ++i)
            if (i >= names_.size() || names_[i] != names[i]) insert_field(i, names[i]);
        describe_controls();
        for (std::size_t i = 0; i < names.size(); ++i)
            fields_[i]->setAccessibleName(option_name(option()) + u' ' + QString::fromStdString(names[i]));
        Q_EMIT controls_changed();
    }
    void insert_field(std::size_t at, const std::string& name) {
        auto* field = new QLineEdit(this);
        auto* label = new QLabel(QString::fromStdString(name), this);
        label->setBuddy(field);
        form_->insertRow(static_cast<int>(at), label, field);
        // New widgets are last in the window's order.
        auto* next = at < fields_.size() ? fields_[at] : more_;
        auto* before = next->previousInFocusChain();
        while (before != next && (before->focusPolicy() == Qt::NoFocus || before == field))
            before = before->previousInFocusChain();
        if (before != next) QWidget::setTabOrder(before, field);
        names_.insert(names_.begin() + static_cast<std::ptrdiff_t>(at), name);
        fields_.insert(fields_.begin() + static_cast<std::ptrdiff_t>(at), field);
        // An empty field is on the way to another value, until it is left.
        connect(field, &QLineEdit::textEdited, this, [this, field] {
            if (!field->text().trimmed().isEmpty()) report_fields();
        });
        connect(field, &QLineEdit::editingFinished, this, [this, field] {
            if (field->text().trimmed().isEmpty()) report_fields();
            Q_EMIT finished();
        });
    }
    /// "name = value" of fields that are not empty. What is no value of TOML is a string, as with --set.
    [[nodiscard]] QStringList entries() const {
        QStringList list;
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (const auto text = fields_[i]->text().trimmed(); !text.isEmpty())
                list << entry(names_[i], text);
        return list;
    }
    [[nodiscard]] QString entry(const std::string& name, const QString& text) const {
        const auto as_typed = QString::fromStdString(name) + QStringLiteral(" = ") + text;
        const auto parsed = parse_value(option(), as_typed);
        const bool is_one = parsed.value && std::get<config::OptionTable>(*parsed.value).size() == 1;
        const auto typed = text.toStdString();
        return is_one || text.contains(u'"') || config::is_almost_value(typed)
                   ? as_typed
                   : QString::fromStdString(name + " = " + config::in_quotes(typed));
    }
    [[nodiscard]] std::optional<config::FreeValue> entry_of(std::size_t i) const {
        const auto text = fields_[i]->text().trimmed();
        if (text.isEmpty()) return std::nullopt;
        const auto parsed = parse_value(option(), entry(names_[i], text));
        return parsed.value ? std::optional(std::get<config::OptionTable>(*parsed.value).at(names_[i]))
                            : std::nullopt;
    }
    /// A string without quotes where it reads back as one.
    [[nodiscard]] QString text_of(const std::string& name, const config::FreeValue& value) const {
        const auto toml = std::visit([](const auto& v) { return config::to_toml(Value(v)); }, value);
        if (const auto* text = std::get_if<std::string>(&value)) {
            const auto bare = QString::fromStdString(*text);
            if (!bare.trimmed().isEmpty() && entry(name, bare) == QString::fromStdString(name + " = " + toml))
                return bare;
        }
        return QString::fromStdString(toml);
    }
    [[nodiscard]] Parsed with_another() const {
        const auto text = more_->text();
        const auto all = [&](const QString& another) {
            return parse_value(option(), (entries() + QStringList{another}).join(u','));
        };
        const auto name = text.section(u'=', 0, 0).trimmed(), value = text.section(u'=', 1).trimmed();
        if (auto parsed = all(text); parsed.value) return parsed;
        if (name.isEmpty() || value.isEmpty()) return parse_value(option(), text);  // names this text only
        return all(entry(name.toStdString(), value));
    }
    void report_fields() { report(parse_value(option(), entries().join(u','))); }

    QFormLayout* form_;
    QLineEdit* more_;
    std::vector<std::string> names_;
    std::vector<QLineEdit*> fields_;
};

}  // namespace

OptionEditor::OptionEditor(const OptionSpec& option, QWidget* parent) : QWidget(parent), option_(option) {}

QStringList OptionEditor::texts() const {
    QStringList texts;
    for (const auto* line : findChildren<QLineEdit*>()) texts << line->text();
    return texts;
}

void OptionEditor::type(const QStringList& texts) {
    const auto lines = findChildren<QLineEdit*>();
    if (lines.isEmpty() || lines.size() != texts.size()) return;
    for (qsizetype i = 0; i < lines.size(); ++i) lines[i]->setText(texts[i]);
    Q_EMIT lines.back()->textEdited(texts.back());
}

void OptionEditor::report(const Parsed& parsed) {
    if (parsed.value)
        Q_EMIT edited(*parsed.value, gesture());
    else
        Q_EMIT rejected(parsed.problem);
}

QString OptionEditor::gesture() const {
    return QStringLiteral("%1 %2").arg(reinterpret_cast<quintptr>(this)).arg(gesture_);
}

void OptionEditor::describe_controls() {
    const auto tooltip = option_tooltip(option_);
    for (auto* control : controls()) {
        control->setAccessibleName(option_name(option_));
        control->setAccessibleDescription(option_description(option_));
        control->setToolTip(tooltip);
        control->installEventFilter(this);
        if (qobject_cast<QLineEdit*>(control) == nullptr &&
            qobject_cast<QAbstractButton*>(control) == nullptr)
            ignore_wheel(control);
    }
    setProperty("help_topic", option_help_topic(option_));
}

bool OptionEditor::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) next_gesture();
    return QWidget::eventFilter(watched, event);
}

OptionEditor* make_option_editor(const OptionSpec& option, QWidget* parent) {
    const auto& limits = option.limits;
    switch (option.type) {
        case OptionType::integer:
        case OptionType::number:
            return new NumberEditor(option, parent);
        case OptionType::boolean:
            return new BooleanEditor(option, parent);
        case OptionType::strings:
            if (!limits.choices.empty()) return new SubsetEditor(option, parent);
            break;
        case OptionType::split:
            return new SplitEditor(option, parent);
        case OptionType::string:
            if (!limits.choices.empty()) return new ChoiceEditor(option, parent);
            if (limits.is_device)
                return new TextEditor(option, {"auto", "cpu", "cuda", "cuda:0", "cuda:1"}, parent);
            return new TextEditor(option, instead_of_file(option), parent);
        case OptionType::table:
            return new TableEditor(option, parent);
        case OptionType::numbers:
        case OptionType::any:
            break;
    }
    return new TextEditor(option, {}, parent);
}

namespace {

class UndoKeys : public QObject {
public:
    UndoKeys(ExperimentModel& model, QObject* parent) : QObject(parent), model_(model) {}

    bool eventFilter(QObject*, QEvent* event) override {
        const bool shortcut = event->type() == QEvent::ShortcutOverride;
        if (!shortcut && event->type() != QEvent::KeyPress) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        if (!undo && !key->matches(QKeySequence::Redo)) return false;
        // Not accepted: the main window's shortcut takes precedence; the key press follows only without one.
        event->ignore();
        if (shortcut) return true;
        if (undo)
            model_.undo_stack()->undo();
        else
            model_.undo_stack()->redo();
        event->accept();
        return true;
    }

private:
    ExperimentModel& model_;
};

}  // namespace

void leave_undo_to(ExperimentModel& model, QWidget* editor) {
    // Spin boxes and combo boxes have the focus themselves and pass keys to their line edit directly,
    // bypassing its event filters.
    for (auto* child : editor->findChildren<QWidget*>())
        if (qobject_cast<QLineEdit*>(child) != nullptr || qobject_cast<QAbstractSpinBox*>(child) != nullptr ||
            qobject_cast<QComboBox*>(child) != nullptr)
            child->installEventFilter(new UndoKeys(model, child));
}

}  // namespace casp::widgets
