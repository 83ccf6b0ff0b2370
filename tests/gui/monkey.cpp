// Somebody who presses everything: random clicks, keys, drops, sizes, themes and closings of the real window
// while runs start and stop. It must neither crash, hang nor lose what was entered.
//
//     casp_monkey [--seed N] [--seconds S] [--steps N]
//
// The same seed gives the same decisions; what they meet also depends on how far the runs are by then. Every
// step is printed before it is done, so the last line names what failed. Exit status: 0 when the time is
// over, 3 when something that was entered is gone; it aborts when the event loop stands still for more than
// `hang_seconds`. Everything happens in a temporary folder; nothing reaches the network.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>

#include <QApplication>
#include <QComboBox>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QDir>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTextEdit>
#include <QTimer>
#include <QUndoStack>
#include <QWheelEvent>

#include "gui/theme.h"
#include "vtk/opengl.h"
#include "window_fixture.h"

using namespace casp;

namespace {

constexpr int hang_seconds = 60;

/// Ends the process when the event loop makes no step for too long.
class Watch {
public:
    Watch()
        : thread_([this] {
              int last = -1;
              for (int still = 0; !over_;) {
                  std::this_thread::sleep_for(std::chrono::seconds(1));
                  still = steps_ == last ? still + 1 : 0;
                  last = steps_;
                  if (still < hang_seconds) continue;
                  std::fprintf(stderr, "monkey: the event loop stood still for %d s\n", hang_seconds);
                  std::abort();  // a debugger shows where
              }
          }) {}
    ~Watch() {
        over_ = true;
        thread_.join();
    }
    void step() { ++steps_; }

private:
    std::atomic<int> steps_{0};
    std::atomic<bool> over_{false};
    std::thread thread_;
};

/// Swallows what would open a browser or a file manager.
class NoDesktop : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void open(const QUrl&) {}
};

class Monkey : public QObject {
    Q_OBJECT
public:
    Monkey(quint64 seed, int seconds, int steps) : random_(seed), seconds_(seconds), most_steps_(steps) {
        files_ << place_.csv();
        write("broken.csv", "a,b\n1,\"2\n3,4\n");
        write("empty.csv", "");
        write("binary.csv", QByteArray("\0\1\2\3\xff\xfe", 6));
        write("short.csv", "date,x\n2020-01-01,1\n");
        write("broken.toml", "[data\npath = 3");
        write("strange.toml", "[nothing]\nx = 1\n");
        write("good.toml", QByteArray::fromStdString(config::to_toml(place_.tiny(3))));
        files_ << place_.path("nowhere.csv") << place_.path(".");
        open();
        clock_.start();
        QTimer::singleShot(0, this, &Monkey::act);
    }
    [[nodiscard]] int steps() const { return steps_; }

private:
    void write(const QString& name, const QByteArray& bytes) {
        QFile file(place_.path(name));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        files_ << file.fileName();
    }
    void open() {
        window_ = place_.open();
        if (++windows_ == 1) window_->experiment().replace(place_.tiny(20), {}, "tiny");
    }
    int pick(int n) { return n <= 0 ? 0 : static_cast<int>(random_() % static_cast<quint64>(n)); }
    void say(const char* what, const QString& text = {}) const {
        std::printf("%d %.1f s: %s %s\n", steps_, double(clock_.elapsed()) / 1000, what, qPrintable(text));
        std::fflush(stdout);
    }

    void act() {
        ++inside_;
        decide();
        --inside_;
    }
    void decide() {
        watch_.step();
        ++steps_;
        if (clock_.elapsed() > seconds_ * 1000 || (most_steps_ > 0 && steps_ > most_steps_)) return end();
        // A timer of its own each time: a menu or question that opens now waits in a loop in which the monkey
        // goes on.
        QTimer::singleShot(std::exchange(delay_ms_, 0), this, &Monkey::act);
        if (closing_ || !window_->isVisible()) return reopen();
        // File dialogs show the whole disk: they are only closed.
        for (auto* dialog : window_->findChildren<QFileDialog*>())
            if (dialog->isVisible()) {
                say("close", dialog->windowTitle());
                return dialog->reject();
            }
        auto* over = QApplication::activePopupWidget();
        if (over == nullptr) over = QApplication::activeModalWidget();
        const int chance = pick(1000);
        if (over != nullptr && chance < 250) return key(over, Qt::Key_Escape);
        if (chance < 380) return click(over);
        if (chance < 600) return type();
        if (chance < 760) return act_by_name();
        if (chance < 800) return drop();
        if (chance < 830) return wheel();
        if (chance < 860) return resize();
        if (chance < 880) return theme();
        if (chance < 910) return undo();
        if (chance < 916) return close();
        if (chance < 940) return start_or_stop();
        delay_ms_ = pick(40);
    }

