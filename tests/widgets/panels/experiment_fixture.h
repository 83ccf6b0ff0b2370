#pragma once
// What the tests of the form and of the panels around it share.

#include <algorithm>
#include <memory>
#include <stop_token>

#include <QLineEdit>
#include <QTest>

#include "config/config.h"
#include "panels/experiment/experiment_estimate.h"
#include "panels/experiment/option_form.h"

namespace casp::test {

inline QLineEdit* line_of(QWidget* control) {
    if (auto* edit = qobject_cast<QLineEdit*>(control)) return edit;
    return control->findChild<QLineEdit*>();
}

/// Types into the field as a person does.
inline void type(QWidget* control, const QString& text) {
    auto* edit = line_of(control);
    QVERIFY(edit != nullptr);
    control->setFocus();
    edit->selectAll();
    if (text.isEmpty())
        QTest::keyClick(edit, Qt::Key_Delete);
    else
        QTest::keyClicks(edit, text);
}

/// The form with all settings in a window of its own, as each test function begins with it.
struct ShownForm {
    void open() {
        model_ = std::make_unique<widgets::ExperimentModel>();
        form_ = std::make_unique<widgets::OptionForm>(*model_);
        form_->all_settings()->setChecked(true);
        form_->resize(360, 900);
        form_->show();
        form_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(form_.get()));
    }
    void close() {
        form_.reset();
        model_.reset();
    }
    [[nodiscard]] QWidget* control(const QString& key, int index = 0) const {
        return form_->row(key)->editor()->controls().at(index);
    }

    std::unique_ptr<widgets::ExperimentModel> model_;
    std::unique_ptr<widgets::OptionForm> form_;
};

/// An estimate without a model: 100 steps and 30 s an epoch, 100 MB a window of the batch, 8 GB free.
inline widgets::ExperimentPreview some_preview(const config::Config& config, const std::stop_token&) {
    widgets::ExperimentPreview preview;
    preview.device = "cpu";
    preview.parameters_total = 124'000'000;
    preview.parameters_trainable = 61'000'000;
    preview.step_bytes = 100'000'000 * config.train.batch_size;
    preview.peak_bytes = 500'000'000 + preview.step_bytes;
    preview.memory_available = 8'000'000'000;
    preview.fits = preview.step_bytes <= preview.memory_available;
    preview.largest_batch_size = 80;
    preview.steps_per_epoch = 100;
    preview.epoch_seconds = 30;
    // As run::preview() has it: train.max_steps may end the run within an epoch.
    const auto all = 100 * config.train.epochs, most = config.train.max_steps;
    preview.longest_seconds = 0.3 * static_cast<double>(most > 0 ? std::min(all, most) : all);
    preview.may_end_early = config.train.epochs > config.train.patience;
    return preview;
}

}  // namespace casp::test
