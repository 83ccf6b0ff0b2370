#include "panels/data/data_words.h"

#include <algorithm>
#include <vector>

#include <QObject>
#include <QStringList>

#include "data/describe.h"
#include "panels/data/data_text.h"
#include "panels/view/icons.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

QString names_text(const QStringList& names) {
    constexpr qsizetype most = 6;
    if (names.size() <= most) return names.join(QStringLiteral(", "));
    return QObject::tr("%1 and %2 more")
        .arg(names.mid(0, most - 1).join(QStringLiteral(", ")))
        .arg(names.size() - most + 1);
}

/// A text of core that begins in lower case, as a sentence after another one; empty: none.
QString further_sentence(const Phrase& text) {
    if (text.empty()) return {};
    auto sentence = translated(text);
    sentence[0] = sentence[0].toUpper();
    return u' ' + joined_message({}, sentence, {}, {});
}

QString part_row(const data::Table& table, const QString& name, std::int64_t first, std::int64_t rows,
                 std::int64_t windows) {
    const std::int64_t last = first + rows - 1;
    const auto time_of = [&](std::int64_t row) {
        return time_text(table.step.local.shown(table.time[static_cast<std::size_t>(row)]))
            .replace(u' ', QChar::Nbsp);
    };
    QString times;  // on a narrow page in two lines
    if (!table.time.empty() && rows > 0) times = time_of(first) + QStringLiteral("\u00a0– ") + time_of(last);
    const QString cell =
        QStringLiteral("<td align='right' style='padding-right:14px;white-space:nowrap'>%1</td>");
    const QString left = QStringLiteral("<td style='padding-right:14px;white-space:nowrap'>%1</td>");
    return QStringLiteral("<tr>") + left.arg(name.toHtmlEscaped()) + cell.arg(count_text(rows)) +
           cell.arg(QStringLiteral("%1 – %2").arg(count_text(table.line_of(first)),
                                                  count_text(table.line_of(last)))) +
           QStringLiteral("<td style='padding-right:14px'>%1</td>").arg(times.toHtmlEscaped()) +
           cell.arg(windows < 0 ? QString() : count_text(windows)) + QStringLiteral("</tr>");
}

}  // namespace

QString describe_origin(const DataReview& review) {
    const auto& known = review.known;
    if (known.entry == nullptr)
        return QObject::tr("Not a known benchmark file.") +
               further_sentence(known.doubt.empty() ? known.like : known.doubt);
    using How = data::KnownData::How;
    const auto by = known.how == How::digest    ? QObject::tr("digest")
                    : known.how == How::content ? QObject::tr("content")
                                                : QObject::tr("location, rows and channels");
    QString words = QObject::tr("Recognised by its %1: %2, %3.")
                        .arg(by, native_text(known.entry->name), translated(known.entry->title));
    if (known.how == How::content) words += u' ' + QObject::tr("The file has other bytes.");
    words += further_sentence(known.doubt);
    if (!known.entry->note.empty()) words += u' ' + translated(known.entry->note);
    return words;
}

QString describe_split(const data::Table& table, const DataReview& review, const QPalette& palette) {
    if (!review.plan) return {};
    const auto& plan = *review.plan;
    const QString muted = muted_colour(palette).name();
    const QString head =
        QStringLiteral("<th align='%1' style='padding-right:14px;font-weight:normal;color:%2'>%3</th>");
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'><tr>");
    html +=
        head.arg(QStringLiteral("left"), muted, QObject::tr("split")) +
        head.arg(QStringLiteral("right"), muted, QObject::tr("rows")) +
        head.arg(QStringLiteral("right"), muted, QObject::tr("file lines")) +
        head.arg(QStringLiteral("left"), muted, table.time.empty() ? QString() : QObject::tr("from – to")) +
        head.arg(QStringLiteral("right"), muted, QObject::tr("windows")) + QStringLiteral("</tr>");
    const auto [train, val, test] = plan.part_rows;
    html += part_row(table, QObject::tr("training"), 0, train, plan.train.windows);
    html += part_row(table, QObject::tr("validation"), train, val, plan.val.windows);
    html += part_row(table, QObject::tr("test"), train + val, test, plan.test.windows);
    if (plan.unused_rows() > 0)
        html +=
            part_row(table, QObject::tr("unused"), plan.rows - plan.unused_rows(), plan.unused_rows(), -1);
    html += QStringLiteral("</table>");
    QString rule = QObject::tr("Rule %1").arg(native_text(data::split_name(plan.rule)));
    if (review.choices.split.rule == "auto")
        rule += review.known.entry != nullptr
                    ? QObject::tr(" (the catalogue’s for %1)").arg(native_text(review.known.entry->name))
                    : QStringLiteral(" (70 / 10 / 20 %)");
    rule += QObject::tr("; windows with look-back L = %1 and horizon H = %2, stride 1.")
                .arg(count_text(plan.lookback), count_text(plan.horizon));
    if (plan.percent < 100)
        rule += QObject::tr(" Few-shot: trains on the oldest %1 %, up to line %2.")
                    .arg(plan.percent)
                    .arg(count_text(table.line_of(plan.train.end - 1)));
    return html + QStringLiteral("<p style='margin:4px 0 0 0'>%1</p>").arg(rule.toHtmlEscaped());
}

