"""Instructions, functions and modules of textual IR, as opt -S prints it."""
import collections
import re

from ir_parser import BINARY, CASTS, Parser, Value, tokenize, without_comment


class Instruction:
    """One instruction: result, mnemonic, operands in LLVM's order, successors in theirs."""

    def __init__(self, text, module):
        parser = self.parser = Parser(tokenize(text), module)
        self.result = None
        if parser.peek()[:1] == '%' and parser.peek(1) == '=':
            self.result = parser.next()
            parser.next()
        self.op = parser.next()
        if self.op in ('tail', 'musttail', 'notail'):
            self.op = parser.next()
        self.operands, self.successors = [], []
        self.type, self.case_values, self.callee, self.is_unconditional = 'void', [], None, False
        method = getattr(self, 'read_' + self.op, None)
        if method is not None:
            method(parser)
        elif self.op in BINARY or self.op in ('icmp', 'fcmp'):
            self.read_two(parser)
        elif self.op in CASTS:
            parser.skip_to_type()
            self.operands = [parser.typed()]
            parser.expect('to')
            self.type = parser.type()
        else:
            raise SyntaxError('what is %r' % text)

    def read_two(self, parser):
        parser.skip_to_type()
        first = parser.typed()
        parser.expect(',')
        self.operands = [first, parser.value(first.type)]
        self.type = first.type
        if self.op in ('icmp', 'fcmp'):
            lanes = re.match(r'(< (?:vscale x )?[0-9]+ x ).* >$', first.type)
            self.type = lanes.group(1) + 'i1 >' if lanes else 'i1'

    def read_list(self, parser):
        """Typed operands separated by commas, up to what else may follow."""
        while True:
            parser.skip_to_type()
            self.operands.append(parser.typed())
            if parser.peek() != ',' or not self.more(parser):
                return
            parser.next()

    @staticmethod
    def more(parser):
        parser.at += 1
        yes = parser.at_type() and parser.peek() != 'align'
        parser.at -= 1
        return yes

    def read_ret(self, parser):
        if not parser.accept('void'):
            self.operands = [parser.typed()]

    def label(self, parser):
        parser.expect('label')
        return parser.next()

    def read_br(self, parser):
        if parser.peek() == 'label':
            self.is_unconditional = True
            self.successors = [self.label(parser)]
            return
        self.operands = [parser.typed()]
        parser.expect(',')
        self.successors.append(self.label(parser))
        parser.expect(',')
        self.successors.append(self.label(parser))

    def read_switch(self, parser):
        self.operands = [parser.typed()]
        parser.expect(',')
        self.successors = [self.label(parser)]
        parser.expect('[')
        while not parser.accept(']'):
            self.case_values.append(parser.typed())
            parser.expect(',')
            self.successors.append(self.label(parser))

    def read_indirectbr(self, parser):
        self.operands = [parser.typed()]
        parser.expect(',')
        parser.expect('[')
        while not parser.accept(']'):
            self.successors.append(self.label(parser))
            parser.accept(',')

    def read_unreachable(self, parser):
        pass

    def read_fence(self, parser):
        pass

    def read_resume(self, parser):
        self.operands = [parser.typed()]

    def read_phi(self, parser):
        parser.skip_to_type()
        self.type = parser.type()
        while True:
            parser.expect('[')
            self.operands.append(parser.value(self.type))
            parser.expect(',')
            parser.next()
            parser.expect(']')
            if parser.peek() != ',' or parser.peek(1) != '[':
                return
            parser.next()

    def read_alloca(self, parser):
        while parser.peek() in ('inalloca', 'swifterror'):
            parser.next()
        parser.type()
        self.type = 'ptr'
        size = Value('int', 'ConstantOne', 'i32', '1', 1)  # not printed
        if parser.peek() == ',' and self.more(parser):
            parser.next()
            size = parser.typed()
        self.operands = [size]
        while parser.accept(','):
            if parser.peek() == 'addrspace':
                parser.next()
                self.type = 'ptr addrspace' + parser.balanced()
            elif parser.peek() in ('align',) or parser.peek()[:1] == '!':
                break

    def read_load(self, parser):
        parser.skip_to_type()
        self.type = parser.type()
        parser.expect(',')
        self.operands = [parser.typed()]

    def read_store(self, parser):
        parser.skip_to_type()
        self.operands = [parser.typed()]
        parser.expect(',')
        self.operands.append(parser.typed())

    def read_cmpxchg(self, parser):
        self.read_list(parser)
        self.type = '{ %s , i1 }' % self.operands[1].type

    def read_atomicrmw(self, parser):
        self.read_list(parser)
        self.type = self.operands[1].type

    def read_getelementptr(self, parser):
        while parser.peek() in ('inbounds', 'nuw', 'nusw'):
            parser.next()
        parser.type()
        parser.expect(',')
        self.read_list(parser)
        lanes = [re.match(r'< (vscale x )?[0-9]+ x ', operand.type) for operand in self.operands]
        lanes = [match.group() for match in lanes if match]
        pointer = self.operands[0].type
        self.type = lanes[0] + 'ptr >' if lanes and pointer[0] != '<' else pointer

    def read_select(self, parser):
        self.read_list(parser)
        self.type = self.operands[1].type

    def read_fneg(self, parser):
        parser.skip_to_type()
        self.operands = [parser.typed()]
        self.type = self.operands[0].type

    read_freeze = read_fneg

    def read_va_arg(self, parser):
        self.operands = [parser.typed()]
        parser.expect(',')
        self.type = parser.type()

    def read_extractelement(self, parser):
        self.read_list(parser)
        self.type = re.match(r'< (?:vscale x )?[0-9]+ x (.*) >$', self.operands[0].type).group(1)

    def read_insertelement(self, parser):
        self.read_list(parser)
        self.type = self.operands[0].type

    def read_shufflevector(self, parser):
        first = parser.typed()
        parser.expect(',')
        self.operands = [first, parser.typed()]
        parser.expect(',')
        lanes = re.match(r'< (?:vscale x )?[0-9]+ x ', parser.type()).group()  # the mask is no operand
        self.type = lanes + re.match(r'< (?:vscale x )?[0-9]+ x (.*)$', first.type).group(1)

    def read_extractvalue(self, parser):
        self.operands = [parser.typed()]
        self.type = '?'  # of the member; any user of the result says it

    def read_insertvalue(self, parser):
        first = parser.typed()
        parser.expect(',')
        self.operands = [first, parser.typed()]
        self.type = first.type

    def read_landingpad(self, parser):
        self.type = parser.type()
        while parser.peek() in ('cleanup', 'catch', 'filter'):
            if parser.next() != 'cleanup':
                self.operands.append(parser.typed())

    def read_call(self, parser):
        parser.skip_to_type()
        self.type = parser.type()
        explicit = parser.parameters() if parser.peek() == '(' else None
        callee = parser.value('ptr')
        self.operands, types = parser.arguments()
        while parser.peek() and parser.peek() not in ('[', 'to', ','):
            parser.skip_attribute()
        if parser.accept('['):
            while not parser.accept(']'):
                parser.next()  # the tag
                self.operands += parser.arguments()[0]
                parser.accept(',')
        if self.op == 'invoke':
            parser.expect('to')
            self.successors.append(self.label(parser))
            parser.expect('unwind')
            self.successors.append(self.label(parser))
        elif self.op == 'callbr':
            parser.expect('to')
            self.successors.append(self.label(parser))
            parser.expect('[')
            while not parser.accept(']'):
                self.successors.append(self.label(parser))
                parser.accept(',')
        # Blocks are operands between the arguments and the callee.
        self.operands += [Value('skip', None, 'label', '', None)] * len(self.successors) + [callee]
        if callee.what == 'function':
            wanted = (self.type, tuple(types if explicit is None else explicit))
            if parser.module.signatures[callee.text] == wanted:
                self.callee = callee.text

    read_invoke = read_callbr = read_call

    def is_counted(self):
        return self.callee != '@llvm.pseudoprobe'


