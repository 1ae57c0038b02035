/**
 * Finds a path in a plainly written text by its lines, fifty times faster than parsing it. It only knows block mappings
 * and lists; the caller parses all other texts.
 */
import type { Path } from '../diagnostics/problem.js';

/** The place where a block mapping or list continues: its first key or dash, and their column. */
interface Block {
  readonly offset: number;
  readonly column: number;
}

/** The answer of a block without the key or item. */
const ABSENT = -1;

/**
 * Returns the offset of the key at the end of a path, or of its value; of the item if the path ends with an index; of
 * the nearest mapping or list if the path is not in the text. Returns `undefined` if the text is not plain enough.
 * Linear in the text before the place.
 */
export function lineOfPath(text: string, document: number, path: Path, at: 'key' | 'value'): number | undefined {
  let block = documentAt(text, document);
  for (const [index, step] of path.entries()) {
    if (block === undefined) return undefined;
    const offset: number | undefined = typeof step === 'number' ? itemAt(text, block, step) : keyAt(text, block, step);
    if (offset === ABSENT) return block.offset;
    if (offset === undefined) return undefined;
    if (index === path.length - 1)
      return at === 'key' || typeof step === 'number' ? offset : besideOrBelow(text, offset, block);
    block = typeof step === 'number' ? { offset, column: columnOf(text, offset) } : valueAt(text, offset, block.column);
  }
  return undefined;
}

/** Returns the offset of the value of a key; `undefined` for anchors, tags and aliases. */
function besideOrBelow(text: string, key: number, { column }: Block): number | undefined {
  const found = keyFrom(text, key);
  if (found === undefined) return undefined;
  const offset = isEmpty(found.rest) ? valueAt(text, key, column)?.offset : found.restAt;
  return offset === undefined || /[&*!?]/.test(text.charAt(offset)) ? undefined : offset;
}

/** Returns whether a line begins with some characters. */
const hasLine = (text: string, start: string): boolean => text.startsWith(start) || text.includes(`\n${start}`);

/** Returns the offset of `---` at the start of a line, which begins a document. */
function marksIn(text: string): readonly number[] {
  const marks: number[] = [];
  for (let line = 0; line >= 0; ) {
    if (/^---(?=\s|$)/.test(text.slice(line, line + 4))) marks.push(line);
    const next = text.indexOf('\n---', line);
    line = next < 0 ? -1 : next + 1;
  }
  return marks;
}

/** Returns the root of a document, which must be a mapping at the start of a line. */
function documentAt(text: string, index: number): Block | undefined {
  // Directives and document ends would make the count of documents wrong.
  if (hasLine(text, '%') || hasLine(text, '...')) return undefined;
  const marks = marksIn(text);
  const [first] = marks;
  // The text before the first mark is only a document if it is not empty.
  const starts = first === undefined || contentFrom(text, 0) !== first ? [0, ...marks] : marks;
  const start = starts[index];
  if (start === undefined) return undefined;
  const isMarked = marks.includes(start);
  if (isMarked && !isEmpty(restOf(text, start + 3))) return undefined;
  const offset = contentFrom(text, isMarked ? nextLine(text, start) : start);
  const isOwn = offset !== undefined && offset < (starts[index + 1] ?? text.length);
  return isOwn && columnOf(text, offset) === 0 ? { offset, column: 0 } : undefined;
}

/** Returns the offset of a key of a block mapping. Deeper lines belong to values, and less deep lines end it. */
function keyAt(text: string, block: Block, key: string): number | undefined {
  for (const at of linesOf(text, block)) {
    if (isDash(text, at)) continue;
    const found = keyFrom(text, at);
    if (found === undefined) return undefined;
    if (found.key === key) return at;
  }
  return ABSENT;
}

/** Returns the offset of the value of an item of a block list. */
function itemAt(text: string, block: Block, index: number): number | undefined {
  let count = 0;
  for (const at of linesOf(text, block)) {
    if (!isDash(text, at)) break;
    if (count++ < index) continue;
    const [dash] = /^- *(?=[\w"'$/])/.exec(text.slice(at, at + 80)) ?? [];
    return dash === undefined ? undefined : at + dash.length;
  }
  return count > 0 ? ABSENT : undefined;
}

/** Yields the starts of a block's lines that are indented as much as the block, or less. */
function* linesOf(text: string, { offset, column }: Block): Generator<number> {
  yield offset;
  for (let at = contentFrom(text, nextLine(text, offset)); at !== undefined; ) {
    const depth = columnOf(text, at);
    if (depth < column || (depth === 0 && text.startsWith('---', at))) return;
    if (depth === column) yield at;
    at = contentFrom(text, nextLine(text, at));
  }
}

/** Returns the block below a key with nothing beside it. A list may be as far left as its key. */
function valueAt(text: string, key: number, column: number): Block | undefined {
  const found = keyFrom(text, key);
  if (found === undefined || !isEmpty(found.rest)) return undefined;
  const offset = contentFrom(text, nextLine(text, key));
  if (offset === undefined) return undefined;
  const depth = columnOf(text, offset);
  return depth > column || (depth === column && isDash(text, offset)) ? { offset, column: depth } : undefined;
}

const KEY = /^(?:([\w$./-]+)|"([^"\\]*)"|'([^']*)') *:(?:[ \t](.*))?$/;

interface KeyInLine {
  readonly key: string;
  /** The text beside the key, and its offset. */
  readonly rest: string;
  readonly restAt: number;
}

/** Returns the key of a line from here; `undefined` for anything else. */
function keyFrom(text: string, at: number): KeyInLine | undefined {
  const [whole, plain, double, single, beside = ''] = KEY.exec(restOf(text, at)) ?? [];
  const key = plain ?? double ?? single;
  const rest = beside.replace(/^[ \t]+/, '');
  return whole === undefined || key === undefined ? undefined : { key, rest, restAt: at + whole.length - rest.length };
}

/** Returns the first character, from the start of a line on, that is not white space or in a comment. */
function contentFrom(text: string, start: number): number | undefined {
  for (let line = start; line < text.length; line = nextLine(text, line)) {
    let at = line;
    while (text.charCodeAt(at) === 0x20) at++;
    const code = text.charCodeAt(at);
    if (at < text.length && code !== 0x0a && code !== 0x0d && code !== 0x23) return at;
  }
  return undefined;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Returns how many characters are between the start of the line and the offset. */
const columnOf = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);

const restOf = (text: string, at: number): string => text.slice(at, nextLine(text, at)).trimEnd();

const isEmpty = (rest: string): boolean => /^\s*(?:#.*)?$/.test(rest);

const isDash = (text: string, at: number): boolean => /^-[ \r\n]/.test(text.slice(at, at + 2));
