#pragma once
// Help inside the application: one page for each panel (resources/help/*.md), opened by F1.

#include <QWidget>

class QTextBrowser;
class QTextEdit;
class QListWidget;

namespace casp::gui {

class HelpPanel : public QWidget {
    Q_OBJECT
public:
    explicit HelpPanel(QWidget* parent = nullptr);
    /// Shows the page of a topic ("data", "training", …); an option's key shows its entry in the list of
    /// options; an unknown topic the contents.
    void show_topic(const QString& topic);
    /// Replaces "[actions]" on the page "keyboard": Markdown (keyboard_page.h).
    void set_keyboard_tables(const QString& tables);
    [[nodiscard]] QString topic() const { return topic_; }
    [[nodiscard]] QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    QListWidget* contents_ = nullptr;
    QTextBrowser* page_ = nullptr;
    QString topic_, keyboard_tables_;
};

/// Gives the links of a text set as Markdown the palette's colour: they have a fixed blue otherwise, which is
/// illegible on dark backgrounds.
void colour_links(const QTextEdit& page, const QPalette& palette);

}  // namespace casp::gui
