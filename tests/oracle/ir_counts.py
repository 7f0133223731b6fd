#!/usr/bin/env python3
"""A second opinion on `autophase`, `inst_count` and `program_graph`, from the text of modules.

    ir_counts.py MODULE.ll...

prints one line of JSON per module: {"autophase": {...}, "inst_count": {...}, "nodes": {...}, "edges": {...}}.
It shares nothing with the C++ that it checks, nor with LLVM: it reads what opt -S prints by the grammar of the
language (https://llvm.org/docs/LangRef.html) and counts by the published definitions. "nodes" are counted by
kind, "edges" by "FLOW POSITION SOURCE-KIND TARGET-KIND". What it does not understand is an error, never a guess.
"""
import collections
import json
import re
import sys

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
OPCODES = ('Ret Br Switch IndirectBr Invoke Resume Unreachable CleanupRet CatchRet CatchSwitch CallBr FNeg Add FAdd '
           'Sub FSub Mul FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor Alloca Load Store '
           'GetElementPtr Fence AtomicCmpXchg AtomicRMW Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt '
           'PtrToInt IntToPtr BitCast AddrSpaceCast CleanupPad CatchPad ICmp FCmp PHI Call Select UserOp1 UserOp2 '
           'VAArg ExtractElement InsertElement ShuffleVector ExtractValue InsertValue LandingPad Freeze').split()
OPCODE_OF = {name.lower(): name for name in OPCODES}
OPCODE_OF.update(cmpxchg='AtomicCmpXchg', va_arg='VAArg', ptrtoaddr='PtrToInt')

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


def inst_count(module):
    counts = {name + 'Count': 0 for name in ['TotalInsts', 'TotalBlocks', 'TotalFuncs'] + OPCODES}
    for function in module.functions:
        counts['TotalFuncsCount'] += 1
        for block in function.blocks.values():
            counts['TotalBlocksCount'] += 1
            for instruction in block:
                counts['TotalInstsCount'] += 1
                counts[OPCODE_OF[instruction.op] + 'Count'] += 1
    return counts


def autophase(module):
    n = collections.Counter()
    for function in module.functions:
        n['TotalFuncs'] += 1
        predecessors = collections.Counter(s for block in function.blocks.values() for s in block[-1].successors)
        for label, block in function.blocks.items():
            autophase_block(n, block, predecessors[label], predecessors)
    for name in ('Add', 'Alloca', 'And', 'AShr', 'BitCast', 'Br', 'Call', 'GetElementPtr', 'ICmp', 'LShr', 'Load',
                 'Mul', 'Or', 'PHI', 'Ret', 'SExt', 'Select', 'Shl', 'Store', 'Sub', 'Trunc', 'Xor', 'ZExt'):
        n['Num%sInst' % name] = n['op ' + name]
    n['BranchCount'] = n['op Br']
    n['TotalMemInst'] = sum(n['op ' + name] for name in ('GetElementPtr', 'Load', 'Store', 'Call', 'Invoke', 'Alloca'))
    order = ('BBNumArgsHi BBNumArgsLo onePred onePredOneSuc onePredTwoSuc oneSuccessor twoPred twoPredOneSuc twoEach '
             'twoSuccessor morePreds BB03Phi BBHiPhi BBNoPhi BeginPhi BranchCount returnInt CriticalCount NumEdges '
             'const32Bit const64Bit numConstZeroes numConstOnes UncondBranches binaryConstArg NumAShrInst NumAddInst '
             'NumAllocaInst NumAndInst BlockMid BlockLow NumBitCastInst NumBrInst NumCallInst NumGetElementPtrInst '
             'NumICmpInst NumLShrInst NumLoadInst NumMulInst NumOrInst NumPHIInst NumRetInst NumSExtInst '
             'NumSelectInst NumShlInst NumStoreInst NumSubInst NumTruncInst NumXorInst NumZExtInst TotalBlocks '
             'TotalInsts TotalMemInst TotalFuncs ArgsPhi testUnary').split()
    return {name: n[name] for name in order}


