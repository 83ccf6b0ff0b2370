// Escaping of text for LaTeX.
#include <QtTest>

#include "evidence/latex.h"
#include "test_program.h"

using casp::evidence::latex_escaped;
using casp::evidence::latex_head;

namespace {

/// Log of pdflatex; empty: it compiled.
QByteArray compiled(const QTemporaryDir& dir, const QString& body) {
    QFile file(dir.filePath("letters.tex"));
    if (!file.open(QIODevice::WriteOnly)) return "cannot write";
    file.write(("\\documentclass{article}\\begin{document}" + body + "\\end{document}").toUtf8());
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
    void asterisk_and_bracket_are_escaped() { QCOMPARE(latex_escaped("*[2]"), std::string("{*}{[}2]")); }

    void double_hyphens_stay_hyphens() {
        QCOMPARE(latex_escaped("caspstudio --batch a-b"), std::string("caspstudio -{}-batch a-b"));
        QCOMPARE(latex_escaped("2021–2023"), std::string("2021--2023"));
    }

    void signs() {
        QCOMPARE(latex_escaped("λ_cov = 0, λ"), std::string("$\\lambda_{\\mathrm{cov}}$ = 0, $\\lambda$"));
        QCOMPARE(latex_escaped("−1 ± 2 × 3 · Δ ≥ …"),
                 std::string("$-$1 $\\pm$ 2 $\\times$ 3 $\\cdot$ $\\Delta$ $\\geq$ \\dots{}"));
    }

    void greek_letters() {
        QCOMPARE(latex_escaped("αςΩΧ"), std::string("$\\alpha$$\\varsigma$$\\Omega$$\\mathrm{X}$"));
    }

    void invalid_utf8_bytes_are_replaced() {
        QCOMPARE(latex_escaped("a\xff\xe5\x9f"), std::string("a???"));
        QCOMPARE(latex_escaped("基😀"), std::string("基😀"));
    }

    void beginning_of_a_file() {
        const std::string plain = "% Compile with pdflatex; needs \\usepackage{booktabs,graphicx}.\n";
        QCOMPARE(latex_head("a $\\alpha$ \\dots{}"), plain);
        QCOMPARE(latex_head(""), plain);
        for (const char* letters : {"é", "ą", "基线", "Ж", "😀"})
            QVERIFY2(latex_head(letters).starts_with("% Compile with lualatex; needs "), letters);
    }

    /// ASCII, Greek and the signs of our tables.
    void letters_compile() {
        if (QStandardPaths::findExecutable("pdflatex").isEmpty()) QSKIP("pdflatex is not installed");
        const QTemporaryDir dir;
        std::string latex = "−1 ± 2 × 3 · Δ ≥ ≤ – … † λ_cov";
        for (char c = ' '; c < '\x7f'; ++c) latex += c;
        for (char16_t letter = u'Α'; letter <= u'ω'; ++letter)
            if (letter != 0x3a2 && (letter <= u'Ω' || letter >= u'α'))
                latex += QString(QChar(letter)).toStdString();
        latex = latex_escaped(latex);
        QVERIFY(latex_head(latex).starts_with("% Compile with pdflatex"));
        const auto log = compiled(dir, QString::fromStdString(latex));
        QVERIFY2(log.isEmpty(), log.constData());
    }

    void newline_becomes_a_space() { QCOMPARE(latex_escaped("é\nЖ"), std::string("é Ж")); }
};

TEST_MAIN_WITHOUT_GUI(TestLatex)
#include "test_latex.moc"
