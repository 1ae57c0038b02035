/** Templates of `-o jsonpath=…`, as in kubectl: text, and in braces paths, quoted text and ranges. */
import type { JsonValue } from '../../runtime/contract/index.js';
import { writeJson } from '../../runtime/objects/from-below.js';
import { byCodePoint, formatNumber } from '../../runtime/objects/printing.js';
import { compileJsonPath, type JsonPath } from '../../runtime/objects/selectors/json-path.js';
import { WrongFlag } from './failure.js';

/** Fills a template from an object. */
export type Template = (object: JsonValue) => string;

/** The content of a pair of braces. */
type Action =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: JsonPath }
  | { readonly kind: 'range'; readonly path: JsonPath }
  | { readonly kind: 'end' };

/** A part of a template while it is read: the outermost one, or an open range. */
interface Block {
  readonly parts: Template[];
  /** The block is repeated for each of these values. */
  readonly each?: JsonPath;
}

/** Reads a template. Throws a `WrongFlag` that names the mistake. */
export function readTemplate(text: string): Template {
  const blocks: Block[] = [{ parts: [] }];
  for (const action of actionsOf(text)) {
    const { parts = [], each } = blocks.at(-1) ?? {};
    if (action.kind === 'text') parts.push(() => action.text);
    else if (action.kind === 'path') parts.push((object) => action.path(object).map(writeValue).join(' '));
    else if (action.kind === 'range') blocks.push({ parts: [], each: action.path });
    else if (each === undefined) throw wrong('there is an {end} without a {range}');
    else {
      blocks.pop();
      blocks.at(-1)?.parts.push((object) => each(object).map(filled(parts)).join(''));
    }
  }
  if (blocks.length > 1) throw wrong('a {range} has no {end}');
  return filled(blocks[0]?.parts ?? []);
}

const filled =
  (parts: readonly Template[]): Template =>
  (object) =>
    parts.map((part) => part(object)).join('');

function* actionsOf(text: string): Generator<Action> {
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('{', at);
    if (open !== at) yield { kind: 'text', text: text.slice(at, open === -1 ? undefined : open) };
    if (open === -1) return;
    const close = closingBrace(text, open);
    yield actionOf(text.slice(open + 1, close).trim());
    at = close + 1;
  }
}

/** Finds the brace that closes an action, outside quotes. */
function closingBrace(text: string, open: number): number {
  let quoted = '';
  for (let i = open + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (quoted !== '') quoted = char === quoted ? '' : quoted;
    else if (char === "'" || char === '"') quoted = char;
    else if (char === '}') return i;
  }
  throw wrong(`a brace is not closed: ${text.slice(open, open + 40)}`);
}

