/** Works out the status that a definition should have: which names are accepted, and whether its resource is served. */
import type { ApiObject, JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { isTrue, removeCondition, setCondition } from '../../objects/definition-conditions.js';
import { equal } from '../../objects/equality.js';
import { objectAt, stringAt } from '../../objects/guards.js';
import type { Naming } from '../../objects/naming.js';
import { nonStructuralSchema } from '../../schema/structural/index.js';
import { acceptNames, type NamesInUse } from './accepted-names.js';
import { approvalCondition, approvalType } from './approval.js';

/** The things besides the definition that its status depends on. */
export interface StatusCircumstances {
  /** Names of all other resources of the group. */
  readonly inUse: NamesInUse;
  readonly naming: Naming;
  /** RFC 3339 in seconds. */
  readonly now: string;
}

/**
 * The status as it should be, made of the one that there is. Once established, a definition stays so, whatever becomes
 * of its names later.
 */
export function nextStatus(definition: ApiObject, { inUse, naming, now }: StatusCircumstances): JsonObject {
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
    setCondition(status, condition.status === 'True' ? established : notEstablished, now);
  }
  const approval = approvalCondition(definition, stringAt(spec, 'group'), naming);
  if (approval) setCondition(status, approval, now);
  else removeCondition(status, approvalType);
  const finding = structureOf(spec ?? {});
  if (finding) setCondition(status, { type: 'NonStructuralSchema', ...finding }, now);
  else removeCondition(status, 'NonStructuralSchema');
  return status;
}

/** The schemas as they were looked at last: a definition is asked about several times on its way. */
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
