/** Macros: calls that the parser replaces by loops and tests. */
import { getOwn } from '../../objects/guards.js';
import type { Call, Comprehension, Expr, Macro } from './ast.js';
import type { RawIssue } from './source.js';

/** Groups of macros that an environment may have. */
export type MacroGroup = 'standard' | 'twoVariables' | 'bindings' | 'optionals' | 'math' | 'sorting';

export type MacroSet = ReadonlySet<MacroGroup>;

export type Expansion = { readonly expr: Expr } | { readonly issue: RawIssue };

/** The variable that collects the result of a loop. No expression can name it. */
export const accumulatorName = '@result';

/** Expands a macro. Returns `undefined` for other calls. */
export function expandMacro(call: Call, macros: MacroSet): Expansion | undefined {
  if (call.target === undefined) return macros.has('standard') && call.name === 'has' ? presence(call) : undefined;
  const { target } = call;
  if (target.kind === 'ident' && target.name === 'cel' && call.name === 'bind' && macros.has('bindings'))
    return binding(call);
  if (target.kind === 'ident' && target.name === 'math' && macros.has('math')) return extreme(call);
  const count = call.args.length;
  if (macros.has('standard') && count >= 2) {
    const standard = standardLoop(call, target, macros);
    if (standard !== undefined) return standard;
  }
  if (macros.has('twoVariables') && count >= 3) {
    const loop = twoVariableLoop(call, target);
    if (loop !== undefined) return loop;
  }
  if (macros.has('sorting') && count === 2 && call.name === 'sortBy') return sorting(call, target);
  if (macros.has('optionals') && count === 2) return optionalChain(call, target);
  return undefined;
}

function presence(call: Call): Expansion | undefined {
  const [argument] = call.args;
  if (argument === undefined || call.args.length !== 1) return undefined;
  if (argument.kind === 'select' && !argument.test) return { expr: { ...argument, at: call.at, test: true } };
  return { issue: { at: call.at, message: 'invalid argument to has() macro' } };
}

function standardLoop(call: Call, range: Expr, macros: MacroSet): Expansion | undefined {
  const [variable, first, second] = call.args;
  if (variable === undefined || first === undefined) return undefined;
  const count = call.args.length;
  if (call.name === 'map' && count <= 3) {
    const transform = second ?? first;
    const parts: Macro = { name: 'list', transform, ...(second === undefined ? {} : { filter: first }) };
    return oneVariable(call, range, variable, parts);
  }
  if (count !== 2) return undefined;
  if (call.name === 'filter')
    return oneVariable(call, range, variable, { name: 'list', transform: variable, filter: first });
  const newer = call.name === 'existsOne' && macros.has('twoVariables');
  const name = newer ? 'existsOne' : getOwn(quantifiers, call.name);
  if (name === undefined) return undefined;
  return oneVariable(call, range, variable, { name, predicate: first });
}

const quantifiers: Readonly<Record<string, 'all' | 'exists' | 'existsOne'>> = {
  all: 'all',
  exists: 'exists',
  exists_one: 'existsOne',
};

function oneVariable(call: Call, range: Expr, variable: Expr, macro: Macro): Expansion {
  const problem = variableProblem(variable, 'argument is not an identifier', call.name);
  if (problem !== undefined || variable.kind !== 'ident') return { issue: problem ?? { at: variable.at, message: '' } };
  return { expr: loop(call.at, range, variable.name, undefined, macro) };
}

const twoVariableMacros: Readonly<Record<string, readonly [min: number, max: number]>> = {
  all: [3, 3],
  exists: [3, 3],
  existsOne: [3, 3],
  exists_one: [3, 3],
  transformList: [3, 4],
  transformMap: [3, 4],
  transformMapEntry: [3, 4],
};

