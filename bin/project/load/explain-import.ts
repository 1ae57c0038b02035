/** Says why a module of a project could not be run: where it is broken, or what it threw, and where. */
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeAt } from './places.js';
import { firstSyntaxError } from './source-place.js';

/** A word of a trace that is a place. */
const traced = /^(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].+?\.[cm]?[jt]s):(\d+):(\d+)/;

/** One line: `file:line:column: message`, the file from the working directory; without a line where none is known. */
export async function explainImport(file: string, directory: string, error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  const parsed = /^ParseError: .*\n\s*(\S.*):\d+:\d+/.exec(message);
  if (parsed || nameOf(error) === 'SyntaxError') {
    const broken = parsed?.[1] ?? file;
    const found = await syntaxError(broken);
    if (found !== undefined) return `${shown(broken)}${found}`;
  }
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const first = asWritten(message.split('\n')[0] ?? '').replaceAll(`${directory}${sep}`, '');
  const said = ['Error', ''].includes(nameOf(error)) ? first : `${nameOf(error)}: ${first}`;
  for (const word of stack.split(/[\s()]+/)) {
    const [, path = '', line, column] = traced.exec(word) ?? [];
    if (isOwn(path, directory)) return `${shown(path)}${placeIn(path, Number(line), Number(column), message)}: ${said}`;
  }
  return `${shown(file)}: ${said}`;
}

/** Names of imports as the text has them, not as it was compiled: `(0 , _module.name)` is `name`. */
const asWritten = (message: string): string => message.replaceAll(/\(0\s*,\s*\w+\.(\w+)\)/g, '$1');

/**
 * As in `:3:5`. TypeScript is compiled line by line: its lines are right, and its columns as far as they are within what is
 * written. The first line begins with what the compiler adds. An import that is not there is found by its name.
 */
function placeIn(path: string, line: number, column: number, message: string): string {
  const text = textOf(toPath(path));
  const [, missing] = /^Cannot find (?:module|package) '([^']+)'/.exec(message) ?? [];
  const named = missing === undefined ? -1 : indexOfText(text, missing);
  if (named >= 0) return placeAt(text, named);
  const isCompiled = /\.[cm]?ts$/.test(path);
  const written = text.split('\n')[line - 1] ?? '';
  return isCompiled && (line === 1 || column > written.length) ? `:${line}` : `:${line}:${column}`;
}

/** Where a text stands in quotes. */
function indexOfText(text: string, quoted: string): number {
  const [at = -1] = [`'${quoted}'`, `"${quoted}"`].map((each) => text.indexOf(each)).filter((index) => index >= 0);
  return at;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** By its name: what another context throws is of another class. */
const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

const shown = (path: string): string => relative('', toPath(path)) || path;

const isOwn = (path: string, directory: string): boolean =>
  toPath(path).startsWith(directory + sep) && !path.includes(`${sep}node_modules${sep}`);

const toPath = (text: string): string => (text.startsWith('file://') ? fileURLToPath(text) : text);

const syntaxError = (file: string): Promise<string | undefined> => firstSyntaxError(textOf(file));
