/** Deletes all objects of a namespace, of every kind of the server, and reports what is left and why. */
import {
  ApiError,
  type ApiObjectLike,
  type ClientOptions,
  createMetadataClient,
  createResourceClient,
  type DiscoveredResource,
  discover,
} from '../client/index.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';

/** The objects that remain in a namespace after an attempt to delete everything, and the errors. */
export interface Remainder {
  /** Group versions that could not be read, with the reasons. */
  readonly undiscovered: readonly string[];
  /** Group versions with a malformed name. */
  readonly malformed: readonly string[];
  /** The errors of kinds with objects that could not be deleted or counted. */
  readonly errors: readonly string[];
  /** Objects by the name of their kind, `plural.group`. */
  readonly objects: ReadonlyMap<string, number>;
  /** Objects by the finalizers that hold them. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/**
 * Deletes everything in a namespace. With `podsFirst`, deletes the pods first: while some remain, everything that they
 * may use stays.
 */
export async function empty(
  namespace: string,
  podsFirst: boolean,
  client: ClientOptions,
  signal: AbortSignal,
): Promise<Remainder> {
  const { resources, failed } = await discover(client, signal);
  const objects = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const errors: string[] = [];
  const held = resources.filter(
    (one) => one.scope === 'Namespaced' && one.verbs.includes('delete') && !isMalformed(one),
  );
  const emptyAll = async (some: readonly DiscoveredResource[]): Promise<void> => {
    await Promise.all(
      some.map(async (resource) => {
        try {
          const left = await emptyOf(resource, namespace, client, signal);
          if (left.length > 0) objects.set(`${resource.plural}.${resource.group}`, left.length);
          for (const { metadata } of left) for (const one of metadata.finalizers ?? []) count(finalizers, one);
        } catch (error) {
          if (!isNotThere(error)) errors.push(messageOf(error));
        }
      }),
    );
  };
  const first = podsFirst ? held.filter(isPods) : [];
  await emptyAll(first);
  if (objects.size === 0 && errors.length === 0) await emptyAll(held.filter((one) => !first.includes(one)));
  return {
    undiscovered: failed.map(({ groupVersion, error }) => `${groupVersion}: ${messageOf(error)}`),
    malformed: [...new Set(resources.filter(isMalformed).map(({ group, version }) => `${group}/${version}`))],
    errors,
    objects,
    finalizers,
  };
}

const isPods = ({ group, plural }: DiscoveredResource): boolean => group === '' && plural === 'pods';

const isMalformed = ({ version }: DiscoveredResource): boolean => version.includes('/');

/** Deletes the objects of a kind. Returns the objects that still exist. */
async function emptyOf(
  resource: DiscoveredResource,
  namespace: string,
  client: ClientOptions,
  signal: AbortSignal,
): Promise<readonly ApiObjectLike[]> {
  const inside = createResourceClient(resource, client).in(namespace);
  const metadata = createMetadataClient(resource, client, namespace);
  const background = { propagationPolicy: 'Background', signal } as const;
  if (resource.verbs.includes('deletecollection')) await inside.deleteCollection(background);
  else {
    for (const {
      metadata: { name = '' },
    } of (await metadata.list({ signal })).items)
      await inside.delete(name, background).catch(ignoreNotFound);
  }
  return (await metadata.list({ signal })).items;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Returns whether an error means that the kind is gone, or does not have the verb. */
const isNotThere = (error: unknown): boolean => error instanceof ApiError && (error.code === 404 || error.code === 405);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
