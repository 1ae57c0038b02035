/** Commits what a write has made only while the stored objects that it relies on say what they said. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, Commit, Failure, Guard, Key, ObjectPlace } from '../contract/index.js';
import { verbNotAllowed } from '../objects/status.js';
import { inSpan } from '../objects/tracing.js';
import type { PipelineServices } from '../request/services.js';
import { keyOf } from '../resource/served-resource.js';
import type { Precondition, Preconditions, Write } from './write.js';

/** Adds an object of which a check has been made; the check is made again should the object change. */
export function addPrecondition(
  { resource: find, store }: Pick<PipelineServices, 'resource' | 'store'>,
  preconditions: Preconditions,
  { group, resource, namespace, name }: ObjectPlace,
  broken: () => Failure | undefined,
): void {
  const found = find(group, resource);
  if (!found) return;
  const key = keyOf(found, namespace, name);
  preconditions.set(key, new StoredObject(store, key, broken));
}

/** A stored object that a write relies on. */
class StoredObject implements Precondition {
  constructor(
    private readonly store: PipelineServices['store'],
    private readonly key: Key,
    readonly broken: () => Failure | undefined,
  ) {}

  guard(): Guard {
    return { key: this.key, revision: this.store.get(this.key)?.revision ?? 0 };
  }
}

/** A change starts again this often while what it relies on changes, or is about to. */
const attempts = 24;

/** The longest pause before that, milliseconds: what is about to change has to become durable first. */
const longestPauseMs = 100;

/**
 * Commits a change of a write. Of a resource that a stored definition brings it relies on the definition, too: nothing
 * is stored by a schema that is no longer the present one, nor created once the definition is being deleted.
 */
export function commitWithPreconditions(write: Write, change: Change): Promise<Commit> {
  return Promise.resolve(inSpan('Storage commit', () => commitOnce(write, change)));
}

async function commitOnce(write: Write, change: Change): Promise<Commit> {
  const preconditions = preconditionsOf(write, change);
  if (preconditions.length === 0) return commitDecided(write, change);
  for (let attempt = 1; ; attempt++) {
    for (const one of preconditions) {
      const failure = one.broken();
      if (failure) return { outcome: 'failed', failure };
    }
    const guards = [...(change.guards ?? []), ...preconditions.map((one) => one.guard())];
    const commit = await commitDecided(write, { ...change, guards });
    if (commit.outcome !== 'failed' || !commit.unguarded || attempt === attempts) return commit;
    await sleep(Math.min(2 ** attempt, longestPauseMs));
  }
}

/** Commits a change on the state that the write is decided on. */
async function commitDecided({ unconfirmed, services: { store } }: Write, change: Change): Promise<Commit> {
  if (!unconfirmed || unconfirmed.isConfirmed) return store.commit(change);
  const commit = await store.commit({ ...change, basis: unconfirmed.basis });
  unconfirmed.note(commit);
  return commit;
}

function preconditionsOf(write: Write, { expected }: Change): readonly Precondition[] {
  const others = [...write.preconditions.values()];
  const { defined } = write.resource.stored;
  if (!defined) return others;
  const broken = (): Failure | undefined => {
    if (!defined.ended.aborted) return expected === 0 && defined.terminating() ? terminating(write) : undefined;
    write.superseded?.();
    return superseded(write);
  };
  return [{ broken, guard: defined.guard }, ...others];
}

/** 405: the definition is being deleted, and all objects with it. */
export function terminating({ resource: { module } }: Write): Failure {
  return verbNotAllowed('create', module.group, module.names.plural, 'while custom resource definition is terminating');
}

/** 503: nothing was stored; the client may simply try again. */
const superseded = ({ resource: { groupResource } }: Write): Failure => ({
  reason: 'ServiceUnavailable',
  message: `the definition of ${groupResource} changed while the request was under way, please try again`,
  details: { retryAfterSeconds: 1 },
});
