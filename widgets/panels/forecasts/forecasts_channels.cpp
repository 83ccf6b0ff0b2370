#include "panels/forecasts/forecasts_channels.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {
constexpr int search_from = 9;  ///< number of channels from which the search field is shown
constexpr int max_rows = 16;
}  // namespace

ChannelChooser::ChannelChooser(QWidget* parent) : QToolButton(parent) {
    setPopupMode(QToolButton::InstantPopup);
    setAccessibleName(tr("Channels"));
    setToolTip(tr("Plotted channels; if none are selected: the last one"));
    setFocusPolicy(Qt::StrongFocus);

    auto* sheet = new QWidget;
    auto* column = make_layout<QVBoxLayout>(sheet, {6, 6, 6, 6});
    search_ = new QLineEdit;
    search_->setPlaceholderText(tr("Search channels"));
    search_->setClearButtonEnabled(true);
    search_->setAccessibleName(tr("Search channels"));
    search_->setToolTip(tr("Lists the channels whose names contain this text"));
    column->addWidget(search_);
    list_ = new QListWidget;
    list_->setUniformItemSizes(true);
    list_->setAccessibleName(tr("Plotted channels"));
    list_->setToolTip(
        tr("Check the channels to plot (Space, or a click).\nChannels are matched by number: where data sets "
           "name a channel differently, all of its names are listed"));
    column->addWidget(list_);
    auto* row = new QHBoxLayout;
    const auto button = [row](const QString& text, const QString& tip) {
        auto* made = new QPushButton(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    auto* all = button(tr("&All"), tr("Plot all channels"));
    auto* none = button(tr("&Last only"), tr("Plot the last channel only, as when none are selected"));
    column->addLayout(row);

    connect(all, &QPushButton::clicked, this, [this] {
        std::set<std::int64_t> every;
        for (int i = 0; i < names_.size(); ++i) every.insert(i);
        Q_EMIT chosen(every);
    });
    connect(none, &QPushButton::clicked, this, [this] { Q_EMIT chosen({}); });

    auto* menu = new QMenu(this);
    auto* action = new QWidgetAction(menu);
    action->setDefaultWidget(sheet);
    menu->addAction(action);
    setMenu(menu);
    connect_parts();
    set_channels({});
}

void ChannelChooser::connect_parts() {
    connect(menu(), &QMenu::aboutToShow, this, [this] {
        search_->clear();
        QTimer::singleShot(0, list_, [this] { list_->setFocus(Qt::PopupFocusReason); });
    });
    connect(search_, &QLineEdit::textChanged, this, &ChannelChooser::show_matching);
    connect(list_, &QListWidget::itemChanged, this, &ChannelChooser::take_ticks);
    // A click on the name toggles its box.
    connect(list_, &QListWidget::itemPressed, this, [this](const QListWidgetItem* item) {
        list_->setProperty("pressed_state", static_cast<int>(item->checkState()));
    });
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        if (static_cast<int>(item->checkState()) == list_->property("pressed_state").toInt())
            item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    });
}

void ChannelChooser::set_channels(const QStringList& names) {
    setEnabled(!names.isEmpty());
    if (names == names_ && list_->count() == names.size()) return show_text();
    names_ = names;
    const QSignalBlocker block(list_);
    list_->clear();
    for (const auto& name : names_) {
        auto* item = new QListWidgetItem(name, list_);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
    }
    if (list_->count() > 0) {
        const int rows = std::min(list_->count(), max_rows);
        list_->setFixedHeight(rows * list_->sizeHintForRow(0) + 2 * list_->frameWidth() + 2);
        list_->setMinimumWidth(std::min(420, std::max(180, list_->sizeHintForColumn(0) + 40)));
        list_->setCurrentRow(0);
    }
    search_->setVisible(names_.size() >= search_from);
    set_chosen(chosen_);
}

void ChannelChooser::set_chosen(const std::set<std::int64_t>& channels) {
    chosen_ = channels;
    const QSignalBlocker block(list_);
    for (int i = 0; i < list_->count(); ++i) {
        const bool on = chosen_.count(i) > 0 || (chosen_.empty() && i + 1 == list_->count());
        list_->item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    show_text();
}

void ChannelChooser::take_ticks() {
    // The channel plotted by default is checked as well: checking another adds to it.
    std::set<std::int64_t> now;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked) now.insert(i);
    Q_EMIT chosen(now);
    set_chosen(now);
}

void ChannelChooser::show_matching(const QString& text) {
    for (int i = 0; i < list_->count(); ++i)
        list_->item(i)->setHidden(!names_.at(i).contains(text.trimmed(), Qt::CaseInsensitive));
}

void ChannelChooser::show_text() {
    QStringList texts;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked) texts << names_.at(i);
    auto text = texts.isEmpty()                                     ? tr("none")
                : texts.size() > 1 && texts.size() == names_.size() ? tr("all %1 channels").arg(texts.size())
                : texts.size() <= 2                                 ? texts.join(QStringLiteral(", "))
                                                                    : tr("%1 channels").arg(texts.size());
    setText(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
}

}  // namespace casp::widgets
