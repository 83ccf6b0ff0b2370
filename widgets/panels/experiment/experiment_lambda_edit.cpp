#include "panels/experiment/experiment_lambda_edit.h"

#include <QHBoxLayout>
#include <QLabel>

#include "model/descriptor.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

const QString lambda_cov_key = QStringLiteral("loss.lambda_cov");

const config::OptionSpec& lambda_spec() { return *config::find_option("loss.lambda_cov"); }

}  // namespace

LambdaCovEdit::LambdaCovEdit(ExperimentModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      edit_(make_option_editor(lambda_spec(), this)),
      number_(edit_->findChild<OptionNumberEdit*>()) {
    leave_undo_to(model_, edit_);
    auto* label = new QLabel(QStringLiteral("λ_cov"), this);
    label->setBuddy(number_);
    label->setToolTip(number_->toolTip());
    auto* layout = make_layout<QHBoxLayout>(this, {6, 0, 6, 0});
    layout->addWidget(label);
    layout->addWidget(edit_, 1);
    setProperty("help_topic", option_help_topic(lambda_spec()));
    connect(edit_, &OptionEditor::edited, this, [this](const config::Value& value, const QString& gesture) {
        draft_ = false;
        model_.set(lambda_cov_key, value, gesture);
        refresh();
    });
    connect(edit_, &OptionEditor::rejected, this, [this](const QString& problem) {
        draft_ = true;
        model_.set_draft_problem(lambda_cov_key, problem, edit_->texts());
    });
    connect(&model_, &ExperimentModel::changed, this, &LambdaCovEdit::refresh);
    connect(&model_, &ExperimentModel::problems_changed, this, &LambdaCovEdit::refresh);
    refresh();
}

void LambdaCovEdit::refresh() {
    const bool wrong = !model_.draft_problem(lambda_cov_key).isEmpty();
    // Set only this role: a whole palette would not follow theme changes.
    QPalette colours;
    if (wrong) colours.setColor(QPalette::Text, tone_colour(palette(), Tone::error));
    number_->setPalette(colours);
    // The field with the invalid text keeps it; the other one shows the value in effect.
    draft_ = draft_ && wrong;
    if (!draft_) edit_->show_value(model_.config().loss.lambda_cov);
    setEnabled(model::reads(model_.config(), lambda_spec()));  // a model without coverage has no λ_cov
}

}  // namespace casp::widgets
