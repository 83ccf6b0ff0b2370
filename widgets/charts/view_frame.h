#pragma once
// Frame around a view: a small title, controls, the ⤢ button and the ⋯ menu.

#include <functional>

#include <QFrame>

#include "figures/figure.h"

class QAction;
class QBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace casp::widgets {

class FigureView;

/// More than 25 methods: most implement one entry of its header or ⋯ menu.
class ViewFrame : public QFrame {
    Q_OBJECT
public:
    /// `help_topic` names a page of the help; empty: no help entry.
    explicit ViewFrame(const QString& title, const QString& help_topic = {}, QWidget* parent = nullptr);

    void set_title(const QString& title);
    [[nodiscard]] QString title() const;

    /// Sets the content; takes ownership. A FigureView provides its figure to the ⋯ menu automatically.
    void set_content(QWidget* content);
    [[nodiscard]] QWidget* content() const { return content_; }
    /// The content, or the FigureView inside it; null: none.
    [[nodiscard]] FigureView* figure_view() const;

    /// Puts a control into the header, right of the title, in the order of the calls.
    void add_control(QWidget* control);
    /// The ⋯ menu, for additional entries, which are placed above the common ones.
    void add_action(QAction* action);
    [[nodiscard]] QMenu* menu() const { return menu_; }

    /// For contents other than a FigureView (VTK views, tables): the figure behind the picture, and the
    /// picture itself.
    void set_figure_source(std::function<figures::Figure()> source);
    void set_picture_source(std::function<QImage()> source);
    /// Whether the content is still being computed. Not needed for a FigureView.
    void set_busy_source(std::function<bool()> source);
    /// A button below an empty content: the action that fills it. Null: none.
    void set_offer(QAction* action);
    [[nodiscard]] QToolButton* offer() const { return offer_; }
    /// Shows the settings of the shown runs; adds an entry to the ⋯ menu.
    void set_settings(std::function<void()> show);

    /// The current figure; without plots if empty.
    [[nodiscard]] figures::Figure current_figure() const;
    /// Whether a new figure is being computed.
    [[nodiscard]] bool is_busy() const;

    /// Draws ⤢ as pressed; the main window moves the view (signal maximise_requested).
    void set_maximised(bool maximised);
    [[nodiscard]] bool maximised() const;

public Q_SLOTS:
    void copy_picture();
    void copy_numbers();
    void export_figure();
    void show_settings();
    /// As a click on ⤢.
    void enlarge_or_put_back();

Q_SIGNALS:
    /// ⤢ was pressed: fill the centre, or go back.
    void maximise_requested(bool maximise);
    void help_requested(const QString& topic);
    /// Message for the status bar or the message drawer, such as "Picture copied".
    void message(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void make_buttons();
    void make_menu();
    void make_offer();
    void update_menu();
    void update_tooltips();
    void report_empty();

    QString title_text_;
    QLabel* title_ = nullptr;
    QBoxLayout* layout_ = nullptr;
    QBoxLayout* header_ = nullptr;
    int controls_at_ = 0;
    QToolButton* maximise_ = nullptr;
    QToolButton* more_ = nullptr;
    QMenu* menu_ = nullptr;
    QAction* first_common_ = nullptr;
    QAction *copy_picture_ = nullptr, *copy_numbers_ = nullptr, *export_ = nullptr, *settings_ = nullptr;
    QWidget* content_ = nullptr;
    QToolButton* offer_ = nullptr;
    QString help_topic_;
    std::function<figures::Figure()> figure_source_;
    std::function<QImage()> picture_source_;
    std::function<bool()> busy_source_;
    std::function<void()> show_settings_;
};

}  // namespace casp::widgets
