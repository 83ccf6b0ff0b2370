#pragma once
// Non-modal messages with buttons over the lower edge of the views. They overlay the views, so that nothing
// moves when they appear or disappear.

#include <functional>
#include <utility>
#include <vector>

#include <QFrame>
#include <QPointer>
#include <QString>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace casp::gui {

struct InfoButton {
    QString text, tip;
    std::function<void()> pressed;  ///< the message is closed afterwards
};

/// A stack of messages, newest on top, over the lower edge of `parent`, whose layout is unaffected. Hidden
/// when empty. Never takes the keyboard focus.
class InfoBar : public QFrame {
    Q_OBJECT
public:
    explicit InfoBar(QWidget* parent = nullptr);

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
    void place();
    void close_after(QWidget* row, int seconds);
    [[nodiscard]] QLabel* label_of(const QString& key) const;  ///< null if there is no such message
    QVBoxLayout* rows_;
    std::vector<std::pair<QPointer<QWidget>, int>> unseen_;  ///< errors and their seconds
};

}  // namespace casp::gui
