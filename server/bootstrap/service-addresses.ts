/** Keeps the records of Services' addresses in line with the Services, if the server serves such records. */
import { networkInterfaces } from 'node:os';
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
  isConflict,
  type ResourceClient,
} from '../../client/index.js';
import type { ApiObject, JsonValue, ValueRecord } from '../../runtime/contract/index.js';
import { type IpFamily, ipNumber } from '../../runtime/objects/ip-address.js';
import { addressesHeld, addressRecords, addressRecordsGate } from '../../strategies/index.js';
import { type BootstrapHook, isMissing } from './ensure-objects.js';

interface Kept extends ApiObjectLike {
  readonly spec?: JsonValue;
}

type Client = ResourceClient<Kept, Partial<Kept>, string>;

export const serviceAddresses: BootstrapHook = {
  name: 'start-service-ip-repair-controllers',
  everySeconds: 180,
  run: async ({ client, naming, featureEnabled, release }) => {
    if (!featureEnabled(addressRecordsGate)) return;
    const records = addressRecords(naming, release);
    const { group, plural } = records;
    // Read the records before the Services, so that the record of a new Service does not look like one without a
    // Service.
    const read = await listedInAny(
      versions.map((version) => clientOf(client, { group, version, plural, kind: 'IPAddress' })),
    );
    if (read === undefined) return;
    const { kept, found } = read;
    const services = await clientOf(client, { group: '', version: 'v1', plural: 'services', kind: 'Service' }).list();
    const wanted = new Map(
      services.items.map(partsOf).flatMap((service) => addressesHeld(service).map((name) => [name, service] as const)),
    );
    const isOrphan = (record: ApiObject): boolean => {
      const holder = wanted.get(record.metadata.name ?? '');
      return records.isOwn(record) && !(holder && records.names(record, holder));
    };
    await Promise.all(found.filter(isOrphan).map((record) => remove(kept, record)));
    const present = new Set(found.filter((record) => !isOrphan(record)).map(({ metadata }) => metadata.name));
    const missing = [...wanted].filter(([name]) => !present.has(name));
    await Promise.all(missing.map(([name, service]) => make(kept, records.recordOf(name, service))));
  },
};

/** The versions of the records, the best first. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** Returns the existing objects through the first served version, or `undefined` without one. */
async function listedInAny(
  clients: readonly Client[],
): Promise<{ kept: Client; found: readonly ApiObject[] } | undefined> {
  for (const kept of clients) {
    const found = await listed(kept);
    if (found !== undefined) return { kept, found };
  }
  return undefined;
}

function clientOf(
  client: ClientOptions,
  place: { readonly group: string; readonly version: string; readonly plural: string; readonly kind: string },
): Client {
  const subresources: readonly string[] = [];
  return createResourceClient(defineResource<Kept>()({ ...place, scope: 'Cluster', subresources }), client);
}

/** Returns the existing objects, or `undefined` if the server does not serve the kind. */
async function listed(resource: Client): Promise<readonly ApiObject[] | undefined> {
  try {
    return (await resource.list()).items.map(partsOf);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the fields to compare. */
function partsOf({ apiVersion, kind, metadata, spec = {} }: Kept): ApiObject {
  const { name = '', namespace = '', uid = '', resourceVersion = '', labels = {} } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion, labels }, spec };
}

/** Removes a record, unless it has changed or is gone. The next run looks at it again then. */
async function remove(resource: Client, { metadata }: ApiObject): Promise<void> {
  const { name = '', uid = '', resourceVersion = '' } = metadata;
  const preconditions = { uid, resourceVersion };
  await resource.delete(name, { preconditions }).catch((error: unknown) => {
    if (!isMissing(error) && !isConflict(error)) throw error;
  });
}

/** Creates a record, unless another server has just done so. */
async function make(resource: Client, record: ValueRecord): Promise<void> {
  await resource.create(record).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/**
 * Returns the address that the server listens on if others can reach it, or else the machine's first address of the
 * family.
 */
export function advertisedAddress(host: string, family: IpFamily): string | undefined {
  if (isReachable(host, family)) return host;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.find((one) => !one.internal && isReachable(one.address, family))?.address;
}

/** Returns false for the wildcard address, and for loopback and link-local addresses. */
function isReachable(address: string, family: IpFamily): boolean {
  if (ipNumber(address)?.family !== family) return false;
  return !/^(?:127\.|0\.0\.0\.0$|169\.254\.|::1?$|fe80:)/i.test(address);
}
