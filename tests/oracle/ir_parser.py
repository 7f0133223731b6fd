"""Types and values of textual IR, by the grammar of https://llvm.org/docs/LangRef.html."""
import collections
import re

TOKEN = re.compile(r'''
    (?P<string>c?"[^"]*")
  | (?P<local>%(?:"[^"]*"|[-a-zA-Z$._0-9]+))
  | (?P<global>@(?:"[^"]*"|[-a-zA-Z$._0-9]+))
  | (?P<meta>!(?:"[^"]*"|[-a-zA-Z$._0-9\\]*))
  | (?P<attr>\#[0-9]+)
  | (?P<number>[-+]?[0-9][-+.0-9a-zA-Z]*)
  | (?P<word>[a-zA-Z$._][-a-zA-Z$._0-9]*)
  | (?P<punct>[()\[\]{}<>,=*:|])
  | (?P<space>\s+)
''', re.VERBOSE)

FLOATS = {'half', 'bfloat', 'float', 'double', 'x86_fp80', 'fp128', 'ppc_fp128'}
SIMPLE_TYPES = FLOATS | {'void', 'label', 'token', 'metadata', 'x86_amx'}
CLOSING = {'(': ')', '[': ']', '{': '}', '<': '>'}
EXPRESSIONS = {'getelementptr', 'ptrtoint', 'ptrtoaddr', 'inttoptr', 'bitcast', 'addrspacecast', 'trunc', 'add',
               'sub', 'mul', 'xor', 'shl', 'extractelement', 'insertelement', 'shufflevector'}
OTHER_CONSTANTS = {'blockaddress', 'dso_local_equivalent', 'no_cfi', 'ptrauth'}
BINARY = set('add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor'.split())
CASTS = set('trunc zext sext fptoui fptosi uitofp sitofp fptrunc fpext ptrtoint ptrtoaddr inttoptr bitcast '
            'addrspacecast'.split())

# An operand: what it is (int, constant, local, function, skip), the kind of its node if it is a constant, its
# type, and its text.
Value = collections.namedtuple('Value', 'what kind type text number')


def tokenize(text):
    tokens, at = [], 0
    while at < len(text):
        if text.startswith('...', at):
            tokens.append('...')
            at += 3
            continue
        match = TOKEN.match(text, at)
        if match is None:
            raise SyntaxError('what is %r in %r' % (text[at:at + 20], text))
        at = match.end()
        if match.lastgroup != 'space':
            tokens.append(match.group())
    return tokens


def without_comment(line):
    at = 0
    for part in re.finditer(r'"[^"]*"|;', line):
        if part.group() == ';':
            return line[:part.start()]
    return line


