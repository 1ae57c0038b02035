/** The service with which programs in a cluster find the server, and its endpoints. */
import { equal } from '../../runtime/objects/equality.js';
import { type IpFamily, ipText } from '../../runtime/objects/ip-address.js';
import {
  type BootstrapHook,
  type BootstrapParts,
  type BringIntoLine,
  ensureObjects,
  type StartObject,
  type WantedObject,
} from './ensure-objects.js';
import { advertisedAddress } from './service-addresses.js';

export const kubernetesService: BootstrapHook = {
  name: 'bootstrap-controller',
  everySeconds: 10,
  run: async (parts) => {
    const { client, naming, port, serviceRanges } = parts;
    const { addresses } = serviceRanges;
    const [range] = addresses;
    if (!range) return;
    const { family } = range;
    // The first address of a range is the address of the network itself.
    const clusterIP = ipText({ family, value: range.first + 1n });
    const collection = { group: '', version: 'v1', plural: 'services', kind: 'Service' };
    await ensureObjects(client, { ...collection, namespace: naming.namespaces.default }, [
      {
        metadata: { name: serviceName, labels: { component: 'apiserver', provider: 'kubernetes' } },
        spec: {
          type: 'ClusterIP',
          clusterIP,
          clusterIPs: [clusterIP],
          ipFamilies: [family],
          ipFamilyPolicy: 'SingleStack',
          internalTrafficPolicy: 'Cluster',
          sessionAffinity: 'None',
          ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
        },
      },
    ]);
    await ensureEndpoints(parts, serviceName, family);
  },
};

/** Creates or corrects both, unless the server has no port, or the machine has no address to advertise. */
async function ensureEndpoints(
  { client, naming, port, host }: BootstrapParts,
  name: string,
  family: IpFamily,
): Promise<void> {
  const ip = advertisedAddress(host, family);
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

const serviceName = 'kubernetes';
