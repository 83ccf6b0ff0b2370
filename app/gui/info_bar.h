#pragma once
// Non-modal messages with buttons in place of the status bar. They cover no view, and nothing moves when a
// usual one appears or disappears.

#include <functional>
#include <utility>
#include <vector>

#include <QFrame>
#include <QPointer>
#include <QString>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace casp::gui {

struct InfoButton {
    QString text, tip;
    std::function<void()> pressed;  ///< the message is closed afterwards
};

/// One of several messages, first the newest, over all of `strip`, which is always high enough for one of a
/// line with buttons, and higher only for the time of a longer one. Hidden when empty. Never takes the
/// keyboard focus.
class InfoBar : public QFrame {
    Q_OBJECT
public:
    explicit InfoBar(QWidget* strip = nullptr);

    /// `key`: a new message replaces the previous one with the same key. It stays for `seconds` (0: until
    /// closed); an error for as long after the next key or click, when somebody is there. If not `closable`,
    /// only its buttons close it, because their actions are available nowhere else (cancel running work, show
    /// its result).
    void show_message(const QString& key, const QString& text, bool error = false,
                      const std::vector<InfoButton>& buttons = {}, int seconds = 0, bool closable = true);
    /// Replaces the text of a shown message; its buttons do not move. Does nothing if it was closed.
    void set_text(const QString& key, const QString& text);
    void remove(const QString& key);
    [[nodiscard]] bool has(const QString& key) const;
    [[nodiscard]] QString text(const QString& key) const;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Shows the first message.
    void show_first();
    void place();
    void close_after(QWidget* row, int seconds, bool error);
    [[nodiscard]] QLabel* label_of(const QString& key) const;  ///< null if there is no such message
    QVBoxLayout* rows_;
    QPushButton* others_;                                    ///< shows the next message
    std::vector<std::pair<QPointer<QWidget>, int>> unseen_;  ///< errors and their seconds
};

}  // namespace casp::gui