class Parser:
    def __init__(self, tokens, module):
        self.tokens, self.at, self.module = tokens, 0, module

    def peek(self, ahead=0):
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ''

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def expect(self, token):
        if not self.accept(token):
            raise SyntaxError('%r at %d of %r' % (token, self.at, self.tokens))

    def balanced(self):
        """Takes a bracketed group and gives its text."""
        start, depth = self.at, 0
        while True:
            token = self.next()
            if token in CLOSING:
                depth += 1
            elif token in CLOSING.values():
                depth -= 1
                if depth == 0:
                    return ' '.join(self.tokens[start:self.at])

    def at_type(self):
        token = self.peek()
        return (re.fullmatch(r'i[0-9]+', token) is not None or token in SIMPLE_TYPES or token[:1] == '%' or
                token in ('ptr', 'target', '{', '[', '<'))

    def type(self):
        token = self.peek()
        if not self.at_type():
            raise SyntaxError('no type at %d of %r' % (self.at, self.tokens))
        if token in ('{', '[', '<'):
            return self.balanced()
        self.next()
        if token == 'ptr' and self.accept('addrspace'):
            return 'ptr addrspace' + self.balanced()
        if token == 'target':
            return 'target' + self.balanced()
        return token

    def skip_to_type(self):
        """Past linkage, calling conventions, attributes and fast-math flags."""
        while not self.at_type():
            self.skip_attribute()

    def skip_attribute(self):
        token = self.next()
        if token in ('(', '[', '{', '<'):
            raise SyntaxError('no attribute at %d of %r' % (self.at, self.tokens))
        if token in ('align', 'cc', 'addrspace') and self.peek().isdigit():
            self.next()
        elif self.peek() == '(':
            self.balanced()

    def at_value(self):
        token = self.peek()
        return (token[:1] in '%@' and token != '' or token in CLOSING or token[:2] == 'c"' or
                token in ('true', 'false', 'null', 'undef', 'poison', 'zeroinitializer', 'none', 'splat', 'asm') or
                token in OTHER_CONSTANTS or token in EXPRESSIONS or re.match(r'[-+]?[0-9]', token) is not None)

    def value(self, type_):
        token = self.next()
        if token[0] == '%':
            return Value('local', None, type_, token, None)
        if token[0] == '@':
            if token in self.module.signatures:
                return Value('function', None, type_, token, None)
            return Value('constant', 'ConstantGlobal', type_, token, None)
        if token in ('true', 'false') or re.fullmatch(r'-?[0-9]+', token) and type_[0] == 'i':
            number = {'true': 1, 'false': 0}.get(token)
            number = int(token) if number is None else number
            kind = {0: 'ConstantZero', 1: 'ConstantOne'}.get(number, 'ConstantInteger')
            return Value('int', kind, type_, token, number)
        if token == 'null':
            return Value('constant', 'ConstantNull', type_, token, None)
        if token in ('undef', 'poison'):
            return Value('constant', 'ConstantUndefined', type_, token, None)
        if token == 'zeroinitializer' or token[:2] == 'c"':
            return Value('constant', 'ConstantAggregate', type_, token, None)
        if token in CLOSING or token == 'splat':
            self.at -= token != 'splat'
            return Value('constant', 'ConstantAggregate', type_, token + self.balanced(), None)
        if token == 'none':
            return Value('constant', 'ConstantOther', type_, token, None)
        if token in OTHER_CONSTANTS or token in EXPRESSIONS:
            text = token
            while self.peek() != '(' and self.peek()[:1] != '@':
                text += ' ' + self.next()
                if text.endswith('inrange'):
                    text += self.balanced()
            text += self.next() if self.peek()[:1] == '@' else self.balanced()
            kind = 'ConstantOther' if token in OTHER_CONSTANTS else 'ConstantExpression'
            return Value('constant', kind, type_, text, None)
        if token == 'asm':
            while self.peek()[:1] != '"':
                self.next()
            self.next()
            self.expect(',')
            self.next()
            return Value('skip', None, type_, 'asm', None)
        if type_ in FLOATS:
            return Value('constant', 'ConstantFloat', type_, token, None)
        raise SyntaxError('no value %r of type %r in %r' % (token, type_, self.tokens))

    def typed(self):
        type_ = self.type()
        while not self.at_value():
            self.skip_attribute()
        return self.value(type_)

    def arguments(self):
        """The arguments of a call, with their types."""
        values, types = [], []
        self.expect('(')
        while not self.accept(')'):
            if self.peek() == 'metadata':
                types.append(self.next())
                depth = 0
                while depth or self.peek() not in (',', ')'):
                    token = self.next()
                    depth += (token in CLOSING) - (token in CLOSING.values())
                values.append(Value('skip', None, 'metadata', '', None))
            else:
                values.append(self.typed())
                types.append(values[-1].type)
            self.accept(',')
        return values, types

    def parameters(self):
        """The parameter types of a signature: of a header, with attributes and names, or of a call."""
        types = []
        self.expect('(')
        while not self.accept(')'):
            if self.accept('...'):
                types.append('...')
                continue
            types.append(self.type())
            while self.peek() not in (',', ')'):
                if self.peek()[:1] == '%':
                    self.next()
                else:
                    self.skip_attribute()
            self.accept(',')
        return types
