#include "panels/view/view_page.h"

#include "figures/numbers.h"

#include <algorithm>

#include <QAction>
#include <QApplication>
#include <QGridLayout>
#include <QJsonDocument>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/recipe_input.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {
constexpr int two_columns_from = 860;  ///< page width in pixels from which two views are placed side by side
constexpr qint64 min_pause = 60;
constexpr qint64 others_time = 600;  ///< ms of a pass possibly spent painting, or in other pages
/// Pixels; larger images of a figure would take hundreds of megabytes.
constexpr int highest_view = 8000;
constexpr qsizetype max_problems = 3;  ///< shown in full
}  // namespace

ViewPage::ViewPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      shown_runs_(new ShownRuns(*library, *selection, *this)) {
    auto* column = make_layout<QVBoxLayout>(this, {8, 8, 8, 8}, 6);
    column_ = column;
    problems_ = note_label(nullptr, tr("Problems and omissions"));
    problems_->setObjectName(QStringLiteral("problems"));
    add_header(problems_);
    scroll_ = new QScrollArea;
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    sheet_ = new QWidget;
    grid_ = make_layout<QGridLayout>(sheet_, {}, 8);
    scroll_->setWidget(sheet_);
    column->addWidget(scroll_, 1);

    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, [this] { update_views(true); });
    connect(shown_runs_, &ShownRuns::runs_changed, this, [this] {
        missing_.clear();  // otherwise it would stay for views that are not rebuilt now
        for (auto& view : views_) view.left_out.clear();
        show_offer();
        part_changed(RunPart::everything);
        rebuild();
    });
    connect(shown_runs_, &ShownRuns::part_changed, this, [this](RunPart part) { part_changed(part); });
    connect(shown_runs_, &ShownRuns::outdated, this, [this](RunPart part) {
        for (auto& view : views_)
            view.stale =
                view.stale || view.waiting || part == RunPart::everything || view.parts.count(part) > 0;
        schedule();
    });
    connect(shown_runs_, &ShownRuns::marks_changed, this, [this] { rebuild(); });
    connect(shown_runs_, &ShownRuns::due, this, &ViewPage::schedule);
    connect(selection_, &Selection::changed, this, [this] { selection_changed(); });
}

ViewPage::~ViewPage() = default;

FlowLayout* ViewPage::bar() {
    if (!bar_) {
        bar_ = new QWidget;
        bar_layout_ = make_flow(bar_);
        column_->insertWidget(headers_, bar_);
    }
    return bar_layout_;
}

QWidget* ViewPage::labelled(const QString& text, QWidget* control) {
    return add_labelled(bar(), text, control);
}

void ViewPage::add_header(QWidget* widget) { column_->insertWidget(headers_++, widget); }

ViewFrame* ViewPage::make_frame(const QString& id, const QString& title, const QString& help_topic,
                                QWidget* content) {
    auto* frame = new ViewFrame(title, help_topic, sheet_);
    content->setObjectName(id);
    content->setAccessibleName(title);
    frame->set_content(content);
    frame->setObjectName(QStringLiteral("frame-") + id);
    connect(frame, &ViewFrame::maximise_requested, this,
            [this, id](bool on) { maximise(on ? id : QString()); });
    connect(frame, &ViewFrame::message, this, [this](const QString& text) { Q_EMIT message(text); });
    connect(frame, &ViewFrame::help_requested, this, &ViewPage::help_requested);
    frame->set_settings([this] { Q_EMIT settings_requested(shown_runs_->folders()); });
    if (auto* figure = frame->figure_view())
        connect(figure, &FigureView::pointed, this, [this, figure](const QString& x_title, double x) {
            for (const auto& view : views_)
                if (auto* other = view.frame->figure_view(); other != nullptr && other != figure)
                    other->point_at(x_title, x);
        });
    return frame;
}

void ViewPage::add(View view) {
    views_.push_back(std::move(view));
    grid_columns_ = 0;
    arrange();
    schedule();
}