function actionOf(inside: string): Action {
  if (inside === 'end') return { kind: 'end' };
  if (/^["']/.test(inside)) return { kind: 'text', text: unquoted(inside) };
  const range = /^range\s+(.+)$/s.exec(inside)?.[1];
  return range === undefined ? { kind: 'path', path: pathOf(inside) } : { kind: 'range', path: pathOf(range) };
}

/** Parses a path that may read several values. Throws a `WrongFlag`. */
export function pathOf(text: string): JsonPath {
  if (!/^[.[$@]/.test(text)) throw wrong(`\`${text}\` is not a path; paths begin with a dot, as in {.metadata.name}`);
  const compiled = compileJsonPath(text, Number.POSITIVE_INFINITY);
  if (compiled.ok) return compiled.value;
  throw new WrongFlag(compiled.failure.message, 'Write it as in .spec.ports[0].name, or .items[?(@.kind=="Pod")]');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };

function unquoted(text: string): string {
  const inner = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/s.exec(text);
  if (inner === null) throw wrong(`${text} is not a quoted text`);
  return (inner[1] ?? inner[2] ?? '').replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (all, code?: string, char = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escapes[char] ?? refuse(`${all} is not an escape`);
  });
}

const refuse = (problem: string): never => {
  throw wrong(problem);
};

const wrong = (problem: string): WrongFlag =>
  new WrongFlag(
    `-o jsonpath: ${problem}`,
    `Write it as in -o jsonpath='{range .items[*]}{.metadata.name}{"\\n"}{end}'`,
  );

/** Prints texts as they are, and lists and objects as JSON in one line, with sorted keys and escaped markup. */
function writeValue(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return scalarText(value, 'null');
  const code = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return writeJson(value, { order: byCodePoint }).replace(/[<>&\u2028\u2029]/g, code);
}

/** Prints a value with lists as `[a b]` and objects as `map[a:1 b:2]`. */
export function columnText(value: JsonValue): string {
  const written: string[] = [];
  // Values may nest deeper than the stack allows.
  const waiting: (string | { readonly value: JsonValue })[] = [{ value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') written.push(next);
    else for (const part of partsOf(next.value).reverse()) waiting.push(part);
  }
  return written.join('');
}

function partsOf(value: JsonValue): (string | { readonly value: JsonValue })[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [scalarText(value, '<nil>')];
  if (Array.isArray(value)) return ['[', ...value.flatMap((item, i) => [i === 0 ? '' : ' ', { value: item }]), ']'];
  const keys = Object.keys(value).sort(byCodePoint);
  const entries = keys.flatMap((key, i) => [`${i === 0 ? '' : ' '}${key}:`, { value: value[key] ?? null }]);
  return ['map[', ...entries, ']'];
}

const scalarText = (value: null | boolean | number | bigint, nothing: string): string =>
  value === null ? nothing : typeof value === 'boolean' ? String(value) : formatNumber(value);

export interface CustomColumn {
  readonly heading: string;
  readonly path: JsonPath;
}

/** Reads columns as in `NAME:.metadata.name,SIZE:.spec.size`. Throws a `WrongFlag`. */
export function readColumns(text: string): readonly CustomColumn[] {
  return columnParts(text).map((part) => {
    const colon = part.indexOf(':');
    if (colon < 1 || colon === part.length - 1) throw wrongColumn(`\`${part}\` is not a heading with a path`);
    return { heading: part.slice(0, colon).trim(), path: relaxedPath(part.slice(colon + 1).trim()) };
  });
}

/**
 * Reads columns from a file: headings in the first line, paths in the second, with spaces between. Throws a
 * `WrongFlag`.
 */
export function readColumnsFile(text: string): readonly CustomColumn[] {
  const [headings = [], paths = []] = text.split('\n').map((line) => line.trim().split(/\s+/));
  if (headings[0] === '' || headings.length !== paths.length) {
    throw wrongColumn(
      `the file has ${headings.length} headings in its first line and ${paths.length} paths in its second`,
    );
  }
  return headings.map((heading, i) => ({ heading, path: relaxedPath(paths[i] ?? '') }));
}

/** Returns the cells of an object. A missing value is `<none>`; several values have commas between. */
export const cellsOfObject = (object: JsonValue, columns: readonly CustomColumn[]): readonly string[] =>
  columns.map(({ path }) => path(object).map(columnText).join(',') || '<none>');

/** Reads a path with or without braces, and with or without its first dot. Throws a `WrongFlag`. */
export function relaxedPath(text: string): JsonPath {
  const inner = (/^\{(.*)\}$/s.exec(text)?.[1] ?? text).trim();
  if (inner === '') throw new WrongFlag('a path is empty', 'Write it as in .metadata.name');
  return pathOf(/^[.[$@]/.test(inner) ? inner : `.${inner}`);
}

/** Splits at commas outside brackets. */
function columnParts(text: string): readonly string[] {
  const parts = [''];
  for (const [token] of text.matchAll(/\[(?:[^[\]'"]|'[^']*'|"[^"]*")*\]|,|[^,[]+|\[/g)) {
    if (token === ',') parts.push('');
    else parts.push(`${parts.pop() ?? ''}${token}`);
  }
  return parts;
}

const wrongColumn = (problem: string): WrongFlag =>
  new WrongFlag(
    `-o custom-columns: ${problem}`,
    'Write it as in -o custom-columns=NAME:.metadata.name,SIZE:.spec.size',
  );
