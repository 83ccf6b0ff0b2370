#include "panels/experiment/option_form.h"

#include <algorithm>

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

#include "model/descriptor.h"
#include "panels/experiment/option_editor.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

OptionRow::OptionRow(ExperimentModel& model, const config::OptionSpec& option, QWidget* parent)
    : QWidget(parent), model_(model), option_(option) {
    setObjectName(QStringLiteral("row ") + key());
    setProperty("help_topic", option_help_topic(option));
    make_parts();
    connect_editor();
    connect_model();
    refresh();
}

void OptionRow::make_parts() {
    reset_ = new QToolButton(this);
    reset_->setText(QStringLiteral("↺"));
    reset_->setAutoRaise(true);
    reset_->setFocusPolicy(Qt::StrongFocus);
    reset_->setObjectName(QStringLiteral("reset"));
    // Keeps its space while hidden, so that nothing moves under the pointer when a value changes.
    auto place = reset_->sizePolicy();
    place.setRetainSizeWhenHidden(true);
    reset_->setSizePolicy(place);
    label_ = new QLabel(this);
    label_->setTextFormat(Qt::RichText);
    label_->setToolTip(option_tooltip(option_));
    editor_ = make_option_editor(option_, this);
    leave_undo_to(model_, editor_);
    label_->setBuddy(editor_->controls().back());
    grid_ = make_layout<QGridLayout>(this, {0, 1, 0, 1});
    grid_->setHorizontalSpacing(4);
    grid_->setVerticalSpacing(2);
    grid_->setColumnStretch(2, 1);
    grid_->addWidget(reset_, 0, 0, Qt::AlignTop);
    grid_->addWidget(label_, 0, 1, Qt::AlignTop);
    grid_->addWidget(editor_, 0, 2);
    const auto one_line = editor_->sizeHint().height() > 60 ? 0 : editor_->sizeHint().height();
    label_->setMinimumHeight(one_line);
    reset_->setMinimumHeight(one_line);
    reset_->hide();
}

void OptionRow::connect_editor() {
    connect(editor_, &OptionEditor::edited, this, [this](const config::Value& value, const QString& gesture) {
        own_problem_ = model_.set(key(), value, gesture);
        if (!own_problem_.isEmpty()) model_.set_draft_problem(key(), own_problem_, editor_->texts());
        show_problem();
    });
    connect(editor_, &OptionEditor::rejected, this, [this](const QString& problem) {
        own_problem_ = problem;
        model_.set_draft_problem(key(), problem, editor_->texts());
        show_problem();
    });
    connect(reset_, &QToolButton::clicked, this, &OptionRow::go_back);
    connect(editor_, &OptionEditor::controls_changed, this, [this] { leave_undo_to(model_, editor_); });
}

void OptionRow::connect_model() {
    connect(&model_, &ExperimentModel::drafts_restored, this, [this] {
        if (const auto texts = model_.draft_texts(key()); !texts.isEmpty()) editor_->type(texts);
    });
    connect(&model_, &ExperimentModel::problems_changed, this, [this] {
        const auto noted = model_.draft_problem(key());
        if (noted == own_problem_) return;
        // Reset, undo or the toolbar discarded the draft: show the value in effect. A draft in the toolbar is
        // reported here, but this field keeps its content.
        if (noted.isEmpty()) editor_->show_value(option_.get(model_.config()));
        own_problem_ = noted;
        show_problem();
    });
}

/// To the value of preset, file or defaults; the mark of a contradiction only goes to the field.
void OptionRow::go_back() {
    if (changed_ || !own_problem_.isEmpty()) model_.reset(key());
    editor_->controls().back()->setFocus();
}

void OptionRow::refresh() {
    editor_->show_value(option_.get(model_.config()));
    own_problem_ = model_.draft_problem(key());
    changed_ = model_.is_changed(key());
    show_sweep();
    show_label();
    show_problem();
}

