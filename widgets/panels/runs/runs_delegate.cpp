#include "panels/runs/runs_delegate.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include "panels/runs/runs_model.h"
#include "panels/training/training_progress.h"
#include "panels/view/icons.h"
#include "store/result_columns.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

constexpr int margin = 6;

const RunSummary& summary_of(const QModelIndex& index) {
    return *static_cast<const RunSummary*>(index.data(RunsModel::SummaryRole).value<void*>());
}

QColor text_colour(const QStyleOptionViewItem& option, QPalette::ColorRole role = QPalette::Text) {
    if ((option.state & QStyle::State_Selected) != 0 && role == QPalette::Text)
        role = QPalette::HighlightedText;
    return option.palette.color(role);
}

/// Muted text and state colours lose their contrast on a selected row.
QColor on_row(const QStyleOptionViewItem& option, const QColor& colour) {
    return (option.state & QStyle::State_Selected) != 0 ? option.palette.color(QPalette::HighlightedText)
                                                        : colour;
}

void draw_text(QPainter& painter, const QRect& box, const QString& text, const QColor& colour,
               int alignment) {
    painter.setPen(colour);
    painter.drawText(box, alignment | Qt::AlignVCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, box.width()));
}

/// On a selected row the circle has a rim in the text colour, so that any run colour is visible.
void draw_run(QPainter& painter, const QRectF& box, const QStyleOptionViewItem& option, const RunSummary& run,
              bool shown) {
    draw_swatch(painter, box, run.colour, shown);
    if ((option.state & QStyle::State_Selected) == 0) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(option.palette.color(QPalette::HighlightedText), 1.4));
    painter.drawEllipse(box.center(), box.width() / 2, box.width() / 2);
    painter.restore();
}

Aside aside_of(const QModelIndex& index) {
    return static_cast<Aside>(index.data(RunsModel::AsideRole).toInt());
}

/// The state's icon, with special ones for paused runs and unreadable finished runs.
void draw_state(QPainter& painter, const QRectF& box, const QModelIndex& index,
                const QStyleOptionViewItem& option) {
    const auto state = state_of(summary_of(index));
    auto glyph = glyph_of(state);
    auto colour = state_colour(state, option.palette);
    if (!index.data(RunsModel::DamageRole).toString().isEmpty()) {
        glyph = Glyph::warning;
        colour = warning_colour(option.palette);
    } else if (aside_of(index) == Aside::paused) {
        glyph = Glyph::pause;
        colour = warning_colour(option.palette);
    }
    draw_glyph(painter, box, glyph, on_row(option, colour));
}

void draw_star(QPainter& painter, const QRectF& box, const QStyleOptionViewItem& option) {
    draw_glyph(painter, box, Glyph::star, on_row(option, warning_colour(option.palette)));
}

/// What a run with a star is the best by.
QString best_label(const RunSummary& run) {
    return store::has_scores(run.row) ? RunsDelegate::tr("best val. sMAPE")
                                      : RunsDelegate::tr("best val. MSE");
}

constexpr int note_mark = 11;  ///< width of the note icon

QFont small(const QFont& font) {
    QFont result = font;
    const int pixels = QFontMetrics(font).height();
    if (font.pointSizeF() > 0)
        result.setPointSizeF(std::max(8.5, font.pointSizeF() - 1));  // 11 px at 96 dpi
    else
        result.setPixelSize(std::max(11, pixels - 3));
    return result;
}

}  // namespace

QString action_title(const RunLibrary& library, const QString& folder) {
    return run_title(library, folder).replace(QLatin1Char('&'), QLatin1String("&&"));
}

int RunsDelegate::row_height(const QFont& font) const {
    const QFontMetrics metrics(font), small_metrics(small(font));
    return compact_ ? metrics.height() + small_metrics.height() + 14 : metrics.height() + 10;
}

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto column = static_cast<RunsColumn>(index.column());
    int width = option.fontMetrics.horizontalAdvance(index.data(Qt::DisplayRole).toString()) + 2 * margin + 4;
    if (column == RunsColumn::state) width += 22;
    return {std::max(width, 40), row_height(option.font)};
}

void RunsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    QStyleOptionViewItem o = option;
    initStyleOption(&o, index);
    o.palette.setCurrentColorGroup((o.state & QStyle::State_Active) != 0 ? QPalette::Active
                                                                         : QPalette::Inactive);
    // The style draws background, selection and focus; this delegate draws the content.
    const QStyle* style = o.widget != nullptr ? o.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &o, painter, o.widget);
    painter->save();
    painter->setFont(o.font);
    const auto& run = summary_of(index);
    const auto column = static_cast<RunsColumn>(index.column());
    const QRect box = o.rect.adjusted(margin, 0, -margin, 0);
    const QColor text = text_colour(o);
    if (compact_ && column == RunsColumn::name) {
        paint_compact(*painter, o, index);
    } else if (column == RunsColumn::shown) {
        const bool shown = index.data(RunsModel::ShownRole).toBool();
        QColor colour = shown ? text : on_row(o, muted_colour(o.palette));
        if (!shown) colour.setAlphaF(0.55F);
        const QRectF middle(o.rect.center().x() - 8.0, o.rect.center().y() - 8.0, 17, 17);
        draw_glyph(*painter, middle, shown ? Glyph::eye : Glyph::eye_closed, colour);
    } else if (column == RunsColumn::colour) {
        const QRectF middle(o.rect.center().x() - 8.0, o.rect.center().y() - 7.0, 15, 15);
        draw_run(*painter, middle, o, run, index.data(RunsModel::ShownRole).toBool());
    } else if (column == RunsColumn::state) {
        draw_state(*painter, QRectF(box.left(), o.rect.center().y() - 6.5, 14, 14), index, o);
        const double share = index.data(RunsModel::ProgressRole).toDouble();
        QString word = index.data(RunsModel::StateRole).toString();
        if (share >= 0 && aside_of(index) == Aside::none)
            word += QStringLiteral(" %1 %").arg(static_cast<int>(share * 100));
        draw_text(*painter, box.adjusted(20, 0, 0, 0), word, text, Qt::AlignLeft);
        if (share >= 0)
            draw_progress(*painter, QRect(box.left(), o.rect.bottom() - 3, box.width(), 2), share,
                          on_row(o, o.palette.color(QPalette::Highlight)));
    } else if (column == RunsColumn::name) {
        const auto name =
            names_.shown(o, index, box.width(), [](const QModelIndex& row) { return summary_of(row).name; });
        draw_text(*painter, box, name, text, Qt::AlignLeft);
    } else if (column == RunsColumn::best) {
        if (run.best) draw_star(*painter, {o.rect.center().x() - 7.0, o.rect.center().y() - 7.0, 14, 14}, o);
    } else {
        const QString shown_text = index.data(Qt::DisplayRole).toString();
        const bool weak = shown_text == QStringLiteral("–") || column == RunsColumn::updated;
        const bool right = (index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
        draw_text(*painter, box, shown_text, weak ? on_row(o, muted_colour(o.palette)) : text,
                  right ? Qt::AlignRight : Qt::AlignLeft);
    }
    painter->restore();
}

