#include "panels/runs/runs_filter.h"

#include <cmath>
#include <utility>

#include "config/text_utils.h"
#include "state/run_names.h"

namespace casp::widgets {

namespace {

/// Splits at spaces outside quotes and removes the quotes.
QStringList tokens_of(const QString& text) {
    QStringList tokens;
    QString token;
    bool quoted = false;
    for (const QChar c : text) {
        if (c == QLatin1Char('"')) {
            quoted = !quoted;
        } else if (c.isSpace() && !quoted) {
            if (!token.isEmpty()) tokens += std::exchange(token, QString());
        } else {
            token += c;
        }
    }
    if (!token.isEmpty()) tokens += token;
    return tokens;
}

QString nearest_column(const QString& word) {
    std::vector<std::string> keys;
    for (const auto& info : runs_columns()) keys.emplace_back(info.key);
    return QString::fromStdString(config::nearest(word.toLower().toStdString(), keys));
}

std::vector<QString> state_names() {
    std::vector<QString> words;
    for (int i = 0; i <= static_cast<int>(store::RunState::failed); ++i)
        words.push_back(state_word(static_cast<store::RunState>(i)));
    return words;
}

bool text_matches(const QString& text, const QStringList& words, bool whole) {
    for (const auto& word : words) {
        if (whole ? QString::compare(text, word, Qt::CaseInsensitive) == 0
                  : text.contains(word, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

}  // namespace

RunsFilter::RunsFilter(const QString& text) {
    for (const auto& token : tokens_of(text)) add(token);
}

void RunsFilter::add(const QString& token) {
    Term term;
    QString rest = token;
    if (rest.size() > 1 && rest.startsWith(QLatin1Char('-'))) {
        term.negated = true;
        rest.remove(0, 1);
    }
    qsizetype at = 0;
    const QString operators = QStringLiteral(":<>=≤≥");
    while (at < rest.size() && !operators.contains(rest[at])) ++at;
    if (at == 0 || at == rest.size()) {
        term.words = {rest};
        terms_.push_back(term);
        return;
    }
    const QString name = rest.left(at);
    QString sign = rest.mid(at, 1);
    qsizetype after = at + 1;
    if (after < rest.size() && rest[after] == QLatin1Char('=') &&
        (sign == QLatin1String("<") || sign == QLatin1String(">") || sign == QLatin1String("="))) {
        sign += QLatin1Char('=');
        ++after;
    }
    const QString value = rest.mid(after);
    const auto column = runs_column_named(name);
    if (!column) {
        // The search text itself may contain a colon ("12:30").
        if (sign == QLatin1String(":") && nearest_column(name).isEmpty()) {
            term.words = {rest};
            terms_.push_back(term);
            return;
        }
        const QString nearest = nearest_column(name);
        problem_ = QObject::tr("There is no column “%1”. ").arg(name) +
                   (nearest.isEmpty() ? QObject::tr("Try lambda_cov, seed, mse, mae, state, data or note.")
                                      : QObject::tr("Did you mean %1?").arg(nearest));
        return;
    }
    if (value.isEmpty()) {
        problem_ = QObject::tr("Type a value after “%1%2”.").arg(name, sign);
        return;
    }
    term.free_text = false;
    term.column = *column;
    term.words = value.split(QLatin1Char(','), Qt::SkipEmptyParts);
    term.relation = sign == QLatin1String("<")                                   ? Relation::less
                    : sign == QLatin1String("<=") || sign == QStringLiteral("≤") ? Relation::less_equal
                    : sign == QLatin1String(">")                                 ? Relation::greater
                    : sign == QLatin1String(">=") || sign == QStringLiteral("≥") ? Relation::greater_equal
                    : sign == QLatin1String(":")                                 ? Relation::contains
                                                                                 : Relation::equal;
    const bool order = term.relation != Relation::contains && term.relation != Relation::equal;
    if (info_of(*column).number) {
        for (const auto& word : term.words) {
            bool ok = false;
            term.numbers.push_back(word.toDouble(&ok));
            if (!ok) {
                problem_ = QObject::tr("“%1” is not a number; write for example %2%3%4.")
                               .arg(word, name, sign,
                                    *column == result_column("seed") ? QStringLiteral("2021")
                                                                     : QStringLiteral("0.05"));
                return;
            }
        }
        if (order && term.numbers.size() != 1) {
            problem_ = QObject::tr("%1%2 takes one number.").arg(name, sign);
            return;
        }
    } else if (order) {
        problem_ = QObject::tr("%1 is text: write %1:%2.").arg(name, value);
        return;
    } else if (*column == RunsColumn::state) {
        for (auto& word : term.words) {
            word.replace(QLatin1Char('_'), QLatin1Char(' '));
            bool found = false;
            for (const auto& state : state_names())
                found = found || state.startsWith(word, Qt::CaseInsensitive);
            if (!found) {
                problem_ = QObject::tr(
                               "No state is called “%1”. States: queued, running, finished, finished_early, "
                               "cancelled, interrupted, failed.")
                               .arg(word);
                return;
            }
        }
    } else if (*column == RunsColumn::shown || *column == RunsColumn::best) {
        const QString word = term.words.value(0).toLower();
        if (word != QLatin1String("yes") && word != QLatin1String("no")) {
            problem_ = QObject::tr("Write %1:yes or %1:no.").arg(name);
            return;
        }
    }
    terms_.push_back(term);
}

bool RunsFilter::holds(const Term& term, const RunSummary& run, bool shown) {
    if (term.free_text) {
        const QString& word = term.words.front();
        const auto in = [&word](const QString& text) { return text.contains(word, Qt::CaseInsensitive); };
        return in(run.name) || in(run.batch) || in(run.note) || in(QString::fromStdString(run.row.data)) ||
               in(QString::fromStdString(run.row.model)) || in(model_of(run.row)) ||
               in(state_word(state_of(run))) || in(QString::fromStdString(run.row.backbone));
    }
    if (term.column == RunsColumn::shown || term.column == RunsColumn::best)
        return (term.column == RunsColumn::shown ? shown : run.best) ==
               (term.words.front().compare(QLatin1String("yes"), Qt::CaseInsensitive) == 0);
    if (info_of(term.column).number) {
        const double value = number_of(run, term.column);
        if (std::isnan(value)) return false;
        switch (term.relation) {
            case Relation::less:
                return value < term.numbers.front();
            case Relation::less_equal:
                return value <= term.numbers.front();
            case Relation::greater:
                return value > term.numbers.front();
            case Relation::greater_equal:
                return value >= term.numbers.front();
            default:
                for (const double number : term.numbers)
                    if (value == number) return true;
                return false;
        }
    }
    // state:finished also means "finished early", state=finished does not.
    const bool whole = term.relation == Relation::equal;
    if ((term.column == RunsColumn::model || info_of(term.column).result != nullptr) &&
        text_matches(exact_text(run, term.column), term.words, whole))
        return true;
    return text_matches(display_text(run, term.column), term.words, whole);
}

bool RunsFilter::uses_shown() const {
    return std::any_of(terms_.begin(), terms_.end(),
                       [](const Term& term) { return !term.free_text && term.column == RunsColumn::shown; });
}

bool RunsFilter::matches(const RunSummary& run, bool shown) const {
    for (const auto& term : terms_)
        if (holds(term, run, shown) == term.negated) return false;
    return true;
}

QString RunsFilter::help() {
    return QObject::tr(
        "Words match name, experiment, data, model, note or state.\nTerms compare columns: lambda_cov>0.05   "
        "state:finished   mse<=0.4   seed=2021,2022   model:dlinear   best:yes   shown:yes\nA leading minus "
        "negates a term: "
        "-data:weather. Quote text with spaces: note:\"too short\".");
}

}  // namespace casp::widgets
