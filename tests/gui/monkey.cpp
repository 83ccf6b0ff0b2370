// Somebody who presses everything: random clicks, keys, drops, sizes, themes and closings of the real window
// while runs start and stop. It must neither crash, hang nor lose what was entered.
//
//     casp_monkey [--seed N] [--seconds S] [--steps N] [--faults] [--patience S]
//
// --faults: before one step in `steps_per_fault` something goes wrong (monkey_faults.h) for some steps and is
// put right again; then the session must be whole, runs that were complete must be readable, and the form
// must hold what it held where nobody touched it. At the end a run must still train.
//
// The same seed gives the same decisions, each from its number alone, and a press goes to the control of the
// same name whatever else is there by then; how far the runs are, and with it what a press does, still
// depends on the machine (docs/robustness.md says how far two journals agree). Every step is printed before
// it is done, so the last line names what failed. Exit status: 0 when the time is over, 3 when something that
// was entered or saved is gone; it aborts when the event loop stands still for more than --patience (60)
// seconds. Everything happens in a temporary folder; nothing reaches the network.

#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include "gui/theme.h"
#include "monkey_faults.h"
#include "monkey_files.h"
#include "monkey_hands.h"
#include "vtk/opengl.h"
#include "window_fixture.h"

using namespace casp;

namespace {

constexpr int steps_per_fault = 20;
constexpr int longest_fault_seconds = 15;

/// Ends the process when the event loop makes no step for too long.
class Watch {
public:
    explicit Watch(int patience)
        : thread_([this, patience] {
              int last = -1;
              for (int still = 0; !over_;) {
                  std::this_thread::sleep_for(std::chrono::seconds(1));
                  still = steps_ == last ? still + 1 : 0;
                  last = steps_;
                  if (still < patience) continue;
                  std::fprintf(stderr, "monkey: the event loop stood still for %d s\n", patience);
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

struct Wishes {
    quint64 seed = 1;
    int seconds = 20;
    int steps = 0;  ///< 0: as many as there is time for
    bool faults = false;
    int patience = 60;  ///< seconds until the event loop is thought to hang
};

[[noreturn]] void give_up(const char* what, const std::string& details) {
    std::fprintf(stderr, "monkey: %s:\n%s\n", what, details.c_str());
    std::fflush(stdout);
    std::_Exit(3);
}

class Monkey : public QObject {
    Q_OBJECT
public:
    explicit Monkey(const Wishes& wishes)
        : choices_(wishes.seed),
          hands_(place_, choices_, journal_),
          wishes_(wishes),
          watch_(wishes.patience) {
        files_ << place_.csv();
        write("broken.csv", "a,b\n1,\"2\n3,4\n");
        write("empty.csv", "");
        write("binary.csv", QByteArray("\0\1\2\3\xff\xfe", 6));
        write("short.csv", "date,x\n2020-01-01,1\n");
        write("broken.toml", "[data\npath = 3");
        write("strange.toml", "[nothing]\nx = 1\n");
        write("good.toml", QByteArray::fromStdString(config::to_toml(place_.tiny(3))));
        files_ << place_.path("nowhere.csv") << place_.path(".");
        if (wishes.faults)
            faults_ =
                std::make_unique<monkey::Faults>(QDir::cleanPath(place_.path(".")), place_.csv(), choices_);
        open();
        QTimer::singleShot(0, this, &Monkey::act);
    }
    [[nodiscard]] int steps() const { return journal_.steps(); }
    [[nodiscard]] int faults() const { return fault_count_; }

private:
    /// Nobody touches the form while something goes wrong.
    struct Quiet {
        std::string entered;
        int left = 10;  ///< steps after it was put right
    };
    enum class LastRun { no, waits, trains, ended };

    void write(const QString& name, const QByteArray& bytes) {
        files_ << place_.path(name);
        monkey::write_bytes(files_.back(), bytes);
    }
    void open() {
        window_ = place_.open();
        window_->set_program_of_other_windows("true", {});  // not a second monkey
        hands_.take(window_.get());
        close_anyway_ = false;
        if (++windows_ == 1) window_->experiment().replace(place_.tiny(20), {}, "tiny");
    }
    int pick(int n) { return choices_.pick(n); }
    [[nodiscard]] std::string entered() const { return config::to_toml(window_->experiment().config()); }

    void act() {
        ++inside_;
        decide();
        --inside_;
    }
    void decide() {
        watch_.step();
        journal_.next_step();
        choices_.begin(++decision_);
        note_standstill();
        if (is_over()) return end();
        // A timer of its own each time: a menu or question that opens now waits in a loop in which the monkey
        // goes on.
        QTimer::singleShot(std::exchange(delay_ms_, 0), this, &Monkey::act);
        if (faults_ && fault_step()) return;
        if (closing_ || !window_->isVisible()) return reopen();
        // File dialogs show the whole disk: they are only closed.
        for (auto* dialog : window_->findChildren<QFileDialog*>())
            if (dialog->isVisible()) {
                journal_.say("close", dialog->windowTitle());
                return dialog->reject();
            }
        auto* over = QApplication::activePopupWidget();
        if (over == nullptr) over = QApplication::activeModalWidget();
        const int chance = pick(1000);
        if (over != nullptr && chance < 250) return hands_.key(over, Qt::Key_Escape);
        if (chance < 380) return hands_.click(over);
        if (chance < 600) return hands_.type();
        if (chance < 760) return hands_.act_by_name();
        if (chance < 800) return hands_.drop_some(files_);
        if (chance < 830) return hands_.wheel();
        if (chance < 860) return hands_.resize();
        if (chance < 880) return hands_.theme();
        if (chance < 910) return hands_.undo();
        if (chance < 916) return close();
        if (chance < 940) return hands_.start_or_stop();
        delay_ms_ = pick(40);
    }
    [[nodiscard]] bool is_over() const {
        return journal_.seconds() > wishes_.seconds ||
               (wishes_.steps > 0 && journal_.steps() > wishes_.steps);
    }
    /// How long the event loop needed since the step before.
    void note_standstill() {
        const double now = journal_.seconds(), still = now - last_step_;
        last_step_ = now;
        if (still < 2) return;
        journal_.say("stood still for", QString::number(still, 'f', 1) + " s");
    }

    // ------------------------------------------------------------------------------------------ closing

    void close() {
        journal_.say("close the window");
        entered_ = entered();
        closing_ = true;
        window_->close();
    }
    void reopen() {
        if (window_->isVisible()) {
            if (answer_question()) return;
            delay_ms_ = 5;  // it saves a checkpoint
            --decision_;    // how often one looks is no decision
            return;
        }
        // Within a loop of a dialog or menu its window must not go.
        if (close_what_waits()) return;
        const bool asked = std::exchange(closing_, false);
        const auto before = asked ? entered_ : entered();
        const bool is_saved = saved().parts.value("experiment") == window_->experiment().save_state();
        if (!is_saved && !close_anyway_) give_up("the window closed without saving", before);
        journal_.say("open the window again");
        if (faults_ && faults_->keeps_locks()) end_fault();
        window_.reset();
        open();
        if (is_saved && entered() != before) give_up("what was entered is gone", before);
    }
    /// What a window asks that cannot save, or whose run could not: one of the answers. True if it asked.
    bool answer_question() {
        QList<QPushButton*> buttons;
        for (auto* button : window_->info().findChildren<QPushButton*>()) {
            const auto text = button->text();
            if (button->isVisible() && (text == "Try again" || text == "Close anyway" || text == "Keep open"))
                buttons << button;
        }
        if (buttons.isEmpty()) return false;
        QStringList texts;
        for (const auto* button : buttons) texts << button->text();
        auto* button = buttons[choices_.pick_name(texts)];
        journal_.say("answer", button->text());
        if (button->text() == "Keep open") closing_ = false;
        close_anyway_ = close_anyway_ || button->text() == "Close anyway";
        button->click();
        return true;
    }
    /// Where the monkey closes the window without having wished to: by a button that it met.
    void watch_answers() {
        for (auto* button : window_->info().findChildren<QPushButton*>())
            if (button->text() == "Close anyway")
                connect(button, &QPushButton::clicked, this, &Monkey::note_close_anyway,
                        Qt::UniqueConnection);
    }
    void note_close_anyway() { close_anyway_ = true; }
    [[nodiscard]] gui::SessionState saved() const {
        QString problem;
        auto state = gui::SessionFile(place_.session()).read(&problem, false);
        if (!problem.isEmpty()) give_up("the session cannot be read", problem.toStdString());
        return state;
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

    // ------------------------------------------------------------------------------------------- faults

    /// True: this step is done.
    bool fault_step() {
        watch_answers();
        if (faults_->is_on()) {
            if (--fault_steps_ <= 0 || journal_.seconds() > fault_end_) end_fault();
        } else if (!quiet_ && !closing_ && window_->isVisible() && pick(steps_per_fault) == 0) {
            begin_fault();
            return true;
        }
        return quiet_ && quiet_step();
    }
    void begin_fault() {
        whole_runs_.clear();
        for (const auto& run : monkey::complete_runs(place_.runs()))
            if (monkey::damage_of(run).isEmpty()) whole_runs_ << run;
        const bool is_busy =
            QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr;
        if (pick(3) == 0 && !is_busy) quiet_ = Quiet{entered()};
        fault_steps_ = 1 + pick(40);
        fault_end_ = journal_.seconds() + longest_fault_seconds;
        ++fault_count_;
        const auto begun = faults_->begin(window_->launcher().output_folder());
        journal_.say(quiet_ ? "fault, untouched," : "fault,", begun.what);
        if (!begun.drop.isEmpty()) hands_.drop(begun.drop);
    }
    void end_fault() {
        journal_.say("put right");
        if (quiet_) check_form();
        faults_->end();
        for (const auto& run : std::as_const(whole_runs_))
            if (const auto damage = monkey::damage_of(run); !damage.isEmpty())
                give_up("a run that was complete is not any more", damage.toStdString());
        if (closing_ || !window_->isVisible()) return;
        if (!window_->save_session()) give_up("the session cannot be saved", session_problem());
        if (saved().parts.value("experiment") != window_->experiment().save_state())
            give_up("the session does not hold what was entered", entered());
        // Where a folder from elsewhere was opened.
        if (window_->launcher().output_folder() != place_.runs()) window_->set_output_folder(place_.runs());
    }
    [[nodiscard]] std::string session_problem() const { return window_->info().text("saving").toStdString(); }
    void check_form() const {
        if (entered() == quiet_->entered) return;
        give_up("the form changed though nobody touched it", quiet_->entered + "\n-- now --\n" + entered());
    }
    /// What changes nothing of the form: views, sizes, saving, waiting.
    bool quiet_step() {
        if (!window_->isVisible()) {
            quiet_.reset();
            return false;
        }
        if (!faults_->is_on() && quiet_->left-- <= 0) {
            check_form();
            quiet_.reset();
            return false;
        }
        if (close_what_waits()) return true;
        static const QStringList pages{"runs",     "data",       "experiment", "queue",   "training",
                                       "anchors",  "embeddings", "forecasts",  "compare", "difference",
                                       "messages", "paper",      "audit"};
        const int what = pick(10);
        if (what < 4) {
            const auto page = choices_.pick_from(pages);
            journal_.say("look at", page);
            if (window_->dock(page) != nullptr) window_->show_dock(page);
        } else if (what == 4) {
            hands_.resize();
        } else if (what == 5) {
            journal_.say("save the session");
            window_->save_session();
        } else if (what == 6) {
            journal_.say("look at the runs again");
            window_->library().refresh();
        } else {
            delay_ms_ = pick(80);
        }
        return true;
    }

    // ---------------------------------------------------------------------------------------------- end

    void end() {
        if (faults_ && faults_->is_on()) end_fault();
        // Out of every menu and question first.
        if (close_what_waits() || inside_ > 1) return again();
        if (faults_ && last_run_ != LastRun::ended) return train_once_more();
        journal_.say("end");
        QApplication::exit();  // quit() asks the window, which saves a checkpoint first
    }
    void again() { QTimer::singleShot(10, this, &Monkey::act); }
    /// After all that went wrong a run is still trained to its end.
    void train_once_more() {
        again();
        if (closing_ || !window_->isVisible()) return reopen();
        auto& queue = window_->queue();
        if (last_run_ == LastRun::no) {
            journal_.say("one more run");
            last_run_ = LastRun::waits;
            deadline_ = journal_.seconds() + test::run_limit / 1000.0;
            window_->set_output_folder(place_.runs());
            const auto items = queue.items();
            for (const auto& item : items) {
                if (item.state == gui::QueueState::waiting) queue.remove(item.id);
                if (item.state == gui::QueueState::running || item.state == gui::QueueState::paused)
                    queue.cancel(item.id);
            }
            queue.hold(false);
        }
        if (journal_.seconds() > deadline_)
            give_up("no run trains to its end any more", window_->info().text("error").toStdString());
        if (queue.is_running()) return;
        if (last_run_ == LastRun::trains) {
            const auto folder = queue.items().back().request.folder;
            const auto status = store::read_run_status(store::RunFolder(folder));
            if (!status || status->row.state != store::RunState::finished)
                give_up("the last run did not finish", status ? status->message : folder.string());
            last_run_ = LastRun::ended;
            return;
        }
        auto config = place_.tiny(1);
        config.train.seed = 1000 + journal_.steps();  // no run was like this one
        window_->experiment().replace(config, {}, "the last");
        window_->actions().find("run.start")->trigger();
        last_run_ = LastRun::trains;
        if (queue.items().empty() || queue.items().back().request.config.train.seed != config.train.seed)
            give_up("the last run was not started", window_->info().text("error").toStdString());
    }

    test::WindowPlace place_;
    std::unique_ptr<gui::MainWindow> window_;
    monkey::Choices choices_;
    monkey::Journal journal_;
    monkey::Hands hands_;
    Wishes wishes_;
    Watch watch_;
    QStringList files_;
    std::string entered_;
    int windows_ = 0;
    int inside_ = 0;    ///< acts that have not returned: they wait in loops of their own
    int decision_ = 0;  ///< that was made last; steps that only wait are none
    int delay_ms_ = 0;  ///< before the act after the next
    double last_step_ = 0;
    bool closing_ = false, close_anyway_ = false;

    std::unique_ptr<monkey::Faults> faults_;
    std::optional<Quiet> quiet_;
    QStringList whole_runs_;
    int fault_steps_ = 0, fault_count_ = 0;  ///< that are left of this fault; faults so far
    double fault_end_ = 0;
    LastRun last_run_ = LastRun::no;
    double deadline_ = 0;
};

/// A full disk would keep the journal from being written, and a sanitizer's report.
bool is_file(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

int main(int argc, char** argv) {
    monkey::obey_permissions();
    const QTemporaryDir home;
    for (const auto* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, home.path().toUtf8());
    for (const auto* name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"})
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
    const QCommandLineOption seed("seed", "", "N", "1"), seconds("seconds", "", "S", "20"),
        steps("steps", "", "N", "0"), faults("faults"), patience("patience", "", "S", "60");
    parser.addOptions({seed, seconds, steps, faults, patience});
    parser.process(application);
    const Wishes wishes{parser.value(seed).toULongLong(), parser.value(seconds).toInt(),
                        parser.value(steps).toInt(), parser.isSet(faults), parser.value(patience).toInt()};
    if (wishes.faults && (is_file(STDOUT_FILENO) || is_file(STDERR_FILENO))) {
        std::fprintf(
            stderr, "monkey: with --faults files cannot grow at times: print into a pipe (2>&1 | tee LOG)\n");
        return 2;
    }
    int done = 0, gone_wrong = 0;
    {
        Monkey monkey(wishes);
        QApplication::exec();
        done = monkey.steps();
        gone_wrong = monkey.faults();
    }
    for (const auto* scheme : {"file", "http", "https"}) QDesktopServices::unsetUrlHandler(scheme);
    std::printf("monkey: %d steps, %d faults, seed %s\n", done, gone_wrong, qPrintable(parser.value(seed)));
    return done > 20 && (!wishes.faults || gone_wrong > 0) ? 0 : 1;
}

#include "monkey.moc"
