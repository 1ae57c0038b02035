/** Operators on values of known types that JavaScript has an operator for. */
import type { Overload } from '../environment.js';
import type { Code, ProgramCode } from './code.js';

/** The text of an inlined call, and its cost beyond its arguments. */
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

/** Ints are held in one form each, so that they are the same where they are equal. */
const identical = new Set(['int', 'bool']);

const isLiteral = /^(?:true|false|-?\d+n?)$/;
const isLarge = /^-?\d+n$/;

export function inlineCall(
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

/** Tests of texts, which pay for themselves. */
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
      // Two literals are of different types to TypeScript, as are sizes and integers too large for a number.
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
