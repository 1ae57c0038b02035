/**
 * Turns calls of functions into program text. The more the checker knows about the arguments, the more direct the call
 * is.
 */

import { hasDynamicCost } from '../check/call-cost.js';
import { bool } from '../check/types.js';
import type { Overload } from '../environment.js';
import type { Call } from '../syntax/ast.js';
import type { Code, ProgramCode } from './code.js';
import type { EmitHost } from './host.js';
import { anyOf, broken, direct, metered, overloadsOf, takesExactly } from './operands.js';
import { quoted, scalarTypes } from './program-text.js';

/** Calls that succeed for all values of their parameter types. */
const infallible =
  /^(?:equals|not_equals|less|greater|size_|list_size|map_size|string_size|bytes_size|starts_with|ends_with|contains_string|logical_not|in_list|in_map|to_dyn|type$|not_strictly)/;

/** Functions of the support module for compiled patterns, by the overloads that they replace. */
const patternFunctions: Readonly<Record<string, string>> = {
  matches: 'matchesPattern',
  matches_string: 'matchesPattern',
  string_find_string: 'findPattern',
  string_find_all_string: 'findAllPattern',
  string_find_all_string_int: 'findAllPattern',
};

export class CallEmitter {
  constructor(private readonly host: EmitHost) {}

  /** Emits a call of a function. */
  call(expr: Call): Code {
    const [overload] = overloadsOf(expr, this.host.checked);
    const member = this.membership(expr, overload);
    if (member !== undefined) return member;
    const reference = this.host.checked.references.get(expr);
    const namespaced = reference?.kind === 'function' && reference.namespaced;
    const parts = expr.target === undefined || namespaced ? expr.args : [expr.target, ...expr.args];
    return this.invoke(
      expr,
      parts.map((part) => this.host.emit(part)),
    );
  }

  /** Emits the lookup of a value in a list of constants. The lookup itself costs nothing. */
  private membership(expr: Call, overload: Overload | undefined): Code | undefined {
    const [item, container] = expr.args;
    if (overload?.id !== 'in_list' || overloadsOf(expr, this.host.checked).length > 1) return undefined;
    if (item === undefined || container?.kind !== 'list' || container.items.length === 0) return undefined;
    const value = this.host.value(item);
    const kinds = new Set(container.items.map((one) => (one.kind === 'constant' ? one.literal.type : 'other')));
    const [kind] = kinds;
    if (kinds.size !== 1 || kind !== value.type.kind || !/^(?:string|int|bool)$/.test(kind)) return undefined;
    const set = this.host.code.constant(
      'members',
      `new Set${this.memberType(kind)}(${this.host.constantText(container)})`,
    );
    return { text: `${set}.has(${value.text})`, type: bool, cost: value.cost, fails: value.fails };
  }

  private memberType(kind: keyof typeof scalarTypes): string {
    return this.host.code.language === 'ts' ? `<${scalarTypes[kind]}>` : '';
  }

  /** Emits a call of the remaining overloads with emitted arguments. */
  invoke(expr: Call, args: readonly Code[]): Code {
    const overloads = overloadsOf(expr, this.host.checked);
    const [overload] = overloads;
    const type = this.host.typeOf(expr);
    if (overload === undefined)
      return { ...broken(this.host.code), cost: args.reduce((sum, { cost }) => sum + cost, 1) };
    const matched = overloads.length === 1 ? this.matched(expr, overload, args) : undefined;
    if (matched !== undefined) return matched;
    const exact = overloads.length === 1 && takesExactly(overload, args);
    const inline = exact
      ? inlineCall(overload, args, this.host.code, (code) => this.host.reading.value(code))
      : undefined;
    const values = args.map((argument) => this.host.reading.value(argument));
    const cost = values.reduce((sum, { cost: part }) => sum + part, 0);
    const failing = values.some(({ fails }) => fails);
    if (inline !== undefined) {
      return { text: inline.text, type, cost: cost + inline.cost, fails: failing || !infallible.test(overload.id) };
    }
    const texts = values.map(({ text }) => text).join(', ');
    const fails = failing || !exact || !infallible.test(overload.id);
    const { code } = this.host;
    const known = (text: string, cost: number): Code => ({ text: code.known(text, type), type, cost, fails });
    if (!exact) return known(`${anyOf(code, overloads)}(meter, ${texts})`, cost);
    if (hasDynamicCost(overload.id)) return known(`${metered(code, overload)}(meter, ${texts})`, cost);
    return known(`${direct(code, overload)}(${texts})`, cost + 1);
  }