void RunsDelegate::paint_compact(QPainter& painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
    const auto& run = summary_of(index);
    const auto state = state_of(run);
    const QRect all = option.rect.adjusted(margin, 5, -margin, -5);
    draw_run(painter, QRectF(all.left(), all.top() + 1, 16, 16), option, run,
             index.data(RunsModel::ShownRole).toBool());
    const QRect lines = all.adjusted(23, 0, 0, 0);
    const int first = option.fontMetrics.height();
    const QColor text = text_colour(option), weak = on_row(option, muted_colour(option.palette));
    const auto best = run.best ? best_label(run) : QString();
    const int best_width = run.best ? 24 + QFontMetrics(small(option.font)).horizontalAdvance(best) : 0;
    QRect top(lines.left(), lines.top(), lines.width() - best_width, first);
    const auto title = names_.shown(option, index, top.width(),
                                    [](const QModelIndex& row) { return compact_title(summary_of(row)); });
    draw_text(painter, top, title, text, Qt::AlignLeft);
    if (run.best) {
        // Beside what it is the best of: below is a test error.
        painter.setFont(small(option.font));
        draw_text(painter, QRect(lines.left(), lines.top(), lines.width(), first), best, weak,
                  Qt::AlignRight);
        draw_star(painter, QRectF(lines.right() - best_width + 8, lines.top() + 1, 14, 14), option);
        painter.setFont(option.font);
    }
    if (!run.note.isEmpty()) {
        // The icon is always visible, the note as far as there is space.
        const int used = painter.fontMetrics().horizontalAdvance(title) + 8;
        top.setLeft(std::min(top.left() + used, top.right() - note_mark));
        if (used + note_mark > lines.width() - best_width)
            painter.fillRect(top.adjusted(-2, 0, 0, 0), option.palette.color(QPalette::Base));
        draw_glyph(painter, QRectF(top.left() - 2, top.center().y() - 7.0, 14, 14), Glyph::note, weak);
        painter.setFont(small(option.font));
        draw_text(painter, top.adjusted(note_mark + 3, 0, 0, 0), run.note, weak, Qt::AlignLeft);
    }

    painter.setFont(small(option.font));
    QRect second(lines.left(), lines.top() + first + 3, lines.width(), painter.fontMetrics().height());
    const double share = index.data(RunsModel::ProgressRole).toDouble();
    // A finished run needs no state text: it has an error. Every other state is named. During training and
    // validation, the fraction of steps is shown here and the stage in the middle.
    QString right = index.data(RunsModel::StateRole).toString();
    QString pace = index.data(RunsModel::PaceRole).toString();
    const auto aside = aside_of(index);
    const bool trains = aside == Aside::none || aside == Aside::validating;
    if (store::is_complete(state))
        right = store::has_scores(run.row)
                    ? QStringLiteral("sMAPE ") + display_text(run, result_column("test_smape"))
                    : QStringLiteral("MSE ") + display_text(run, result_column("test_mse"));
    else if (state == store::RunState::running && share >= 0 && trains)
        right = QStringLiteral("%1 %").arg(static_cast<int>(share * 100));
    else if (state == store::RunState::running && pace.startsWith(right))  // not twice
        pace = pace.mid(right.size()).remove(0, pace.size() > right.size() ? 3 : 0);
    const int width = painter.fontMetrics().horizontalAdvance(right);
    draw_text(painter, second, right,
              store::is_complete(state) ? text : on_row(option, state_colour(state, option.palette)),
              Qt::AlignRight);
    draw_state(painter, QRectF(second.right() - width - 17, second.center().y() - 5.5, 12, 12), index,
               option);
    second.setRight(second.right() - width - 22);
    QStringList left;
    if (std::isfinite(run.row.lambda_cov))  // not of a model without coverage
        left << QStringLiteral("λ_cov ") + display_text(run, result_column("lambda_cov"));
    left << (pace.isEmpty() ? QStringLiteral("seed ") + display_text(run, result_column("seed")) : pace);
    draw_text(painter, second, left.join(QStringLiteral(" · ")), weak, Qt::AlignLeft);
    if (share >= 0)
        draw_progress(painter, QRect(lines.left(), option.rect.bottom() - 3, lines.width(), 2), share,
                      on_row(option, option.palette.color(QPalette::Highlight)));
}

bool RunsDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
    const auto column = static_cast<RunsColumn>(index.column());
    const bool compact_name = compact_ && column == RunsColumn::name;
    if (column != RunsColumn::shown && !compact_name)
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonDblClick &&
        event->type() != QEvent::MouseButtonPress)
        return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton) return false;
    if (compact_name && mouse->position().x() > option.rect.left() + margin + 20) return false;
    if (event->type() == QEvent::MouseButtonRelease) {
        const QModelIndex cell = index.siblingAtColumn(static_cast<int>(RunsColumn::shown));
        const bool shown = index.data(RunsModel::ShownRole).toBool();
        model->setData(cell, static_cast<int>(shown ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
    }
    return true;
}

}  // namespace casp::widgets
