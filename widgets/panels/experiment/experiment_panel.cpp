#include "panels/experiment/experiment_panel.h"

#include <stdexcept>
#include <utility>

#include <QClipboard>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "charts/file_dialog.h"
#include "charts/save_file.h"
#include "config/presets.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"
#include "state/run_names.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

void write_text(const QString& path, const QString& text) {
    QSaveFile file(path);
    const auto bytes = text.toUtf8();
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && commit_whole(file)) return;
    throw std::runtime_error(QObject::tr("%1 was not saved: %2").arg(path, file.errorString()).toStdString());
}

QToolButton* tool(QWidget* parent, const QString& text, const QString& tooltip) {
    return text_button(parent, text, tooltip, tooltip);
}

}  // namespace

ExperimentPanel::ExperimentPanel(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), model_(model), message_tone_(Tone::good) {
    setObjectName(QStringLiteral("experiment"));
    setProperty("help_topic", QStringLiteral("experiment"));
    auto* layout = make_layout<QVBoxLayout>(this, {8, 8, 8, 8}, 6);
    // Created in visual order, which defines the tab order. What comes and goes is below the form, so that no
    // field moves.
    add_widgets(layout, {make_presets(), make_tools()});
    layout->addWidget(make_form(), 1);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Mid);
    layout->addWidget(line);
    message_ = new RunsBanner(this);
    layout->addWidget(message_);
    estimate_ = new ExperimentEstimate(model_, this);
    add_widgets(layout, {estimate_, make_reason(), make_buttons()});
    connect_parts();
    show_problems();
    show_colours();
}

QWidget* ExperimentPanel::make_form() {
    splitter_ = new QSplitter(Qt::Vertical, this);
    splitter_->setChildrenCollapsible(false);
    form_ = new OptionForm(model_, splitter_);
    toml_ = new TomlView(model_, splitter_);
    form_->setMinimumHeight(140);
    toml_->setMinimumSize(220, 120);
    toml_->hide();
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    return splitter_;
}

QWidget* ExperimentPanel::make_reason() {
    auto* bar = new QWidget(this);
    reason_ = new QLabel(bar);
    reason_->setWordWrap(true);
    reason_->setTextFormat(Qt::PlainText);
    reason_->setObjectName(QStringLiteral("reason"));
    reason_->setAccessibleName(tr("Why the experiment cannot run yet"));
    show_reason_ =
        tool(bar, tr("Show setting"), tr("Go to the setting that prevents the experiment from running"));
    show_reason_->setAutoRaise(true);
    connect(show_reason_, &QToolButton::clicked, this, [this] {
        if (offers_data())
            Q_EMIT data_requested();
        else if (const auto problems = model_.problems(); !problems.empty())
            form_->show_option(QString::fromStdString(problems.front().keys.front()));
    });
    auto* row = make_layout<QHBoxLayout>(bar, {}, 6);
    row->addWidget(reason_, 1);
    row->addWidget(show_reason_, 0, Qt::AlignTop);
    return bar;
}

void ExperimentPanel::connect_parts() {
    connect(estimate_, &ExperimentEstimate::estimated, this, [this] {
        form_->set_note(QStringLiteral("backbone.path"), estimate_->preview().backbone_problem);
    });
    // An error about a file is obsolete once another file or a preset has been applied.
    connect(&model_, &ExperimentModel::changed, this, [this](const QStringList& keys) {
        if (keys.isEmpty() && message_tone_ == Tone::error) message_->hide();
    });
    // Any further step removes the offer, which refers to the last one.
    connect(model_.undo_stack(), &QUndoStack::indexChanged, this, [this](int step) {
        if (message_step_ >= 0 && step != message_step_) message_->hide();
    });
    // Delayed after the last change, to avoid flicker while typing.
    problem_timer_.setSingleShot(true);
    problem_timer_.setInterval(150);
    connect(&problem_timer_, &QTimer::timeout, this, &ExperimentPanel::show_problems);
    connect(&model_, &ExperimentModel::changed, &problem_timer_, qOverload<>(&QTimer::start));
    connect(&model_, &ExperimentModel::problems_changed, &problem_timer_, qOverload<>(&QTimer::start));
}

ExperimentPanel::~ExperimentPanel() = default;

QWidget* ExperimentPanel::make_tools() {
    auto* bar = new QWidget(this);
    auto* row = make_layout<QHBoxLayout>(bar, {}, 4);
    save_ = tool(bar, tr("Save as…"), tr("Save the experiment as TOML with all settings written out"));
    copy_ = tool(bar, tr("Copy"), tr("Copy the experiment as TOML with all settings written out"));
    toml_button_ = tool(bar, tr("TOML"), tr("Show the experiment as TOML with all settings written out"));
    toml_button_->setCheckable(true);
    for (auto* button : {save_, copy_}) row->addWidget(button);
    row->addStretch();
    row->addWidget(toml_button_);
    connect(save_, &QToolButton::clicked, this, &ExperimentPanel::choose_file_to_save);
    connect(copy_, &QToolButton::clicked, this, [this] {
        copy_toml();
        show_message(tr("Resolved experiment copied to the clipboard."), Tone::good);
    });
    connect(toml_button_, &QToolButton::toggled, this, &ExperimentPanel::set_toml_visible);
    return bar;
}

