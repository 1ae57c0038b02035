/** The service by which programs in a cluster find the server, and where it leads to. */
import { ipText } from '../../runtime/objects/addresses/ip-range.js';
import { ensureObjects } from './ensure-objects.js';
import type { BootstrapHook } from './hook.js';
import { ensureEndpoints } from './kubernetes-endpoints.js';

const serviceName = 'kubernetes';

export const kubernetesService: BootstrapHook = {
  name: 'bootstrap-controller',
  everySeconds: 10,
  run: async (parts) => {
    const { client, naming, port, serviceRanges } = parts;
    const { addresses } = serviceRanges;
    const [range] = addresses;
    if (!range) return;
    const { family } = range;
    // The first address of a range names the network itself.
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
