// The Forecasts page's view "Forecast ahead": its button, its place, and files dropped on the page.
#include <QFileInfo>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>

#include "charts/view_frame.h"
#include "panels/forecasts/forecasts_ahead.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {
const QString ahead_id = QStringLiteral("forecast-ahead");
}  // namespace

void ForecastsPage::make_ahead_view() {
    add_view(
        ahead_id, tr("Forecast ahead"), QStringLiteral("forecasts"), {},
        [this](const std::vector<figures::RunInput>&) { return make_ahead(); }, 440, 2);
    set_available(ahead_id, false);
    ahead_ = new ForecastAhead(library(), frame(ahead_id), this);
    connect(ahead_, &ForecastAhead::changed, this, [this] { rebuild({ahead_id}); });
    connect(ahead_, &ForecastAhead::message, this, &ForecastsPage::message);
    connect(ahead_, &ForecastAhead::closed, this, [this] {
        ahead_button_->setFocus();
        set_available(ahead_id, false);
        rebuild({ahead_id});
    });
}

void ForecastsPage::make_ahead_button() {
    ahead_button_ = text_button(nullptr, tr("Forecast ahead"), {}, {});
    ahead_button_->setObjectName(QStringLiteral("forecast.ahead"));  // pressed by the main window's action
    connect(ahead_button_, &QToolButton::clicked, this, [this] { forecast_ahead(); });
    frame(QStringLiteral("forecasts"))->add_control(ahead_button_);
    connect(selection(), &Selection::highlighted_changed, this, [this] {
        ahead_->choose(selection()->highlighted());
        show_ahead_offer();
    });
}

void ForecastsPage::update_ahead(const std::vector<figures::RunInput>& runs) {
    const bool first = !ahead_->has_runs();
    ahead_->set_runs(runs);
    if (first) ahead_->choose(selection()->highlighted());
    show_ahead_offer();
}

void ForecastsPage::show_ahead_offer() {
    const bool any = ahead_->has_runs();
    ahead_button_->setEnabled(any);
    ahead_button_->setToolTip(
        any ? tr("%1. Drop a file on this page to continue it instead.").arg(ahead_->offer_text({}))
            : tr("Forecasts the rows after the last one of a file. Show a finished run "
                 "first; imported runs have no weights, and collections of series no last row."));
    ahead_button_->setAccessibleName(ahead_button_->toolTip());
    if (!any) set_available(ahead_id, false);
}

void ForecastsPage::forecast_ahead(const QString& file) {
    for (auto* shown : frames())
        if (shown->maximised()) shown->enlarge_or_put_back();
    set_available(ahead_id, true);
    ahead_->start(file);
    // After the layout.
    QTimer::singleShot(0, this, [this] {
        if (auto* scroll = findChild<QScrollArea*>()) scroll->ensureWidgetVisible(frame(ahead_id));
    });
}

figures::Figure ForecastsPage::make_ahead() {
    const auto& chosen = selection()->state().channels;
    auto figure = ahead_->figure({{chosen.begin(), chosen.end()}, plotted_horizons(), options_.last_value});
    if (figure.plots.empty() && ahead_->is_busy()) wait_for(ahead_id);
    return figure;
}

QString ForecastsPage::drop_text(const QStringList& paths) const {
    if (paths.size() != 1 || !ahead_->has_runs()) return {};
    const QFileInfo file(paths.front());
    const QStringList of_others{QStringLiteral("toml"), QStringLiteral("py"), QStringLiteral("npy"),
                                QStringLiteral("npz")};
    if (!file.isFile() || of_others.contains(file.suffix().toLower())) return {};
    return ahead_->offer_text(paths.front()) + tr("\n\nOn other pages, the file is opened as a data set.");
}

void ForecastsPage::drop(const QStringList& paths) {
    forecast_ahead(QFileInfo(paths.front()).absoluteFilePath());
}

}  // namespace casp::widgets
