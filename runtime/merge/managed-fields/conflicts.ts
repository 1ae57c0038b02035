/** Words the conflicts of an apply as a failure: one cause per field and manager. */
import type { Failure } from '../../contract/index.js';
import { byCodePoint, quote } from '../../objects/printing.js';
import type { FieldSet } from '../fieldpath/field-set.js';
import { printPath } from '../fieldpath/path-element.js';
import type { ManagerRecord, Managers } from './managers.js';
import { sharedPaths } from './shared-paths.js';

/**
 * Conflicts that are named, in all, and about the characters of their paths; of more than these the message says how
 * many there are.
 */
const MOST_NAMED = 1_000;
const MOST_CHARACTERS = 1024 * 1024;

/** The `Conflict` of an apply. `conflicts` holds what others own of what would change, by manager key. */
export function conflictFailure(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): Failure {
  let count = 0;
  let named = 0;
  let characters = 0;
  const found: ManagerConflicts[] = [];
  for (const key of [...conflicts.keys()].sort(byCodePoint)) {
    const [record, owned] = [managers.get(key), conflicts.get(key)];
    if (record === undefined || owned === undefined) continue;
    const paths = sharedPaths(owned);
    const fields: string[] = [];
    for (const path of paths) {
      if (named === MOST_NAMED || characters > MOST_CHARACTERS) break;
      const field = printPath(path);
      fields.push(field);
      named++;
      characters += field.length;
    }
    count += paths.count;
    if (fields.length > 0) found.push({ manager: printManager(record), fields });
  }
  const causes = found.flatMap(({ manager, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${manager}`, field })),
  );
  return { reason: 'Conflict', message: messageOf(found, count, count - named), details: { causes } };
}

/** A manager as messages name it, with the fields it owns. */
interface ManagerConflicts {
  readonly manager: string;
  readonly fields: readonly string[];
}

function messageOf(found: readonly ManagerConflicts[], count: number, unnamed: number): string {
  const [only] = found;
  if (only !== undefined && count === 1) {
    return `Apply failed with 1 conflict: conflict with ${only.manager}: ${only.fields[0] ?? ''}`;
  }
  const lines = found.flatMap(({ manager, fields }) => [
    `conflicts with ${manager}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  const more = unnamed > 0 ? [`and ${unnamed} more`] : [];
  return `Apply failed with ${count} conflicts: ${[...lines, ...more].join('\n')}`;
}

/** `"name"`, the subresource where there is one, and for updaters the version of the paths. */
function printManager({ manager, subresource, operation, apiVersion }: ManagerRecord): string {
  const through = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quote(manager)}${through}${using}`;
}