void OptionRow::show_sweep() {
    const auto& axes = model_.axes();
    const auto axis = std::find_if(axes.begin(), axes.end(),
                                   [&](const config::Axis& one) { return one.key == option_.key; });
    if (axis == axes.end()) {
        if (sweep_ != nullptr) sweep_->hide();
        return;
    }
    if (sweep_ == nullptr) {
        sweep_ = note_label(this, tr("Sweep over this setting"));
        sweep_->setObjectName(QStringLiteral("sweep"));
        sweep_->setToolTip(tr("“Queue a sweep…” uses these values; Run uses the one in the field"));
        grid_->addWidget(sweep_, 2, 0, 1, 3);
    }
    QStringList values;
    for (const auto& point : axis->points) values.append(QString::fromStdString(point.text));
    sweep_->setText(tr("Sweep: %1").arg(values.join(QStringLiteral(", "))));
    sweep_->show();
}

bool OptionRow::is_read() const { return model::reads(model_.config(), option_); }

QString OptionRow::problem() const { return own_problem_.isEmpty() ? contradictions_ : own_problem_; }

void OptionRow::set_contradictions(const QString& text) {
    if (text == contradictions_) return;
    contradictions_ = text;
    show_problem();
}

void OptionRow::show_label() {
    auto name = option_name(option_).toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;"));
    if (changed_) name = QStringLiteral("<b>%1</b>").arg(name);
    const auto symbol = QString::fromStdString(option_.symbol);
    if (!symbol.isEmpty() && symbol != option_name(option_))
        name += QStringLiteral("&nbsp;&nbsp;<span style='color:%1'>%2</span>")
                    .arg(tone_colour(palette(), Tone::muted).name(), symbol.toHtmlEscaped());
    label_->setText(name);
    label_->setAccessibleName(option_label(option_) + (changed_ ? tr(", changed") : QString()));
    if (sweep_ == nullptr) return;
    auto colours = QPalette();
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::accent));
    sweep_->setPalette(colours);
}

void OptionRow::show_problem() {
    const auto text = problem();
    const bool good = text.isEmpty();
    auto colours = QPalette();
    colours.setColor(QPalette::ButtonText, tone_colour(palette(), good ? Tone::accent : Tone::error));
    reset_->setPalette(colours);
    reset_->setText(good ? QStringLiteral("↺") : QStringLiteral("⚠"));
    const auto back = short_value(option_.get(model_.baseline()), 200);
    reset_->setAccessibleName(tr("Reset %1 to %2").arg(option_name(option_), back));
    const bool can_reset = changed_ || !own_problem_.isEmpty();
    const auto tip = can_reset
                         ? tr("Changed. Reset to %1, the value from the preset, file or defaults").arg(back)
                         : QString();
    reset_->setToolTip(good ? tip : QStringLiteral("⚠ ") + text + (tip.isEmpty() ? tip : u'\n' + tip));
    reset_->setVisible(changed_ || !good);
    for (auto* control : editor_->controls())
        control->setAccessibleDescription(option_description(option_) +
                                          (good ? QString() : tr(" Problem: %1.").arg(text)));
    Q_EMIT problem_changed();
}

void OptionRow::set_stacked(bool stacked) {
    if (stacked == stacked_) return;
    stacked_ = stacked;
    grid_->removeWidget(label_);
    grid_->removeWidget(editor_);
    if (stacked) {
        grid_->addWidget(label_, 0, 1, 1, 2, Qt::AlignVCenter);
        grid_->addWidget(editor_, 1, 0, 1, 3);
    } else {
        grid_->addWidget(label_, 0, 1, Qt::AlignTop);
        grid_->addWidget(editor_, 0, 2);
    }
}

int OptionRow::min_width(bool stacked, int label) const {
    const int before = reset_->sizeHint().width() + grid_->horizontalSpacing();
    const int field = editor_->minimumSizeHint().width();
    return stacked ? std::max(before + label_width(), field)
                   : before + label + grid_->horizontalSpacing() + field;
}

