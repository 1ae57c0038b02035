/** Says why a module of a project could not be run: where it is broken, or what it threw, and where. */
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstSyntaxError } from './source-place.js';

/** A place in a trace. */
const traced = /(?:file:\/\/)?((?:[A-Za-z]:)?[\\/][^\s()]+?\.[cm]?[jt]s):(\d+):(\d+)/g;

/** One line: `file:line:column: message`, the file from the working directory; without a line where none is known. */
export async function explainImport(file: string, directory: string, error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  const parsed = /^ParseError: .*?\s*\n\s*(.+):\d+:\d+/.exec(message);
  if (parsed || nameOf(error) === 'SyntaxError') {
    const broken = parsed?.[1] ?? file;
    const found = await syntaxError(broken);
    if (found !== undefined) return `${shown(broken)}${found}`;
  }
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const first = (message.split('\n')[0] ?? '').replaceAll(`${directory}${sep}`, '');
  const said = ['Error', ''].includes(nameOf(error)) ? first : `${nameOf(error)}: ${first}`;
  for (const [, path = '', line, column] of stack.matchAll(traced)) {
    if (isOwn(path, directory)) return `${shown(path)}:${line}:${column}: ${said}`;
  }
  return `${shown(file)}: ${said}`;
}

/** By its name: what another context throws is of another class. */
const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

const shown = (path: string): string => relative('', toPath(path)) || path;

const isOwn = (path: string, directory: string): boolean =>
  toPath(path).startsWith(directory + sep) && !path.includes(`${sep}node_modules${sep}`);

const toPath = (text: string): string => (text.startsWith('file://') ? fileURLToPath(text) : text);

async function syntaxError(file: string): Promise<string | undefined> {
  try {
    return await firstSyntaxError(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
