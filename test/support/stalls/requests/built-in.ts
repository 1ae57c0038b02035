/** Heavy requests about objects of built-in kinds. */
import type { Heavy } from '../probed-server.js';
import {
  applied,
  configMap,
  configMaps,
  get,
  jsonPatch,
  many,
  merge,
  patch,
  post,
  put,
  same,
  strategic,
  wide,
  yaml,
} from './shared.js';

const fields = 100_000;
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const asYaml = { accept: yaml };
const protobuf = { accept: 'application/vnd.kubernetes.protobuf' };

/** The fields of wide objects: about the most that the server stores with their managed fields. */
const stored = 45_000;
const wideMap = configMap('wide', same(stored, ''));
export const wideObjects: readonly Heavy[] = [
  post('create, 45,000 fields', configMaps, wideMap),
  post('create, 200,000 fields', configMaps, configMap('too-wide', same(200_000, ''))),
  post('dry run, 45,000 fields', `${configMaps}?dryRun=All`, configMap('dry', same(stored, ''))),
  put('update that changes nothing', `${configMaps}/wide`, wideMap),
  put('update of every field', `${configMaps}/wide`, configMap('wide', same(stored, '1'))),
  put(
    'update of every field, other manager',
    `${configMaps}/wide?fieldManager=b`,
    configMap('wide', same(stored, '2')),
  ),
  put('update to other fields', `${configMaps}/wide`, configMap('wide', same(stored, '', 'b'))),
  patch('merge patch, 45,000 fields', `${configMaps}/wide`, merge, { data: same(stored, '3', 'b') }),
  patch('merge patch, 200,000 nulls', `${configMaps}/wide`, merge, { data: same(200_000, null, 'c') }),
  patch('strategic merge patch, 45,000 fields', `${configMaps}/wide`, strategic, {
    data: same(stored, '4', 'b'),
  }),
  patch('strategic merge patch, 200,000 nulls', `${configMaps}/wide`, strategic, {
    data: same(200_000, null, 'c'),
  }),
  patch(
    'JSON patch, 10,000 operations',
    `${configMaps}/wide`,
    jsonPatch,
    many(10_000, (i) => ({ op: 'replace', path: `/data/b${i}`, value: '5' })),
  ),
  patch(
    'JSON patch, 10,000 tests',
    `${configMaps}/wide`,
    jsonPatch,
    many(10_000, () => ({ op: 'test', path: '/metadata', value: {} })),
  ),
  patch(
    'JSON patch, 10,000 copies',
    `${configMaps}/wide`,
    jsonPatch,
    many(10_000, (i) => ({ op: 'copy', from: '/data', path: `/data${i}` })),
  ),
  patch(
    'JSON patch, copies that double',
    `${configMaps}/wide`,
    jsonPatch,
    many(10_000, () => ({ op: 'copy', from: '/metadata', path: '/metadata/annotations' })),
  ),
  get('get', `${configMaps}/wide`),
  get('get pretty', `${configMaps}/wide?pretty=true`),
  get('get as YAML', `${configMaps}/wide`, asYaml),
  get('get in protobuf', `${configMaps}/wide`, protobuf),
  get('get as table', `${configMaps}/wide`, table),
  get('get as metadata', `${configMaps}/wide`, partial),
  get('list', configMaps),
  get('list as YAML', configMaps, asYaml),
  get('list pretty', `${configMaps}?pretty=true`),
  get('list in protobuf', configMaps, protobuf),
  get('list as table', configMaps, table),
  get('watch', `${configMaps}?watch=true&timeoutSeconds=1`),
  get('watch as table', `${configMaps}?watch=true&timeoutSeconds=1`, table),
  get('watch in protobuf', `${configMaps}?watch=true&timeoutSeconds=1`, protobuf),
  { label: 'delete', method: 'DELETE', path: `${configMaps}/wide` },
];

const ofFields = (name: string, value: string, count: number): object =>
  configMap(
    name,
    wide(count, () => value),
  );
