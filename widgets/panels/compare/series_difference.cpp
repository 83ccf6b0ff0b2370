#include "panels/compare/series_difference.h"

#include "evidence/series_comparison.h"
#include "state/core_message.h"
#include "store/result_columns.h"

namespace casp::widgets {

namespace {

QString series_lines(const evidence::SeriesRun& base, const evidence::SeriesRun& other) {
    if (const auto why = evidence::series_mismatch(base, other); !why.empty())
        return SeriesDifference::tr("Not compared over series: %1.").arg(translated_message(why));
    QStringList lines;
    for (const auto& score : evidence::series_scores())
        lines << translated_message(evidence::series_sentence(
            evidence::compare_series(base.scores.*score.values, other.scores.*score.values, score.metric)));
    lines << translated_message(QString::fromUtf8(evidence::over_series_note));
    return lines.join(QLatin1Char('\n'));
}

evidence::SeriesRun series_run(const RunData& run, const store::SeriesScores& scores) {
    return {run.record().attributes.dataset_sha256, run.record().data.series, scores};
}

}  // namespace

SeriesDifference::SeriesDifference(RunLibrary& library, QObject* parent)
    : QObject(parent), library_(library) {}

void SeriesDifference::set_runs(const QStringList& folders) {
    const auto has_scores = [this](const QString& folder) {
        const int index = library_.index_of(folder);
        return index >= 0 && store::has_scores(library_.at(index).row);
    };
    const bool pair = folders.size() == 2 && has_scores(folders[0]) && has_scores(folders[1]);
    if (const auto now = pair ? folders : QStringList(); now != folders_) {
        folders_ = now;
        for (const auto& run : runs_)
            if (run) disconnect(run, nullptr, this, nullptr);
        runs_ = {};
        scores_ = {};
        job_.cancel();
        text_ = pair ? tr("Reading the scores of the series…") : QString();
    }
    for (std::size_t i = 0; pair && i < runs_.size(); ++i) {
        if (runs_[i]) continue;
        runs_[i] = library_.data(folders_[static_cast<qsizetype>(i)]);
        if (runs_[i]) connect(runs_[i], &RunData::changed, this, &SeriesDifference::read);
    }
    read();
}

void SeriesDifference::read() {
    if (!runs_[0] || !runs_[1]) return;
    bool complete = true;
    std::array<std::shared_ptr<const store::SeriesScores>, 2> now;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        runs_[i]->load();
        now[i] = runs_[i]->series_scores();
        complete = complete && now[i] && runs_[i]->is_loaded();
        if (const auto problem = runs_[i]->problem(); !problem.isEmpty())
            return show_text(tr("Not compared over series: %1").arg(problem));
    }
    if (!complete || now == scores_) return;
    scores_ = now;
    compare();
}

void SeriesDifference::compare() {
    job_.start([base = series_run(*runs_[0], *scores_[0]), other = series_run(*runs_[1], *scores_[1])](
                   const JobContext&) { return series_lines(base, other); },
               {.done = [this](const QString& lines) { show_text(lines); }});
}

void SeriesDifference::show_text(const QString& text) {
    if (text == text_) return;
    text_ = text;
    Q_EMIT changed();
}

}  // namespace casp::widgets
