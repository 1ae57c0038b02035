/** Reads the JSONPath expressions of printer columns and scale paths. */
import type { Result } from '../../contract/index.js';
import { badRequest } from '../failures.js';
import { quote } from '../printing.js';

/** A value or path that a filter compares. */
export type FilterOperand = { readonly path: readonly PathStep[] } | { readonly literal: string | number | boolean };

export type FilterOperator = 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>=';

export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'union'; readonly paths: readonly (readonly PathStep[])[] }
  | {
      readonly kind: 'filter';
      readonly left: FilterOperand;
      readonly operator: FilterOperator;
      readonly right?: FilterOperand;
    };

/** The longest expression that is read, in characters. */
const maxLength = 4096;
/** The most levels of filters and unions inside each other. */
const maxNesting = 8;

class PathProblem extends Error {}

/** Returns the steps of an expression such as `.spec.list[0].name`, with or without braces around it. */
export function parseJsonPath(text: string): Result<readonly PathStep[]> {
  const braces = /^\{(.*)\}$/s.exec(text.trim());
  try {
    if (text.length > maxLength) throw new PathProblem(`longer than ${maxLength} characters`);
    return { ok: true, value: parseSteps(braces?.[1] ?? text.trim(), 0) };
  } catch (problem) {
    if (!(problem instanceof PathProblem)) throw problem;
    return { ok: false, failure: badRequest(`invalid JSONPath ${quote(text)}: ${problem.message}`) };
  }
}

function parseSteps(text: string, nesting: number): readonly PathStep[] {
  if (nesting > maxNesting) throw new PathProblem('nested too deep');
  const steps: PathStep[] = [];
  let at = text.startsWith('$') || text.startsWith('@') ? 1 : 0;
  while (at < text.length) {
    const rest = text.slice(at);
    if (rest.startsWith('..')) {
      steps.push({ kind: 'recursive' });
      // A name may follow without another dot.
      at += /^\.\.[.[]/.test(rest) ? 2 : 1;
    } else if (rest.startsWith('.')) at += parseField(rest, steps);
    else if (rest.startsWith('[')) {
      const end = closingBracket(text, at);
      steps.push(...parseBrackets(text.slice(at + 1, end), nesting));
      at = end + 1;
    } else if (/^\s/.test(rest)) at++;
    else throw new PathProblem(`unexpected character ${quote(rest.charAt(0))}`);
  }
  return steps;
}

/** Reads `.name`, where a backslash escapes the next character. Returns its length. */
function parseField(rest: string, steps: PathStep[]): number {
  const match = /^\.(\*|(?:\\.|[^\\.[\]{}()\s$@'"|<>=!,*])*)/s.exec(rest);
  const written = match?.[1] ?? '';
  if (written === '*') steps.push({ kind: 'wildcard' });
  else if (written !== '') steps.push({ kind: 'field', name: written.replace(/\\(.)/gs, '$1') });
  else if (rest.length > 1 && !rest.startsWith('.['))
    throw new PathProblem(`unexpected character ${quote(rest.charAt(1))}`);
  return 1 + written.length;
}

function closingBracket(text: string, open: number): number {
  let depth = 0;
  let quoted = '';
  for (let i = open; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (quoted !== '') quoted = char === quoted ? '' : quoted;
    else if (char === "'" || char === '"') quoted = char;
    else if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return i;
  }
  throw new PathProblem('unterminated array');
}

function parseBrackets(inside: string, nesting: number): readonly PathStep[] {
  const text = inside.trim();
  const filter = /^\?\((.*)\)$/s.exec(text);
  if (filter !== null) return [parseFilter(filter[1] ?? '', nesting)];
  if (text === '*') return [{ kind: 'wildcard' }];
  const key = /^'([^']*)'$/.exec(text);
  // A key in quotes is a path too, so its dots need a backslash.
  if (key !== null) return parseSteps(`.${key[1]}`, nesting + 1);
  if (text.includes(',')) {
    return [{ kind: 'union', paths: text.split(',').map((part) => parseSteps(`[${part.trim()}]`, nesting + 1)) }];
  }
  const range = /^(-?\d{1,9})?(:(-?\d{1,9})?)?(:(-?\d{1,9})?)?$/.exec(text);
  if (range === null || text === '') throw new PathProblem(`invalid array index ${inside}`);
  if (range[2] === undefined) return [{ kind: 'index', index: Number(range[1]) }];
  const step = range[5] === undefined ? 1 : Number(range[5]);
  if (step <= 0) throw new PathProblem('step must be > 0');
  return [{ kind: 'slice', ...bound('start', range[1]), ...bound('end', range[3]), step }];
}

function bound<K extends string>(key: K, text: string | undefined): { readonly [key in K]?: number } | object {
  return text === undefined ? {} : { [key]: Number(text) };
}

function parseFilter(text: string, nesting: number): PathStep {
  const comparison = /^([^!<>=]+)(==|!=|<=|>=|<|>)(.+)$/s.exec(text);
  if (comparison === null) {
    if (/[!<>=]/.test(text)) throw new PathProblem('unrecognized filter operator');
    return { kind: 'filter', left: parseOperand(text, nesting), operator: 'exists' };
  }
  const left = parseOperand(comparison[1] ?? '', nesting);
  const right = parseOperand(comparison[3] ?? '', nesting);
  return { kind: 'filter', left, operator: operatorOf(comparison[2] ?? ''), right };
}

function operatorOf(text: string): FilterOperator {
  switch (text) {
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return text;
    default:
      return '==';
  }
}

function parseOperand(written: string, nesting: number): FilterOperand {
  const text = written.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^'\\]|\\.)*)'$/s.exec(text);
  if (quoted !== null) return { literal: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gs, '$1') };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { literal: Number(text) };
  if (text === 'true' || text === 'false') return { literal: text === 'true' };
  if (/^[@$.[]/.test(text)) return { path: parseSteps(text, nesting + 1) };
  throw new PathProblem(`cannot compare with ${quote(text)}`);
}
