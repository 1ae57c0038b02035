/** Server-side apply: a configuration is merged into the stored object, or becomes a new one. */
import type { ApiObject, Failure, JsonObject, Result } from '../contract/index.js';
import { applyInSteps, type ClientSideApply } from '../merge/index.js';
import { conflict } from '../objects/status.js';
import { inTurns, type Steps } from '../objects/turns.js';
import type { Outcome } from '../request/outcome.js';
import { notOfResource, toObject } from './decode/decode.js';
import { keepingNulls } from './decode/kept-nulls.js';
import { runCreate } from './run-create.js';
import { draftOf, runUpdate } from './run-update.js';
import { OwnedApply } from './stages/ownership/owned-writes.js';
import { checkNameAgrees, placeInNamespace } from './stages/system-fields.js';
import type { Write } from './write.js';

/** A configuration to apply. */
export interface ApplyPlan {
  /** The configuration, for one attempt: parts of it become parts of the object, which is changed in place. */
  readonly configuration: () => JsonObject;
  /** Takes fields from other managers instead of conflicting with them. */
  readonly force: boolean;
  /** The manager whose client-side configurations count as its own. */
  readonly clientSide: ClientSideApply;
  /** Reports unknown fields to the client; returns a failure where it asked to be refused for them. */
  readonly report: (unknownFields: readonly string[]) => Failure | undefined;
}

/** An apply starts again this often when others keep being faster. */
const lostRaces = 5;

/** Applies a configuration to the object that the write names. Through a subresource it cannot create the object. */
export function runApply(write: Write, plan: ApplyPlan): Promise<Result<Outcome>> {
  return runUpdate(write, {
    // A copy, since admission and handlers change what is merged in place, and compare it with the current object.
    next: (current) => mergeConfiguration(write, plan, draftOf(current)),
    ...(write.subresource ? {} : { create: () => createApplied(write, plan) }),
    uid: '',
    pinned: false,
    attempts: lostRaces,
  });
}

async function createApplied(write: Write, plan: ApplyPlan): Promise<Result<Outcome>> {
  const merged = await inTurns(mergeConfiguration(write, plan, undefined));
  if (!merged.ok) return merged;
  const object = merged.value;
  const refused =
    foreignUid(write, object.metadata.uid) ?? placeInNamespace({ object, write }) ?? checkNameAgrees({ object, write });
  return refused ? { ok: false, failure: refused } : runCreate(write, object, { owned: true, unasked: true });
}

/** A configuration that names a uid is meant for an object that exists. */
function foreignUid({ resource: { module }, name }: Write, uid: string | undefined): Failure | undefined {
  if (!uid) return undefined;
  const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  return conflict(module.group, module.names.plural, name, problem);
}

/** The live object with the configuration merged in, or the object that the configuration creates. */
export function* mergeConfiguration(
  write: Write,
  plan: ApplyPlan,
  live: ApiObject | undefined,
): Steps<Result<ApiObject>> {
  const { resource } = write;
  const applied = plan.configuration();
  yield;
  const result = yield* applyInSteps(new OwnedApply(write, plan, applied, live));
  if (!result.ok) return result;
  yield;
  const merged = result.value.object;
  const { managedFields } = merged.metadata;
  // They are as the server writes them, and need no reading.
  merged.metadata.managedFields = undefined;
  const decoded = keepingNulls(resource, merged, () => toObject(resource, merged, live?.metadata));
  if (!decoded.ok) return { ok: false, failure: notOfResource(resource, decoded.problem) };
  yield;
  const { object, unknownFields } = decoded.value;
  const refused = plan.report(unknownFields);
  if (refused) return { ok: false, failure: refused };
  object.metadata.managedFields = managedFields;
  return { ok: true, value: object };
}