QWidget* ExperimentPanel::make_buttons() {
    auto* bar = new QWidget(this);
    auto* row = make_layout<QGridLayout>(bar, {}, 6);
    const auto button = [bar](const QString& text) {
        auto* made = new QPushButton(text, bar);
        made->setAutoDefault(false);
        made->setAccessibleName(text);
        return made;
    };
    run_ = button(tr("▶ Run"));
    run_->setAccessibleName(tr("Run"));
    run_lambda_ = button(tr("Run with this λ_cov"));
    set_run_with_lambda(false, tr("Show a run first: this button repeats it with another λ_cov"));
    sweep_ = button(tr("Queue a sweep…"));
    row->addWidget(run_, 0, 0, 1, 2);
    row->addWidget(run_lambda_, 1, 0);
    row->addWidget(sweep_, 1, 1);
    connect(run_, &QPushButton::clicked, this, &ExperimentPanel::run_requested);
    connect(run_lambda_, &QPushButton::clicked, this, &ExperimentPanel::run_with_lambda_requested);
    connect(sweep_, &QPushButton::clicked, this, &ExperimentPanel::sweep_requested);
    return bar;
}

void ExperimentPanel::show_failure(const std::exception& failure) {
    show_message(plain_text(failure), Tone::error);
}

void ExperimentPanel::save_file(const QString& path) {
    files_.add(
        [path, text = model_.to_toml()](const JobContext&) {
            write_text(path, text);
            return text;
        },
        {.done =
             [this, path](const QString&) {
                 show_message(tr("Saved as %1").arg(path), Tone::good);
                 Q_EMIT saved(path);
             },
         .failed = [this](const std::exception& failure) { show_failure(failure); }});
}

void ExperimentPanel::choose_file_to_save() {
    const auto name = QString::fromStdString(model_.config().name);
    auto* dialog =
        save_dialog(this, FileKind::experiments, tr("Save the experiment"), {tr("Experiments (*.toml)")},
                    QStringLiteral("toml"), name.isEmpty() ? tr("experiment") : name);
    connect(dialog, &QFileDialog::fileSelected, this, &ExperimentPanel::save_file);
    dialog->open();
}

void ExperimentPanel::copy_toml() const { QGuiApplication::clipboard()->setText(model_.to_toml()); }

void ExperimentPanel::set_toml_visible(bool on) {
    toml_button_->setChecked(on);
    toml_->setVisible(on);
}

QByteArray ExperimentPanel::save_layout() const {
    QJsonArray sizes;
    for (const int size : splitter_->sizes()) sizes << size;
    return QJsonDocument(QJsonObject{{"folded", QJsonArray::fromStringList(form_->folded_groups())},
                                     {"show_all", form_->all_settings()->isChecked()},
                                     {"toml", toml_button_->isChecked()},
                                     {"splitter", sizes}})
        .toJson(QJsonDocument::Compact);
}

bool ExperimentPanel::restore_layout(const QByteArray& bytes) {
    const auto root = QJsonDocument::fromJson(bytes).object();
    if (!root.contains("folded")) return false;
    form_->set_folded_groups(root["folded"].toVariant().toStringList());
    form_->all_settings()->setChecked(root["show_all"].toBool());
    set_toml_visible(root["toml"].toBool());
    QList<int> sizes;
    for (const auto size : root["splitter"].toArray()) sizes << size.toInt();
    splitter_->setSizes(sizes);
    return true;
}

QWidget* ExperimentPanel::make_presets() {
    auto* row = new QWidget(this);
    presets_ = named(new QComboBox(row), tr("Preset"),
                     tr("Settings of the paper's cells, for each model. A preset keeps your name, data file, "
                        "device and other run settings; Ctrl+Z restores the previous settings."));
    presets_->addItem(tr("None (defaults)"), QString());
    for (const auto& name : config::preset_names()) {
        const auto text = QString::fromStdString(name);
        presets_->addItem(text, text);
        QStringList lines;
        for (const auto& difference : config::differences(
                 config::Config(), config::load_text(config::preset_text(name), name, {}).base))
            lines.append(QString::fromStdString(difference.key + " = " + difference.b));
        presets_->setItemData(presets_->count() - 1, lines.join(u'\n'), Qt::ToolTipRole);
    }
    presets_->setProperty("help_topic", QStringLiteral("options/preset"));
    ignore_wheel(presets_);
    auto* label = new QLabel(tr("Preset"), row);
    label->setBuddy(presets_);
    auto* layout = make_layout<QHBoxLayout>(row);
    layout->addWidget(label);
    layout->addWidget(presets_, 1);
    connect(presets_, &QComboBox::activated, this, &ExperimentPanel::apply_preset);
    connect(&model_, &ExperimentModel::changed, this, &ExperimentPanel::show_preset);
    show_preset();
    return row;
}

void ExperimentPanel::show_preset() {
    const QSignalBlocker quiet(presets_);
    presets_->setCurrentIndex(presets_->findData(QString::fromStdString(model_.config().preset)));
}

