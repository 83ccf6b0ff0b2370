"""The sentences that core/ composes, as patterns: "only " + free + " are free" is "only %1 are free".

core/ writes plain English, which run files, logs and other machines keep. The window recognises a finished sentence
by its pattern and translates that (widgets/state/core_message.h). So no call in core/ needs a mark.
"""
import re

LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"(?:sv|s)?|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*|\d[\w.\']*'
    r'|::|->|&&|\|\||[<>=!]=|\+=|\S', re.DOTALL)
CONSTANT = re.compile(rf'constexpr (?:const char\*|std::string_view|auto\*?) (\w+)\s*=\s*((?:{LITERAL.pattern}\s*)+);')
OPENING, CLOSING = '([{', ')]}'
# What these take is no message: faults of the program itself, searches, and formats of the log.
OTHER_CALLS = {'invalid_argument', 'logic_error', 'ends_with', 'find', 'format', 'rfind', 'starts_with', 'string'}
HOLE = None
MOST_VARIANTS = 16


def tokens_of(text):
    return [found.group(0) for found in TOKEN.finditer(text) if not found.group(0).startswith(('//', '/*'))]


def closing(tokens, at):
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in OPENING) - (tokens[i] in CLOSING)
        if depth == 0:
            return i
    return len(tokens) - 1


def split(tokens, sign):
    """At this sign, outside of all brackets."""
    parts, i = [[]], 0
    while i < len(tokens):
        end = closing(tokens, i) + 1 if tokens[i] in OPENING else i + 1
        if tokens[i] == sign:
            parts.append([])
        else:
            parts[-1] += tokens[i:end]
        i = end
    return parts


def branches(tokens):
    """a and b of `condition ? a : b`, or None."""
    condition, *rest = split(tokens, '?')
    if not rest:
        return None
    inner, i = 0, len(condition) + 1
    while i < len(tokens):
        if tokens[i] in OPENING:
            i = closing(tokens, i)
        inner += tokens[i] == '?'
        if tokens[i] == ':':
            if inner == 0:
                return tokens[len(condition) + 1:i], tokens[i + 1:]
            inner -= 1
        i += 1
    return None


def variants(tokens, constants):
    """What the expression can be: lists of literals and holes."""
    if choice := branches(tokens):
        return variants(choice[0], constants) + variants(choice[1], constants)
    terms = split(tokens, '+')
    if len(terms) > 1:
        results = [[]]
        for term in terms:
            results = [before + after for before in results for after in variants(term, constants)][:MOST_VARIANTS]
        return results
    if not tokens:
        return [['']]
    if all(token.startswith('"') for token in tokens):
        return [[''.join(token[1:token.rindex('"')] for token in tokens)]]
    if tokens[0] == '(' and closing(tokens, 0) == len(tokens) - 1:
        return variants(tokens[1:-1], constants)
    if tokens[:3] == ['std', '::', 'string'] and len(tokens) > 3 and closing(tokens, 3) == len(tokens) - 1:
        inner = split(tokens[4:-1], ',')
        if len(inner) == 1:
            return variants(inner[0], constants)
    if len(tokens) == 1 and tokens[0] in constants:
        return [[constants[tokens[0]]]]
    return [[HOLE]]


def pattern_of(pieces):
    text, holes = '', 0
    for before, piece in zip([''] + pieces, pieces):
        if piece is not HOLE:
            text += piece
        elif before is not HOLE or not holes:
            holes += 1
            text += f'%{holes}'
    return re.sub(r'^(?:\\n|\s)+|(?:\\n|\s)+$', '', text)


def sentences_of(pattern):
    """Each sentence by itself, as the window splits messages; placeholders count from %1 in each."""
    for sentence in re.split(r'(?<=[^.][.?!]) (?=[A-Z%])|(?<=[.?!]\)) (?=[A-Z%])', pattern):
        numbers = {}
        yield re.sub(r'%(\d)', lambda found: '%' + numbers.setdefault(found.group(1), str(len(numbers) + 1)), sentence)


def is_sentence(pattern):
    """At least two words, or a word beside what is inserted; neither LaTeX, a script, a format nor several lines."""
    if re.search(r'\\[^"\']|^[#<]|-->|%\d%?\d|\{[}:]|^\[|/%\d|%[A-Za-z.]', pattern):
        return False
    words = re.sub(r'%\d', ' ', pattern).strip()
    least = 1 if '%1' in pattern and re.search(r'(?<![\w.-])[A-Za-z]{4,}(?![\w.-])', words) else 2
    return ' ' in pattern and len(re.findall(r'[A-Za-z]+', words)) >= least and (least == 1 or ' ' in words)


def expressions(tokens):
    """Elements of all brackets (arguments, lists), and what is returned or assigned."""
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token in ('return', '=', '+='):
            end = i + 1
            while end < len(tokens) and tokens[end] not in (';', ',') and tokens[end] not in CLOSING:
                end = closing(tokens, end) + 1 if tokens[end] in OPENING else end + 1
            yield tokens[i + 1:end]
        elif token in OPENING:
            end = closing(tokens, i)
            before = tokens[i - 1] if i else ''
            if before not in OTHER_CALLS:
                # A bracket within a sum is a part of that sentence.
                if before not in ('+', '?', ':', 'return', '=', '+=') or token == '{':
                    yield from (part for part in split(tokens[i + 1:end], ',') if ';' not in part)
                yield from expressions(tokens[i + 1:end])
            i = end
        i += 1


def sentences(text):
    """The patterns of one source file, escaped as in its literals."""
    constants = {name: ''.join(part[1:-1] for part in LITERAL.findall(value)) for name, value in CONSTANT.findall(text)}
    for expression in expressions(tokens_of(text)):
        for pieces in variants(expression, constants):
            yield from filter(is_sentence, sentences_of(pattern_of(pieces)))