int OptionRow::label_width() const {
    auto bold = font();
    bold.setBold(true);
    const auto symbol = option_label(option_).mid(option_name(option_).size());
    return QFontMetrics(bold).horizontalAdvance(option_name(option_)) +
           fontMetrics().horizontalAdvance(symbol) + 4;
}

void OptionRow::set_label_width(int width) { label_->setFixedWidth(width); }

void OptionRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || editor_ == nullptr) return;
    show_label();
    show_problem();
}

OptionForm::OptionForm(ExperimentModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    auto* layout = make_layout<QVBoxLayout>(this, {}, 4);
    make_top(layout);
    make_rows();
    make_foot();
    layout->addWidget(scroll_, 1);
    align_labels();
    connect_parts();
    count_changes();
    filter();
    show_problems_now();
}

void OptionForm::make_top(QLayout* layout) {
    search_ = new QLineEdit(this);
    search_->setPlaceholderText(tr("Search all settings: λ_cov, batch, K …"));
    search_->setClearButtonEnabled(true);
    search_->setAccessibleName(tr("Search settings"));
    search_->setToolTip(tr("Finds settings by key, paper symbol or help text (Ctrl+F)"));
    changed_only_ = text_button(this, tr("Changed"), tr("Show only changed settings"),
                                tr("Show only settings that differ from the preset, file or defaults"));
    changed_only_->setCheckable(true);
    auto* top = new QHBoxLayout;
    top->setSpacing(4);
    top->addWidget(search_, 1);
    top->addWidget(changed_only_);
    layout->addItem(top);
}

void OptionForm::make_rows() {
    scroll_ = new QScrollArea(this);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(scroll_);
    auto* column = make_layout<QVBoxLayout>(content, {0, 0, 6, 0}, 2);
    scroll_->setWidget(content);
    nothing_ = new QLabel(content);
    nothing_->setWordWrap(true);
    nothing_->setForegroundRole(QPalette::PlaceholderText);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setMargin(16);
    nothing_->hide();
    column->addWidget(nothing_);
    for (const auto& option : config::options()) {
        if (option.limits.is_preset_name || option.limits.is_planned) continue;
        const auto title = QString::fromStdString(option.group);
        if (groups_.empty() || groups_.back().title != title) add_group(title);
        auto& group = groups_.back();
        auto* row = new OptionRow(model_, option, group.body);
        group.body->layout()->addWidget(row);
        group.rows.push_back(row);
        rows_.push_back(row);
        by_key_[row->key()] = row;
        connect(row, &OptionRow::problem_changed, this, [this, row] {
            if (row->isAncestorOf(QApplication::focusWidget())) show_bubble();
        });
        // A subsection replaces what is detected, which is rarely needed.
        if (option.section.find('.') != std::string::npos) group.header->setChecked(false);
    }
    room_beside_ = scroll_->verticalScrollBar()->sizeHint().width() + column->contentsMargins().right() +
                   groups_.front().body->layout()->contentsMargins().left();
}

void OptionForm::make_foot() {
    auto* content = scroll_->widget();
    all_ = text_button(content, {}, tr("All settings"),
                       tr("Show the settings that are rarely changed as well, or hide them again. The "
                          "search finds them in any case."));
    all_->setCheckable(true);
    all_->setAutoRaise(true);
    auto* column = qobject_cast<QVBoxLayout*>(content->layout());
    column->addWidget(all_, 0, Qt::AlignLeft);
    column->addStretch();
    bubble_ = note_label(content, tr("Problem of the value"));
    bubble_->setObjectName(QStringLiteral("problem"));
    bubble_->setMargin(4);
    bubble_->setFrameShape(QFrame::Box);
    bubble_->setAutoFillBackground(true);
    // The fields that it covers can be clicked.
    bubble_->setAttribute(Qt::WA_TransparentForMouseEvents);
}