class Function:
    def __init__(self, name, is_declaration):
        self.name, self.is_declaration = name, is_declaration
        self.lines = []  # of the body: labels and whole instructions
        self.blocks = collections.OrderedDict()

    def read(self, module):
        label = None
        for line in self.lines:
            if line[0] != ' ':
                label = '%' + line[:line.rindex(':')]
                self.blocks[label] = []
                continue
            if label is None:
                label = 'the entry'
                self.blocks[label] = []
            instruction = Instruction(line, module)
            if instruction.is_counted():
                self.blocks[label].append(instruction)


class Module:
    def __init__(self, text):
        self.signatures, self.functions = {}, []
        current = None
        for line in text.split('\n'):
            line = without_comment(line).rstrip()
            if line.startswith('declare ') or line.startswith('define '):
                current = self.header(line)
                self.functions.append(current)
                if current.is_declaration:
                    current = None
            elif line == '}':
                current = None
            elif current is not None and line:
                if line.startswith('  uselistorder') or line.startswith('    #dbg_'):
                    continue
                if line.startswith('   ') or line.startswith('  ]'):
                    current.lines[-1] += ' ' + line.strip()
                else:
                    current.lines.append(line)
        for function in self.functions:
            function.read(self)

    def header(self, line):
        tokens = tokenize(line)
        name = next(t for t, following in zip(tokens, tokens[1:]) if t[0] == '@' and following == '(')
        parser = Parser(tokens, self)
        is_declaration = parser.next() == 'declare'
        parser.skip_to_type()
        result = parser.type()
        if parser.next() != name:
            raise SyntaxError('what is %r' % line)
        self.signatures[name] = (result, tuple(parser.parameters()))
        return Function(name, is_declaration)
