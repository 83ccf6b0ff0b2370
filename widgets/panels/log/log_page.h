#pragma once
// Log page: log.txt of the highlighted run, else of the only shown one, followed while it grows.

#include <cstdint>
#include <optional>

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QTimer>
#include <QWidget>

#include "state/job.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

/// GUI thread; the file is read in the background, once a second, and only while the page is visible.
class LogPage : public QWidget {
    Q_OBJECT
public:
    /// Of a longer log only the end is read. Bytes.
    static constexpr std::int64_t max_bytes = 1'000'000;

    /// Both must outlive the page.
    LogPage(RunLibrary& library, Selection& selection, QWidget* parent = nullptr);

    /// The lines that pass the filter.
    [[nodiscard]] QString text() const { return view_->toPlainText(); }
    /// Whose log this is, and what of it is missing; or why there is none.
    [[nodiscard]] QString caption() const { return caption_->text(); }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QString text;
        std::int64_t size = -1;  ///< of the file in bytes; −1: there is none
    };
    /// Nothing: its size is `known_size`, and its text as before.
    [[nodiscard]] static std::optional<Part> read(const QString& file, std::int64_t known_size);
    void choose_run();
    void look();
    void show_caption();
    void show_lines();

    RunLibrary& library_;
    Selection& selection_;
    QString run_;  ///< folder; empty: no run, or several
    Part part_;
    QLabel* caption_;
    QLineEdit* filter_;
    QPlainTextEdit* view_;
    QSyntaxHighlighter* colours_;
    QTimer clock_;
    Job<std::optional<Part>> job_;
};

}  // namespace casp::widgets