function twoVariableLoop(call: Call, range: Expr): Expansion | undefined {
  const [first, second, third, fourth] = call.args;
  const [min, max] = Object.hasOwn(twoVariableMacros, call.name) ? (twoVariableMacros[call.name] ?? [1, 0]) : [1, 0];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (call.args.length < min || call.args.length > max) return undefined;
  const problem =
    variableProblem(first, 'argument must be a simple name', call.name) ??
    variableProblem(second, 'argument must be a simple name', call.name);
  if (problem !== undefined || first.kind !== 'ident' || second.kind !== 'ident') {
    return { issue: problem ?? { at: first.at, message: '' } };
  }
  if (first.name === second.name)
    return { issue: { at: second.at, message: `duplicate variable name: ${first.name}` } };
  const macro = twoVariableMacro(call.name, third, fourth);
  return { expr: loop(call.at, range, first.name, second.name, macro) };
}

function twoVariableMacro(name: string, third: Expr, fourth: Expr | undefined): Macro {
  const quantifier = name === 'existsOne' ? 'existsOne' : getOwn(quantifiers, name);
  if (quantifier !== undefined) return { name: quantifier, predicate: third };
  const kind = name === 'transformList' ? 'list' : name === 'transformMap' ? 'map' : 'mapEntry';
  return fourth === undefined ? { name: kind, transform: third } : { name: kind, filter: third, transform: fourth };
}

function variableProblem(variable: Expr, message: string, macro: string): RawIssue | undefined {
  const wording = /^(all|exists|exists_one)$/.test(macro) ? 'argument must be a simple name' : message;
  if (variable.kind !== 'ident' || variable.name.startsWith('.')) return { at: variable.at, message: wording };
  if (variable.name !== accumulatorName && variable.name !== '__result__') return undefined;
  return { at: variable.at, message: 'iteration variable overwrites accumulator variable' };
}

function loop(at: number, range: Expr, variable: string, second: string | undefined, macro: Macro): Comprehension {
  const build = new Build(at);
  const accumulator = build.ident(accumulatorName);
  const base = {
    kind: 'comprehension',
    at,
    range,
    variable,
    ...(second === undefined ? {} : { second }),
    accumulator: accumulatorName,
    macro,
  } as const;
  const yes = build.bool(true);
  const when = (filter: Expr | undefined, step: Expr): Expr =>
    filter === undefined ? step : build.call('_?_:_', filter, step, accumulator);
  switch (macro.name) {
    case 'all': {
      const condition = build.call('@not_strictly_false', accumulator);
      const step = build.call('_&&_', accumulator, macro.predicate);
      return { ...base, init: yes, condition, step, result: accumulator };
    }
    case 'exists': {
      const condition = build.call('@not_strictly_false', build.call('!_', accumulator));
      const step = build.call('_||_', accumulator, macro.predicate);
      return { ...base, init: build.bool(false), condition, step, result: accumulator };
    }
    case 'existsOne': {
      const step = when(macro.predicate, build.call('_+_', accumulator, build.int(1n)));
      const result = build.call('_==_', accumulator, build.int(1n));
      return { ...base, init: build.int(0n), condition: yes, step, result };
    }
    case 'list': {
      const step = when(macro.filter, build.call('_+_', accumulator, build.list([macro.transform])));
      return { ...base, init: build.list([]), condition: yes, step, result: accumulator };
    }
    case 'map': {
      const insert = build.call('cel.@mapInsert', accumulator, build.ident(variable), macro.transform);
      return { ...base, init: build.map(), condition: yes, step: when(macro.filter, insert), result: accumulator };
    }
    case 'mapEntry': {
      const insert = build.call('cel.@mapInsert', accumulator, macro.transform);
      return { ...base, init: build.map(), condition: yes, step: when(macro.filter, insert), result: accumulator };
    }
    case 'bind':
      return { ...base, init: macro.value, condition: build.bool(false), step: accumulator, result: macro.body };
  }
}

function binding(call: Call): Expansion | undefined {
  const [variable, value, body] = call.args;
  if (variable === undefined || value === undefined || body === undefined || call.args.length !== 3) return undefined;
  if (variable.kind !== 'ident' || variable.name.startsWith('.')) {
    return { issue: { at: variable.at, message: 'cel.bind() variable names must be simple identifiers' } };
  }
  return { expr: bindTo(call.at, variable.name, value, body) };
}

