// Somebody who presses everything: random clicks, keys, drops, sizes, themes and closings of the real window
// while runs start and stop. It must neither crash, hang nor lose what was entered.
//
//     casp_monkey [--seed N] [--seconds S] [--faults]
//
// --faults: before one step in `steps_per_fault` something goes wrong with the disk for some steps and is put
// right again; then runs that were complete must be readable and the session must hold what was entered. At
// the end a run must still train. Files cannot grow at times: print into a pipe (2>&1 | tee LOG).
//
// Every step is printed before it is done, so the last line names what failed; how far the runs are, and with
// it what a press does, depends on the machine. Exit status: 0 when the time is over, 3 when something that
// was entered or saved is gone; it aborts when the event loop stands still for longer than `patience`.
// Everything happens in a temporary folder; nothing reaches the network.

#include <sys/stat.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>
#include <tuple>
#include <utility>

#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QDir>
#include <QDirIterator>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QUndoStack>
#include <QWheelEvent>

#include "gui/theme.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "vtk/opengl.h"
#include "window_fixture.h"

using namespace casp;

namespace {

constexpr int patience = 60;                             ///< seconds
constexpr int steps_per_fault = 20, longest_fault = 40;  ///< the latter in steps

[[noreturn]] void give_up(const char* what, const std::string& details) {
    std::fprintf(stderr, "monkey: %s:\n%s\n", what, details.c_str());
    std::fflush(stdout);
    std::_Exit(3);
}

/// Swallows what would open a browser or a file manager.
class NoDesktop : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void open(const QUrl&) {}
};

QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString& path, const QByteArray& bytes) {
    if (QFile file(path); file.open(QIODevice::WriteOnly)) file.write(bytes);
}

/// What is wrong with a run that was complete, or "". One that is not there any more, or is trained again, is
/// fine: the monkey may have done that.
QString damage_of(const QString& run) {
    try {
        const store::RunFolder folder(run.toStdString());
        const auto status = store::read_run_status(folder);
        if (!status) throw std::runtime_error(run.toStdString() + " has no run.json any more");
        if (store::is_complete(status->row.state)) std::ignore = store::read_run_file(folder.run_file());
    } catch (const std::exception& problem) {
        if (QFileInfo::exists(run)) return QString::fromUtf8(problem.what());
    }
    return {};
}

