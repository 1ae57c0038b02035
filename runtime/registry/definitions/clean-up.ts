/**
 * Deletes the objects of a definition that is being deleted, and releases the definition when the last object is gone.
 */
import type { ApiObject, Failure } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { type DefinitionCondition, setCondition } from '../../objects/definition-conditions.js';
import { objectAt } from '../../objects/guards.js';
import { formatTime } from '../../objects/scan/time.js';
import type { VerbServices } from '../../request/verb-request.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { deleteOwn, updateOwn } from './own-writes.js';

/** The parts of a clean-up. */
export interface CleanUp {
  readonly services: VerbServices;
  /** The resource of definitions themselves. */
  readonly definitions: ServedResource;
  /** The finalizer that keeps a definition until its objects are gone. */
  readonly finalizer: string;
}

/** The number of concurrent deletions. */
const atOnce = 32;

/**
 * Deletes the objects, and then the finalizer of the definition. `resource` is absent if the resource was never served.
 * Resolves to `held` if objects with finalizers are left. Resolves to a failure if a write failed: `NotFound` or
 * `Conflict` if another server was faster.
 */
export async function cleanUp(
  { services, definitions, finalizer }: CleanUp,
  definition: ApiObject,
  resource: ServedResource | undefined,
): Promise<'done' | 'held' | Failure> {
  const { name = '', uid = '' } = definition.metadata;
  const report = (condition: DefinitionCondition): Promise<Failure | undefined> =>
    failureOf(
      updateOwn(services, definitions, { name, uid, subresource: 'status' }, (draft) => {
        const status = clone(objectAt(draft, 'status') ?? {});
        setCondition(status, condition, formatTime(services.clock()));
        draft.status = status;
      }),
    );
  const unreported = await report(inProgress);
  if (unreported) return unreported;
  const failed = resource && (await deleteObjects(services, resource));
  if (failed) return failed;
  if (resource && services.store.count(resource.keyPrefix) > 0) return 'held';
  const unfinished =
    (await report(completed)) ??
    (await failureOf(
      updateOwn(services, definitions, { name, uid }, ({ metadata }) => {
        metadata.finalizers = metadata.finalizers?.filter((each) => each !== finalizer);
      }),
    ));
  return unfinished ?? 'done';
}

const inProgress: DefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const completed: DefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

async function deleteObjects(services: VerbServices, resource: ServedResource): Promise<Failure | undefined> {
  const listed = services.store.list(resource.keyPrefix);
  const entries = typeof listed === 'string' ? [] : listed.entries;
  for (let at = 0; at < entries.length; at += atOnce) {
    const deleted = entries.slice(at, at + atOnce).map((entry) => deleteOwn(services, resource, entry));
    const failed = (await Promise.all(deleted)).find((failure) => failure !== undefined);
    if (failed) return failed;
  }
  return undefined;
}

const failureOf = async (
  result: Promise<{ readonly ok: true } | { readonly ok: false; readonly failure: Failure }>,
): Promise<Failure | undefined> => {
  const settled = await result;
  return settled.ok ? undefined : settled.failure;
};
