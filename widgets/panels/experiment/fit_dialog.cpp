#include "panels/experiment/fit_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "panels/experiment/option_text.h"
#include "state/amount_text.h"
#include "state/core_message.h"

namespace casp::widgets {

namespace {

QString proposed_text(const run::FitChange& change) {
    return value_text(change.before) + QStringLiteral(" → ") + value_text(change.after);
}

}  // namespace

FitDialog::FitDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Fit to this computer"));
    setAccessibleName(windowTitle());
    setProperty("help_topic", QStringLiteral("estimate"));
    summary_ = new QLabel(this);
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    table_ = new QWidget(this);
    rows_ = new QGridLayout(table_);
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setHorizontalSpacing(16);
    rows_->setColumnStretch(2, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    apply_ = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
    apply_->setToolTip(tr("Changes these settings in one step; Ctrl+Z undoes it"));
    apply_->setAccessibleName(apply_->text());
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setToolTip(tr("Close without a change (Esc)"));
    cancel->setAccessibleName(cancel->text());
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(summary_);
    layout->addWidget(table_);
    layout->addStretch(1);
    layout->addWidget(buttons);
    setMinimumWidth(560);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Values values;
        values.reserve(proposed_.size());
        for (const auto& change : proposed_) values.emplace_back(change.key, change.after);
        accept();
        Q_EMIT applied(values);
    });
    show_waiting();
}

void FitDialog::clear() {
    proposed_.clear();
    while (auto* item = rows_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    apply_->setEnabled(false);
}

void FitDialog::show_waiting() {
    clear();
    summary_->setText(tr("Measuring this computer…"));
}

void FitDialog::show_problem(const QString& text) {
    clear();
    summary_->setText(tr("No proposal: %1").arg(text));
}

void FitDialog::show_fit(const run::Fit& fit) {
    clear();
    proposed_ = fit.changes;
    apply_->setEnabled(!proposed_.empty());
    const auto before = duration_text(fit.seconds_before), after = duration_text(fit.seconds);
    QStringList lines(
        !fit.fits ? tr("%1 a training step does not fit into the free memory. Use fewer channels "
                       "(data.columns), a shorter look-back L or another device.")
                        .arg(proposed_.empty() ? tr("Even with the smallest settings")
                                               : tr("Even with these changes"))
        : proposed_.empty() && fit.in_time
            ? tr("A run with these settings already takes about %1.").arg(before)
        : proposed_.empty() ? tr("No smaller settings make a run shorter than about %1.").arg(before)
        : fit.in_time
            ? tr("With these changes a run takes about %1 instead of about %2. The data and its "
                 "split, look-back L and horizon H stay as they are.")
                  .arg(after, before)
            : tr("Even with these changes a run takes about %1 instead of about %2. Most of it is the "
                 "evaluation: fewer channels (data.columns) or a shorter look-back L shorten it.")
                  .arg(after, before));
    if (fit.memory_others > 0)
        lines << tr("Other programs use %1 of the GPU's %2 of memory.")
                     .arg(bytes_text(fit.memory_others), bytes_text(fit.memory_total));
    for (const auto& [precision, seconds] : fit.shorter_in)
        lines << tr("Without these changes, but with the precision %1 (run.precision), a run takes about %2; "
                    "its results differ slightly.")
                     .arg(QString::fromStdString(precision), duration_text(seconds));
    summary_->setText(lines.join(u'\n'));
    int row = 0;
    for (const auto& change : proposed_) {
        int column = 0;
        for (const auto& text : {QString::fromStdString(change.key), proposed_text(change),
                                 translated_message(change.gives_up)}) {
            auto* label = new QLabel(text, table_);
            label->setTextFormat(Qt::PlainText);
            label->setWordWrap(column == 2);
            rows_->addWidget(label, row, column++, Qt::AlignTop);
            label->show();  // for adjustSize(): in a dialog that is open, it would be shown only afterwards
        }
        ++row;
    }
    adjustSize();
}

QStringList FitDialog::changes() const {
    QStringList lines;
    for (const auto& change : proposed_)
        lines << QStringLiteral("%1: %2, %3")
                     .arg(QString::fromStdString(change.key), proposed_text(change),
                          translated_message(change.gives_up));
    return lines;
}

}  // namespace casp::widgets
