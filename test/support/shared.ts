/** Finds the folder of recordings and real input beside a developer's checkout. Other machines do not have it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const folder = join(root, '../shared');

/** Whether the folder exists. Tests that need it name this condition in their title. */
export const hasShared = existsSync(join(folder, 'conformance'));

/** Returns a path in the folder. */
export const shared = (...parts: string[]): string => join(folder, ...parts);

/** A row of a table of tests. */
export interface TableRow<Case> {
  readonly test: string;
  readonly case: Case;
  readonly key?: unknown;
}

/** Reads a table of `suites/tables`; no rows without the folder. `revive` reads values that JSON does not have. */
export function tableRows<Case>(
  table: string,
  revive?: (key: string, value: unknown) => unknown,
): readonly TableRow<Case>[] {
  const path = shared('suites', 'tables', `${table}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line): TableRow<Case> => JSON.parse(line, revive));
}
