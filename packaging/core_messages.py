"""The sentences that the program composes, as patterns: "only " + free + " are free" is "only %1 are free".

core/ writes plain English, which run files, logs and other machines keep. The window recognises a finished sentence
by its pattern and translates that (widgets/words/core_message.h). So no call in core/ needs a mark.
"""
import re

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"(?:sv|s)?|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*|\d[\w.\']*'
    r'|::|->|&&|\|\||[<>=!]=|\+=|\S', re.DOTALL)
CONSTANT = re.compile(rf'constexpr (?:const char\*|std::string_view|auto\*?) (\w+)\s*=\s*((?:{LITERAL}\s*)+);')
OPENING, CLOSING = '([{', ')]}'
# Arguments of these calls are not messages: faults of the program itself, searches, and formats of the log.
OTHER_CALLS = {'invalid_argument', 'logic_error', 'ends_with', 'find', 'format', 'rfind', 'starts_with', 'string', 'when_empty'}
PLACEHOLDER = None
MOST_VARIANTS = 16
NOT_MESSAGES = re.compile(
    r'''\\[^"']          # LaTeX, several lines
    |   ^[#<\[]|-->      # comments, HTML, shapes
    |   \{[}:]           # fmt
    |   %[A-Za-z.]       # printf, strftime
    |   %\d%?\d          # two inserted texts without a word between them
    |   /%\d             # paths
    |   ^column[ ]%1$    # the name of a column without one
    |   ^Range:|^ssh[ ]''', re.VERBOSE)


def joined(literals):
    """The content of adjacent literals, still escaped."""
    return ''.join(part[1:-1] for part in re.findall(LITERAL, literals))


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
    """What the expression can be: lists of literals and placeholders."""
    if choice := branches(tokens):
        return variants(choice[0], constants) + variants(choice[1], constants)
    terms = split(tokens, '+')
    if len(terms) > 1:
        results = [[]]
        for term in terms:
            results = [before + after for before in results for after in variants(term, constants)]
            if len(results) > MOST_VARIANTS:
                raise ValueError(f'more than {MOST_VARIANTS} variants; choose whole sentences instead: {" ".join(tokens)}')
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
    return [[PLACEHOLDER]]


def pattern_of(pieces):
    text, count = '', 0
    for before, piece in zip([''] + pieces, pieces):
        if piece is not PLACEHOLDER:
            text += piece
        elif before is not PLACEHOLDER or not count:
            count += 1
            text += f'%{count}'
    return re.sub(r'^(?:\\n|\s)+|(?:\\n|\s)+$', '', text)


def split_sentences(pattern):
    """Splits a pattern into sentences, as sentence_end() in core_message.cpp does with messages; what is inserted after
    a full stop is expected to be a sentence, too. Placeholders restart at %1."""
    for sentence in re.split(r'(?<=[^.][.?!]) (?=[A-Z%])|(?<=[.?!]\)) (?=[A-Z%])', pattern):
        numbers = {}
        yield re.sub(r'%(\d)', lambda found: '%' + numbers.setdefault(found.group(1), str(len(numbers) + 1)), sentence)


def is_message(pattern):
    if ' ' not in pattern or NOT_MESSAGES.search(pattern):
        return False
    words = re.sub(r'%\d', ' ', pattern).strip()
    has_two_words = ' ' in words and len(re.findall(r'[A-Za-z]+', words)) >= 2
    inserts_beside_a_word = '%1' in pattern and re.search(r'(?<![\w.-])[A-Za-z]{4,}(?![\w.-])', words)
    return has_two_words or bool(inserts_beside_a_word)


def expressions(tokens, calls=None):
    """Elements of all brackets (arguments, lists), and what is returned or assigned; only arguments of these calls."""
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token in ('return', '=', '+=') and calls is None:
            end = i + 1
            while end < len(tokens) and tokens[end] not in (';', ',') and tokens[end] not in CLOSING:
                end = closing(tokens, end) + 1 if tokens[end] in OPENING else end + 1
            yield tokens[i + 1:end]
        elif token in OPENING:
            end = closing(tokens, i)
            before = tokens[i - 1] if i else ''
            if before not in OTHER_CALLS:
                # A bracket within a sum is a part of that sentence.
                is_list = token == '{' or before not in ('+', '?', ':', 'return', '=', '+=')
                wanted = is_list if calls is None else before in calls
                if wanted:
                    yield from (part for part in split(tokens[i + 1:end], ',') if ';' not in part)
                yield from expressions(tokens[i + 1:end], calls)
            i = end
        i += 1


def patterns_of_source(text, calls=None):
    """The patterns of one source file, escaped as in its literals; with `calls`, only those of their arguments."""
    constants = {name: joined(value) for name, value in CONSTANT.findall(text)}
    found = {}
    for expression in expressions(tokens_of(text), calls):
        for pieces in variants(expression, constants):
            found.update((sentence, None) for sentence in split_sentences(pattern_of(pieces)) if is_message(sentence))
    return list(found)
