/** Makes sure that objects exist, and brings those that do into line. */
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
import type { Naming } from '../../runtime/objects/naming.js';
import type { ServiceRanges } from '../../strategies/index.js';

/** The fields of objects that hooks write and read. */
interface Parts {
  readonly spec?: JsonValue;
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
}

/** An object that is there. */
export interface StartObject extends ApiObjectLike, Parts {}

/** An object as it has to be. */
export interface WantedObject extends Parts {
  readonly metadata: {
    readonly name: string;
    readonly labels?: { [key: string]: string };
    readonly annotations?: { [key: string]: string };
  };
}

/** Where objects are. */
export interface TargetCollection {
  /** As it is served. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /** Absent for objects that are in none. */
  readonly namespace?: string;
}

/** The object as it has to be, made of what is there; `undefined` where it is so already. */
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
 * Creates what is missing, all at once, and brings the rest into line; leaves it alone without `bringIntoLine`. Of a
 * version that is not served nothing is missing.
 */
export async function ensureObjects(
  client: ClientOptions,
  place: TargetCollection,
  wanted: readonly WantedObject[],
  bringIntoLine: BringIntoLine = () => undefined,
): Promise<void> {
  const resource = clientOf(client, place);
  const found = await listed(resource);
  if (found === undefined) return;
  const known = new Map(found.map((item) => [item.metadata.name, item]));
  await Promise.all(wanted.map((one) => ensureOne(resource, one, known.get(one.metadata.name), bringIntoLine)));
}

/** The objects that are there; `undefined` where the kind is not served. */
async function listed(resource: Client): Promise<readonly StartObject[] | undefined> {
  try {
    return (await resource.list()).items;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** How often an object is looked at again that others change at the same time. */
const attempts = 50;

/**
 * Milliseconds before that. Another server that makes the same object holds the values that no two objects may have, and
 * one that has been killed has held them until its lock runs out: all attempts take longer than that.
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
      // A change that may or may not have been made is found out about by reading.
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

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 404;

/** The server that a hook runs for. */
export interface BootstrapParts {
  readonly client: ClientOptions;
  readonly naming: Naming;
  /** The port that the server listens on; 0 where that is not known yet. */
  readonly port: number;
  /** The address that it listens on. */
  readonly host: string;
  readonly serviceRanges: ServiceRanges;
  readonly featureEnabled: (gate: string) => boolean;
}

/**
 * One hook. It may run any number of times, beside other servers on the same store, and changes nothing where all is as
 * it has to be.
 */
export interface BootstrapHook {
  /** As readiness names it: the check `poststarthook/<name>` fails until the hook has run. */
  readonly name: string;
  /** Seconds after which it runs again, so that what was deleted or changed comes back; only at the start where absent. */
  readonly everySeconds?: number;
  /** Rejects where the objects could not be made what they have to be. */
  readonly run: (parts: BootstrapParts) => Promise<void>;
}
