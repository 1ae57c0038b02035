/** The last stage of a create: stores the object under its name. */
import type { ApiObject, Failure } from '../../contract/index.js';
import { alreadyExists } from '../../objects/status.js';
import { encodeForWrite } from '../../resource/encoding.js';
import { prepareToRead } from '../../resource/prepare-to-read.js';
import { keyOf } from '../../resource/served-resource.js';
import { objectOf } from '../../resource/stored-object.js';
import { asAnswered } from '../../resource/versions.js';
import type { CreateAttempt, StageAnswer } from '../attempt.js';
import { commitWithPreconditions } from '../preconditions.js';
import type { Write } from '../write.js';
import { generateName } from './system-fields.js';

/** Generated names are tried this often before a clash is reported. */
const generatedNameAttempts = 8;

/** Stores a new object. One with a generated name gets another name where that is taken. */
export async function commitCreate(attempt: CreateAttempt): Promise<StageAnswer> {
  const { write, object, assignment } = attempt;
  const { resource, services } = write;
  const { guards } = assignment;
  const attempts = namesToTry(attempt);
  for (let tried = 1; ; tried++) {
    const key = keyOf(resource, write.namespace, object.metadata.name ?? '');
    const existing = services.store.get(key);
    if (!existing && write.dryRun)
      return { outcome: { object: asAnswered(resource, object), created: true, removed: false } };
    const next = existing ? undefined : await encodeForWrite(resource, object);
    if (next?.ok === false) return next.failure;
    const commit = next
      ? await commitWithPreconditions(write, { key, expected: 0, next: next.value, guards })
      : ({ outcome: 'conflict', current: existing } as const);
    if (commit.outcome === 'committed') {
      assignment.keep();
      const unreadable = await prepareToRead(resource, [commit.entry]);
      if (unreadable) return unreadable;
      object.metadata.resourceVersion = String(commit.entry.revision);
      return { outcome: { object, entry: commit.entry, created: true, removed: false } };
    }
    if (commit.outcome === 'failed') return commit.failure;
    if (tried === attempts) {
      const deleting = commit.current && objectOf(commit.current).metadata.deletionTimestamp !== undefined;
      return taken(write, object, deleting ? 'object is being deleted: ' : '');
    }
    object.metadata.name = undefined;
    generateName(object, write);
  }
}

/** A record of values says the name already, so that there is no other to try. */
const namesToTry = ({ write, assignment, generated }: CreateAttempt): number =>
  !generated || assignment.recorded || write.resource.module.nameRule.generated === 'nothing'
    ? 1
    : generatedNameAttempts;

function taken({ resource: { module } }: Write, object: ApiObject, prefix: string): Failure {
  return alreadyExists(module.group, module.names.plural, object.metadata.name ?? '', prefix);
}
