/** Checks literals that functions read: patterns, durations, timestamps, and texts with placeholders. */
import type { Call, Expr } from '../syntax/ast.js';
import type { RawIssue } from '../syntax/source.js';
import { EvaluationError } from '../values/error.js';
import { compilePattern } from '../values/text.js';
import { parseDuration, parseTimestamp } from '../values/time.js';
import type { Checked } from './references.js';
import { dyn, formatType, type Type } from './types.js';

/** Returns the mistakes in literals of a checked expression, in the order of their positions. */
export function literalIssues(checked: Checked): readonly RawIssue[] {
  const issues: RawIssue[] = [];
  for (const [expr, reference] of checked.references) {
    if (expr.kind !== 'call' || reference.kind !== 'function') continue;
    if (reference.name === 'format') issues.push(...formatIssues(expr, checked));
    const [argument] = expr.args;
    const reads = readers.get(reference.name);
    const text = textOf(argument);
    if (argument === undefined || reads === undefined || text === undefined || reads(text)) continue;
    issues.push({ at: argument.at, message: `invalid ${reference.name} argument` });
  }
  return issues.sort((a, b) => a.at - b.at);
}

const textOf = (expr: Expr | undefined): string | undefined =>
  expr?.kind === 'constant' && expr.literal.type === 'string' ? expr.literal.value : undefined;

/** For each function that reads a text: whether it can read it. */
const readers: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['matches', isPattern],
  ['duration', (text) => parseDuration(text) !== undefined],
  ['timestamp', (text) => parseTimestamp(text) !== undefined],
]);

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

/** The kinds of types that each placeholder takes, and the rule in the words of errors. */
const placeholders: Readonly<Record<string, readonly [kinds: string, rule: string]>> = {
  s: [
    'list map int uint double bool string timestamp bytes duration type null',
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
  d: ['int uint', 'decimal clause can only be used on integers'],
  f: ['double string', 'fixed-point clause can only be used on doubles'],
  e: ['double string', 'scientific clause can only be used on doubles'],
  b: ['int uint bool', 'only integers and bools can be formatted as binary'],
  x: ['int uint string bytes', 'only integers, byte buffers, and strings can be formatted as hex'],
  X: ['int uint string bytes', 'only integers, byte buffers, and strings can be formatted as hex'],
  o: ['int uint', 'octal clause can only be used on integers'],
};

/** Yields the mistakes of a literal text with placeholders and its list of arguments. */
function* formatIssues({ at, target, args }: Call, { types }: Checked): Generator<RawIssue> {
  const text = textOf(target);
  const [list] = args;
  if (text === undefined || list?.kind !== 'list') return;
  let used = 0;
  for (const [, clause = '', letter = ''] of text.matchAll(/%(%|(?:\.\d+)?([\s\S]?))/g)) {
    if (clause === '%') continue;
    const argument = list.items[used];
    if (argument === undefined) {
      yield { at, message: `index ${used} out of range` };
      return;
    }
    used++;
    const [kinds, rule] = placeholders[letter] ?? [];
    if (kinds === undefined) {
      const why = letter === '' ? 'unexpected end of string' : `unrecognized formatting clause "${letter}"`;
      yield { at, message: letter === '' ? why : `could not parse formatting clause: ${why}` };
      return;
    }
    const type = types.get(argument) ?? dyn;
    if (type.kind === 'dyn' || kinds.split(' ').includes(type.kind)) continue;
    yield { at: argument.at, message: `error during formatting: ${rule}, was given ${nameOf(type)}` };
    return;
  }
  const given = list.items.length;
  if (given > used) {
    yield { at, message: `too many arguments supplied to string.format (expected ${used}, got ${given})` };
  }
}

/** Returns the name of a type without its parts. */
const nameOf = (type: Type): string => formatType(type).split('(', 1)[0] ?? '';
