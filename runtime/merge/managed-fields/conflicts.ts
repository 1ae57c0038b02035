/** Words the conflicts of an apply as a failure: one cause per field and manager. */
import type { Failure } from '../../contract/index.js';
import { byCodePoint, quote } from '../../objects/printing.js';
import type { FieldSet } from '../fieldpath/field-set.js';
import { printPath } from '../fieldpath/path-element.js';
import type { ManagerRecord, Managers } from './managers.js';
import { sharedPaths } from './shared-paths.js';

/** The `Conflict` of an apply. `conflicts` holds what others own of what would change, by manager key. */
export function conflictFailure(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): Failure {
  const found = [...conflicts.keys()].sort(byCodePoint).flatMap((key) => {
    const record = managers.get(key);
    return record === undefined ? [] : [conflictsWith(record, conflicts.get(key))];
  });
  const causes = found.flatMap(({ manager, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${manager}`, field })),
  );
  return { reason: 'Conflict', message: messageOf(found, causes.length), details: { causes } };
}

/** A manager as messages name it, with the fields it owns. */
interface ManagerConflicts {
  readonly manager: string;
  readonly fields: readonly string[];
}

function conflictsWith(record: ManagerRecord, owned: FieldSet | undefined): ManagerConflicts {
  const fields = owned === undefined ? [] : sharedPaths(owned).map(printPath);
  return { manager: printManager(record), fields };
}

function messageOf(found: readonly ManagerConflicts[], count: number): string {
  const [only] = found;
  if (only !== undefined && count === 1) {
    return `Apply failed with 1 conflict: conflict with ${only.manager}: ${only.fields[0] ?? ''}`;
  }
  const lines = found.flatMap(({ manager, fields }) => [
    `conflicts with ${manager}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

/** `"name"`, the subresource where there is one, and for updaters the version of the paths. */
function printManager({ manager, subresource, operation, apiVersion }: ManagerRecord): string {
  const through = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quote(manager)}${through}${using}`;
}
