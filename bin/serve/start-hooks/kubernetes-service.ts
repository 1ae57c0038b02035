/** The service by which programs in a cluster find the server; no endpoints, as the server listens on loopback only. */
import { ensureObjects } from './ensure-objects.js';
import type { StartHook } from './start-hook.js';

/** The first address of the range that services have theirs from. */
const clusterIP = '10.0.0.1';

export const kubernetesService: StartHook = {
  name: 'bootstrap-controller',
  everySeconds: 10,
  run: ({ client, naming, port }) =>
    ensureObjects(
      client,
      { group: '', version: 'v1', plural: 'services', kind: 'Service', namespace: naming.namespaces.default },
      [
        {
          metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
          spec: {
            type: 'ClusterIP',
            clusterIP,
            clusterIPs: [clusterIP],
            ipFamilies: ['IPv4'],
            ipFamilyPolicy: 'SingleStack',
            internalTrafficPolicy: 'Cluster',
            sessionAffinity: 'None',
            ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
          },
        },
      ],
    ),
};
