/** Decides which names of a definition are accepted: no two resources of a group go by the same one. */
import type { JsonObject } from '../../contract/index.js';
import type { DefinitionCondition } from '../../objects/definition-conditions.js';
import { equal } from '../../objects/equality.js';
import { isStringArray, stringAt } from '../../objects/guards.js';

/** The names that other resources of the group have. */
export interface NamesInUse {
  /** Plurals, singulars and short names: what stands for a resource in paths and commands. */
  readonly resources: ReadonlySet<string>;
  /** Kinds, those of lists among them. */
  readonly kinds: ReadonlySet<string>;
}

/** The accepted ones of the names that a definition asks for. */
export interface Acceptance {
  /** As `status.acceptedNames` has them. */
  readonly names: JsonObject;
  readonly condition: DefinitionCondition;
}

/** Names by the field that has them, in the order in which they are looked at: of several conflicts the last is told. */
const singleNames = [
  { field: 'plural', among: 'resources', reason: 'PluralConflict' },
  { field: 'singular', among: 'resources', reason: 'SingularConflict' },
  { field: 'shortNames', among: 'resources', reason: 'ShortNamesConflict' },
  { field: 'kind', among: 'kinds', reason: 'KindConflict' },
  { field: 'listKind', among: 'kinds', reason: 'ListKindConflict' },
] as const;

/** Order of the fields in a status. */
const fieldOrder = ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories'];

/**
 * Accepts what is free or has been accepted before; a name that another resource has leaves the accepted one as it was.
 * `wanted` are the names of the spec, `accepted` those of the status.
 */
export function acceptNames(wanted: JsonObject, accepted: JsonObject, inUse: NamesInUse): Acceptance {
  const names: Record<string, JsonObject[string]> = { ...accepted };
  let condition: DefinitionCondition = accepting;
  for (const { field, among, reason } of singleNames) {
    const taken = takenOf(namesAt(wanted, field), namesAt(accepted, field), inUse[among]);
    if (taken.length === 0) take(names, field, wanted);
    else condition = { type: 'NamesAccepted', status: 'False', reason, message: conflictText(taken) };
  }
  take(names, 'categories', wanted);
  const ordered = fieldOrder.flatMap((field) => {
    const value = names[field];
    return value === undefined || equal(value, []) ? [] : [[field, value] as const];
  });
  // Plural and kind are always there, even empty.
  return { names: { plural: '', kind: '', ...Object.fromEntries(ordered) }, condition };
}

const accepting: DefinitionCondition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};

function take(names: JsonObject, field: string, wanted: JsonObject): void {
  const value = wanted[field];
  if (value === undefined || value === '') delete names[field];
  else names[field] = value;
}

function namesAt(names: JsonObject, field: string): readonly string[] {
  const value = names[field];
  if (isStringArray(value)) return value;
  const name = stringAt(names, field);
  return name === '' ? [] : [name];
}

const takenOf = (wanted: readonly string[], own: readonly string[], inUse: ReadonlySet<string>): readonly string[] =>
  wanted.filter((name) => !own.includes(name) && inUse.has(name));

function conflictText(taken: readonly string[]): string {
  const texts = taken.map((name) => `${JSON.stringify(name)} is already in use`);
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
