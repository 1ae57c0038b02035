/** Works out the status that a definition should have: which names are accepted, and whether its resource is served. */
import { authoritiesProblem } from '../../codec/certificates/certificates.js';
import type { ApiObject, JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import {
  approvalIn,
  type DefinitionCondition,
  isProtectedGroup,
  isTrue,
  removeCondition,
  setCondition,
} from '../../objects/definition-conditions.js';
import { equal } from '../../objects/equality.js';
import { isStringArray, objectAt, stringAt } from '../../objects/guards.js';
import type { Naming } from '../../objects/names/naming.js';
import type { Release } from '../../objects/release.js';
import { nonStructuralSchema } from '../../schema/structural/index.js';

/** The inputs of the status besides the definition. */
export interface StatusCircumstances {
  /** Names of all other resources of the group. */
  readonly inUse: NamesInUse;
  readonly naming: Naming;
  readonly release: Release;
  /** RFC 3339 in seconds. */
  readonly now: string;
}

/**
 * Returns the status that the definition should have, from its current one. An established definition stays
 * established, whatever happens to its names later.
 */
export function nextStatus(definition: ApiObject, { inUse, naming, release, now }: StatusCircumstances): JsonObject {
  const status = clone(objectAt(definition, 'status') ?? {});
  const spec = objectAt(definition, 'spec');
  const { names, condition } = acceptNames(
    objectAt(spec, 'names') ?? {},
    objectAt(status, 'acceptedNames') ?? {},
    inUse,
  );
  status.acceptedNames = names;
  setCondition(status, condition, now);
  if (!isTrue(status, 'Established')) {
    const isTrusted = !release.does('conversionAuthoritiesChecked') || hasAuthorities(spec);
    setCondition(status, condition.status !== 'True' ? notEstablished : isTrusted ? established : untrusted, now);
  }
  const approval = approvalCondition(definition, stringAt(spec, 'group'), naming);
  if (approval) setCondition(status, approval, now);
  else removeCondition(status, approvalType);
  const finding = structureOf(spec ?? {});
  if (finding) setCondition(status, { type: 'NonStructuralSchema', ...finding }, now);
  else removeCondition(status, 'NonStructuralSchema');
  return status;
}

/** The last checked schemas: every definition is checked several times. */
let last: { readonly versions: JsonValue; readonly keeps: JsonValue; readonly finding: Finding } | undefined;

function structureOf(spec: JsonObject): Finding {
  const { versions = null, preserveUnknownFields: keeps = null } = spec;
  if (last === undefined || last.keeps !== keeps || !equal(last.versions, versions)) {
    last = { versions, keeps, finding: nonStructuralSchema(spec) };
  }
  return last.finding;
}

type Finding = ReturnType<typeof nonStructuralSchema>;

const established = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} as const;

const notEstablished = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
} as const;

const untrusted = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
} as const;

/** Returns whether the authorities that sign the conversion webhook's certificate can be read. */
function hasAuthorities(spec: JsonObject | undefined): boolean {
  const client = objectAt(objectAt(objectAt(spec, 'conversion'), 'webhook'), 'clientConfig');
  return authoritiesProblem(Buffer.from(stringAt(client, 'caBundle'), 'base64')) === undefined;
}

/** The condition about the approval of a definition. */
const approvalType = 'KubernetesAPIApprovalPolicyConformant';

const reasons = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  bypassed: 'UnapprovedAPI',
  approved: 'ApprovedAnnotation',
} as const;

/** Returns the condition of a definition; `undefined` for groups that need no approval. */
function approvalCondition({ metadata }: ApiObject, group: string, naming: Naming): DefinitionCondition | undefined {
  if (!isProtectedGroup(group, naming)) return undefined;
  const { state, message } = approvalIn(metadata.annotations, naming);
  return { type: approvalType, status: state === 'approved' ? 'True' : 'False', reason: reasons[state], message };
}

/** The names that other resources of the group have. */
export interface NamesInUse {
  /** Plurals, singulars and short names: the names of resources in paths and commands. */
  readonly resources: ReadonlySet<string>;
  /** Kinds, and kinds of lists. */
  readonly kinds: ReadonlySet<string>;
}

/** The names that are accepted for a definition. */
interface Acceptance {
  /** As in `status.acceptedNames`. */
  readonly names: JsonObject;
  readonly condition: DefinitionCondition;
}

/** Fields with names, in the order of the checks. If several names conflict, the last conflict is reported. */
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
 * Accepts each name that is free or was accepted before. If another resource has a name, keeps the name accepted
 * before. `wanted` are the names of the spec, `accepted` the names of the status.
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
  // Plural and kind are always present, even if empty.
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
