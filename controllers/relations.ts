/** Deletes or clears the objects that name an object in deletion, and then releases that object. */
import {
  type ApiObjectLike,
  createResourceClient,
  type DynamicClient,
  defineResource,
  isConflict,
  type JsonPatchOperation,
  keyOf,
  type ResourceDescriptor,
} from '../client/index.js';
import type { Controller } from './controller.js';
import { type ControllerContext, defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** A kind as clients address it. */
export type RelatedKind = Pick<ResourceDescriptor, 'group' | 'version' | 'plural' | 'kind' | 'scope'>;

/** A name of another object. */
export interface NamedObject {
  readonly name: string;
  /** Empty if the object has none. */
  readonly namespace: string;
  /** The path of the name: keys and list indexes. */
  readonly path: readonly (string | number)[];
}

/** Objects of a kind that are deleted, or lose a field, before the object that they name. */
export interface DeletingRelation {
  readonly target: RelatedKind;
  readonly from: RelatedKind;
  readonly onDelete: 'cascade' | 'clear';
  /** Whether the named object may be in another namespace. */
  readonly crossesNamespaces: boolean;
  readonly namesIn: (object: ApiObjectLike) => readonly NamedObject[];
}

/** The finalizer that the server gives to an object that others name, when its deletion begins. */
const finalizer = 'kindforge.dev/relations';

/** Pause between two checks of an object that others still name, milliseconds. */
const recheckMs = { shortest: 100, longest: 5000, shareOfAge: 0.25 };

/** Defines the controller. A key is `<plural>.<group> <namespace>/<name>`. */
export function defineRelations(relations: readonly DeletingRelation[]): Controller {
  const targets = new Map(relations.map(({ target }) => [nameOf(target), descriptorOf(target)]));
  return defineController({
    name: 'relations',
    watches: [...targets].map(([kind, resource]) =>
      watch(resource, {
        metadataOnly: true,
        keysOf: (object) => (isHeld(object) ? [`${kind} ${keyOf(object)}`] : []),
      }),
    ),
    workers: 5,
    async reconcile(key, context) {
      const [kind = '', place = ''] = key.split(' ');
      const resource = targets.get(kind);
      const known = resource && context.cacheOf(resource).get(place);
      if (!resource || !known) return;
      const { namespace = '', name = '' } = known.metadata;
      const objects = clientOf(resource, context, namespace);
      const found = await objects.get(name, { signal: context.signal }).catch(ignoreNotFound);
      if (!found || !isHeld(found)) return;
      let left = 0;
      for (const relation of relations) {
        if (nameOf(relation.target) === kind) left += await settle(relation, found, context);
      }
      if (left === 0) await release(objects, found, context.signal);
      else context.queue.addAfter(key, pauseFor(found, context.clock.wallMs()));
    },
  });
}

const nameOf = ({ plural, group }: RelatedKind): string => `${plural}.${group}`;

const descriptorOf = (kind: RelatedKind): ResourceDescriptor<ApiObjectLike> =>
  defineResource<ApiObjectLike>()({ ...kind, subresources: [] });

const isHeld = ({ metadata }: ApiObjectLike): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);

function pauseFor({ metadata }: ApiObjectLike, now: number): number {
  const ageMs = now - Date.parse(metadata.deletionTimestamp ?? '');
  const { shortest, longest, shareOfAge } = recheckMs;
  return Math.min(Math.max(ageMs * shareOfAge, shortest), longest);
}

type Objects = Pick<DynamicClient<ApiObjectLike, unknown, string>, 'get' | 'delete' | 'jsonPatch' | 'each'>;

function clientOf(kind: ResourceDescriptor<ApiObjectLike>, { client }: ControllerContext, namespace: string): Objects {
  const all = createResourceClient<ApiObjectLike, unknown, string>(kind, client);
  return kind.scope === 'Namespaced' && namespace !== '' ? all.in(namespace) : all;
}

/** Deletes or clears all referrers by one relation. Returns how many of them still name the object. */
async function settle(relation: DeletingRelation, target: ApiObjectLike, context: ControllerContext): Promise<number> {
  const { signal } = context;
  const { namespace = '' } = target.metadata;
  const from = descriptorOf(relation.from);
  let left = 0;
  for await (const object of clientOf(from, context, relation.crossesNamespaces ? '' : namespace).each({ signal })) {
    const named = relation.namesIn(object).find((each) => isNamed(each, target, relation));
    if (!named) continue;
    left++;
    const beside = clientOf(from, context, object.metadata.namespace ?? '');
    const gone =
      relation.onDelete === 'clear' ? await clear(beside, object, named, signal) : await remove(beside, object, signal);
    if (gone) left--;
  }
  return left;
}

const isNamed = (
  { name, namespace }: NamedObject,
  { metadata }: ApiObjectLike,
  { target }: DeletingRelation,
): boolean => name === metadata.name && (target.scope === 'Cluster' || namespace === metadata.namespace);

/**
 * Returns whether the object is gone. An object with finalizers stays for a while, and so does an object that others
 * need.
 */
async function remove(objects: Objects, { metadata }: ApiObjectLike, signal: AbortSignal): Promise<boolean> {
  const { name = '', uid, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return false;
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  await objects.delete(name, { ...preconditions, propagationPolicy: 'Background', signal }).catch((error: unknown) => {
    if (!isConflict(error)) ignoreNotFound(error);
  });
  return (await objects.get(name, { signal }).catch(ignoreNotFound))?.metadata.uid !== uid;
}

/** Removes the field, unless it has changed. */
async function clear(objects: Objects, { metadata }: ApiObjectLike, named: NamedObject, signal: AbortSignal) {
  const path = `/${named.path.map((key) => String(key).replace(/~/g, '~0').replace(/\//g, '~1')).join('/')}`;
  const operations: JsonPatchOperation[] = [
    { op: 'test', path, value: named.name },
    { op: 'remove', path },
  ];
  await objects.jsonPatch(metadata.name ?? '', operations, { signal }).catch(ignoreNotFound);
  return true;
}

/** Releases the object. Throws a conflict if it has changed; the change queues it again. */
async function release(objects: Objects, { metadata }: ApiObjectLike, signal: AbortSignal): Promise<void> {
  const { name = '', resourceVersion, finalizers = [] } = metadata;
  const operations: JsonPatchOperation[] = [
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/metadata/finalizers', value: finalizers.filter((each) => each !== finalizer) },
  ];
  await objects.jsonPatch(name, operations, { signal }).catch(ignoreNotFound);
}