const asManager = (manager: string, rest = ''): string => `${configMaps}/applied?fieldManager=${manager}${rest}`;
export const applies: readonly Heavy[] = [
  patch('apply, 100,000 fields', asManager('a'), applied, ofFields('applied', '', fields)),
  patch('apply, 45,000 fields, new', asManager('a'), applied, ofFields('applied', '', stored)),
  patch('apply, 45,000 fields, unchanged', asManager('a'), applied, ofFields('applied', '', stored)),
  patch('apply, 45,000 fields, conflicts', asManager('b'), applied, ofFields('applied', '1', stored)),
  patch('apply, 45,000 fields, forced', asManager('b', '&force=true'), applied, ofFields('applied', '1', stored)),
  patch('apply, 45,000 fields, all others', asManager('b'), applied, configMap('applied', same(stored, '', 'b'))),
  patch('apply, nothing', asManager('b'), applied, ofFields('applied', '', 0)),
  patch('apply, 100,000 fields, conflicts', asManager('c'), applied, ofFields('applied', '7', fields)),
  patch('apply, 100,000 fields, forced', asManager('c', '&force=true'), applied, ofFields('applied', '7', fields)),
];

const names = (count: number): string[] => many(count, (i) => `example.com/f${i}`);
const labels = (count: number): Record<string, string> => same(count, '', 'example.com/l');
export const metadata: readonly Heavy[] = [
  post('create, 100,000 finalizers', configMaps, configMap('finalizers', {}, { finalizers: names(100_000) })),
  post('create, 30,000 finalizers', configMaps, configMap('finalizers', {}, { finalizers: names(30_000) })),
  patch('one more of 30,000 finalizers', `${configMaps}/finalizers`, merge, {
    metadata: { finalizers: names(30_001) },
  }),
  patch('strategic, 30,000 finalizers', `${configMaps}/finalizers`, strategic, {
    metadata: { finalizers: names(30_000) },
  }),
  patch('strategic, 30,000 finalizers deleted', `${configMaps}/finalizers`, strategic, {
    metadata: { '$deleteFromPrimitiveList/finalizers': names(30_000) },
  }),
  patch('strategic, 30,000 finalizers ordered', `${configMaps}/finalizers`, strategic, {
    metadata: { '$setElementOrder/finalizers': names(30_000).reverse(), finalizers: names(30_000) },
  }),
  post('create, 100,000 labels', configMaps, configMap('labels', {}, { labels: labels(100_000) })),
  post('create, 100,000 bad labels', configMaps, configMap('labels', {}, { labels: same(100_000, '!', '-') })),
  post('create, 30,000 labels', configMaps, configMap('labels', {}, { labels: labels(30_000) })),
  post('create, 100,000 annotations', configMaps, configMap('notes', {}, { annotations: labels(100_000) })),
  post(
    'create, 12,000 owner references',
    configMaps,
    configMap(
      'owners',
      {},
      {
        ownerReferences: many(12_000, (i) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `o${i}`, uid: `u${i}` })),
      },
    ),
  ),
  post(
    'create, 20,000 managers',
    configMaps,
    configMap(
      'managers',
      {},
      {
        managedFields: many(20_000, (i) => ({
          manager: `m${i}`,
          operation: 'Update',
          apiVersion: 'v1',
          time: '2023-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} } },
        })),
      },
    ),
  ),
  post(
    'create, managed fields of one manager',
    configMaps,
    configMap(
      'managed',
      {},
      {
        managedFields: [
          {
            manager: 'm',
            operation: 'Update',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: same(150_000, {}, 'f:a'),
          },
        ],
      },
    ),
  ),
];