def autophase_block(n, block, preds, predecessors):
    successors = block[-1].successors
    succs = len(successors)
    n['TotalBlocks'] += 1
    n['NumEdges'] += succs
    if succs > 1:
        n['CriticalCount'] += sum(predecessors[successor] > 1 for successor in successors)
    n['onePred'] += preds == 1
    n['twoPred'] += preds == 2
    n['morePreds'] += preds > 2
    n['oneSuccessor'] += succs == 1
    n['twoSuccessor'] += succs == 2
    n['onePredOneSuc'] += (preds, succs) == (1, 1)
    n['onePredTwoSuc'] += (preds, succs) == (1, 2)
    n['twoPredOneSuc'] += (preds, succs) == (2, 1)
    n['twoEach'] += (preds, succs) == (2, 2)
    phis = [instruction for instruction in block if instruction.op == 'phi']
    incoming = sum(len(phi.operands) for phi in phis)
    n['BBNoPhi'] += not phis
    n['BB03Phi'] += 1 <= len(phis) <= 3
    n['BBHiPhi'] += len(phis) > 3
    n['BeginPhi'] += block[0].op == 'phi'
    n['ArgsPhi'] += incoming
    n['BBNumArgsHi'] += incoming > 5
    n['BBNumArgsLo'] += 1 <= incoming <= 5
    n['BlockLow'] += len(block) < 15
    n['BlockMid'] += 15 <= len(block) <= 500
    for instruction in block:
        n['TotalInsts'] += 1
        n['op ' + OPCODE_OF[instruction.op]] += 1
        for value in instruction.operands + instruction.case_values:
            if value.what == 'int':
                n['const32Bit'] += value.type == 'i32'
                n['const64Bit'] += value.type == 'i64'
                n['numConstZeroes'] += value.number == 0
                n['numConstOnes'] += value.number == 1
        if instruction.op in BINARY:
            n['binaryConstArg'] += any(value.what != 'local' for value in instruction.operands)
        if instruction.op in CASTS or instruction.op in ('alloca', 'load', 'va_arg', 'extractvalue', 'freeze', 'fneg'):
            n['testUnary'] += 1
        if instruction.op == 'br':
            n['UncondBranches'] += instruction.is_unconditional
        if instruction.op == 'call' and instruction.callee is not None:
            n['returnInt'] += re.fullmatch('i[0-9]+', instruction.type) is not None


def variable_kind(type_):
    if re.fullmatch('i[0-9]+', type_):
        return 'VariableInteger'
    if type_ in FLOATS:
        return 'VariableFloat'
    if type_.startswith('ptr'):
        return 'VariablePointer'
    if type_[0] == '<' and type_[2] != '{':
        return 'VariableVector'
    return 'VariableAggregate' if type_[0] in '{[%<' else 'VariableOther'


def program_graph(module):
    nodes, edges, constants = collections.Counter(external=1), collections.Counter(), {}
    ends = {}
    for function in module.functions:
        blocks = list(function.blocks.values())
        if function.is_declaration:
            ends[function.name] = 'declaration', ['declaration']
        else:
            exits = [OPCODE_OF[block[-1].op] for block in blocks if not block[-1].successors]
            ends[function.name] = OPCODE_OF[blocks[0][0].op], exits

    def call(site, name):
        entry, exits = ends[name]
        edges['call 0 %s %s' % (site, entry)] += 1
        for leave in exits:
            edges['call 0 %s %s' % (leave, site)] += 1

    for function in module.functions:
        call('external', function.name)
        nodes['declaration'] += function.is_declaration
        results = {i.result: OPCODE_OF[i.op] for block in function.blocks.values() for i in block if i.result}
        arguments = {}
        for block in function.blocks.values():
            last = None
            for instruction in block:
                kind = OPCODE_OF[instruction.op]
                nodes[kind] += 1
                if last is not None:
                    edges['control 0 %s %s' % (last, kind)] += 1
                last = kind
                for position, value in enumerate(instruction.operands):
                    if value.what in ('skip', 'function'):
                        continue
                    if value.what != 'local':
                        constants[value.type, value.text] = source = value.kind
                    elif value.text in results:
                        source = variable_kind(value.type)
                        nodes[source] += 1
                        edges['data 0 %s %s' % (results[value.text], source)] += 1
                    else:
                        arguments[value.text] = source = variable_kind(value.type)
                    edges['data %d %s %s' % (position, source, kind)] += 1
                if instruction.callee is not None:
                    call(kind, instruction.callee)
            for position, successor in enumerate(block[-1].successors):
                edges['control %d %s %s' % (position, last, OPCODE_OF[function.blocks[successor][0].op])] += 1
        nodes.update(arguments.values())
    nodes.update(constants.values())
    return {k: v for k, v in nodes.items() if v}, dict(edges)


def main(paths):
    for path in paths:
        with open(path, encoding='latin-1') as file:
            module = Module(file.read())
        nodes, edges = program_graph(module)
        print(json.dumps({'autophase': autophase(module), 'inst_count': inst_count(module), 'nodes': nodes,
                          'edges': edges}))


if __name__ == '__main__':
    sys.setrecursionlimit(10000)
    main(sys.argv[1:])
