/** Creates objects that are missing, and corrects the existing ones. */
import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isTimeout,
  type ResourceClient,
} from '../../client/index.js';
import type { JsonValue } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import type { ServiceRanges } from '../../strategies/index.js';
import type { KindFacts } from './roles/kind-roles.js';

/** The fields of objects that hooks use. */
interface Parts {
  readonly spec?: JsonValue;
  readonly status?: JsonValue;
  readonly rules?: JsonValue;
  readonly aggregationRule?: JsonValue;
  readonly roleRef?: JsonValue;
  readonly subjects?: JsonValue;
  readonly value?: JsonValue;
  readonly description?: JsonValue;
  readonly subsets?: JsonValue;
  readonly addressType?: JsonValue;
  readonly endpoints?: JsonValue;
  readonly ports?: JsonValue;
  readonly data?: JsonValue;
}

/** An existing object. */
export interface StartObject extends ApiObjectLike, Parts {}

/** An object in its wanted form. */
export interface WantedObject extends Parts {
  readonly metadata: {
    readonly name: string;
    readonly labels?: { [key: string]: string };
    readonly annotations?: { [key: string]: string };
  };
}

/** The collection of the objects. */
export interface TargetCollection {
  /** The served version. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /** Absent for objects without a namespace. */
  readonly namespace?: string;
}

/** Returns the existing object with its corrections, or `undefined` if nothing must change. */
export type BringIntoLine = (found: StartObject, wanted: WantedObject) => StartObject | undefined;

type Client = ResourceClient<StartObject, Partial<StartObject>, string>;

function clientOf(client: ClientOptions, { namespace, ...resource }: TargetCollection): Client {
  const subresources: readonly string[] = [];
  if (namespace === undefined) {
    const cluster = defineResource<StartObject>()({ ...resource, scope: 'Cluster', subresources });
    return createResourceClient(cluster, client);
  }
  const namespaced = defineResource<StartObject>()({ ...resource, scope: 'Namespaced', subresources });
  return createResourceClient(namespaced, client).in(namespace);
}

/**
 * Creates missing objects, all at once, and corrects the existing ones; without `bringIntoLine`, leaves these alone.
 * Does nothing if the server does not serve the version.
 */
export async function ensureObjects(
  client: ClientOptions,
  place: TargetCollection,
  wanted: readonly WantedObject[],
  bringIntoLine: BringIntoLine = () => undefined,
): Promise<void> {
  await ensureInFirst(client, place, [place.version], wanted, bringIntoLine);
}

/** Does the same through the first served version of several. */
export async function ensureInFirst(
  client: ClientOptions,
  place: Omit<TargetCollection, 'version'>,
  versions: readonly string[],
  wanted: readonly WantedObject[],
  bringIntoLine: BringIntoLine,
): Promise<void> {
  for (const version of versions) {
    const resource = clientOf(client, { ...place, version });
    const found = await listed(resource);
    if (found === undefined) continue;
    const known = new Map(found.map((item) => [item.metadata.name, item]));
    await Promise.all(wanted.map((one) => ensureOne(resource, one, known.get(one.metadata.name), bringIntoLine)));
    return;
  }
}

/** Returns the existing objects, or `undefined` if the server does not serve the kind. */
async function listed(resource: Client, labelSelector?: string): Promise<readonly StartObject[] | undefined> {
  try {
    return (await resource.list(labelSelector === undefined ? {} : { labelSelector })).items;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The number of attempts for an object that others change at the same time. */
const attempts = 50;

/**
 * Milliseconds between attempts. Another server that creates the same object reserves its unique values. If that server
 * is killed, they stay reserved until its lock expires. All attempts together take longer than that.
 */
const pauseMs = 400;

async function ensureOne(
  resource: Client,
  wanted: WantedObject,
  known: StartObject | undefined,
  bringIntoLine: BringIntoLine,
): Promise<void> {
  let found = known;
  for (let attempt = 1; ; attempt++) {
    try {
      if (found === undefined) await resource.create(wanted);
      else {
        const changed = bringIntoLine(found, wanted);
        if (changed !== undefined) await resource.update(changed);
      }
      return;
    } catch (error) {
      const isTaken = found === undefined && isInvalid(error);
      // It is not known whether the change was made, so read the object.
      const isUnknown = isTimeout(error);
      const isRace = isAlreadyExists(error) || isConflict(error) || isMissing(error);
      if (!(isRace || isTaken || isUnknown) || attempt === attempts) throw error;
      if (isTaken || isUnknown) await setTimeout(pauseMs);
      found = await resource.get(wanted.metadata.name).catch((missing: unknown) => {
        if (isMissing(missing)) return undefined;
        throw missing;
      });
    }
  }
}

/**
 * Deletes the objects that a label selects, except the ones to keep. Does nothing if the server does not serve the
 * version.
 */
export async function removeObjects(
  client: ClientOptions,
  place: TargetCollection,
  labelSelector: string,
  keep: readonly string[],
): Promise<void> {
  const resource = clientOf(client, place);
  const found = (await listed(resource, labelSelector)) ?? [];
  const surplus = found.filter(({ metadata: { name = '' } }) => !keep.includes(name));
  await Promise.all(
    surplus.map(({ metadata: { name = '' } }) =>
      resource.delete(name).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      }),
    ),
  );
}

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 404;

/** The facts with which API servers behind this one verify its requests and its clients. */
export interface AuthenticationInfo {
  /** PEM authorities of client certificates; empty if there are none. */
  readonly clientAuthorities: string;
  /** How this server passes on requests of users; absent if the authority is not known. */
  readonly proxy?: ProxyInfo | undefined;
}

/** The certificate and the headers of requests that this server passes on. */
interface ProxyInfo {
  /** PEM authorities of the certificate. */
  readonly authorities: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeadersPrefixes: readonly string[];
}

/** The server that a hook runs for. */
export interface BootstrapParts {
  readonly client: ClientOptions;
  readonly naming: Naming;
  /** The port that the server listens on; 0 if it is not known yet. */
  readonly port: number;
  /** The address that it listens on. */
  readonly host: string;
  readonly serviceRanges: ServiceRanges;
  readonly featureEnabled: (gate: string) => boolean;
  readonly release: Release;
  /** Returns the facts for API servers behind this one; absent if there can be no such servers. */
  readonly authentication?: (() => AuthenticationInfo) | undefined;
  /** The kinds that come with the server and are not built in, under their served names. */
  readonly ownKinds: readonly KindFacts[];
}

/**
 * One hook. It may run any number of times, beside other servers on the same store. It changes nothing if all objects
 * are as wanted.
 */
export interface BootstrapHook {
  /** Its name in the readiness check: `poststarthook/<name>` fails until the hook has run. */
  readonly name: string;
  /**
   * Seconds until it runs again, to restore objects that were deleted or changed. If absent, it runs once, at the
   * start.
   */
  readonly everySeconds?: number;
  /**
   * Set if its objects describe this server, not the data. It then runs at every start. If it fails, the server starts
   * and is ready without these objects.
   */
  readonly describesServer?: boolean;
  /** Rejects if an object could not be created or corrected. */
  readonly run: (parts: BootstrapParts) => Promise<void>;
}