const strict = `${configMaps}?fieldValidation=Strict`;
const yamlLines = (count: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n${many(count, (i) => `  a${i}: ''\n`).join('')}`;
export const bodies: readonly Heavy[] = [
  post('100,000 unknown fields, strict', strict, { ...configMap('a', {}), ...same(100_000, 1) }),
  post('200,000 unknown fields, warned', `${configMaps}?fieldValidation=Warn&dryRun=All`, {
    ...configMap('a', {}),
    ...same(200_000, 1),
  }),
  post('200,000 unknown fields, ignored', `${configMaps}?fieldValidation=Ignore&dryRun=All`, {
    ...configMap('a', {}),
    ...same(200_000, 1),
  }),
  post(
    '300,000 fields twice, strict',
    strict,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{${many(300_000, () => '"a":""').join(',')}}}`,
  ),
  post('YAML of 2.6 MB', configMaps, yamlLines(200_000), yaml),
  post('YAML of 0.6 MB', configMaps, yamlLines(45_000), yaml),
  post('YAML, one line of 3 MB', configMaps, `a: ${'b '.repeat(1_500_000)}`, yaml),
  post('YAML, a flow of 1,000,000', configMaps, `a: [${'b,'.repeat(1_000_000)}]`, yaml),
  post('YAML, 100,000 lines of a quoted text', configMaps, `a: "${'b\n\n '.repeat(700_000)}"`, yaml),
  post('YAML, 500,000 anchors', configMaps, `a:\n${many(250_000, (i) => `- &a${i} b\n`).join('')}`, yaml),
  post('YAML, aliases', configMaps, `a: &a [${'b,'.repeat(5_000)}]\nc: [${'*a,'.repeat(200_000)}]`, yaml),
  post('YAML, 700,000 spaces and comments', configMaps, `a: b\n${'  #\n'.repeat(700_000)}`, yaml),
  post('1,000,000 empty lists', configMaps, `{"data":[${'[],'.repeat(999_000)}[]]}`),
  post('2.9 MB of digits', configMaps, `{"data":{"a":${'1'.repeat(2_900_000)}}}`),
  post('1,400,000 digits in a list', configMaps, `{"data":[${'1,'.repeat(1_400_000)}1]}`),
  post('150,000 long numbers', configMaps, `{"data":[${'12345678901234567,'.repeat(150_000)}1]}`),
  post('2.9 MB of escapes', configMaps, `{"data":{"a":"${'\\u00e9'.repeat(480_000)}"}}`),
  post('a text of 2.9 MB', configMaps, configMap('a', { a: 'b'.repeat(2_900_000) })),
  post('a text of 1.4 MB', configMaps, configMap('text', { a: 'b'.repeat(1_400_000) })),
  post('no JSON, 3 MB', configMaps, 'x'.repeat(3_000_000)),
  post('JSON that ends too soon', configMaps, '{"a":'.repeat(500_000)),
  post('brackets in protobuf', configMaps, Buffer.alloc(3_000_000, 0x0a), 'application/vnd.kubernetes.protobuf'),
  post('binary data of 1.4 MB', configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'binary' },
    binaryData: { a: Buffer.alloc(1_000_000, 7).toString('base64') },
  }),
  get('get of binary data in protobuf', `${configMaps}/binary`, protobuf),
  patch('merge patch, 900 levels', `${configMaps}/text`, merge, `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`),
];

