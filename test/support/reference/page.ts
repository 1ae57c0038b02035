/** Reference pages of `docs/`: people write the text, and the code has what the tables say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../shared.js';

/** Text of a page that is made from the code, by the name in its markers. */
export type Parts = Readonly<Record<string, string>>;

const marked = /(<!-- made from the code: ([\w-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

/**
 * Compares the marked parts of a page with the code. What the page lacks and what the code no longer has both differ.
 * `UPDATE_GOLDEN` writes the parts.
 */
export function expectPage(name: string, parts: Parts): void {
  const path = join(root, 'docs', name);
  const page = readFileSync(path, 'utf8');
  expect([...page.matchAll(marked)].map(([, , part]) => part)).toEqual(Object.keys(parts));
  const made = page.replaceAll(marked, (_all, begin, part, end) => `${begin}\n${parts[part] ?? ''}\n${end}`);
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, made);
  expect(readFileSync(path, 'utf8'), 'write it anew with UPDATE_GOLDEN=1').toBe(made);
}

/** Prints a table. Bars within cells are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`)
    .join('\n');

/** Prints names as code. */
export const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