void OptionForm::connect_parts() {
    problem_timer_.setSingleShot(true);
    problem_timer_.setInterval(200);
    connect(&problem_timer_, &QTimer::timeout, this, &OptionForm::show_problems_now);
    connect(search_, &QLineEdit::textChanged, this, &OptionForm::begin_filter);
    connect(changed_only_, &QToolButton::toggled, this, &OptionForm::begin_filter);
    connect(all_, &QToolButton::toggled, this, &OptionForm::begin_filter);
    connect(&model_, &ExperimentModel::changed, this, &OptionForm::refresh);
    connect(qApp, &QApplication::focusChanged, this, &OptionForm::show_bubble);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
}

/// Below the field that has the focus, over the next ones: rows do not move.
void OptionForm::show_bubble() {
    const auto* focus = QApplication::focusWidget();
    const auto wanted = std::find_if(rows_.begin(), rows_.end(), [focus](const OptionRow* row) {
        return focus != nullptr && row->isVisible() && row->isAncestorOf(focus);
    });
    const auto text = wanted == rows_.end() ? QString() : (*wanted)->problem();
    bubble_->setVisible(!text.isEmpty());
    if (text.isEmpty()) return;
    bubble_->setText(QStringLiteral("⚠ ") + text);
    auto colours = QPalette();
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::error));
    colours.setColor(QPalette::Window, palette().color(QPalette::Base));
    bubble_->setPalette(colours);
    const auto* row = *wanted;
    const auto place = row->mapTo(scroll_->widget(), QPoint(0, 0));
    const int height = bubble_->heightForWidth(row->width());
    // Above the last rows there is more room.
    const bool above = place.y() + row->height() + height > scroll_->widget()->height();
    bubble_->setGeometry(place.x(), above ? std::max(0, place.y() - height) : place.y() + row->height(),
                         row->width(), height);
    bubble_->raise();
}

void OptionForm::add_group(const QString& title) {
    auto* content = scroll_->widget();
    auto* header = new QToolButton(content);
    header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    header->setArrowType(Qt::DownArrow);
    header->setCheckable(true);
    header->setChecked(true);
    header->setAutoRaise(true);
    header->setFocusPolicy(Qt::StrongFocus);
    header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto bold = header->font();
    bold.setBold(true);
    header->setFont(bold);
    auto* body = new QWidget(content);
    make_layout<QVBoxLayout>(body, {8, 0, 0, 8}, 2);
    add_widgets(content->layout(), {header, body});
    connect(header, &QToolButton::toggled, body, [header, body](bool open) {
        header->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        body->setVisible(open);
    });
    groups_.push_back({title, header, body, {}});
}

OptionRow* OptionForm::row(const QString& key) const {
    const auto place = by_key_.find(key);
    return place == by_key_.end() ? nullptr : place->second;
}

void OptionForm::show_option(const QString& key) {
    auto* wanted = row(key);
    if (wanted == nullptr) return;
    if (wanted->isHidden()) {
        search_->clear();
        changed_only_->setChecked(false);
        kept_.insert(wanted);
        filter();
    }
    for (auto& group : groups_)
        if (std::find(group.rows.begin(), group.rows.end(), wanted) != group.rows.end())
            group.header->setChecked(true);
    // The layout must be up to date before scrolling to the row.
    scroll_->widget()->layout()->activate();
    scroll_->ensureWidgetVisible(wanted, 0, 40);
    wanted->editor()->controls().back()->setFocus(Qt::OtherFocusReason);
}

QStringList OptionForm::folded_groups() const {
    QStringList titles;
    for (const auto& group : groups_)
        if (!group.header->isChecked()) titles.append(group.title);
    return titles;
}

void OptionForm::set_folded_groups(const QStringList& titles) {
    for (auto& group : groups_) group.header->setChecked(!titles.contains(group.title));
}