QString describe_scaler(const DataReview& review) {
    QStringList constant;
    for (const auto& channel : review.channels)
        if (channel.constant && channel.fate != ChannelFate::not_selected) constant << channel.name;
    QString words = QObject::tr(
                        "Each channel is scaled to (x − μ) / σ, with the mean μ and the population standard "
                        "deviation σ of its first %1%2; see the table below.")
                        .arg(counted(review.scaler_rows, QObject::tr("row"), QObject::tr("rows")),
                             review.plan ? QObject::tr(" (the training rows)") : QString());
    if (!constant.isEmpty())
        words += (constant.size() == 1 ? QObject::tr(" %1 is constant there; σ is set to 1.")
                                       : QObject::tr(" %1 are constant there; σ is set to 1."))
                     .arg(names_text(constant));
    if (review.used > 0)
        words += QObject::tr(" A batch consists of %1.")
                     .arg(review.single_channel || review.used == 1
                              ? QObject::tr("single-channel windows")
                              : QObject::tr("windows with all %1 channels").arg(review.used));
    QStringList targets;
    for (const auto& channel : review.channels)
        if (channel.target) targets << channel.name;
    if (!review.choices.targets.empty())
        words += QObject::tr(" Losses and errors are over %1.").arg(names_text(targets));
    return words;
}

QString describe_missing(const DataReview& review) {
    QStringList words;
    QStringList with;
    QStringList remarks;
    std::int64_t filled = 0;
    for (const auto& channel : review.channels) {
        if (channel.fate == ChannelFate::not_selected) continue;
        if (channel.gone > 0) with << channel.name;
        if (channel.fate == ChannelFate::filled) ++filled;
        if (!channel.remark.isEmpty() && remarks.size() < 4) remarks << channel.remark;
    }
    if (review.missing_cells == 0)
        words << QObject::tr("The selected channels have no missing cells.");
    else if (review.choices.missing == "interpolate")
        words << QObject::tr("%1 in %2 (%3) filled by linear interpolation.")
                     .arg(counted(review.missing_cells, QObject::tr("missing cell"),
                                  QObject::tr("missing cells")),
                          counted(with.size(), QObject::tr("channel"), QObject::tr("channels")),
                          names_text(with));
    else if (review.choices.missing == "drop-column")
        words << QObject::tr("%1 omitted because of %2: %3. %4 of %5 channels remain.")
                     .arg(counted(with.size(), QObject::tr("channel"), QObject::tr("channels")),
                          counted(review.missing_cells, QObject::tr("missing cell"),
                                  QObject::tr("missing cells")),
                          names_text(with), QString::number(review.used),
                          QString::number(review.channels.size()));
    else
        words << QObject::tr("%1 without a value in %2 (%3): a run cannot start with this setting.")
                     .arg(counted(review.missing_cells, QObject::tr("cell"), QObject::tr("cells")),
                          counted(with.size(), QObject::tr("channel"), QObject::tr("channels")),
                          names_text(with));
    for (const QString& remark : remarks) {
        QString text = remark;
        text[0] = text[0].toUpper();
        words << joined_message({}, text, {}, {});
    }
    for (const double value : review.nowhere)
        words << QObject::tr("The value %1 of data.sentinels does not occur.").arg(exact_text(value));
    return words.join(u'\n');
}

namespace {

QStringList facts_of_table(const DataFile& file) {
    const auto& table = *file.table;
    QStringList parts;
    parts << QStringLiteral("%1 × %2").arg(counted(table.rows(), QObject::tr("row"), QObject::tr("rows")),
                                           counted(static_cast<std::int64_t>(table.columns.size()),
                                                   QObject::tr("channel"), QObject::tr("channels")));
    if (!table.time.empty())
        parts << QStringLiteral("%1 – %2").arg(time_text(table.step.local.shown(table.time.front())),
                                               time_text(table.step.local.shown(table.time.back())));
    else
        parts << QObject::tr("no time column");
    if (table.step.local.zone != nullptr) parts << native_text(table.step.local.zone_name());
    if (table.step.is_known())
        parts << QObject::tr("every %1").arg(translated(data::frequency_name(table.step)));
    if (file.entry != nullptr) parts << QObject::tr("recognised: %1").arg(native_text(file.entry->name));
    if (file.is_corrected()) parts << QObject::tr("read with corrections");
    return parts;
}

QString lengths_text(const data::SeriesCollection& collection) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t series = 0; series < collection.size(); ++series)
        lengths.push_back(collection.length(series));
    const auto [least, most] = std::ranges::minmax_element(lengths);
    if (*least == *most)
        return QObject::tr("%1 each").arg(
            counted(*least, QObject::tr("training value"), QObject::tr("training values")));
    const auto shortest = count_text(*least), longest = count_text(*most);
    const auto middle = lengths.begin() + std::ssize(lengths) / 2;
    std::nth_element(lengths.begin(), middle, lengths.end());
    return QObject::tr("%1 to %2 training values each, median %3")
        .arg(shortest, longest, count_text(*middle));
}

QStringList facts_of_series(const data::SeriesCollection& collection) {
    const auto& frequency = collection.frequency;
    QStringList parts;
    parts << QObject::tr("%1 series").arg(count_text(collection.size())) << lengths_text(collection)
          << QObject::tr("%1 in total").arg(count_text(std::ssize(collection.values)))
          << QObject::tr("H = %1").arg(collection.horizon)
          << QObject::tr("%1, season %2").arg(native_text(frequency.name)).arg(frequency.season);
    if (const auto warnings = std::ssize(collection.warnings); warnings > 0)
        parts << counted(warnings, QObject::tr("warning"), QObject::tr("warnings"));
    return parts;
}

}  // namespace

QString describe_file(const DataFile& file) {
    if (!file.is_read()) return {};
    const auto parts = file.collection != nullptr ? facts_of_series(*file.collection) : facts_of_table(file);
    return parts.join(QStringLiteral("  ·  "));
}

}  // namespace casp::widgets
