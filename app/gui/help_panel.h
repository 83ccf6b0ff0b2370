#pragma once
// Help inside the application: one page for each panel (resources/help/*.md), opened by F1.

#include <QWidget>

class QTextBrowser;
class QListWidget;

namespace casp::widgets {
struct PageSpec;
}

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

private:
    QListWidget* contents_;
    QTextBrowser* page_;
    QString topic_, keyboard_tables_;
};

/// Names of the help pages, in the order of the contents.
[[nodiscard]] QStringList help_topics();

/// The page in the list of pages (gui/pages.h).
[[nodiscard]] widgets::PageSpec help_page_spec();

}  // namespace casp::gui
