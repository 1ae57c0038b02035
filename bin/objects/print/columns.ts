/** The columns of `-o custom-columns=…`, as kubectl has them: a heading and a path each. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import type { JsonPath } from '../../../runtime/objects/json-path.js';
import { WrongFlag } from '../refusal.js';
import { pathOf } from './template.js';
import { columnText } from './value-text.js';

export interface CustomColumn {
  readonly heading: string;
  readonly path: JsonPath;
}

/** As in `NAME:.metadata.name,SIZE:.spec.size`. Throws a `WrongFlag`. */
export function readColumns(text: string): readonly CustomColumn[] {
  return partsOf(text).map((part) => {
    const colon = part.indexOf(':');
    if (colon < 1 || colon === part.length - 1) throw wrong(`\`${part}\` is no heading with a path`);
    return { heading: part.slice(0, colon).trim(), path: relaxedPath(part.slice(colon + 1).trim()) };
  });
}

/** The text of a file: headings in the first line, paths in the second, with spaces between. Throws a `WrongFlag`. */
export function readColumnsFile(text: string): readonly CustomColumn[] {
  const [headings = [], paths = []] = text.split('\n').map((line) => line.trim().split(/\s+/));
  if (headings[0] === '' || headings.length !== paths.length) {
    throw wrong(`the file has ${headings.length} headings in its first line and ${paths.length} paths in its second`);
  }
  return headings.map((heading, i) => ({ heading, path: relaxedPath(paths[i] ?? '') }));
}

/** The cells of an object. What is not there is `<none>`; several values have commas between. */
export const cellsOfObject = (object: JsonValue, columns: readonly CustomColumn[]): readonly string[] =>
  columns.map(({ path }) => path(object).map(columnText).join(',') || '<none>');

/** A path with or without braces, and with or without the dot that it begins with. Throws a `WrongFlag`. */
export function relaxedPath(text: string): JsonPath {
  const inner = (/^\{(.*)\}$/s.exec(text)?.[1] ?? text).trim();
  if (inner === '') throw new WrongFlag('a path is empty', 'Write it as in .metadata.name');
  return pathOf(/^[.[$@]/.test(inner) ? inner : `.${inner}`);
}

/** The parts between commas; those in brackets belong to a path. */
function partsOf(text: string): readonly string[] {
  const parts = [''];
  for (const [token] of text.matchAll(/\[(?:[^[\]'"]|'[^']*'|"[^"]*")*\]|,|[^,[]+|\[/g)) {
    if (token === ',') parts.push('');
    else parts.push(`${parts.pop() ?? ''}${token}`);
  }
  return parts;
}

const wrong = (problem: string): WrongFlag =>
  new WrongFlag(
    `-o custom-columns: ${problem}`,
    'Write it as in -o custom-columns=NAME:.metadata.name,SIZE:.spec.size',
  );
