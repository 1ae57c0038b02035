/** The stages of a create, top to bottom. */
import type { ApiObject, Failure, Result } from '../contract/index.js';
import { alreadyExists, badRequest, notFound } from '../objects/status.js';
import { admit, validateAdmission } from './admission.js';
import { encodeForStore } from './encoding.js';
import { startGeneration } from './generation.js';
import type { Outcome } from './outcome.js';
import { dedupOwnerReferences } from './owner-references.js';
import { recordOwnership } from './ownership.js';
import { keyOf } from './served-resource.js';
import { objectOf } from './stored-object.js';
import { clearSystemFields, generateName, placeInNamespace, setSystemFields } from './system-fields.js';
import { strategyContext, validateCreate } from './validation.js';
import { dropSubresourceFields } from './writable-fields.js';
import type { Write } from './write.js';

/** Generated names are tried this often before a clash is reported. */
const generatedNameAttempts = 8;

/** Creates an object that has been decoded, pruned and defaulted. The object is changed in place. */
export async function runCreate(write: Write, object: ApiObject): Promise<Result<Outcome>> {
  const refused =
    (await prepareCreate(write, object)) ??
    validateCreate(write, object) ??
    (await validateAdmission(write, 'CREATE', { object }));
  if (refused) return { ok: false, failure: refused };
  for (const warning of write.resource.strategy?.warnings?.(object, undefined) ?? []) write.warn(warning);
  return commitCreate(write, object);
}

async function prepareCreate(write: Write, object: ApiObject): Promise<Failure | undefined> {
  const { resource } = write;
  const misplaced = placeInNamespace(object, write) ?? checkNoRevision(object);
  if (misplaced) return misplaced;
  clearSystemFields(object.metadata);
  recordOwnership(write, object, undefined);
  dedupOwnerReferences(object, write.warn);
  const refused = await admit(write, 'CREATE', { object });
  if (refused) return refused;
  dropSubresourceFields(resource.module, object);
  startGeneration(resource, object);
  resource.strategy?.prepareForCreate?.(object, strategyContext(write));
  setSystemFields(object, write);
  generateName(object, write);
  return undefined;
}

/** A new object has no revision; `0` says the same. */
function checkNoRevision(object: ApiObject): Failure | undefined {
  const { resourceVersion } = object.metadata;
  object.metadata.resourceVersion = undefined;
  if (!resourceVersion || resourceVersion === '0') return undefined;
  return badRequest('resourceVersion should not be set on objects to be created');
}

async function commitCreate(write: Write, object: ApiObject): Promise<Result<Outcome>> {
  const { resource, services } = write;
  const generated = Boolean(object.metadata.generateName) && write.name === '' && !('name' in write.options);
  for (let attempt = 1; ; attempt++) {
    const name = object.metadata.name ?? '';
    const key = keyOf(resource, write.namespace, name);
    const existing = services.store.get(key);
    if (!existing && write.dryRun) return { ok: true, value: { object, created: true, removed: false } };
    const commit = existing
      ? ({ outcome: 'conflict', current: existing } as const)
      : await services.store.commit({ key, expected: 0, next: encodeForStore(resource, object) });
    if (commit.outcome === 'committed') {
      object.metadata.resourceVersion = String(commit.entry.revision);
      return { ok: true, value: { object, entry: commit.entry, created: true, removed: false } };
    }
    if (commit.outcome === 'failed') return { ok: false, failure: commit.failure };
    if (!generated || attempt === generatedNameAttempts) {
      const deleting = commit.current !== undefined && objectOf(commit.current).metadata.deletionTimestamp !== undefined;
      return { ok: false, failure: alreadyExists(resource.module.group, resource.module.names.plural, name, deleting) };
    }
    object.metadata.name = undefined;
    generateName(object, write);
  }
}
