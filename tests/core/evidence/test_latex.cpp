// Escaping of text for LaTeX.
#include <QtTest>

#include "evidence/latex.h"
#include "test_program.h"

using casp::evidence::latex_escaped;
using casp::evidence::latex_head;

namespace {

QString utf8(char32_t code) { return QString::fromUcs4(&code, 1); }

/// Log of pdflatex; empty: it compiled.
QByteArray compiled(const QTemporaryDir& dir, const QString& preamble, const QString& body) {
    QFile file(dir.filePath("letters.tex"));
    if (!file.open(QIODevice::WriteOnly)) return "cannot write";
    file.write(
        ("\\documentclass{article}" + preamble + "\\begin{document}" + body + "\\end{document}").toUtf8());
    file.close();
    QProcess process;
    process.setWorkingDirectory(dir.path());
    process.start("pdflatex", {"-interaction=nonstopmode", "-halt-on-error", "letters.tex"});
    if (!process.waitForFinished(120000)) return "did not end";
    const auto log = process.readAllStandardOutput();
    return process.exitCode() == 0 && !log.contains("Missing character") ? QByteArray() : log.right(1500);
}

}  // namespace

class TestLatex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void special_characters() {
        QCOMPARE(latex_escaped("a\\b{c}~^"),
                 std::string("a\\textbackslash{}b\\{c\\}\\textasciitilde{}\\textasciicircum{}"));
        QCOMPARE(latex_escaped("$5 & 10% of #1_x"), std::string("\\$5 \\& 10\\% of \\#1\\_x"));
        QCOMPARE(latex_escaped("a < b > c|d"), std::string("a $<$ b $>$ c$|$d"));
    }

    /// After the end of a row, * and [ would be read as options.
    void no_options_of_a_row() { QCOMPARE(latex_escaped("*[2]"), std::string("{*}{[}2]")); }

    void two_hyphens_are_no_dash() {
        QCOMPARE(latex_escaped("caspstudio --batch a-b"), std::string("caspstudio -{}-batch a-b"));
        QCOMPARE(latex_escaped("2021–2023"), std::string("2021--2023"));
    }

    void signs() {
        QCOMPARE(latex_escaped("λ_cov = 0, λ"), std::string("$\\lambda_{\\mathrm{cov}}$ = 0, $\\lambda$"));
        QCOMPARE(latex_escaped("−1 ± 2 × 3 · Δ ≥ …"),
                 std::string("$-$1 $\\pm$ 2 $\\times$ 3 $\\cdot$ $\\Delta$ $\\geq$ \\dots{}"));
    }

    void greek_letters() {
        QCOMPARE(latex_escaped("αςΩΧό"),
                 std::string("$\\alpha$$\\varsigma$$\\Omega$$\\mathrm{X}$$\\acute{o}$"));
    }

    void bytes_that_are_no_text() {
        QCOMPARE(latex_escaped("a\xff\xe5\x9f"), std::string("a???"));
        QCOMPARE(latex_escaped("基😀"), std::string("基😀"));
    }

    void beginning_of_a_file() {
        const std::string plain = "% Compile with pdflatex; needs \\usepackage{booktabs,graphicx}.\n";
        QCOMPARE(latex_head("a $\\alpha$ é ő “€”"), plain);
        QCOMPARE(latex_head(""), plain);
        QCOMPARE(latex_head("średnia ważona ą"),
                 std::string("% Compile with pdflatex; needs \\usepackage[T1]{fontenc} and "
                             "\\usepackage{booktabs,graphicx}.\n"));
        for (const char* letters : {"基线", "Ж", "😀", "한", "e\u0301"})
            QVERIFY2(QString::fromStdString(latex_head(letters)).contains("compile with lualatex"), letters);
        const auto head = QString::fromStdString(latex_head("基线基 ą"));
        QVERIFY(head.contains("[T1]") && head.contains(" pdflatex has no 基 线 and prints "));
        QCOMPARE(head.count("\n\\caspletter{基}{57FA}%\n"), 1);
    }

    /// Every letter of Latin-1, Latin Extended-A and Greek with what the first line says.
    void letters_compile() {
        if (QStandardPaths::findExecutable("pdflatex").isEmpty()) QSKIP("pdflatex is not installed");
        QTemporaryDir dir;
        QString standard, t1, others;
        const auto add = [&](char32_t first, char32_t last) {
            for (auto code = first; code <= last; ++code) {
                const auto latex = latex_escaped(utf8(code).toStdString());
                const auto head = QString::fromStdString(latex_head(latex));
                auto& letters = head.contains("lualatex") ? others : head.contains("[T1]") ? t1 : standard;
                letters += QString::fromStdString(latex) + "\n";
            }
        };
        add(0x20, 0x17f);
        add(0x391, 0x3c9);
        add(0x2010, 0x2040);
        QVERIFY(standard.size() > 600 && t1.size() > 30 && others.size() > 30);
        others += QStringLiteral("基线 Ж 한국 日本 😀 e\u0301");
        const auto log = compiled(dir, {}, standard);
        QVERIFY2(log.isEmpty(), log.constData());
        const auto t1_log = compiled(dir, "\\usepackage[T1]{fontenc}", standard + t1);
        QVERIFY2(t1_log.isEmpty(), t1_log.constData());
        const auto head = QString::fromStdString(latex_head(others.toStdString()));
        const auto others_log = compiled(dir, {}, "\n" + head + others);
        QVERIFY2(others_log.isEmpty(), others_log.constData());
        QVERIFY(!compiled(dir, {}, others).isEmpty());
    }

    void one_line_and_other_letters() { QCOMPARE(latex_escaped("é\nЖ"), std::string("é Ж")); }
};

TEST_MAIN_WITHOUT_GUI(TestLatex)
#include "test_latex.moc"
