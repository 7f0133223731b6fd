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

from ir_parser import BINARY, CASTS, FLOATS
from ir_text import Module

OPCODES = ('Ret Br Switch IndirectBr Invoke Resume Unreachable CleanupRet CatchRet CatchSwitch CallBr FNeg Add FAdd '
           'Sub FSub Mul FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor Alloca Load Store '
           'GetElementPtr Fence AtomicCmpXchg AtomicRMW Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt '
           'PtrToInt IntToPtr BitCast AddrSpaceCast CleanupPad CatchPad ICmp FCmp PHI Call Select UserOp1 UserOp2 '
           'VAArg ExtractElement InsertElement ShuffleVector ExtractValue InsertValue LandingPad Freeze').split()
OPCODE_OF = {name.lower(): name for name in OPCODES}
OPCODE_OF.update(cmpxchg='AtomicCmpXchg', va_arg='VAArg', ptrtoaddr='PtrToInt')


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