void OptionForm::refresh(const QStringList& keys) {
    if (keys.isEmpty()) kept_.clear();  // another experiment
    for (auto* row : rows_)
        if (keys.isEmpty() || keys.contains(row->key())) row->refresh();
    count_changes();
    // A row does not vanish under the pointer when its value is reset.
    for (const auto* row : rows_)
        if (row->isVisible() && !changed_only_->isChecked()) kept_.insert(row);
    filter();
    problem_timer_.start();
}

void OptionForm::show_problems_now() {
    problem_timer_.stop();
    std::map<std::string, QStringList> texts;
    for (const auto& contradiction : config::contradictions(model_.config()))
        for (const auto& key : contradiction.keys)
            texts[key].append(
                translated(Phrase("%1; expected %2", contradiction.found, contradiction.expected)));
    for (const auto& [key, note] : notes_)
        if (!note.isEmpty()) texts[key.toStdString()].append(note);
    for (auto* row : rows_) row->set_contradictions(texts[row->option().key].join(QStringLiteral("\n⚠ ")));
}

void OptionForm::set_note(const QString& key, const QString& text) {
    auto& note = notes_[key];
    if (note == text) return;
    note = text;
    show_problems_now();
}

void OptionForm::count_changes() {
    for (auto& group : groups_) {
        const auto changed = std::count_if(group.rows.begin(), group.rows.end(),
                                           [](const OptionRow* row) { return row->is_marked_changed(); });
        const auto title = translated(group.title);
        group.header->setText(changed == 0 ? title : tr("%1 · %2 changed").arg(title).arg(changed));
        group.header->setAccessibleName(tr("Group %1").arg(group.header->text()));
        group.header->setToolTip(tr("Collapse or expand the settings of %1").arg(title));
    }
}

bool OptionForm::is_wanted(const OptionRow& row) const {
    if (changed_only_->isChecked()) return row.is_marked_changed();
    return all_->isChecked() || !search_->text().trimmed().isEmpty() || row.option().limits.is_essential ||
           row.is_marked_changed() || row.is_swept() || kept_.contains(&row);
}

void OptionForm::begin_filter() {
    kept_.clear();
    filter();
}

void OptionForm::filter() {
    const auto text = search_->text().trimmed();
    const bool all = text.isEmpty() && !changed_only_->isChecked();
    bool any = false;
    int more = 0;
    for (auto& group : groups_) {
        bool some = false;
        for (auto* row : group.rows) {
            const bool match = row->is_read() && option_matches(row->option(), text);
            const bool shown = match && is_wanted(*row);
            row->setVisible(shown);
            some |= shown;
            more += match && !shown;
        }
        group.header->setVisible(some);
        // Search results are shown even in folded groups.
        group.body->setVisible(some && (!all || group.header->isChecked()));
        any |= some;
    }
    nothing_->setText(
        changed_only_->isChecked() && !text.isEmpty()
            ? tr("No changed setting matches “%1”. Turn “Changed” off to search all settings.").arg(text)
        : text.isEmpty() ? tr("No setting differs from the preset, file or defaults.")
                         : tr("No setting matches “%1”. Search for part of a key, a symbol of the paper, or "
                              "a word of the description.")
                               .arg(text));
    nothing_->setVisible(!any);
    all_->setVisible(all);
    all_->setText(all_->isChecked() ? tr("▴ Fewer settings") : tr("▾ All settings (%1 more)").arg(more));
    show_bubble();
}

void OptionForm::align_labels() {
    int width = 0;
    for (const auto* row : rows_) width = std::max(width, row->label_width());
    wide_ = 0;
    int least = 0;
    for (auto* row : rows_) {
        row->set_label_width(width);
        wide_ = std::max(wide_, row->min_width(false, width));
        least = std::max(least, row->min_width(true, width));
    }
    scroll_->setMinimumWidth(least + room_beside_);
    arrange();
}

void OptionForm::arrange() {
    const bool stacked = scroll_->width() < wide_ + room_beside_;
    for (auto* row : rows_) row->set_stacked(stacked);
}

void OptionForm::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
    show_bubble();
}

void OptionForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) align_labels();
}

}  // namespace casp::widgets
