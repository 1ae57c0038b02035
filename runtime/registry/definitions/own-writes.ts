/** Writes definitions and deletes their objects for the server itself, on the same path as writes of clients. */
import type { ApiObject, Entry, Failure, Guard, Result } from '../../contract/index.js';
import { formatTime } from '../../objects/scan/time.js';
import { done } from '../../objects/turns.js';
import { listObjects, readObject } from '../../request/object-access.js';
import type { WriteOutcome } from '../../request/responses.js';
import { itself, ownManager, type VerbServices } from '../../request/verb-request.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { runDelete, runUpdate } from '../../write/run.js';
import { draftOf } from '../../write/stages/merge.js';
import type { Write } from '../../write/write.js';

/** The number of attempts of an update if other writers are faster. */
const attempts = 64;

/** Changes a draft of the stored object. */
export type Change = (draft: ApiObject, current: ApiObject) => void;

/** Updates a cluster-scoped object or its subresource. Fails if the lock `held` has been lost. */
export async function updateOwn(
  services: VerbServices,
  resource: ServedResource,
  place: { readonly name: string; readonly uid: string; readonly subresource?: string },
  change: Change,
  held?: Guard,
): Promise<Result<WriteOutcome>> {
  const { name, uid, subresource = '' } = place;
  await resource.ready();
  const write = ownWrite(services, resource, { namespace: '', name }, 'UpdateOptions', subresource);
  if (held) write.preconditions.set(held.key, { broken: () => undefined, guard: () => held });
  return runUpdate(write, {
    verb: 'update',
    merge: (current) => done({ ok: true, value: changed(current, change) }),
    uid,
    pinned: false,
    attempts,
  });
}

/** Returns a changed copy of the current object. */
function changed(current: ApiObject, change: Change): ApiObject {
  const draft = draftOf(current);
  change(draft, current);
  return draft;
}

/** Deletes an object. Succeeds if it is already gone. */
export async function deleteOwn(
  services: VerbServices,
  resource: ServedResource,
  { key }: Entry,
): Promise<Failure | undefined> {
  await resource.ready();
  const [namespace = '', name] = key.slice(resource.keyPrefix.length).split('/', 2);
  const place = name === undefined ? { namespace: '', name: namespace } : { namespace, name };
  const outcome = await runDelete(ownWrite(services, resource, place, 'DeleteOptions'), { preconditions: {} });
  return outcome.ok || outcome.failure.reason === 'NotFound' ? undefined : outcome.failure;
}

function ownWrite(
  services: VerbServices,
  resource: ServedResource,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  optionsKind: string,
  subresource = '',
): Write {
  return {
    resource,
    namespace,
    name,
    subresource: resource.subresources.get(subresource),
    user: itself,
    now: formatTime(services.clock()),
    manager: ownManager,
    dryRun: false,
    options: { kind: optionsKind, apiVersion: `${services.metaGroup}/v1` },
    services,
    warn: () => {},
    preconditions: new Map(),
    admission: {
      get: (group, plural, of, called) =>
        readObject(services, { group, resource: plural, namespace: of, name: called }),
      list: (group, plural, of) => listObjects(services, { group, resource: plural, namespace: of }),
      rely: () => {},
      authorize: services.authorize,
      decide: (attributes) => services.authorizer.decide(attributes),
      convert: services.convert,
      warn: () => {},
      annotate: () => {},
    },
  };
}
