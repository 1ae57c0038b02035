/** Workloads for tests of strategies, as they are stored, and what strategies find wrong with them. */
import type { ApiObject, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { contextOf } from './handlers-suite.js';

/** A template as it is stored; `spec` is put over that of its pods. */
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

/** Errors that a strategy finds in an object, as `field: message`. */
export const problemsOf = (handlers: KindHandlers, object: ApiObject, subresource = ''): readonly string[] =>
  (handlers.validate?.(object, contextOf({ subresource })) ?? []).map(({ field, message }) => `${field}: ${message}`);

/** Errors that it finds in a change. */
export const changeProblemsOf = (handlers: KindHandlers, object: ApiObject, old: ApiObject, subresource = '') =>
  (handlers.validateUpdate?.(object, old, contextOf({ subresource })) ?? []).map(
    ({ field, message }) => `${field}: ${message}`,
  );
