/** Where the service by which programs find the server leads to: its Endpoints, and their EndpointSlice. */
import { networkInterfaces } from 'node:os';
import { type IpFamily, ipNumber } from '../runtime/objects/addresses/ip-range.js';
import { equal } from '../runtime/objects/equality.js';
import { type BringIntoLine, ensureObjects, type StartObject, type WantedObject } from './ensure-objects.js';
import type { BootstrapParts } from './hook.js';

/** Makes both what they have to be; none of them while the server has no port, or the machine no address to tell. */
export async function ensureEndpoints(
  { client, naming, port, host }: BootstrapParts,
  name: string,
  family: IpFamily,
): Promise<void> {
  const ip = advertised(host, family);
  if (port === 0 || ip === undefined) return;
  const { rename } = naming;
  const namespace = naming.namespaces.default;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  await ensureObjects(
    client,
    { group: '', version: 'v1', plural: 'endpoints', kind: 'Endpoints', namespace },
    [
      {
        metadata: { name, labels: { [rename('endpointslice.platform.io/skip-mirror')]: 'true' } },
        subsets: [{ addresses: [{ ip }], ports }],
      },
    ],
    replacing(['subsets']),
  );
  await ensureObjects(
    client,
    {
      group: rename('discovery.platform.io'),
      version: 'v1',
      plural: 'endpointslices',
      kind: 'EndpointSlice',
      namespace,
    },
    [
      {
        metadata: { name, labels: { [rename('platform.io/service-name')]: name } },
        addressType: family,
        endpoints: [{ addresses: [ip], conditions: { ready: true } }],
        ports,
      },
    ],
    replacing(['endpoints', 'ports']),
  );
}

type Field = 'subsets' | 'endpoints' | 'ports';

const replacing =
  (fields: readonly Field[]): BringIntoLine =>
  (found: StartObject, wanted: WantedObject) => {
    if (fields.every((field) => equal(found[field] ?? null, wanted[field] ?? null))) return undefined;
    return { ...found, ...Object.fromEntries(fields.map((field) => [field, wanted[field]])) };
  };

/** The address that others reach the server at: the one it listens on, or, where that is no such address, the machine's. */
function advertised(host: string, family: IpFamily): string | undefined {
  if (isReachable(host, family)) return host;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.find((one) => !one.internal && isReachable(one.address, family))?.address;
}

/** Neither every address nor one that only the machine or its link knows. */
function isReachable(address: string, family: IpFamily): boolean {
  if (ipNumber(address)?.family !== family) return false;
  return !/^(?:127\.|0\.0\.0\.0$|169\.254\.|::1?$|fe80:)/i.test(address);
}
