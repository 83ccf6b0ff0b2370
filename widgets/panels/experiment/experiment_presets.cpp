#include "panels/experiment/experiment_presets.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

#include "config/presets.h"
#include "panels/experiment/option_text.h"

namespace casp::widgets {

namespace {

QString data_set_of(const config::Config& config) {
    const auto path = QString::fromStdString(config.data.path);
    const auto colon = path.indexOf(u':');
    return colon < 0 ? path : path.mid(colon + 1);
}

}  // namespace

ExperimentPresets::ExperimentPresets(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
    presets_ = new QComboBox(this);
    data_sets_ = new QComboBox(this);
    horizons_ = new QComboBox(this);
    data_sets_->addItem(tr("All data sets"), QString());
    horizons_->addItem(tr("All horizons"), QString());
    for (const auto& name : config::preset_names()) {
        const auto text = QString::fromStdString(name);
        const auto cell = config::load_text(config::preset_text(name), name, {}).base;
        QStringList lines;
        for (const auto& difference : config::differences(config::Config(), cell))
            lines.append(QString::fromStdString(difference.key + " = " + difference.b));
        entries_.push_back({text, data_set_of(cell), QString::number(cell.data.horizon), lines.join(u'\n')});
        const auto& entry = entries_.back();
        if (data_sets_->findData(entry.data_set) < 0) data_sets_->addItem(entry.data_set, entry.data_set);
        if (horizons_->findData(entry.horizon) < 0)
            horizons_->addItem(tr("H = %1").arg(entry.horizon), entry.horizon);
    }
    presets_->setAccessibleName(tr("Preset"));
    presets_->setToolTip(
        tr("Settings of the paper's cells, for each model. A preset keeps your name, data file, device and "
           "other run settings; Ctrl+Z restores the previous settings."));
    data_sets_->setAccessibleName(tr("Presets for this data set"));
    data_sets_->setToolTip(tr("List presets for one data set only"));
    horizons_->setAccessibleName(tr("Presets for this horizon"));
    horizons_->setToolTip(tr("List presets for one horizon H only"));
    auto* label = new QLabel(tr("Preset"), this);
    label->setBuddy(presets_);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(6);
    layout->setVerticalSpacing(4);
    layout->addWidget(label, 0, 0);
    layout->addWidget(presets_, 0, 1, 1, 2);
    auto* show = new QLabel(tr("of"), this);
    show->setForegroundRole(QPalette::PlaceholderText);
    show->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(show, 1, 0);
    layout->addWidget(data_sets_, 1, 1);
    layout->addWidget(horizons_, 1, 2);
    layout->setColumnStretch(1, 1);
    layout->setColumnStretch(2, 1);
    setTabOrder(presets_, data_sets_);
    setTabOrder(data_sets_, horizons_);
    for (auto* combo : {presets_, data_sets_, horizons_}) {
        ignore_wheel(combo);
        combo->setProperty("help_topic", QStringLiteral("options/preset"));
    }
    connect(data_sets_, &QComboBox::currentIndexChanged, this, &ExperimentPresets::fill);
    connect(horizons_, &QComboBox::currentIndexChanged, this, &ExperimentPresets::fill);
    connect(presets_, &QComboBox::activated, this, &ExperimentPresets::apply);
    connect(&model_, &ExperimentModel::changed, this, &ExperimentPresets::show_current);
    fill();
}

void ExperimentPresets::apply() {
    const auto name = presets_->currentData().toString();
    if (name.isEmpty())
        for (auto* filter : {data_sets_, horizons_}) filter->setCurrentIndex(0);
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
    Q_EMIT applied(name, replaced);
}

void ExperimentPresets::fill() {
    const QSignalBlocker quiet(presets_);
    presets_->clear();
    presets_->addItem(tr("None (defaults)"), QString());
    const auto data_set = data_sets_->currentData().toString();
    const auto horizon = horizons_->currentData().toString();
    for (const auto& entry : entries_) {
        if (!data_set.isEmpty() && entry.data_set != data_set) continue;
        if (!horizon.isEmpty() && entry.horizon != horizon) continue;
        presets_->addItem(entry.name, entry.name);
        presets_->setItemData(presets_->count() - 1, entry.tooltip, Qt::ToolTipRole);
    }
    show_current();
}

void ExperimentPresets::show_current() {
    const QSignalBlocker quiet(presets_);
    const auto current = QString::fromStdString(model_.config().preset);
    auto place = presets_->findData(current);
    // The experiment's preset stays in the list even if the filters exclude it.
    if (place < 0) {
        presets_->insertItem(1, current, current);
        place = 1;
    }
    presets_->setCurrentIndex(place);
}

}  // namespace casp::widgets