/// Says which of the user's settings the preset replaced.
void ExperimentPanel::apply_preset() {
    const auto name = presets_->currentData().toString();
    const auto before = model_.config();
    const auto chosen = model_.changed_keys();
    const auto steps = model_.undo_stack()->index();
    model_.apply_preset(name);
    if (model_.undo_stack()->index() == steps) return;  // already applied
    QStringList replaced;
    for (const auto& key : chosen) {
        const auto value = config::get(before, key.toStdString());
        if (value != config::get(model_.config(), key.toStdString()))
            replaced.append(key + QStringLiteral(" = ") + short_value(value));
    }
    if (replaced.isEmpty()) return message_->hide();
    const auto what = name.isEmpty() ? tr("The default settings") : tr("Preset %1").arg(name);
    show_message(
        tr("%1 replaced your settings: %2").arg(what, some_names(replaced)), Tone::warning,
        {tr("Undo"), tr("Restore the settings that were replaced"), [this] { model_.undo_stack()->undo(); }});
}

void ExperimentPanel::report_kept(const QString& file, const QStringList& keys) {
    auto unchanged = keys;
    for (const auto& option : config::options())
        if (option.section == "run") unchanged.append(QString::fromStdString(option.key));
    QStringList kept, lines;
    for (const auto& difference : config::differences(config::Config(), model_.config())) {
        const auto key = QString::fromStdString(difference.key);
        if (unchanged.contains(key)) continue;
        const auto value = config::get(model_.config(), difference.key);
        kept.append(option_name(*config::find_option(difference.key)) + u' ' + value_text(value));
        lines.append(key + QStringLiteral(" = ") + short_value(value));
    }
    if (!model_.axes().empty() || !model_.cases().empty()) kept.append(tr("the sweep"));
    if (keys.isEmpty() || kept.isEmpty()) return message_->hide();
    show_message(
        tr("%1 has its own split and name. Kept from the experiment before: %2").arg(file, some_names(kept)),
        Tone::warning,
        {tr("Use defaults"),
         tr("Sets all other settings than the file's to the program's defaults: %1")
             .arg(lines.join(QStringLiteral(", "))),
         [this, unchanged] { model_.use_defaults(unchanged); }});
}

void ExperimentPanel::show_message(const QString& text, Tone tone, const Offer& offer) {
    message_tone_ = tone;
    message_step_ = offer.accept ? model_.undo_stack()->index() : -1;
    message_->show_text(text, tone != Tone::good, offer.text, offer.accept);
    if (offer.accept) message_->button()->setToolTip(offer.tip);
}

void ExperimentPanel::show_problems() {
    problem_timer_.stop();
    const auto texts = model_.problem_texts(), of_run = model_.run_problem_texts();
    const bool good = texts.isEmpty(), can_run = of_run.isEmpty();  // the estimate says what it found
    if (!good) {
        auto text = tr("⚠ Cannot run yet: %1").arg(texts.front());
        if (texts.size() > 1) text += tr(" (and %n more)", nullptr, static_cast<int>(texts.size() - 1));
        reason_->setText(text);
    }
    reason_->setVisible(!good);
    show_reason_->setVisible(!good);
    const bool offer = offers_data();
    const auto file = QFileInfo(data_offer_).fileName();
    show_reason_->setText(offer ? tr("Use %1").arg(fontMetrics().elidedText(file, Qt::ElideMiddle, 160))
                                : tr("Show setting"));
    show_reason_->setToolTip(offer ? tr("Train on the open file (%1)").arg(data_offer_)
                                   : tr("Go to the setting that prevents the experiment from running"));
    show_reason_->setAccessibleName(show_reason_->toolTip());
    const auto why = tr("Cannot run yet:\n%1").arg(of_run.join(u'\n'));
    run_->setEnabled(can_run);
    sweep_->setEnabled(good);
    run_->setToolTip(can_run ? tr("Train with the settings in the form") : why);
    sweep_->setToolTip(
        good ? tr("Queue one run for each combination of values of λ_cov, the seed or any other setting")
             : why);
}

void ExperimentPanel::set_run_with_lambda(bool enabled, const QString& tip) {
    run_lambda_->setEnabled(enabled);
    run_lambda_->setToolTip(tip);
}

void ExperimentPanel::set_data_offer(const QString& path) {
    if (std::exchange(data_offer_, path) != path) show_problems();
}

bool ExperimentPanel::offers_data() const {
    const auto problems = model_.problems();
    return !data_offer_.isEmpty() && model_.config().data.path.empty() && !problems.empty() &&
           problems.front().keys.front() == "data.path";
}

void ExperimentPanel::show_colours() {
    QPalette colours;
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::warning));
    reason_->setPalette(colours);
    colours = QPalette();
    colours.setColor(QPalette::ButtonText, tone_colour(palette(), Tone::accent));
    show_reason_->setPalette(colours);
}

void ExperimentPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    splitter_->setOrientation(width() >= side_by_side_from ? Qt::Horizontal : Qt::Vertical);
}

void ExperimentPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && estimate_ != nullptr) show_colours();
}

}  // namespace casp::widgets