FigureView* ViewPage::add_view(const QString& id, const QString& title, const QString& help_topic,
                               const std::set<RunPart>& parts, Builder builder, int height, int columns) {
    auto* figure = new FigureView;
    auto* frame = make_frame(id, title, help_topic, figure);
    connect(figure, &FigureView::run_picked, this, [this](const QString& run, Qt::KeyboardModifiers) {
        if (const int index = library_->index_of(run); index >= 0)
            Q_EMIT message(library_->at(index).label());
    });
    connect(figure, &FigureView::needed_height_changed, this, [this, id] { fit_view(id); });
    add({id, frame, figure, parts, std::move(builder), {}, height, columns});
    return figure;
}

ViewFrame* ViewPage::add_content(const QString& id, const QString& title, const QString& help_topic,
                                 const std::set<RunPart>& parts, QWidget* content, Updater updater,
                                 int height, int columns) {
    auto* frame = make_frame(id, title, help_topic, content);
    add({id, frame, nullptr, parts, {}, std::move(updater), height, columns});
    return frame;
}

ViewFrame* ViewPage::frame(const QString& id) const {
    const auto* view = find(id);
    return view ? view->frame : nullptr;
}

FigureView* ViewPage::view(const QString& id) const {
    const auto* found = find(id);
    return found ? found->figure : nullptr;
}

QList<ViewFrame*> ViewPage::frames() const {
    QList<ViewFrame*> list;
    for (const auto& view : views_)
        if (view.available) list << view.frame;
    return list;
}

ViewPage::View* ViewPage::find(const QString& id) {
    for (auto& view : views_)
        if (view.id == id) return &view;
    return nullptr;
}
const ViewPage::View* ViewPage::find(const QString& id) const {
    return const_cast<ViewPage*>(this)->find(id);
}

void ViewPage::set_offer(QAction* action, bool data_first) {
    if (offer_ == action && data_first_ == data_first) return;
    offer_ = action;
    data_first_ = data_first;
    show_offer();
    if (shown_runs_->drawn().isEmpty()) rebuild();  // their texts
}

void ViewPage::show_offer() {
    for (auto& view : views_) view.frame->set_offer(shown_runs_->drawn().isEmpty() ? offer_.data() : nullptr);
}

QString ViewPage::with_first_step(QString text) const {
    const auto& runs = shown_runs_->drawn();
    if (data_first_ && runs.isEmpty())
        text.replace(figures::first_step(),
                     tr(" Open a CSV file and press Run, or show runs from the list on the left (Space)."));
    const bool all_wait = std::all_of(runs.begin(), runs.end(), [this](const QString& run) {
        const int index = library_->index_of(run);
        return index >= 0 && library_->at(index).row.state == store::RunState::queued;
    });
    if (const auto offer = text.indexOf(figures::first_step()); all_wait && !runs.isEmpty() && offer >= 0)
        text = text.left(offer) + tr(" The shown runs are waiting in the queue.");
    return text;
}

void ViewPage::set_missing(const QString& id, const QString& text) {
    if (text.isEmpty())
        missing_.remove(id);
    else
        missing_[id] = text;
}

void ViewPage::show_problems() {
    auto lines = shown_runs_->problems().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const auto& text : std::as_const(missing_)) lines << text.split(QLatin1Char('\n'));
    for (const auto& view : views_)
        if (!view.left_out.isEmpty() && view.frame->isVisibleTo(sheet_)) lines << view.left_out;
    if (const auto text = shown_runs_->drawn_text(); !text.isEmpty()) lines.prepend(text);
    problems_->setToolTip(lines.join(QLatin1Char('\n')));
    if (const auto more = lines.size() - max_problems; more > 0) {
        lines = lines.mid(0, max_problems);
        lines << tr("%n more", nullptr, static_cast<int>(more));
    }
    for (auto& line : lines) line = tr("⚠ %1").arg(line);
    show_note(problems_, lines.join(QLatin1Char('\n')));
}

