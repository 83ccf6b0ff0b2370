#pragma once
// Lines over the lower edge of the views that tell something and offer what to do: nothing modal, and nothing
// moves away under the pointer when they come and go.

#include <functional>
#include <vector>

#include <QFrame>
#include <QString>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace casp::gui {

struct InfoButton {
    QString text, tip;
    std::function<void()> pressed;  ///< the message goes away afterwards
};

/// A stack of messages, the newest on top, over the lower edge of `parent`, which keeps its layout; empty:
/// not there. Never takes the keyboard by itself.
class InfoBar : public QFrame {
    Q_OBJECT
public:
    explicit InfoBar(QWidget* parent = nullptr);

    /// `key`: a later message of the same key replaces the earlier one. An error stays until it is closed,
    /// others for `seconds` (0: until closed). Not `closable`: only its buttons take it away, since nothing
    /// else offers what they do (to cancel work that goes on, to look at what was made).
    void show_message(const QString& key, const QString& text, bool error = false,
                      const std::vector<InfoButton>& buttons = {}, int seconds = 0, bool closable = true);
    /// Another text in a message that is shown: its buttons stay under the pointer. Nothing where it was
    /// closed.
    void set_text(const QString& key, const QString& text);
    void remove(const QString& key);
    [[nodiscard]] bool has(const QString& key) const;
    [[nodiscard]] QString text(const QString& key) const;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    [[nodiscard]] QLabel* label_of(const QString& key) const;  ///< null where there is no such message
    QVBoxLayout* rows_;
};

}  // namespace casp::gui
