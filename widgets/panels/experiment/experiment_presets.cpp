#include "panels/experiment/experiment_presets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include "config/presets.h"
#include "panels/experiment/option_text.h"

namespace casp::widgets {

ExperimentPresets::ExperimentPresets(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
    presets_ = new QComboBox(this);
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
    presets_->setAccessibleName(tr("Preset"));
    presets_->setToolTip(
        tr("Settings of the paper's cells, for each model. A preset keeps your name, data file, device and "
           "other run settings; Ctrl+Z restores the previous settings."));
    presets_->setProperty("help_topic", QStringLiteral("options/preset"));
    ignore_wheel(presets_);
    auto* label = new QLabel(tr("Preset"), this);
    label->setBuddy(presets_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(label);
    layout->addWidget(presets_, 1);
    connect(presets_, &QComboBox::activated, this, &ExperimentPresets::apply);
    connect(&model_, &ExperimentModel::changed, this, &ExperimentPresets::show_current);
    show_current();
}

void ExperimentPresets::apply() {
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
    Q_EMIT applied(name, replaced);
}

void ExperimentPresets::show_current() {
    const QSignalBlocker quiet(presets_);
    presets_->setCurrentIndex(presets_->findData(QString::fromStdString(model_.config().preset)));
}

}  // namespace casp::widgets