void ViewPage::rebuild(const QStringList& ids) {
    for (auto& view : views_) {
        if (!ids.isEmpty() && !ids.contains(view.id)) continue;
        view.stale = true;
        view.in_full = false;  // different content, not only more of it
    }
    schedule();
}

void ViewPage::wait_for(const QString& id) {
    if (auto* view = find(id)) view->waiting = true;
}

void ViewPage::schedule() {
    if (timer_.isActive() || !isVisible()) return;
    const auto passed = since_.isValid() ? since_.elapsed() : pause_;
    timer_.start(static_cast<int>(std::max<qint64>(0, pause_ - passed)));
}

void ViewPage::update_now() {
    next_ = 0;
    update_views(false);
}

void ViewPage::update_views(bool in_steps) {
    timer_.stop();
    const auto waits = [](const View& view) { return view.stale && view.frame->isVisible(); };
    // Long histories and painting are slow: leave three quarters of the time to the event loop and to the
    // run, which may have no other core. Time spent by others between two views of this page is not counted.
    const auto rest = [this] {
        pause_ = std::max(min_pause, 3 * std::min(begun_.elapsed(), std::max(own_time_, others_time)));
        since_.start();
    };
    if (next_ == 0) {
        begun_.start();
        own_time_ = 0;
        const bool followed = shown_runs_->catch_up();
        if (std::none_of(views_.begin(), views_.end(), waits)) {
            show_problems();
            if (followed) rest();
            return;
        }
    }
    show_problems();
    const auto runs = shown_runs_->inputs();
    while (next_ < views_.size()) {
        auto& view = views_[next_++];
        if (!waits(view)) continue;
        QElapsedTimer clock;
        clock.start();
        build(view, runs);
        own_time_ += clock.elapsed();
        if (in_steps && !view.frame->visibleRegion().isEmpty() && next_ < views_.size())
            return timer_.start(0);
    }
    next_ = 0;
    show_problems();  // builders may have found more
    rest();
    QTimer::singleShot(0, this, rest);  // after the painting
    // Apply changes made meanwhile.
    if (shown_runs_->is_due() || std::any_of(views_.begin(), views_.end(), waits)) schedule();
}

void ViewPage::build(View& view, const std::vector<figures::RunInput>& runs) {
    bool reading = false;
    const bool draws_probes = view.parts.count(RunPart::probe) > 0;
    for (auto* shown : shown_runs_->data()) {
        if (draws_probes) shown->read_probes();
        reading = reading || (!shown->is_loaded() && shown->problem().isEmpty()) ||
                  (draws_probes && shown->is_reading_probes());
    }
    const bool anything = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.record; });
    view.stale = view.waiting = view.in_full = false;
    if (!view.figure) {
        if (!reading || anything) view.updater(runs);  // else keep the old picture
        return;
    }
    if (reading && !anything) {
        view.figure->set_busy(true);  // keep the old picture, dimmed
        return;
    }
    auto figure = view.builder(runs);
    view.left_out = figure.left_out;
    const bool keep = view.waiting && figure.plots.empty() && !view.figure->figure().plots.empty();
    if (figure.plots.empty()) {
        const auto text = shown_runs_->problems();
        figure.empty_text = text.isEmpty() ? with_first_step(figure.empty_text) : text;
    }
    if (!keep) view.figure->set_figure(std::move(figure));
    view.figure->set_busy(reading || view.waiting);
    view.in_full = !reading && !view.waiting;
}

std::vector<figures::Figure> ViewPage::figures() {
    (void)shown_runs_->catch_up();
    std::vector<figures::Figure> list;
    const auto runs = shown_runs_->inputs();
    for (const auto& view : views_) {
        auto figure = !view.figure ? view.frame->current_figure()
                      : view.stale ? view.builder(runs)
                                   : view.figure->figure();
        if (!figure.plots.empty() || figures::row_count(figure) > 0) list.push_back(std::move(figure));
    }
    return list;
}

