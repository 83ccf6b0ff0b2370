#include "panels/experiment/sweep_fields.h"

#include <algorithm>
#include <array>

#include "panels/experiment/option_text.h"
#include "state/core_text.h"

namespace casp::widgets {

namespace {

constexpr std::array first_settings{"loss.lambda_cov", "train.seed"};

QString problem_mark() { return QStringLiteral("⚠ "); }

}  // namespace

QComboBox* make_setting_box(QWidget* parent, const QString& accessible_name) {
    auto* box = new QComboBox(parent);
    for (const auto* key : first_settings)
        box->addItem(option_label(*config::find_option(key)), QString::fromLatin1(key));
    box->insertSeparator(box->count());
    for (const auto& option : config::options()) {
        const bool first =
            std::find(first_settings.begin(), first_settings.end(), option.key) != first_settings.end();
        if (option.key == "name" || first) continue;
        box->addItem(option_label(option) + QStringLiteral("  (%1)").arg(translated(option.group)),
                     QString::fromStdString(option.key));
    }
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    box->setAccessibleName(accessible_name);
    ignore_wheel(box);
    return box;
}

const config::OptionSpec& setting_of(const QComboBox& box) {
    return *config::find_option(box.currentData().toString().toStdString());
}

QToolButton* make_flat_button(QWidget* parent, const QString& text, const QString& tooltip,
                              const QString& accessible_name) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tooltip);
    button->setAccessibleName(accessible_name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QLabel* make_problem_label(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->hide();
    return label;
}

void show_row_problem(QLabel* label, const QString& problem) {
    label->setText(problem.isEmpty() ? QString() : problem_mark() + problem);
    label->setVisible(!problem.isEmpty());
}

QString row_problem_of(const QLabel& label) { return label.text().mid(problem_mark().size()); }

void put_before(QWidget* next, std::initializer_list<QWidget*> widgets) {
    auto* before = next->previousInFocusChain();
    while (before != next && (before->focusPolicy() == Qt::NoFocus ||
                              std::find(widgets.begin(), widgets.end(), before) != widgets.end()))
        before = before->previousInFocusChain();
    for (auto* widget : widgets) {
        QWidget::setTabOrder(before, widget);
        before = widget;
    }
}

}  // namespace casp::widgets
