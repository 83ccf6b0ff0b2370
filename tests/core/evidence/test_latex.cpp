// Escaping of text for LaTeX.
#include <QtTest>

#include "evidence/latex.h"

using casp::evidence::latex_escaped;

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

    void one_line_and_other_letters() { QCOMPARE(latex_escaped("é\nЖ"), std::string("é Ж")); }
};

QTEST_APPLESS_MAIN(TestLatex)
#include "test_latex.moc"