bool ViewPage::prepare(bool again) {
    (void)shown_runs_->catch_up();
    const auto runs = shown_runs_->inputs();
    for (auto& view : views_) {
        if (!again) view.in_full = false;
        if (view.stale && !view.in_full) build(view, runs);
    }
    const auto shown = shown_runs_->data();
    return std::none_of(shown.begin(), shown.end(),
                        [](const RunData* run) { return run->is_reading_probes(); }) &&
           std::none_of(views_.begin(), views_.end(),
                        [](const View& view) { return view.waiting || view.frame->is_busy(); });
}

void ViewPage::fit_height(const View& view) {
    int height = view.height;
    const auto* content = view.frame->content();
    if (const int needed = view.figure ? view.figure->needed_height() : content->minimumHeight();
        needed > 0) {
        // The title's line and the frame around it.
        const int around = view.frame->sizeHint().height() -
                           std::max(content->sizeHint().height(), content->minimumHeight());
        height = std::clamp(needed + std::max(0, around), height, highest_view);
    }
    view.frame->setMinimumHeight(height);
}

void ViewPage::set_available(const QString& id, bool available) {
    auto* view = find(id);
    if (!view || view->available == available) return;
    view->available = available;
    if (!available && maximised_ == id) return maximise({});
    grid_columns_ = 0;
    arrange();
    schedule();
}

void ViewPage::fit_view(const QString& id) {
    if (const auto* view = find(id)) fit_height(*view);
}

bool ViewPage::event(QEvent* event) {
    // Esc restores an enlarged view before it clears the selection.
    if (event->type() == QEvent::ShortcutOverride && !maximised_.isEmpty() &&
        static_cast<const QKeyEvent*>(event)->matches(QKeySequence::Cancel)) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void ViewPage::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Cancel) && !maximised_.isEmpty())
        maximise({});
    else
        QWidget::keyPressEvent(event);
}

void ViewPage::maximise(const QString& id) {
    const auto* wanted = find(id);
    maximised_ = wanted && wanted->available ? id : QString();
    // Move the focus along, for Esc and the view's keys.
    if (const auto* view = find(maximised_);
        view && isVisible() && !isAncestorOf(QApplication::focusWidget()))
        view->frame->content()->setFocus();
    for (auto& view : views_) view.frame->set_maximised(view.id == maximised_);
    grid_columns_ = 0;
    arrange();
    schedule();
}

void ViewPage::arrange() {
    const int columns = width() >= two_columns_from ? 2 : 1;
    if (columns == grid_columns_) return;
    grid_columns_ = columns;
    for (int row = 0; row < grid_->rowCount(); ++row) grid_->setRowStretch(row, 0);
    const bool alone = !maximised_.isEmpty();
    const auto is_shown = [&](const View& view) { return alone ? view.id == maximised_ : view.available; };
    for (auto& view : views_) {
        grid_->removeWidget(view.frame);
        view.frame->setVisible(is_shown(view));
    }
    int row = 0, column = 0;
    for (auto& view : views_) {
        if (!is_shown(view)) continue;
        const int span = std::min(view.columns, columns);
        if (column + span > columns) {
            ++row;
            column = 0;
        }
        fit_height(view);
        grid_->addWidget(view.frame, row, column, 1, alone ? columns : span);
        grid_->setRowStretch(row, 1);
        column += span;
    }
    for (int c = 0; c < 2; ++c) grid_->setColumnStretch(c, c < columns ? 1 : 0);
}

void ViewPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    (void)shown_runs_->catch_up();
    shown_runs_->load();
    arrange();
    schedule();
}

void ViewPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

QByteArray ViewPage::save_state() const {
    QJsonObject object;
    if (!maximised_.isEmpty()) object[QStringLiteral("maximised")] = maximised_;
    save(object);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

bool ViewPage::restore_state(const QByteArray& state) {
    const auto document = QJsonDocument::fromJson(state);
    if (!document.isObject()) return false;
    restore(document.object());
    maximise(document.object().value(QStringLiteral("maximised")).toString());
    rebuild();
    return true;
}

}  // namespace casp::widgets