  /** Emits a match. The program compiles a constant pattern when it is made, and fails if the pattern is invalid. */
  private matched(expr: Call, { id }: Overload, args: readonly Code[]): Code | undefined {
    const helper = patternFunctions[id];
    const [text, pattern, last] = args;
    const source = expr.args[expr.target === undefined ? 1 : 0];
    if (helper === undefined || source?.kind !== 'constant' || source.literal.type !== 'string') return undefined;
    const compiled = this.host.code.constant(
      'pattern',
      `${this.host.code.use('patternOf')}(${quoted(source.literal.value)})`,
    );
    if (text === undefined || pattern === undefined || text.type.kind !== 'string' || text.data?.nullable)
      return undefined;
    const value = this.host.reading.value(text);
    const limit = last && this.host.reading.value(last);
    const rest = limit === undefined ? '' : `, ${limit.text}`;
    return {
      text: `${this.host.code.use(helper)}(meter, ${value.text}, ${compiled}${rest})`,
      type: this.host.typeOf(expr),
      cost: value.cost + (limit?.cost ?? 0),
      fails: value.fails || limit?.fails === true,
    };
  }
}

/** The text of an inlined call, and its cost without its arguments. */
interface Inline {
  readonly text: string;
  readonly cost: number;
}

const signs: Readonly<Record<string, string>> = {
  less: '<',
  less_equals: '<=',
  greater: '>',
  greater_equals: '>=',
};

/** Each int has only one form, so equal ints are identical. */
const identical = new Set(['int', 'bool']);

const isLiteral = /^(?:true|false|-?\d+n?)$/;
const isLarge = /^-?\d+n$/;

function inlineCall(
  overload: Overload,
  args: readonly Code[],
  code: ProgramCode,
  read: (code: Code) => Code,
): Inline | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (second === undefined) return unary(overload.id, first, code, read);
  return binary(overload.id, first, second, code, read);
}

function unary(id: string, operand: Code, code: ProgramCode, read: (code: Code) => Code): Inline | undefined {
  if (id === 'logical_not' && operand.type.kind === 'bool') return { text: `!${read(operand).text}`, cost: 1 };
  if (id === 'to_dyn') return { text: read(operand).text, cost: 1 };
  if (/^(?:size_list|list_size)$/.test(id) && operand.data?.shape === 'list') {
    return { text: `${code.use('jsonItems')}(${operand.text}).length`, cost: 1 };
  }
  if (/^(?:size_map|map_size)$/.test(id) && operand.data?.shape === 'map') {
    return { text: `${code.use('jsonKeys')}(${operand.text}).length`, cost: 1 };
  }
  if (/^(?:size_string|string_size)$/.test(id)) {
    return { text: `${code.use('textSize')}(${read(operand).text})`, cost: 1 };
  }
  return undefined;
}

/** Tests of texts. Their functions charge the cost. */
const textTests: Readonly<Record<string, string>> = {
  starts_with_string: 'startsWith',
  ends_with_string: 'endsWith',
};

function binary(
  id: string,
  left: Code,
  right: Code,
  code: ProgramCode,
  read: (code: Code) => Code,
): Inline | undefined {
  const [a, b] = [read(left).text, read(right).text];
  const textTest = textTests[id];
  if (textTest !== undefined) return { text: `${code.use(textTest)}(meter, ${a}, ${b})`, cost: 0 };
  if (id === 'equals' || id === 'not_equals') {
    const { kind } = left.type;
    if (kind !== right.type.kind) return undefined;
    if (identical.has(kind)) {
      // TypeScript refuses to compare two different literals, or a size with an integer that a number cannot hold.
      const differ = (isLiteral.test(a) && isLiteral.test(b)) || isLarge.test(a) || isLarge.test(b);
      const first = differ ? code.known(a, left.type) : a;
      return { text: `(${first} ${id === 'equals' ? '===' : '!=='} ${b})`, cost: 1 };
    }
    if (kind !== 'string') return undefined;
    const text = `${code.use('equalText')}(meter, ${a}, ${b})`;
    return { text: id === 'equals' ? text : `!${text}`, cost: 0 };
  }
  const order = /^(less|less_equals|greater|greater_equals)_(int64|double|timestamp|duration)$/.exec(id);
  const sign = signs[order?.[1] ?? ''];
  if (sign === undefined) return undefined;
  const field = order?.[2] === 'int64' ? '' : order?.[2] === 'double' ? '.value' : '.nanos';
  return { text: `(${a}${field} ${sign} ${b}${field})`, cost: 1 };
}
