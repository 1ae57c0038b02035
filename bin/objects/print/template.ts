/** Templates of `-o jsonpath=…`, as kubectl has them: text, and in braces paths, quoted text and ranges. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { compileJsonPath, type JsonPath } from '../../../runtime/objects/json-path.js';
import { WrongFlag } from '../refusal.js';
import { textOf } from './value-text.js';

/** Fills a template from an object. */
export type Template = (object: JsonValue) => string;

/** The content of a pair of braces. */
type Action =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: JsonPath }
  | { readonly kind: 'range'; readonly path: JsonPath }
  | { readonly kind: 'end' };

/** A template that is being read: one for all, and one more for each range that is open. */
interface Block {
  readonly parts: Template[];
  /** The values for each of which the block is filled. */
  readonly each?: JsonPath;
}

/** Throws a `WrongFlag` that says what is wrong with it. */
export function readTemplate(text: string): Template {
  const blocks: Block[] = [{ parts: [] }];
  for (const action of actionsOf(text)) {
    const { parts = [], each } = blocks.at(-1) ?? {};
    if (action.kind === 'text') parts.push(() => action.text);
    else if (action.kind === 'path') parts.push((object) => action.path(object).map(textOf).join(' '));
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

/** The brace that closes an action; those in quotes are none. */
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

/** A path that reads as many values as there are. Throws a `WrongFlag`. */
export function pathOf(text: string): JsonPath {
  if (!/^[.[$@]/.test(text)) throw wrong(`\`${text}\` is no path; paths begin with a dot, as in {.metadata.name}`);
  const compiled = compileJsonPath(text, Number.POSITIVE_INFINITY);
  if (compiled.ok) return compiled.value;
  throw new WrongFlag(compiled.failure.message, 'Write it as in .spec.ports[0].name, or .items[?(@.kind=="Pod")]');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };

function unquoted(text: string): string {
  const inner = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/s.exec(text);
  if (inner === null) throw wrong(`${text} is no quoted text`);
  return (inner[1] ?? inner[2] ?? '').replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (all, code?: string, char = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escapes[char] ?? refuse(`${all} is no escape`);
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