const container = (i: number): object => ({ name: `c${i}`, image: 'i' });
const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
const variables = many(15_000, (i) => ({ name: `A${i}`, value: '' }));
export const lists: readonly Heavy[] = [
  post('pod of 80,000 containers', pods, pod('c', { containers: many(80_000, container) })),
  post('pod of 3,000 containers', pods, pod('c', { containers: many(3_000, container) })),
  post('pod of 2,500 containers', pods, pod('d', { containers: many(2_500, container) })),
  patch('strategic, image of 2,500 containers', `${pods}/d`, strategic, {
    spec: { containers: many(2_500, (i) => ({ name: `c${i}`, image: 'j' })) },
  }),
  patch('strategic, order of 2,500 containers', `${pods}/d`, strategic, {
    spec: { '$setElementOrder/containers': many(2_500, (i) => ({ name: `c${2_499 - i}` })) },
  }),
  patch(
    'apply, 2,500 containers',
    `${pods}/d?fieldManager=a&force=true`,
    applied,
    pod('d', { containers: many(2_500, container) }),
  ),
  get('pod as YAML', `${pods}/d`, asYaml),
  post('pod of 15,000 variables', pods, pod('e', { containers: [{ ...container(0), env: variables }] })),
  post(
    'pod of 50,000 variables',
    pods,
    pod('f', { containers: [{ ...container(0), env: many(50_000, (i) => ({ name: `A${i}` })) }] }),
  ),
  patch('strategic, 15,000 variables', `${pods}/e?dryRun=All`, strategic, {
    spec: { containers: [{ name: 'c0', env: variables.toReversed() }] },
  }),
  post(
    'pod of 40,000 volumes and mounts',
    pods,
    pod('v', {
      volumes: many(20_000, (i) => ({ name: `v${i}`, emptyDir: {} })),
      containers: [{ ...container(0), volumeMounts: many(20_000, (i) => ({ name: `v${i}`, mountPath: `/v${i}` })) }],
    }),
  ),
  post(
    'pod of 30,000 volumes',
    pods,
    pod('v', { volumes: many(30_000, (i) => ({ name: `v${i}`, emptyDir: {} })), containers: [container(0)] }),
  ),
  post(
    'pod of 60,000 tolerations',
    pods,
    pod('t', { containers: [container(0)], tolerations: many(60_000, (i) => ({ key: `k${i}`, operator: 'Exists' })) }),
  ),
  post(
    'pod of 10,000 ports',
    pods,
    pod('p', {
      containers: [{ ...container(0), ports: many(10_000, (i) => ({ containerPort: i + 1, name: `p${i}` })) }],
    }),
  ),
  post(
    'pod of 20,000 affinity terms',
    pods,
    pod('aff', {
      containers: [container(0)],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: many(20_000, (i) => ({
            topologyKey: `t${i}`,
            labelSelector: { matchLabels: { a: `b${i}` } },
          })),
        },
      },
    }),
  ),
  post('service of 20,000 ports', '/api/v1/namespaces/default/services', {
    metadata: { name: 's' },
    spec: { ports: many(20_000, (i) => ({ port: i + 1, name: `p${i}` })) },
  }),
  post('service of 4,000 ports', '/api/v1/namespaces/default/services', {
    metadata: { name: 's4' },
    spec: { ports: many(4_000, (i) => ({ port: i + 1, name: `p${i}` })) },
  }),
  post('node port service of 2,000 ports', '/api/v1/namespaces/default/services', {
    metadata: { name: 'np' },
    spec: { type: 'NodePort', ports: many(2_000, (i) => ({ port: i + 1, name: `p${i}` })) },
  }),
  post('endpoints of 40,000 addresses', '/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'e' },
    subsets: [{ addresses: many(40_000, (i) => ({ ip: `10.1.${i >> 8}.${i & 255}` })), ports: [{ port: 1 }] }],
  }),
  post('endpoints of 20,000 subsets', '/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'e2' },
    subsets: many(20_000, (i) => ({ addresses: [{ ip: `10.1.${i >> 8}.${i & 255}` }], ports: [{ port: 1 }] })),
  }),
  post('endpoint slice of 30,000 endpoints', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'e' },
    addressType: 'IPv4',
    endpoints: many(30_000, (i) => ({ addresses: [`10.1.${i >> 8}.${i & 255}`] })),
    ports: [],
  }),
  post('ingress of 30,000 rules', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'i' },
    spec: { rules: many(30_000, (i) => ({ host: `h${i}.example.com` })) },
  }),
  post('network policy of 20,000 peers', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
    metadata: { name: 'n' },
    spec: {
      podSelector: {},
      ingress: [{ from: many(20_000, (i) => ({ ipBlock: { cidr: `10.1.${i >> 8}.${i & 255}/32` } })) }],
    },
  }),
  post('network policy of 3,000 exceptions', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
    metadata: { name: 'n2' },
    spec: {
      podSelector: {},
      ingress: [
        { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: many(50_000, (i) => `10.1.${i >> 8}.${i & 255}/32`) } }] },
      ],
    },
  }),
  post('quota of 40,000 resources', '/api/v1/namespaces/default/resourcequotas', {
    metadata: { name: 'q' },
    spec: { hard: same(40_000, '1', 'count/a') },
  }),
  post('node of 50,000 taints', '/api/v1/nodes', {
    metadata: { name: 'n' },
    spec: { taints: many(50_000, (i) => ({ key: `k${i}`, effect: 'NoSchedule' })) },
  }),
  post('deployment, selector of 40,000 labels', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: labels(30_000) },
      template: { metadata: { labels: labels(30_000) }, spec: { containers: [container(0)] } },
    },
  }),
  post('secret of 40,000 fields', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 's' },
    data: same(40_000, 'YQ=='),
  }),
  post('certificate request of 1 MB', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    metadata: { name: 'c' },
    spec: {
      signerName: 'example.com/a',
      usages: ['client auth'],
      request: Buffer.from(
        `-----BEGIN CERTIFICATE REQUEST-----\n${'QUFB'.repeat(500_000)}\n-----END CERTIFICATE REQUEST-----\n`,
      ).toString('base64'),
    },
  }),
  post('certificate request, 20,000 blocks', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    metadata: { name: 'c2' },
    spec: {
      signerName: 'example.com/a',
      usages: ['client auth'],
      request: Buffer.from('-----BEGIN A-----\nQUFB\n'.repeat(70_000)).toString('base64'),
    },
  }),
  post('event with a note of 1.4 MB', '/api/v1/namespaces/default/events', {
    metadata: { name: 'e' },
    involvedObject: { namespace: 'default' },
    message: 'm'.repeat(1_400_000),
  }),
];

