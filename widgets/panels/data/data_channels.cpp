#include "panels/data/data_channels.h"

#include <algorithm>

#include <QDataStream>
#include <QEvent>
#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QVBoxLayout>

#include "panels/data/data_text.h"
#include "panels/view/view_flow.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr quint32 state_mark = 0x44434831;  // "DCH1"
constexpr int shown_at_first = 8;
constexpr int jump_delay_ms = 40;
constexpr int lines_per_plot = 9;

}  // namespace

DataChannels::DataChannels(QWidget* parent) : QWidget(parent) {
    auto* side = new QWidget(this);
    build_list(side);
    view_ = new FigureView(this);
    view_->setAccessibleName(tr("Channels over the whole length"));
    scroll_ = new QScrollArea(this);
    scroll_->setWidget(view_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    frame_ = new ViewFrame(tr("Channels"), QStringLiteral("data"), this);
    build_controls();
    frame_->set_content(scroll_);
    connect(frame_, &ViewFrame::message, this, [this](const QString& text) { Q_EMIT message(text, false); });
    splitter_ = new QSplitter(Qt::Horizontal, this);
    add_widgets(splitter_, {side, frame_});
    splitter_->setChildrenCollapsible(false);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({fontMetrics().horizontalAdvance(u'0') * 22, 800});
    auto* layout = make_layout<QVBoxLayout>(this, {0, 8, 0, 0});
    layout->addWidget(splitter_);
    timer_.setSingleShot(true);
    timer_.setInterval(jump_delay_ms);
    connect(&timer_, &QTimer::timeout, this, [this] { draw(); });
    connect(view_, &FigureView::zoom_changed, this, [this] {
        whole_->setEnabled(view_->zoomed());
        if (visible() != drawn_) plan();
    });
    set_table(nullptr);
}

void DataChannels::build_list(QWidget* side) {
    search_ = new QLineEdit(side);
    search_->setPlaceholderText(tr("Search channels"));
    named(search_, tr("Search channels"), tr("Show the channels whose name contains this text"));
    search_->setClearButtonEnabled(true);
    list_ = named(new QListWidget(side), tr("Channels to show"), tr("Tick the channels to show (Space)"));
    list_->setUniformItemSizes(true);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    all_ =
        named(new QPushButton(tr("All"), side), tr("Show all channels"), tr("Tick all channels in the list"));
    none_ = named(new QPushButton(tr("None"), side), tr("Show no channel"),
                  tr("Untick all channels in the list"));
    auto* buttons = new QHBoxLayout;
    add_widgets(buttons, {all_, none_});
    auto* layout = make_layout<QVBoxLayout>(side);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    layout->addLayout(buttons);
    connect(search_, &QLineEdit::textChanged, this, &DataChannels::filter_list);
    connect(list_, &QListWidget::itemChanged, this, &DataChannels::plan);
    connect(all_, &QPushButton::clicked, this, [this] { check_all(true); });
    connect(none_, &QPushButton::clicked, this, [this] { check_all(false); });
}

void DataChannels::build_controls() {
    const auto combo = [this](const QString& name, const QString& tip, const QStringList& entries) {
        auto* box = new QComboBox(this);
        box->setAccessibleName(name);
        box->addItems(entries);
        box->setMinimumWidth(box->fontMetrics().averageCharWidth() * 10);
        set_choice_tip(box, tip);
        connect(box, &QComboBox::currentIndexChanged, this, &DataChannels::plan);
        frame_->add_control(box);
        return box;
    };
    arrangement_ = combo(tr("Arrangement"), tr("One plot per channel, or all channels in one"),
                         {tr("One below the other"), tr("In one plot")});
    units_ = combo(tr("Units"), tr("Values as in the file, or (x − μ) / σ as in the model input"),
                   {tr("As in the file"), tr("Scaled")});
    axis_choice_ = combo(tr("Horizontal axis"), tr("Over the time column, or over the rows"),
                         {tr("Over time"), tr("Over rows")});
    connect(axis_choice_, &QComboBox::currentIndexChanged, this, [this] {
        job_.cancel();
        view_->set_busy(false);
        chart_axis_.reset();
        view_->reset_zoom();
    });
    no_markers_ = new QCheckBox(tr("No markers"), this);
    no_markers_->setAccessibleName(tr("Draw markers for missing values as gaps"));
    no_markers_->hide();
    connect(no_markers_, &QCheckBox::toggled, this, &DataChannels::plan);
    frame_->add_control(no_markers_);
    whole_ = named(new QPushButton(tr("Whole length"), this), tr("Show the whole length"),
                   tr("Undo the zoom (Home)"));
    whole_->setEnabled(false);
    connect(whole_, &QPushButton::clicked, view_, &FigureView::reset_zoom);
    frame_->add_control(whole_);
}

void DataChannels::set_table(std::shared_ptr<const data::Table> table) {
    const bool same_channels =
        table != nullptr && table_ != nullptr &&
        std::equal(table->columns.begin(), table->columns.end(), table_->columns.begin(),
                   table_->columns.end(), [](const auto& a, const auto& b) { return a.name == b.name; });
    const bool same_path = table != nullptr && table_ != nullptr && table->path == table_->path;
    table_ = std::move(table);
    // A drawing of the former table must bring neither its axis nor its figure.
    job_.cancel();
    view_->set_busy(false);
    review_.reset();
    chart_axis_.reset();
    drawn_.reset();
    if (!same_channels || !same_path) {
        fill_list();
        view_->reset_zoom();
    }
    if (table_ == nullptr) {
        timer_.stop();
        figures::Figure empty;
        empty.empty_text = tr("Open a CSV file.\nAll its channels appear here over the whole length.");
        show_figure(std::move(empty));
        return;
    }
    plan();
}

void DataChannels::set_review(std::optional<DataReview> review) {
    if (!review) return;
    review_ = std::make_shared<const DataReview>(std::move(*review));
    frame_->set_title(review_->plan ? tr("Channels") : tr("Channels, no split"));
    const auto values = markers();
    QStringList texts;
    for (const double value : values) texts << exact_text(value);
    no_markers_->setToolTip(tr("Draws %1 as gaps: values listed in data.sentinels, and suspected markers")
                                .arg(texts.mid(0, 5).join(QStringLiteral(", "))));
    no_markers_->setVisible(!values.empty());
    plan();
}

std::vector<double> DataChannels::markers() const {
    if (review_ == nullptr) return {};
    std::vector<double> values;
    for (const auto& channel : review_->channels) {
        if (channel.listed > 0) values = review_->choices.sentinels;
        if (!values.empty()) break;
    }
    for (const auto& channel : review_->channels)
        for (const auto& hit : channel.suspects)
            if (std::ranges::find(values, hit.value) == values.end()) values.push_back(hit.value);
    return values;
}

void DataChannels::fill_list() {
    const QSignalBlocker blocker(list_);
    list_->clear();
    search_->clear();
    if (table_ == nullptr) return;
    for (std::size_t i = 0; i < table_->columns.size(); ++i) {
        auto* item = new QListWidgetItem(native_text(table_->columns[i].name));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(i < shown_at_first ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(item->text());
        list_->addItem(item);
    }
}

void DataChannels::filter_list(const QString& text) {
    for (int i = 0; i < list_->count(); ++i)
        list_->item(i)->setHidden(!list_->item(i)->text().contains(text.trimmed(), Qt::CaseInsensitive));
}

void DataChannels::check_all(bool on) {
    {
        const QSignalBlocker blocker(list_);
        for (int i = 0; i < list_->count(); ++i)
            if (!list_->item(i)->isHidden()) list_->item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    list_->viewport()->update();
    plan();
}

std::vector<int> DataChannels::checked() const {
    std::vector<int> channels;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked) channels.push_back(i);
    return channels;
}

std::optional<std::pair<double, double>> DataChannels::visible() const {
    const auto& plots = view_->figure().plots;
    if (plots.empty() || !view_->zoomed()) return std::nullopt;
    const auto window = view_->window(0);
    if (!window.x) return std::nullopt;
    return std::make_pair(window.x->min, window.x->max);
}

void DataChannels::plan() {
    stale_ = true;
    if (table_ != nullptr && isVisible()) timer_.start();
}

bool DataChannels::prepare() {
    if (table_ == nullptr) return true;
    // A view that was never laid out is too narrow for a file.
    constexpr int columns_of_a_file = 1600;
    if (stale_) {
        timer_.stop();
        draw(columns_of_a_file);
    }
    return is_settled();
}

void DataChannels::draw(int min_columns) {
    if (table_ == nullptr) return;
    stale_ = false;
    ChannelFigureOptions options;
    options.channels = checked();
    options.overlay = arrangement_->currentIndex() == 1;
    options.scaled = units_->currentIndex() == 1;
    if (no_markers_->isChecked()) options.left_out = markers();
    options.pixel_columns = std::max(min_columns, static_cast<int>(view_->width() * devicePixelRatioF()));
    options.pixel_ratio = devicePixelRatioF();
    options.range = visible();
    const auto range = options.range;
    const bool want_time = axis_choice_->currentIndex() == 0;
    view_->set_busy(true);
    job_.start(
        [table = table_, known_axis = chart_axis_, review = review_, options, want_time,
         style = figures::style_of(palette())](const JobContext&) {
            const auto axis = known_axis ? known_axis : ChannelAxis::of(*table, want_time);
            Drawn drawn{axis, channel_figure(*table, *axis, review.get(), options, style)};
            if (!drawn.figure.plots.empty())
                drawn.figure.numbers = channel_numbers(table, axis, review.get(), options);
            return drawn;
        },
        {.done = [this, range](Drawn drawn) { take(std::move(drawn), range); },
         .failed =
             [this](const std::exception& failure) {
                 view_->set_busy(false);
                 Q_EMIT message(plain_text(failure), true);
             }});
}

void DataChannels::take(Drawn drawn, const std::optional<std::pair<double, double>>& range) {
    chart_axis_ = std::move(drawn.axis);
    drawn_ = range;
    view_->set_busy(false);
    show_figure(std::move(drawn.figure));
    // A figure of other channels has reset the zoom.
    if (range && !view_->zoomed() && !view_->figure().plots.empty())
        view_->set_window(0, {Range{range->first, range->second}, std::nullopt});
    // Dates that decrease somewhere cannot be an axis.
    axis_choice_->setEnabled(chart_axis_->time || axis_choice_->currentIndex() == 1);
    set_choice_tip(axis_choice_, axis_choice_->isEnabled()
                                     ? tr("Over the time column, or over the rows")
                                     : tr("Over the rows: the file has no increasing time column"));
    if (visible() != drawn_) plan();
}

void DataChannels::show_figure(figures::Figure figure) {
    const bool stacked = figure.plots.size() > 1;
    const int least = fontMetrics().height() * lines_per_plot;
    view_->setMinimumHeight(stacked ? static_cast<int>(figure.plots.size()) * least : 0);
    view_->set_figure(std::move(figure));
    whole_->setEnabled(view_->zoomed());
}

void DataChannels::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) plan();
}

void DataChannels::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    plan();
}

void DataChannels::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    plan();
}

QByteArray DataChannels::save_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << state_mark << splitter_->saveState() << qint32{arrangement_->currentIndex()}
        << qint32{units_->currentIndex()} << qint32{axis_choice_->currentIndex()};
    return state;
}

bool DataChannels::restore_state(const QByteArray& state) {
    QDataStream in(state);
    in.setVersion(QDataStream::Qt_6_4);
    quint32 mark = 0;
    QByteArray splitter;
    qint32 arrangement = 0, units = 0, axis = 0;
    in >> mark >> splitter >> arrangement >> units >> axis;
    if (in.status() != QDataStream::Ok || mark != state_mark) return false;
    splitter_->restoreState(splitter);
    arrangement_->setCurrentIndex(arrangement);
    units_->setCurrentIndex(units);
    axis_choice_->setCurrentIndex(axis);
    return true;
}

}  // namespace casp::widgets
