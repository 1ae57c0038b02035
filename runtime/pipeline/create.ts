/** The stages of a create, top to bottom. */
import type { ApiObject, Failure, Result } from '../contract/index.js';
import { alreadyExists, badRequest, forbiddenObject } from '../objects/status.js';
import { type Assignment, assignValues } from './allocation/assignment.js';
import { keepingNulls } from './decode/kept-nulls.js';
import type { Outcome } from './outcome.js';
import { commitWithPreconditions, terminating } from './preconditions.js';
import { keyOf } from './served-resource.js';
import { admit, validateAdmission } from './stages/admission.js';
import { dropDisabledFields } from './stages/disabled-fields.js';
import { settleEmptyLists } from './stages/empty-lists.js';
import { startGeneration } from './stages/generation.js';
import { dedupOwnerReferences } from './stages/owner-references.js';
import { recordOwnership } from './stages/ownership.js';
import { clearSystemFields, generateName, placeInNamespace, setSystemFields } from './stages/system-fields.js';
import { strategyContext, validateCreate } from './stages/validation.js';
import { dropSubresourceFields } from './stages/writable-fields.js';
import { nextStage } from './stages.js';
import { encodeForWrite } from './versions/encoding.js';
import { amongVersions } from './versions/remote-ownership.js';
import { prepareToRead } from './versions/remote-versions.js';
import { objectOf } from './versions/stored-object.js';
import { asAnswered } from './versions/versions.js';
import type { Write } from './write.js';

/** Generated names are tried this often before a clash is reported. */
const generatedNameAttempts = 8;

/** How an object comes to be created. */
export interface CreateOptions {
  /** Whether the owners of its fields are recorded. */
  readonly owned?: boolean;
  /** Whether the request was for another verb, so that nobody has asked yet whether its user may create. */
  readonly unasked?: boolean;
}

/** Creates an object that has been decoded, pruned and defaulted, in place. */
export async function runCreate(
  write: Write,
  object: ApiObject,
  options: CreateOptions = {},
): Promise<Result<Outcome>> {
  if (write.resource.defined?.terminating()) return { ok: false, failure: terminating(write) };
  const unplaced = placeInNamespace(object, write) ?? takeRevision(object);
  if (unplaced) return { ok: false, failure: unplaced };
  clearSystemFields(object.metadata);
  await nextStage;
  const recording = options.owned ? undefined : recordCreator(write, object);
  if (recording) await recording;
  dedupOwnerReferences(object, write.warn);
  const refused = await admit(write, 'CREATE', { object });
  if (refused) return { ok: false, failure: refused };
  settleEmptyLists(write.resource.emptyLists, object);
  const generated = generateName(object, write);
  // Defaults may hang on the name.
  if (generated) write.resource.strategy?.canonicalize?.(object);
  dropSubresourceFields(write.resource.module, object);
  startGeneration(write.resource, object);
  dropDisabledFields(write, object, undefined);
  setSystemFields(object, write);
  write.resource.strategy?.prepareForCreate?.(object, strategyContext(write));
  // What was dropped may have a default, and so may what admission added.
  fillDefaults(write, object, options);
  dropDisabledFields(write, object, undefined);
  const assigned = await assignValues(write, object, undefined);
  if (!assigned.ok) return assigned;
  try {
    return await storeCreated(write, object, {
      generated,
      assignment: assigned.value,
      unasked: options.unasked === true,
    });
  } finally {
    const released = assigned.value.release();
    if (released) await released;
  }
}

function recordCreator(write: Write, object: ApiObject): void | Promise<void> {
  const sent = object.metadata.managedFields;
  return amongVersions(write, () => {
    object.metadata.managedFields = sent;
    recordOwnership(write, object, undefined);
  });
}

function fillDefaults({ resource }: Write, object: ApiObject, { owned }: CreateOptions): void {
  const { applyDefaults } = resource.module.functions;
  // A decoded object has lost its nulls already; an applied one has those that are wrong.
  if (owned) keepingNulls(resource, object, () => applyDefaults(object));
  else applyDefaults(object);
}

interface Storing {
  readonly generated: boolean;
  readonly assignment: Assignment;
  readonly unasked: boolean;
}

async function storeCreated(
  write: Write,
  object: ApiObject,
  { generated, assignment, unasked }: Storing,
): Promise<Result<Outcome>> {
  const invalid =
    validateCreate(write, object) ??
    (unasked ? await askForCreate(write) : undefined) ??
    (await validateAdmission(write, 'CREATE', { object }));
  if (invalid) return { ok: false, failure: invalid };
  for (const warning of write.resource.strategy?.warnings?.(object, undefined) ?? []) write.warn(warning);
  return commitCreate(write, object, generated, assignment);
}

/** The verb of the request was allowed; that it makes an object needs the right to create, too. */
async function askForCreate({ resource, namespace, name, user, services }: Write): Promise<Failure | undefined> {
  const { group, names } = resource.module;
  const asked = { user, verb: 'create', group, resource: names.plural, namespace, name };
  const { decision, reason = '' } = await services.authorizer.decide(asked);
  return decision === 'allow' ? undefined : forbiddenObject(group, names.plural, name, reason);
}

/** A new object has no revision; `0` says the same. */
function takeRevision(object: ApiObject): Failure | undefined {
  const { resourceVersion } = object.metadata;
  object.metadata.resourceVersion = undefined;
  if (!resourceVersion || resourceVersion === '0') return undefined;
  return badRequest('resourceVersion should not be set on objects to be created');
}

async function commitCreate(
  write: Write,
  object: ApiObject,
  generated: boolean,
  assignment: Assignment,
): Promise<Result<Outcome>> {
  const { resource, services } = write;
  const { guards } = assignment;
  // A record of values says the name already.
  const attempts =
    !generated || assignment.recorded || resource.module.nameRule.generated === 'nothing' ? 1 : generatedNameAttempts;
  for (let attempt = 1; ; attempt++) {
    const key = keyOf(resource, write.namespace, object.metadata.name ?? '');
    const existing = services.store.get(key);
    if (!existing && write.dryRun)
      return { ok: true, value: { object: asAnswered(resource, object), created: true, removed: false } };
    const next = existing ? undefined : await encodeForWrite(resource, object);
    if (next?.ok === false) return next;
    const commit = next
      ? await commitWithPreconditions(write, { key, expected: 0, next: next.value, guards })
      : ({ outcome: 'conflict', current: existing } as const);
    if (commit.outcome === 'committed') {
      assignment.keep();
      const unread = await prepareToRead(resource, [commit.entry]);
      if (unread) return { ok: false, failure: unread };
      object.metadata.resourceVersion = String(commit.entry.revision);
      return { ok: true, value: { object, entry: commit.entry, created: true, removed: false } };
    }
    if (commit.outcome === 'failed') return { ok: false, failure: commit.failure };
    if (attempt === attempts) {
      const deleting = commit.current && objectOf(commit.current).metadata.deletionTimestamp !== undefined;
      return { ok: false, failure: taken(write, object, deleting ? 'object is being deleted: ' : '') };
    }
    object.metadata.name = undefined;
    generateName(object, write);
  }
}

function taken({ resource: { module } }: Write, object: ApiObject, prefix: string): Failure {
  return alreadyExists(module.group, module.names.plural, object.metadata.name ?? '', prefix);
}
