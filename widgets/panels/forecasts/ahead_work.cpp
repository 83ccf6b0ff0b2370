#include "panels/forecasts/ahead_work.h"

#include <stop_token>
#include <utility>

#include <QStringList>

#include "inspect/forecast_ahead.h"
#include "util/error.h"
#include "words/amount_text.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

/// Passes progress and warnings on.
class Reports : public train::TrainObserver {
public:
    Reports(const JobContext& job, std::function<void(const QString&)> warn)
        : job_(job), warn_(std::move(warn)) {}
    void on_progress(const Progress& progress) override { job_.progress(progress); }
    void on_message(train::MessageLevel level, const Phrase& text) override {
        if (level != train::MessageLevel::warning) return;
        job_.post([warn = warn_, text = translated(text)] { warn(text); });
    }

private:
    const JobContext& job_;
    std::function<void(const QString&)> warn_;
};

}  // namespace

AheadWork::AheadWork(std::function<void(bool)> changed)
    : changed_(std::move(changed)), host_(EmbeddingHost::shared()), job_(host_->pool()) {}

void AheadWork::start(const Subject& subject) {
    using Result = std::shared_ptr<const inspect::AheadForecast>;
    forget();
    subject_ = subject;
    inspect::ForecastRequest request;
    request.checkpoint = subject.run.toStdString();
    request.data = subject.data.toStdString();
    request.levels = {80, 95};
    // Whatever the run was trained on, and without an effect on the rounding of a running run.
    request.sets = {"run.device=auto"};
    request.sets_threads = false;
    job_.start(
        [this, request](const JobContext& job) -> Result {
            train::StopControl control;
            const std::stop_callback stop(job.stop, [&] { control.ask(train::StopRequest::cancel); });
            Reports reports(job, [this](const QString& text) {
                warnings_ += (warnings_.isEmpty() ? QString() : QStringLiteral("\n")) + text;
            });
            const auto show = [&](inspect::AheadForecast forecast) {
                job.post([this, shown = std::make_shared<const inspect::AheadForecast>(std::move(forecast))] {
                    forecast_ = shown;
                    changed_(false);
                });
            };
            job.progress({Stage::reading_weights, 0, 0, {}});
            return std::make_shared<const inspect::AheadForecast>(
                inspect::forecast_ahead(request, reports, control, show));
        },
        {.done =
             [this](Result result) {
                 forecast_ = std::move(result);
                 changed_(false);
             },
         .failed = [this](const std::exception& failure) { fail(plain_text(failure)); },
         .cancelled = [this] { fail(QObject::tr("Cancelled.")); },
         .progress = [this](const Progress&) { changed_(true); }});
    changed_(false);
}

void AheadWork::fail(const QString& problem) {
    problem_ = problem;
    changed_(false);
}

void AheadWork::cancel() { job_.request_stop(); }

void AheadWork::forget() {
    job_.cancel();
    subject_.reset();
    forecast_.reset();
    problem_.clear();
    warnings_.clear();
}

QString AheadWork::progress_text() const {
    if (!is_busy()) return {};
    const auto& progress = job_.progress();
    if (progress.stage.empty()) return translated_stage(Stage::waiting);
    QStringList parts{translated_stage(progress.stage)};
    if (job_.fraction() >= 0)
        parts.first() += QStringLiteral(" %1 %").arg(static_cast<int>(100 * job_.fraction()));
    if (const auto left = time_left_text(job_.seconds_left()); !left.isEmpty()) parts << left;
    return parts.join(QStringLiteral(", "));
}

}  // namespace casp::widgets