/** Makes a loop that binds a variable to a value and evaluates a body once. */
function bindTo(at: number, variable: string, value: Expr, body: Expr): Comprehension {
  const build = new Build(at);
  return {
    kind: 'comprehension',
    at,
    range: build.list([]),
    variable: '#unused',
    accumulator: variable,
    init: value,
    condition: build.bool(false),
    step: build.ident(variable),
    result: body,
    macro: { name: 'bind', value, body },
  };
}

/** The list that `sortBy` sorts. No expression can name it. */
const sortedName = '@sorted';

/** Expands `list.sortBy(x, key)`: sorts the list by the list of its keys. */
function sorting(call: Call, target: Expr): Expansion {
  const [variable, key] = call.args;
  if (!['list', 'select', 'ident', 'comprehension', 'call'].includes(target.kind)) {
    const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    return { issue: { at: target.at, message } };
  }
  const build = new Build(call.at);
  const sorted = build.ident(sortedName);
  const keys =
    variable === undefined || key === undefined
      ? { issue: { at: call.at, message: '' } }
      : oneVariable(call, sorted, variable, { name: 'list', transform: key });
  if ('issue' in keys) return keys;
  const body = build.member('@sortByAssociatedKeys', sorted, keys.expr);
  return { expr: bindTo(call.at, sortedName, target, body) };
}

/** Expands `a.optMap(x, body)`: the body wrapped in an optional if `a` is present, otherwise an absent optional. */
function optionalChain(call: Call, target: Expr): Expansion | undefined {
  if (call.name !== 'optMap' && call.name !== 'optFlatMap') return undefined;
  const [variable, body] = call.args;
  if (variable === undefined || body === undefined) return undefined;
  if (variable.kind !== 'ident' || variable.name.startsWith('.')) {
    return { issue: { at: variable.at, message: `${call.name}() variable name must be a simple identifier` } };
  }
  const build = new Build(call.at);
  const flat = call.name === 'optFlatMap';
  const bound = bindTo(call.at, variable.name, build.member('value', target), body);
  const present = build.member('hasValue', target);
  const some = flat ? bound : build.call('optional.of', bound);
  const expr: Call = {
    kind: 'call',
    at: call.at,
    name: '_?_:_',
    args: [present, some, build.call('optional.none')],
    chain: { target, variable: variable.name, body, flat },
  };
  return { expr };
}

/** Expands `math.greatest` and `math.least`, which take any number of numbers. */
function extreme(call: Call): Expansion | undefined {
  if (call.name !== 'greatest' && call.name !== 'least') return undefined;
  const build = new Build(call.at);
  const name = call.name === 'greatest' ? 'math.@max' : 'math.@min';
  const [first] = call.args;
  if (first === undefined)
    return { issue: { at: call.target?.at ?? call.at, message: `math.${call.name}() requires at least one argument` } };
  for (const argument of call.args) {
    const wrong =
      argument.kind === 'constant'
        ? !['int', 'uint', 'double'].includes(argument.literal.type)
        : call.args.length === 1
          ? argument.kind === 'map' || argument.kind === 'message'
          : argument.kind === 'map' || argument.kind === 'message' || argument.kind === 'list';
    if (wrong)
      return { issue: { at: argument.at, message: `math.${call.name}() simple literal arguments must be numeric` } };
  }
  if (call.args.length <= 2) return { expr: build.call(name, ...call.args) };
  return { expr: build.call(name, build.list(call.args)) };
}

/** Makes nodes at the position of their macro. */
class Build {
  constructor(private readonly at: number) {}

  ident(name: string): Expr {
    return { kind: 'ident', at: this.at, name };
  }

  bool(value: boolean): Expr {
    return { kind: 'constant', at: this.at, literal: { type: 'bool', value } };
  }

  int(value: bigint): Expr {
    return { kind: 'constant', at: this.at, literal: { type: 'int', value } };
  }

  list(items: readonly Expr[]): Expr {
    return { kind: 'list', at: this.at, items, optional: new Set() };
  }

  map(): Expr {
    return { kind: 'map', at: this.at, entries: [] };
  }

  call(name: string, ...args: readonly Expr[]): Expr {
    return { kind: 'call', at: this.at, name, args };
  }

  member(name: string, target: Expr, ...args: readonly Expr[]): Expr {
    return { kind: 'call', at: this.at, name, target, args };
  }
}
