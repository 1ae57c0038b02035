/** Workloads for tests of strategies, as the server stores them. */
import type { JsonObject } from '../../runtime/contract/index.js';

/** Makes a template as the server stores it; `spec` overrides fields of its pods. */
export const podTemplate = (spec: JsonObject = {}, labels: JsonObject = { app: 'a' }): JsonObject => ({
  metadata: { labels },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        imagePullPolicy: 'Always',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
  },
});
