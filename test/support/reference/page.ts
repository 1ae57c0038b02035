/** Reference pages of `docs/`: people write the text, and the code provides the tables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../shared.js';

/** The text of a page that the code provides, by the name in its markers. */
export type Parts = Readonly<Record<string, string>>;

const marked = /(<!-- made from the code: ([\w-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

/**
 * Compares the marked parts of a page with the code. Finds both missing and outdated text. `UPDATE_GOLDEN` writes the
 * parts.
 */
export function expectPage(name: string, parts: Parts): void {
  const path = join(root, 'docs', name);
  const page = readFileSync(path, 'utf8');
  expect([...page.matchAll(marked)].map(([, , part]) => part)).toEqual(Object.keys(parts));
  const made = page.replaceAll(marked, (_all, begin, part, end) => `${begin}\n${parts[part] ?? ''}\n${end}`);
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, made);
  expect(readFileSync(path, 'utf8'), 'write it again with UPDATE_GOLDEN=1').toBe(made);
}

/** Prints a table. Bars within cells are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`)
    .join('\n');

/** Prints names as code. */
export const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
