#include "figures/latex.h"

#include <QHash>
#include <QRegularExpression>

namespace casp::figures {

namespace {

/// Replacements within formulas.
const QHash<QChar, QString>& letters() {
    static const QHash<QChar, QString> all{
        {u'α', QStringLiteral("\\alpha")},   {u'β', QStringLiteral("\\beta")},
        {u'γ', QStringLiteral("\\gamma")},   {u'δ', QStringLiteral("\\delta")},
        {u'ε', QStringLiteral("\\epsilon")}, {u'η', QStringLiteral("\\eta")},
        {u'θ', QStringLiteral("\\theta")},   {u'κ', QStringLiteral("\\kappa")},
        {u'λ', QStringLiteral("\\lambda")},  {u'μ', QStringLiteral("\\mu")},
        {u'ρ', QStringLiteral("\\rho")},     {u'σ', QStringLiteral("\\sigma")},
        {u'τ', QStringLiteral("\\tau")},     {u'ω', QStringLiteral("\\omega")},
        {u'ℓ', QStringLiteral("\\ell")},     {u'Δ', QStringLiteral("\\Delta")},
        {u'×', QStringLiteral("\\times")},   {u'·', QStringLiteral("\\cdot")},
        {u'±', QStringLiteral("\\pm")},      {u'≤', QStringLiteral("\\leq")},
        {u'≥', QStringLiteral("\\geq")},     {u'∞', QStringLiteral("\\infty")},
        {u'−', QStringLiteral("-")},         {u'′', QStringLiteral("'")},
        {u'<', QStringLiteral("<")},         {u'>', QStringLiteral(">")},
        {u'|', QStringLiteral("|")}};
    return all;
}

/// Replacements within running text.
const QHash<QChar, QString>& signs() {
    static const QHash<QChar, QString> all{{u'&', QStringLiteral("\\&")},
                                           {u'%', QStringLiteral("\\%")},
                                           {u'#', QStringLiteral("\\#")},
                                           {u'_', QStringLiteral("\\_")},
                                           {u'$', QStringLiteral("\\$")},
                                           {u'{', QStringLiteral("\\{")},
                                           {u'}', QStringLiteral("\\}")},
                                           {u'~', QStringLiteral("\\textasciitilde{}")},
                                           {u'^', QStringLiteral("\\textasciicircum{}")},
                                           {u'\\', QStringLiteral("\\textbackslash{}")},
                                           {u'–', QStringLiteral("--")},
                                           {u'…', QStringLiteral("\\dots{}")}};
    return all;
}

QString escaped(QStringView text) {
    QString result;
    for (const auto c : text)
        if (const auto letter = letters().constFind(c); letter != letters().constEnd())
            result += QLatin1Char('$') + *letter + QLatin1Char('$');
        else
            result += signs().value(c, QString(c));
    return result;
}

}  // namespace

QString latex_text(const QString& text) {
    // A single letter with a short subscript is a symbol of the paper; longer words are names of files and
    // settings.
    static const QRegularExpression symbol(
        QStringLiteral("(?<!\\w)(\\p{Lu}|\\p{Greek})_(\\p{Latin}{1,4})(?!\\w)"),
        QRegularExpression::UseUnicodePropertiesOption);
    QString result;
    qsizetype done = 0;
    for (auto matches = symbol.globalMatch(text); matches.hasNext();) {
        const auto match = matches.next();
        result += escaped(QStringView(text).mid(done, match.capturedStart() - done));
        const auto letter = match.captured(1);
        result += QStringLiteral("$%1_{\\mathrm{%2}}$")
                      .arg(letters().value(letter.front(), letter), match.captured(2));
        done = match.capturedEnd();
    }
    return result + escaped(QStringView(text).mid(done));
}

}  // namespace casp::figures
