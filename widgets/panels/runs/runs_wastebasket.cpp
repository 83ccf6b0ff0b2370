#include "panels/runs/runs_wastebasket.h"

#include <QHBoxLayout>
#include <QMessageBox>
#include <QVBoxLayout>

#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

constexpr int check_interval_ms = 100;
constexpr int max_checks = 100;
constexpr qsizetype max_messages = 5;

}  // namespace

QStringList some_problems(const QStringList& problems) {
    if (problems.size() <= max_messages) return problems;
    return problems.mid(0, max_messages) << QObject::tr("%1 more").arg(problems.size() - max_messages);
}

RunsWastebasket::RunsWastebasket(RunLibrary& library, QWidget* parent)
    : QWidget(parent),
      library_(library),
      title_(new QLabel(this)),
      empty_(new QLabel(this)),
      list_(new QListWidget(this)),
      restore_(new QPushButton(tr("&Restore"), this)),
      destroy_(new QPushButton(tr("&Empty…"), this)) {
    auto* back = named(new QPushButton(tr("&Back to the runs"), this), tr("Back to the runs"),
                       tr("Returns to the list of runs"));
    title_->setWordWrap(true);
    title_->setToolTip(tr("Deleted runs, with all their files"));
    empty_->setText(
        tr("The wastebasket is empty.\n\nDeleted runs (Del) stay here with all their files until "
           "you restore them or empty the wastebasket."));
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setUniformItemSizes(true);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    named(list_, tr("Runs in the wastebasket"), tr("Runs in the wastebasket; select the runs to restore"));
    named(restore_, tr("Restore"),
          tr("Moves the selected runs back to their folders, or all runs if none are selected"));
    named(destroy_, tr("Empty the wastebasket"),
          tr("Permanently deletes all runs in the wastebasket, after confirmation"));

    auto* buttons = new QHBoxLayout;
    add_widgets(buttons, {restore_, destroy_});
    buttons->addStretch(1);
    auto* layout = make_layout<QVBoxLayout>(this, {6, 6, 6, 6});
    auto* top = new QHBoxLayout;
    top->addWidget(back);
    top->addStretch(1);
    layout->addLayout(top);
    layout->addWidget(title_);
    layout->addWidget(list_, 1);
    layout->addWidget(empty_, 1);
    layout->addLayout(buttons);

    connect(back, &QPushButton::clicked, this, &RunsWastebasket::back_requested);
    connect(restore_, &QPushButton::clicked, this, &RunsWastebasket::restore_selected);
    connect(destroy_, &QPushButton::clicked, this, &RunsWastebasket::confirm_and_empty);
    connect(list_, &QListWidget::itemActivated, this, &RunsWastebasket::restore_selected);
    emptying_.setInterval(check_interval_ms);
    connect(&emptying_, &QTimer::timeout, this, [this] {
        const auto left = library_.discarded().size();
        if (left == 0 || --checks_left_ <= 0) emptying_.stop();
        if (left != list_->count() || !emptying_.isActive()) refresh();
    });
    connect(&library, &RunLibrary::moving, this, &RunsWastebasket::update_buttons);
    connect(&library, &RunLibrary::moves_ended, this, &RunsWastebasket::end_moves);
    // The content is read from disk: if hidden, this is deferred until shown.
    connect(&library, &RunLibrary::reset, this, [this] {
        if (!isHidden() && !library_.is_moving()) refresh();
    });
    refresh();
}

void RunsWastebasket::refresh() {
    list_->clear();
    const QStringList folders = library_.discarded();
    for (const auto& folder : folders) {
        auto* item = new QListWidgetItem(folder.section(QLatin1Char('/'), -2), list_);
        item->setData(Qt::UserRole, folder);
        item->setToolTip(folder);
    }
    const bool some = !folders.isEmpty();
    title_->setText(!some                 ? tr("Wastebasket")
                    : folders.size() == 1 ? tr("Wastebasket: 1 run")
                                          : tr("Wastebasket: %1 runs").arg(folders.size()));
    list_->setVisible(some);
    empty_->setVisible(!some);
    update_buttons();
    Q_EMIT changed();
}

/// Not while runs are being moved: emptying would delete more than confirmed.
void RunsWastebasket::update_buttons() {
    const bool free = list_->count() > 0 && !emptying_.isActive() && !library_.is_moving();
    restore_->setEnabled(free);
    destroy_->setEnabled(free);
}

void RunsWastebasket::end_moves(const RunMoves& moves) {
    if (!isHidden())
        refresh();
    else
        update_buttons();
    if (!moves.back) return;
    if (!moves.moved.isEmpty() || moves.left > 0) Q_EMIT restored(moves.moved);
    auto lines = some_problems(moves.problems);
    if (moves.left > 0)
        lines.prepend(tr("Cancelled: %1 of %2 remain in the wastebasket.")
                          .arg(moves.left)
                          .arg(moves.moved.size() + moves.failed.size() + moves.left));
    if (!lines.isEmpty()) Q_EMIT problem(lines.join(QLatin1Char('\n')));
}

void RunsWastebasket::restore_selected() {
    if (emptying_.isActive() || library_.is_moving()) return;
    const bool all = list_->selectedItems().isEmpty();
    QStringList folders;
    for (int i = 0; i < list_->count(); ++i)
        if (const auto* item = list_->item(i); all || item->isSelected())
            folders += item->data(Qt::UserRole).toString();
    if (!folders.isEmpty()) library_.start_restore(folders);
}

void RunsWastebasket::confirm_and_empty() {
    if (library_.is_moving()) return;
    const auto count = library_.discarded().size();
    auto* box = new QMessageBox(
        QMessageBox::Warning, tr("Empty the wastebasket"),
        count == 1 ? tr("Permanently delete 1 run?") : tr("Permanently delete %1 runs?").arg(count),
        QMessageBox::Cancel, this);
    box->setInformativeText(
        tr("Their checkpoints, curves and forecasts are deleted as well. This cannot be undone."));
    auto* destroy = box->addButton(tr("Delete permanently"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this, [this, destroy](const QAbstractButton* button) {
        if (button == destroy) empty_now();
    });
    box->open();
}

void RunsWastebasket::empty_now() {
    if (library_.is_moving()) return;
    library_.empty_wastebasket();
    checks_left_ = max_checks;
    if (!library_.discarded().isEmpty()) emptying_.start();
    refresh();
}

}  // namespace casp::widgets