class Monkey : public QObject {
    Q_OBJECT
public:
    Monkey(quint64 seed, int seconds, bool faults) : random_(seed), seconds_(seconds), has_faults_(faults) {
        clock_.start();
        const QString corpora = QStringLiteral(CASP_SOURCE_DIR "/tests/fuzz/corpus/");
        for (const auto* kind : {"csv", "run_file", "run_json", "safetensors", "config"})
            for (QDirIterator file(corpora + kind, QDir::Files); file.hasNext();) files_ << file.next();
        ::mkfifo(place_.path("pipe.csv").toUtf8().constData(), 0600);
        QFile::link("/dev/zero", place_.path("device.csv"));
        files_ << place_.csv() << place_.path("pipe.csv") << place_.path("device.csv") << place_.path(".")
               << place_.path("nowhere.csv") << place_.write("long.csv", "a,b\n" + QByteArray(5'000'000, '7'))
               << place_.write("deep.toml", "x = " + QByteArray(100'000, '['))
               << place_.write("good.toml", QByteArray::fromStdString(config::to_toml(place_.tiny(3))));
        open();
        window_->experiment().replace(place_.tiny(20), {}, "tiny");
        QTimer::singleShot(0, this, &Monkey::act);
    }
    ~Monkey() override {
        over_ = true;
        watch_.join();
    }
    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] int faults() const { return faults_; }

private:
    int pick(int n) { return n <= 0 ? 0 : static_cast<int>(random_() % static_cast<quint64>(n)); }
    template <class List>
    auto pick_from(const List& list) {
        return list.value(pick(static_cast<int>(list.size())));
    }
    void say(const char* what, const QString& text = {}) const {
        std::printf("%d %.1f s: %s %s\n", steps_.load(), static_cast<double>(clock_.elapsed()) / 1000, what,
                    qPrintable(text));
        std::fflush(stdout);
    }
    void open() {
        window_ = place_.open();
        window_->set_program_of_other_windows("true", {});  // not a second monkey
        closes_anyway_ = false;
    }
    [[nodiscard]] std::string entered() const { return config::to_toml(window_->experiment().config()); }

    void act() {
        ++inside_;
        decide();
        --inside_;
    }
    void decide() {
        ++steps_;
        if (clock_.elapsed() > 1000 * seconds_) return end();
        // A timer of its own each time: a menu or question that opens now waits in a loop in which the monkey
        // goes on.
        QTimer::singleShot(pick(20) == 0 ? pick(40) : 0, this, &Monkey::act);
        if (undo_ && --fault_steps_ <= 0) end_fault();
        if (closing_ || !window_->isVisible()) return reopen();
        if (has_faults_ && !undo_ && pick(steps_per_fault) == 0) return begin_fault();
        // File dialogs show the whole disk: they are only closed.
        for (auto* dialog : window_->findChildren<QFileDialog*>())
            if (dialog->isVisible()) return dialog->reject();
        auto* over = QApplication::activePopupWidget();
        if (over == nullptr) over = QApplication::activeModalWidget();
        const int chance = pick(940);
        if (over != nullptr && chance < 250) return key(over, Qt::Key_Escape);
        if (chance < 380) return click(over);
        if (chance < 600) return type();
        if (chance < 760) return trigger_one();
        if (chance < 800) return drop({pick_from(files_), pick_from(files_)});
        if (chance < 830) return wheel();
        if (chance < 860) return resize();
        if (chance < 880) return window_->set_theme(pick(2) == 0 ? gui::Theme::dark : gui::Theme::light);
        if (chance < 895) return window_->experiment().undo_stack()->undo();
        if (chance < 910) return window_->experiment().undo_stack()->redo();
        if (chance < 916) return close();
        start_or_stop();
    }

    // -------------------------------------------------------------------------------------------- hands

    QWidget* any_widget(QWidget* over) {
        QList<QWidget*> visible;
        for (auto* widget : (over != nullptr ? over : window_.get())->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && !widget->visibleRegion().isEmpty())
                visible << widget;
        return pick_from(visible);
    }
    void click(QWidget* over) {
        QPointer<QWidget> widget = any_widget(over);
        if (!widget) return;
        const QPoint at(pick(widget->width()), pick(widget->height())),
            to(pick(widget->width()), pick(widget->height()));
        const auto button = pick(8) == 0 ? Qt::RightButton : Qt::LeftButton;
        const Qt::KeyboardModifiers modifiers(pick(5) == 0   ? Qt::ControlModifier
                                              : pick(5) == 0 ? Qt::ShiftModifier
                                                             : Qt::NoModifier);
        say("click", QString("%1 %2 at %3,%4")
                         .arg(widget->metaObject()->className(), widget->objectName())
                         .arg(at.x())
                         .arg(at.y()));
        const int how = pick(16);
        if (how == 0) return QTest::mouseDClick(widget, button, modifiers, at);
        if (how > 3) return QTest::mouseClick(widget, button, modifiers, at);
        QTest::mousePress(widget, Qt::LeftButton, modifiers, at);
        if (widget) QTest::mouseMove(widget, to);
        if (widget) QTest::mouseRelease(widget, Qt::LeftButton, modifiers, to);
    }
    void key(QWidget* widget, Qt::Key key) {
        say("key", QString::number(key, 16) + " to " + widget->metaObject()->className());
        QTest::keyClick(widget, key);
    }
    void type() {
        auto* focus = QApplication::focusWidget();
        if (focus == nullptr) return;
        static const QList<Qt::Key> keys{
            Qt::Key_Tab,    Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space, Qt::Key_Up,
            Qt::Key_Down,   Qt::Key_Left,    Qt::Key_Right,  Qt::Key_Home,   Qt::Key_End,   Qt::Key_F6,
            Qt::Key_Delete, Qt::Key_Plus,    Qt::Key_Minus,  Qt::Key_F1,     Qt::Key_0,     Qt::Key_L};
        static const QStringList texts{"0.1", "-5", "1e99", "λ_cov", "nan", "\"", "2021, 2022"};
        if (pick(3) != 0) return key(focus, pick_from(keys));
        const auto text = pick_from(texts);
        say("type", text + " into " + focus->metaObject()->className());
        // Not keyClicks(): it knows ASCII only.
        for (const auto& letter : text)
            for (const auto kind : {QEvent::KeyPress, QEvent::KeyRelease})
                if (auto* now = QApplication::focusWidget(); now != nullptr) {
                    QKeyEvent event(kind, Qt::Key_unknown, Qt::NoModifier, letter);
                    QApplication::sendEvent(now, &event);
                }
    }
    void trigger_one() {
        const auto& entries = window_->actions().entries();
        const auto& entry = entries[static_cast<std::size_t>(pick(static_cast<int>(entries.size())))];
        if (entry.spec.id == "file.quit" || !entry.action->isEnabled()) return;
        say("action", entry.spec.id);
        entry.action->trigger();
    }
    void drop(const QStringList& files) {
        QMimeData mime;
        QList<QUrl> urls;
        for (const auto& file : files) urls << QUrl::fromLocalFile(file);
        mime.setUrls(urls);
        say("drop", files.join(", "));
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
    /// Starts a run where none goes on; else does something to the queue.
    void start_or_stop() {
        auto& queue = window_->queue();
        if (!queue.is_running()) {
            auto config = place_.tiny(1 + pick(8));
            config.loss.lambda_cov = pick(10) * 0.1;
            config.train.seed = pick(3);
            say("run", QString::number(config.loss.lambda_cov));
            window_->experiment().replace(config, {}, "monkey");
            return window_->actions().find("run.start")->trigger();
        }
        const int id =
            queue.items()[static_cast<std::size_t>(pick(static_cast<int>(queue.items().size())))].id;
        const int what = pick(5);
        say("queue", QString::number(what));
        if (what == 0) queue.cancel(id);
        if (what == 1) queue.finish_early(id);
        if (what == 2) queue.pause(id, pick(2) == 0);
        if (what == 3) queue.hold(pick(2) == 0);
        if (what == 4) queue.remove(id);
    }

    // ------------------------------------------------------------------------------------------ closing

    void close() {
        say("close the window");
        entered_ = entered();
        closing_ = true;
        window_->close();
    }
    void reopen() {
        if (window_->isVisible()) return answer_question();
        // Within a loop of a dialog or menu its window must not go.
        if (close_what_waits() || inside_ > 1) return;
        const bool asked = std::exchange(closing_, false);
        const auto before = asked ? entered_ : entered();
        const bool is_saved = saved_experiment() == window_->experiment().save_state();
        if (!is_saved && !closes_anyway_) give_up("the window closed without saving", before);
        say("open the window again");
        end_fault();
        window_.reset();
        open();
        if (is_saved && entered() != before) give_up("what was entered is gone", before);
    }
    /// What a window asks that cannot save, or whose run could not: one of the answers.
    void answer_question() {
        QList<QPushButton*> buttons;
        for (auto* button : window_->info().findChildren<QPushButton*>())
            if (button->isVisible() &&
                QStringList{"Try again", "Close anyway", "Keep open"}.contains(button->text()))
                buttons << button;
        auto* button = pick_from(buttons);
        if (button == nullptr) return;  // it saves a checkpoint
        say("answer", button->text());
        if (button->text() == "Keep open") closing_ = false;
        closes_anyway_ = closes_anyway_ || button->text() == "Close anyway";
        button->click();
    }
    [[nodiscard]] QByteArray saved_experiment() const {
        QString problem;
        const auto state = gui::SessionFile(place_.session()).read(&problem, false);
        if (!problem.isEmpty()) give_up("the session cannot be read", problem.toStdString());
        return state.parts.value("experiment");
    }
    /// A menu or a question; true if there was one.
    static bool close_what_waits() {
        auto* popup = QApplication::activePopupWidget();
        auto* waits = popup != nullptr ? popup : QApplication::activeModalWidget();
        return waits != nullptr && waits->close();
    }

    // ------------------------------------------------------------------------------------------- faults

    void begin_fault() {
        whole_runs_.clear();
        for (QDirIterator file(place_.runs(), {"run.json"}, QDir::Files, QDirIterator::Subdirectories);
             file.hasNext();)
            if (const auto run = QFileInfo(file.next()).path(); damage_of(run).isEmpty()) whole_runs_ << run;
        fault_steps_ = 1 + pick(longest_fault);
        ++faults_;
        undo_ = [] {};
        const auto run = pick_from(whole_runs_);
        const auto folder = run.isEmpty() || pick(3) == 0 ? place_.runs() : run;
        const int what = pick(5);
        if (what == 0) {
            say("fault: no file can grow");
            undo_ = [full = std::make_shared<test::FullDisk>()]() mutable { full.reset(); };
        } else if (what == 1 && QFileInfo::exists(folder)) {
            say("fault: gone:", folder);
            const auto aside = place_.path(QString("aside-%1").arg(faults_));
            if (QDir().rename(folder, aside))
                undo_ = [folder, aside] {
                    if (QFileInfo::exists(folder)) QDir().rename(folder, aside + "-made anew");
                    QDir().mkpath(QFileInfo(folder).path());
                    QDir().rename(aside, folder);
                };
        } else if (what == 2 && QFileInfo::exists(folder)) {
            say("fault: read-only:", folder);
            const auto path = folder.toStdString();
            ::chmod(path.c_str(), 0555);
            undo_ = [path] { ::chmod(path.c_str(), 0755); };
        } else {
            const QStringList names{"run.h5", "arrays.h5", "run.json", "best.safetensors", "config.toml"};
            const auto path = what == 3 && !run.isEmpty() ? run + '/' + pick_from(names) : place_.csv();
            const auto bytes = bytes_of(path);
            say("fault: cut:", path);
            put(path, bytes.left(pick(static_cast<int>(bytes.size()))));  // in place, while it may be open
            undo_ = [path, bytes] {
                if (QFileInfo::exists(path)) put(path, bytes);
            };
        }
    }
    void end_fault() {
        if (!undo_) return;
        say("put right");
        std::exchange(undo_, nullptr)();
        for (const auto& run : std::as_const(whole_runs_))
            if (const auto damage = damage_of(run); !damage.isEmpty())
                give_up("a run that was complete is not any more", damage.toStdString());
        if (closing_ || !window_->isVisible()) return;
        if (!window_->save_session())
            give_up("the session cannot be saved", window_->info().text("saving").toStdString());
        if (saved_experiment() != window_->experiment().save_state())
            give_up("the session does not hold what was entered", entered());
        window_->set_output_folder(place_.runs());  // where a folder from elsewhere was opened
    }

    // ---------------------------------------------------------------------------------------------- end

    void end() {
        end_fault();
        // Out of every menu and question first.
        if (close_what_waits() || inside_ > 1) return QTimer::singleShot(10, this, &Monkey::act);
        if (closing_ || !window_->isVisible()) {
            QTimer::singleShot(10, this, &Monkey::act);
            return reopen();
        }
        if (has_faults_) train_once_more();
        say("end");
        QApplication::exit();  // quit() asks the window, which saves a checkpoint first
    }
    /// After all that went wrong a run is still trained to its end.
    void train_once_more() {
        say("one more run");
        auto& queue = window_->queue();
        const auto items = queue.items();
        for (const auto& item : items)
            item.state == gui::QueueState::waiting ? queue.remove(item.id) : queue.cancel(item.id);
        queue.hold(false);
        if (!test::wait_idle(*window_)) give_up("a run cannot be cancelled", {});
        auto config = place_.tiny(1);
        config.train.seed = 1000 + steps_;  // no run was like this one
        window_->experiment().replace(config, {}, "the last");
        window_->actions().find("run.start")->trigger();
        if (!test::wait_idle(*window_) || queue.items().empty() ||
            queue.items().back().request.config.train.seed != config.train.seed ||
            test::file_state(queue.items().back().request.folder) != store::RunState::finished)
            give_up("no run trains to its end any more", window_->info().text("error").toStdString());
    }

    test::WindowPlace place_;
    std::unique_ptr<gui::MainWindow> window_;
    std::mt19937_64 random_;
    QElapsedTimer clock_;
    int seconds_;
    bool has_faults_;
    QStringList files_;
    std::string entered_;
    int inside_ = 0;  ///< acts that have not returned: they wait in loops of their own
    bool closing_ = false, closes_anyway_ = false;
    std::function<void()> undo_;  ///< of the fault that is on
    QStringList whole_runs_;      ///< before it
    int fault_steps_ = 0, faults_ = 0;
    std::atomic<int> steps_{0};
    std::atomic<bool> over_{false};
    /// Ends the process when the event loop makes no step for too long.
    std::thread watch_{[this] {
        int last = -1;
        for (int still = 0; !over_; still = steps_ == last ? still + 1 : 0) {
            if (still >= patience) {
                std::fprintf(stderr, "monkey: the event loop stood still for %d s\n", patience);
                std::abort();  // a debugger shows where
            }
            last = steps_;
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
    }};
};

}  // namespace

int main(int argc, char** argv) {
    const QTemporaryDir home;
    for (const auto* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, home.path().toUtf8());
    for (const auto* name : {"http_proxy", "https_proxy", "all_proxy"})
        qputenv(name, "http://127.0.0.1:9");  // nobody answers there
    qputenv("SLURM_CONF", "/dev/null");       // no cluster that it could submit to
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
    const QCommandLineOption seed("seed", "", "N", "1"), seconds("seconds", "", "S", "20"), faults("faults");
    parser.addOptions({seed, seconds, faults});
    parser.process(application);
    int done = 0, gone_wrong = 0;
    {
        Monkey monkey(parser.value(seed).toULongLong(), parser.value(seconds).toInt(), parser.isSet(faults));
        QApplication::exec();
        done = monkey.steps();
        gone_wrong = monkey.faults();
    }
    std::printf("monkey: %d steps, %d faults, seed %s\n", done, gone_wrong, qPrintable(parser.value(seed)));
    return done > 20 && (!parser.isSet(faults) || gone_wrong > 0) ? 0 : 1;
}

#include "monkey.moc"