const requirements = (count: number, of: (i: number) => string): string =>
  encodeURIComponent(many(count, of).join(','));
export const urls: readonly Heavy[] = [
  get('label selector of 30,000 requirements', `${configMaps}?labelSelector=${requirements(30_000, (i) => `a${i}=b`)}`),
  get(
    'label selector of 60,000 values',
    `${configMaps}?labelSelector=${encodeURIComponent(`a in (${many(60_000, (i) => `b${i}`).join(',')})`)}`,
  ),
  get(
    'watch by 30,000 requirements',
    `${configMaps}?watch=true&timeoutSeconds=1&labelSelector=${requirements(30_000, (i) => `a${i}!=b`)}`,
  ),
  get(
    'field selector of 20,000 requirements',
    `${configMaps}?fieldSelector=${requirements(20_000, (i) => `metadata.name!=b${i}`)}`,
  ),
  get('a path of 800,000 characters', `/api/v1/${'a/'.repeat(400_000)}`),
  get('a path of 250,000 escapes', `/api/v1/namespaces/${'%61'.repeat(250_000)}`),
  get('query of 200,000 parameters', `${configMaps}?${many(100_000, (i) => `a${i}=b`).join('&')}`),
  get('a name of 900,000 characters', `${configMaps}/${'a'.repeat(900_000)}`),
  get('Accept of 100,000 types', configMaps, { accept: many(80_000, (i) => `a/b${i}`).join(',') }),
  get('Accept of 900,000 semicolons', configMaps, { accept: `a/b${';'.repeat(900_000)}` }),
  get('continue of 900,000 characters', `${configMaps}?limit=1&continue=${'A'.repeat(900_000)}`),
  get('50,000 groups', configMaps, { 'impersonate-user': 'u', 'impersonate-group': 'g'.repeat(500_000) }),
];
export const collections: readonly Heavy[] = [
  get('list of all', '/api/v1/configmaps'),
  { label: 'delete collection', method: 'DELETE', path: `${configMaps}` },
];
