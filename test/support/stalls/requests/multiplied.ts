/** Heavy requests with small parts. The server repeats the work for one part for each other part. */
import type { Heavy } from '../probed-server.js';
import {
  applied,
  configMap,
  configMaps,
  custom,
  customObject,
  definition,
  definitions,
  get,
  many,
  patch,
  post,
  same,
} from './shared.js';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const empties = (count: number): object[] => many(count, () => ({}));
const text = { type: 'string' };

const defaulted = (plural: string, label: string, property: object): Heavy[] => [
  post(
    `${label}: definition`,
    definitions,
    definition(plural, {
      properties: { o: { type: 'array', items: { type: 'object', properties: { a: property } } } },
    }),
  ),
  post(`${label}: first object`, custom(plural), customObject(plural, 'a', {})),
  post(`${label}: 900,000 items`, custom(plural), customObject(plural, 'b', { o: empties(900_000) })),
  patch(
    `${label}: 300,000 items applied`,
    `${custom(plural)}/c?fieldManager=a`,
    applied,
    customObject(plural, 'c', { o: empties(300_000) }),
  ),
];
export const defaults: readonly Heavy[] = [
  ...defaulted('texts', 'a default of 1 kB', { ...text, default: 'a'.repeat(1000) }),
  ...defaulted('longs', 'a default of 500 kB', { ...text, default: 'a'.repeat(500_000) }),
  ...defaulted('maps', 'a default of 10,000 fields', {
    type: 'object',
    additionalProperties: text,
    default: same(10_000, 'a'),
  }),
  ...defaulted('inners', 'defaults in a default', {
    type: 'array',
    items: { type: 'object', properties: { x: { ...text, default: 'y' } } },
    default: empties(10_000),
  }),
];

const columns = (plural: string, label: string, jsonPath: string): Heavy[] => [
  post(
    `${label}: definition`,
    definitions,
    definition(
      plural,
      {
        properties: {
          l: { type: 'array', items: { type: 'integer' } },
          f: { type: 'object', additionalProperties: text },
          t: text,
        },
      },
      { additionalPrinterColumns: many(5_000, (i) => ({ name: `c${i}`, type: 'string', jsonPath })) },
    ),
  ),
  post(`${label}: first object`, custom(plural), customObject(plural, 'a', {})),
  post(
    `${label}: large object`,
    custom(plural),
    customObject(plural, 'b', {
      l: many(200_000, () => 1),
      f: same(10_000, '1'),
      t: 'a'.repeat(500_000),
    }),
  ),
  get(`${label}: table`, `${custom(plural)}/b`, table),
];
export const searches: readonly Heavy[] = [
  ...columns('alls', '5,000 columns of all items', '.l[*]'),
  ...columns('filters', '5,000 columns that filter', '.l[?(@>5)]'),
  ...columns('deepests', '5,000 columns that look everywhere', '..x'),
  ...columns('values', '5,000 columns of a map', '.f.*'),
  ...columns('slices', '5,000 columns of a slice', '.l[0:200000]'),
  ...columns('contents', '5,000 columns of a long text', '.t'),
];

const inDefault = '/api/v1/namespaces/default';
const container = (i: number): object => ({ name: `c${i}`, image: 'i' });
const limitRange = (name: string, limits: object): Heavy =>
  post(`limit range ${name}`, `${inDefault}/limitranges`, {
    metadata: { name },
    spec: { limits: [{ type: 'Container', ...limits }] },
  });
const podOfMany = post('pod of 2,500 containers', `${inDefault}/pods`, {
  metadata: { name: 'p' },
  spec: { containers: many(2_500, container) },
});
const amounts = same(15_000, '1', 'example.com/r');
const hook = (i: number): object => ({
  name: `a${i}.b.c`,
  failurePolicy: 'Ignore',
  sideEffects: 'None',
  timeoutSeconds: 1,
  admissionReviewVersions: ['v1'],
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
});
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
export const admitted: readonly Heavy[] = [
  limitRange('of-defaults', { default: amounts }),
  podOfMany,
  { label: 'limit range deleted', method: 'DELETE', path: `${inDefault}/limitranges/of-defaults` },
  limitRange('of-minima', { min: amounts }),
  podOfMany,
  post('2,000 webhooks', webhooks, { metadata: { name: 'w' }, webhooks: many(2_000, hook) }),
  post('object for 2,000 webhooks', configMaps, configMap('w', { a: 'a'.repeat(100_000) })),
];

const pod = (label: string, spec: object): Heavy =>
  post(`pod of 950,000 empty ${label}`, `${inDefault}/pods`, { metadata: { name: 'p' }, spec });
export const emptyItems: readonly Heavy[] = [
  pod('containers', { containers: empties(950_000) }),
  pod('ports', { containers: [{ ...container(0), ports: empties(950_000) }] }),
  pod('volumes', { containers: [container(0)], volumes: empties(950_000) }),
  pod('constraints', { containers: [container(0)], topologySpreadConstraints: empties(950_000) }),
  post('service of 950,000 empty ports', `${inDefault}/services`, {
    metadata: { name: 's' },
    spec: { ports: empties(950_000) },
  }),
  post('autoscaler of 950,000 empty metrics', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'h' },
    spec: { maxReplicas: 5, scaleTargetRef: { kind: 'A', name: 'b' }, metrics: empties(950_000) },
  }),
  post('webhook of 950,000 empty rules', webhooks, {
    metadata: { name: 'x' },
    webhooks: [{ ...hook(0), rules: empties(950_000) }],
  }),
  post('role of 950,000 empty rules', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'r' },
    rules: empties(950_000),
  }),
  post('binding of 950,000 empty subjects', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: empties(950_000),
  }),
  post('a revision of 2,900,000 digits', configMaps, configMap('r', {}, { resourceVersion: '1'.repeat(2_900_000) })),
];
