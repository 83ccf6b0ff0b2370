#pragma once
// Parts of the sweep editor's rows: the box of settings, flat buttons, problems, tab order.

#include <initializer_list>

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include "config/options.h"

namespace casp::widgets {

/// A box of all settings but the name, λ_cov and the seed first. Its data are the keys.
[[nodiscard]] QComboBox* make_setting_box(QWidget* parent, const QString& accessible_name);
/// The setting chosen in such a box.
[[nodiscard]] const config::OptionSpec& setting_of(const QComboBox& box);

/// A button without a frame that can have the keyboard focus.
[[nodiscard]] QToolButton* make_flat_button(QWidget* parent, const QString& text, const QString& tooltip,
                                            const QString& accessible_name);

/// A hidden label for show_row_problem().
[[nodiscard]] QLabel* make_problem_label(QWidget* parent);
/// Shows a problem below its row, marked; an empty one hides the label.
void show_row_problem(QLabel* label, const QString& problem);
/// The problem without its mark; empty: none.
[[nodiscard]] QString row_problem_of(const QLabel& label);

/// Places new widgets before `next` in the tab order instead of at the end of the window's.
void put_before(QWidget* next, std::initializer_list<QWidget*> widgets);

}  // namespace casp::widgets