    QWidget* any_widget(QWidget* over) {
        QList<QWidget*> visible;
        for (auto* widget : (over != nullptr ? over : window_.get())->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && !widget->visibleRegion().isEmpty())
                visible << widget;
        return visible.isEmpty() ? nullptr : visible[pick(static_cast<int>(visible.size()))];
    }
    void click(QWidget* over) {
        auto* widget = any_widget(over);
        if (widget == nullptr) return;
        const QPoint at(pick(widget->width()), pick(widget->height()));
        const auto button = pick(8) == 0 ? Qt::RightButton : Qt::LeftButton;
        const auto modifiers = pick(5) == 0   ? Qt::KeyboardModifiers(Qt::ControlModifier)
                               : pick(5) == 0 ? Qt::KeyboardModifiers(Qt::ShiftModifier)
                                              : Qt::KeyboardModifiers();
        say("click", QString("%1 %2 at %3,%4")
                         .arg(widget->metaObject()->className(), widget->objectName())
                         .arg(at.x())
                         .arg(at.y()));
        QPointer<QWidget> alive(widget);
        if (pick(6) == 0) {
            QTest::mousePress(widget, Qt::LeftButton, modifiers, at);
            if (alive) QTest::mouseMove(alive, QPoint(pick(alive->width()), pick(alive->height())));
            if (alive) QTest::mouseRelease(alive, Qt::LeftButton, modifiers, at);
        } else if (pick(10) == 0) {
            QTest::mouseDClick(widget, button, modifiers, at);
        } else {
            QTest::mouseClick(widget, button, modifiers, at);
        }
    }
    void key(QWidget* widget, int key, Qt::KeyboardModifiers modifiers = {}) {
        say("key", QString::number(key, 16) + " to " + widget->metaObject()->className());
        QTest::keyClick(widget, static_cast<Qt::Key>(key), modifiers);
    }
    void type() {
        auto* focus = QApplication::focusWidget();
        if (focus == nullptr) return;
        static constexpr Qt::Key keys[] = {
            Qt::Key_Tab,  Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,  Qt::Key_Up,
            Qt::Key_Down, Qt::Key_Left,    Qt::Key_Right,  Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp,
            Qt::Key_F6,   Qt::Key_Delete,  Qt::Key_Plus,   Qt::Key_Minus,  Qt::Key_Escape, Qt::Key_F1,
            Qt::Key_0,    Qt::Key_2,       Qt::Key_3,      Qt::Key_L};
        static const QStringList texts{"0.1", "-5",  "1e99", "λ_cov", "nan", "abc",
                                       "7",   "ETT", ",",    "\"",    "=",   "2021, 2022"};
        if (pick(3) == 0) {
            const auto text = texts[pick(static_cast<int>(texts.size()))];
            say("type", text + " into " + focus->metaObject()->className());
            // Not keyClicks(): it knows ASCII only.
            for (const auto& letter : text)
                for (const auto kind : {QEvent::KeyPress, QEvent::KeyRelease})
                    if (auto* now = QApplication::focusWidget(); now != nullptr) {
                        QKeyEvent event(kind, Qt::Key_unknown, Qt::NoModifier, letter);
                        QApplication::sendEvent(now, &event);
                    }
        } else {
            key(focus, keys[pick(static_cast<int>(std::size(keys)))]);
        }
    }
    void act_by_name() {
        const auto& entries = window_->actions().entries();
        const auto& entry = entries[static_cast<std::size_t>(pick(static_cast<int>(entries.size())))];
        if (entry.spec.id == "file.quit" || !entry.action->isEnabled()) return;
        say("action", entry.spec.id);
        entry.action->trigger();
    }
    void drop() {
        QMimeData mime;
        QList<QUrl> urls;
        for (int i = 0; i <= pick(2); ++i)
            urls << QUrl::fromLocalFile(files_[pick(static_cast<int>(files_.size()))]);
        if (pick(10) == 0) urls << QUrl("https://example.org/a.csv");
        mime.setUrls(urls);
        say("drop", urls.front().toString());
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &event);
    }
    void wheel() {
        auto* widget = any_widget(nullptr);
        if (widget == nullptr) return;
        say("wheel", widget->metaObject()->className());
        const QPointF at(pick(widget->width()), pick(widget->height()));
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, pick(2) == 0 ? 120 : -120}, Qt::NoButton,
                          pick(3) == 0 ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    void resize() {
        const QSize size(700 + pick(1200), 500 + pick(700));
        say("resize", QString("%1 × %2").arg(size.width()).arg(size.height()));
        window_->resize(size);
    }
    void theme() {
        say("theme");
        window_->set_theme(pick(2) == 0 ? gui::Theme::dark : gui::Theme::light);
    }
    void undo() {
        say("undo");
        auto* stack = window_->experiment().undo_stack();
        pick(2) == 0 ? stack->undo() : stack->redo();
    }
    void start_or_stop() {
        if (!window_->queue().is_running()) {
            auto config = place_.tiny(1 + pick(8));
            config.loss.lambda_cov = pick(10) * 0.1;
            config.train.seed = pick(3);
            say("run", QString::number(config.loss.lambda_cov));
            window_->experiment().replace(config, {}, "monkey");
            window_->actions().find("run.start")->trigger();
            return;
        }
        const auto& items = window_->queue().items();
        const int id = items[static_cast<std::size_t>(pick(static_cast<int>(items.size())))].id;
        const int what = pick(5);
        say("queue", QString::number(what));
        if (what == 0) window_->queue().cancel(id);
        if (what == 1) window_->queue().finish_early(id);
        if (what == 2) window_->queue().pause(id, pick(2) == 0);
        if (what == 3) window_->queue().hold(pick(2) == 0);
        if (what == 4) window_->queue().remove(id);
    }
    void close() {
        say("close the window");
        entered_ = config::to_toml(window_->experiment().config());
        closing_ = true;
        window_->close();
    }
    void reopen() {
        if (window_->isVisible()) {  // it saves a checkpoint
            delay_ms_ = 5;
            return;
        }
        // Within a loop of a dialog or menu its window must not go.
        if (close_what_waits()) return;
        const bool asked = std::exchange(closing_, false);
        const auto before = asked ? entered_ : config::to_toml(window_->experiment().config());
        say("open the window again");
        window_.reset();
        open();
        if (config::to_toml(window_->experiment().config()) == before) return;
        std::fprintf(stderr, "monkey: what was entered is gone:\n%s\n", before.c_str());
        std::_Exit(3);
    }
    /// Menus and questions, one of each a call; true if there was one.
    bool close_what_waits() {
        auto* popup = QApplication::activePopupWidget();
        auto* modal = QApplication::activeModalWidget();
        if (popup != nullptr) popup->close();
        if (modal != nullptr) modal->close();
        if (popup != nullptr || modal != nullptr) delay_ms_ = 5;
        return popup != nullptr || modal != nullptr;
    }
    void end() {
        say("end");
        // Out of every menu and question first.
        if (close_what_waits() || inside_ > 1)
            QTimer::singleShot(10, this, &Monkey::end);
        else
            QApplication::exit();  // quit() asks the window, which saves a checkpoint first
    }

    test::WindowPlace place_;
    std::unique_ptr<gui::MainWindow> window_;
    std::mt19937_64 random_;
    Watch watch_;
    QStringList files_;
    QElapsedTimer clock_;
    std::string entered_;
    int seconds_, most_steps_, steps_ = 0, windows_ = 0;
    int inside_ = 0;    ///< acts that have not returned: they wait in loops of their own
    int delay_ms_ = 0;  ///< before the act after the next
    bool closing_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    const QTemporaryDir home;
    for (const auto* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, home.path().toUtf8());
    for (const auto* name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"})
        qputenv(name, "http://127.0.0.1:9");  // nobody answers there
    QDir::setCurrent(home.path());
    widgets::set_default_surface_format();
    QApplication application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    gui::remember_system_palette(application);
    NoDesktop nothing;
    for (const auto* scheme : {"file", "http", "https"})
        QDesktopServices::setUrlHandler(scheme, &nothing, "open");

    QCommandLineParser parser;
    const QCommandLineOption seed("seed", "", "N", "1"), seconds("seconds", "", "S", "20"),
        steps("steps", "", "N", "0");
    parser.addOptions({seed, seconds, steps});
    parser.process(application);
    int done = 0;
    {
        Monkey monkey(parser.value(seed).toULongLong(), parser.value(seconds).toInt(),
                      parser.value(steps).toInt());
        QApplication::exec();
        done = monkey.steps();
    }
    for (const auto* scheme : {"file", "http", "https"}) QDesktopServices::unsetUrlHandler(scheme);
    std::printf("monkey: %d steps, seed %s\n", done, qPrintable(parser.value(seed)));
    return done > 20 ? 0 : 1;
}

#include "monkey.moc"
