/** Scenarios of the steps around a write, in process and in memory: plugins, policies, webhooks, rules, controllers. */
import { writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { definitionOf } from './apply.mjs';
import { cpuOf } from './figures.mjs';
import { pause } from './processes.mjs';
import { configMaps, send, startInProcess } from './requests.mjs';

/**
 * Makes a column of creates on a separate server. `prepare` starts it. `objectOf` is the path of the objects, and
 * `objectOf` returns each.
 */
const createsOn = (name, prepare, { path, objectOf, settle = 0 }) => ({
  name,
  async open(bench) {
    const server = await prepare(bench);
    let made = 0;
    const create = () =>
      cpuOf(bench.options.creates, async () => {
        await send(server, 'POST', path, objectOf(made++));
        // After this pause, the slowest watcher has its event.
        if (settle > 0 && made % bench.options.creates === 0) await pause(settle);
      });
    for (let warm = 0; warm < 3; warm++) await create();
    return { rows: { create }, close: () => server.stop() };
  },
});

const namespace = '/api/v1/namespaces/default';

const container = (name) => ({
  name,
  image: `registry.example.com/shop/${name}:1.4`,
  ports: [{ name: 'http', containerPort: 8080 }],
  env: Array.from({ length: 6 }, (_, i) => ({ name: `SETTING_${i}`, value: `value ${i} of the setting` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  volumeMounts: [{ name: 'cache', mountPath: '/var/cache' }],
});
const podSpec = {
  containers: [container('front'), container('metrics')],
  initContainers: [container('prepare')].map(({ readinessProbe: _, ...rest }) => rest),
  volumes: [{ name: 'cache', emptyDir: {} }],
};
const pods = {
  path: `${namespace}/pods`,
  objectOf: (i) => ({ metadata: { name: `pod-${i}`, labels: { app: 'shop', tier: 'front' } }, spec: podSpec }),
};

export const admission = {
  name: 'admission',
  about: 'creates of a pod without the admission plugins that are on by default, with them, and with a quota besides',
  options: { creates: 100 },
  rounds: 20,
  columns: () => [
    createsOn('without plugins', async (bench) => startForPods(bench, await pluginsOnByDefault(bench)), pods),
    createsOn('with plugins', (bench) => startForPods(bench, []), pods),
    createsOn('with a quota and a limit range', async (bench) => limitPods(await startForPods(bench, [])), pods),
  ],
};

async function pluginsOnByDefault({ load }) {
  const { admissionTable } = await load('plugins/index.ts');
  return admissionTable.filter(({ byDefault }) => byDefault === 'on').map(({ name }) => name);
}

async function startForPods(bench, disable) {
  const server = await startInProcess(bench, { admission: { disable } });
  await send(server, 'POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  return server;
}

async function limitPods(server) {
  const hard = { pods: '100000000', 'requests.cpu': '100000000', 'limits.memory': '1Ei' };
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  const limits = [{ type: 'Container', max: { cpu: '2' }, defaultRequest: { cpu: '50m' } }];
  await send(server, 'POST', `${namespace}/limitranges`, { metadata: { name: 'bounds' }, spec: { limits } });
  await send(server, 'POST', `${namespace}/resourcequotas`, { metadata: { name: 'all' }, spec: { hard } });
  await send(server, 'PATCH', `${namespace}/resourcequotas/all/status`, { status: { hard, used } });
  return server;
}

const variables = Object.fromEntries(
  Array.from({ length: 58 }, (_, i) => [`VARIABLE_${i}`, `value ${i} of the variable`]),
);
const maps = { path: configMaps, objectOf: (i) => ({ metadata: { name: `object-${i}` }, data: variables }) };

export const policies = {
  name: 'policies',
  about: 'creates of a ConfigMap of 2 KiB with no policy, with a hundred about other kinds, and with one about it',
  options: { creates: 200 },
  rounds: 15,
  columns: () => [
    createsOn('no policy', (bench) => startWithPolicies(bench, []), maps),
    createsOn('100 about other kinds', (bench) => startWithPolicies(bench, policiesElsewhere), maps),
    createsOn('one of five expressions', (bench) => startWithPolicies(bench, [policyHere]), maps),
  ],
};

const policyOf = (name, rule, expressions) => ({
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [{ apiVersions: ['v1'], operations: ['*'], ...rule }] },
    validations: expressions.map((expression) => ({ expression })),
  },
});

const policiesElsewhere = Array.from({ length: 100 }, (_, i) =>
  policyOf(`other-${i}.example.com`, { apiGroups: ['apps'], resources: ['deployments'] }, ['false']),
);
const policyHere = policyOf('here.example.com', { apiGroups: [''], resources: ['configmaps'] }, [
  `object.metadata.name.startsWith('object-') && size(object.metadata.name) < 60 && object.kind == 'ConfigMap'`,
  `object.data.all(key, key.startsWith('VARIABLE_') && size(object.data[key]) < 100)`,
  `!has(object.metadata.labels) || !('forbidden' in object.metadata.labels) || object.metadata.labels.forbidden == 'no'`,
  `request.userInfo.username != 'nobody' && 'system:masters' in request.userInfo.groups && request.operation == 'CREATE'`,
  `size(object.data) > 10 && size(object.data) < 100 && oldObject == null && has(object.data.VARIABLE_1)`,
]);

async function startWithPolicies(bench, all) {
  const gates = { featureGates: 'ValidatingAdmissionPolicy=true', runtimeConfig: 'api/all=true' };
  const server = await startInProcess(bench, gates);
  const path = '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolic';
  for (const policy of all) {
    const { name } = policy.metadata;
    const spec = { policyName: name, validationActions: ['Deny'] };
    await send(server, 'POST', `${path}ies`, policy);
    await send(server, 'POST', `${path}ybindings`, { metadata: { name }, spec });
  }
  return server;
}

export const webhooks = {
  name: 'webhooks',
  about:
    'creates of a ConfigMap of 2 KiB without admission webhooks, and with one in this process; its work counts, too',
  options: { creates: 50 },
  rounds: 30,
  columns: () => [
    createsOn('without', (bench) => startInProcess(bench), maps),
    createsOn('rules that do not match', (bench) => startWithWebhook(bench, createServer, 'secrets'), maps),
    createsOn('over HTTP/1.1', (bench) => startWithWebhook(bench, createServer, 'configmaps'), maps),
    createsOn('over HTTP/2', (bench) => startWithWebhook(bench, createSecureServer, 'configmaps'), maps),
  ],
};

/** Starts a server with a webhook that accepts everything. */
async function startWithWebhook(bench, listen, resource) {
  const { makeServerCertificate } = await bench.load('test/support/certificates.ts');
  const certificate = await makeServerCertificate();
  const webhook = listen(certificate, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } }));
  });
  await new Promise((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  const server = await startInProcess(bench);
  const clientConfig = {
    url: `https://127.0.0.1:${webhook.address().port}/`,
    caBundle: Buffer.from(certificate.cert).toString('base64'),
  };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: [resource] }];
  const one = {
    name: 'bench.hooks.example.com',
    clientConfig,
    rules,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  };
  await send(server, 'POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'bench' },
    webhooks: [one],
  });
  return server;
}

const text = { type: 'string', maxLength: 200 };
const count = { type: 'integer', minimum: 0 };
const port = { type: 'object', properties: { name: text, port: count, protocol: text } };
const ruledSpec = {
  type: 'object',
  properties: {
    replicas: count,
    minReplicas: count,
    maxReplicas: count,
    image: text,
    ports: { type: 'array', maxItems: 20, items: port },
    env: { type: 'array', maxItems: 100, items: { type: 'object', properties: { name: text, value: text } } },
    strategy: { type: 'object', properties: { type: text, maxSurge: count } },
  },
};
const fiveRules = [
  'self.replicas >= self.minReplicas && self.replicas <= self.maxReplicas && self.minReplicas <= self.maxReplicas',
  `has(self.strategy) && self.strategy.type == 'Rolling' ? self.strategy.maxSurge > 0 && self.strategy.maxSurge <= 5 : true`,
  'self.ports.all(p, p.port > 0 && p.port < 65536 && p.name.size() < 64)',
  `self.ports.exists(p, p.name == 'http' && p.protocol in ['TCP', 'UDP']) && self.ports.size() < 10`,
  `self.image.startsWith('registry.') && !self.image.endsWith(':latest') && self.image.size() < 100 && self.replicas > 0`,
];
const things = {
  path: '/apis/example.com/v1/namespaces/default/things',
  objectOf: (i) => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: `object-${i}` },
    spec: {
      replicas: 3,
      minReplicas: 1,
      maxReplicas: 9,
      image: 'registry.example.com/shop/web:1.2.3',
      ports: ['http', 'metrics', 'admin'].map((name, at) => ({ name, port: 8080 + at, protocol: 'TCP' })),
      env: Array.from({ length: 28 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value ${at} of the variable` })),
      strategy: { type: 'Rolling', maxSurge: 1 },
    },
  }),
};

export const rules = {
  name: 'rules',
  about: 'creates of an object of 2 KiB by a definition without rules, and by one with five of about 20 nodes each',
  options: { creates: 200 },
  rounds: 15,
  columns: () => [
    createsOn('without rules', (bench) => startWithRules(bench, []), things),
    createsOn('with five rules', (bench) => startWithRules(bench, fiveRules), things),
  ],
};

async function startWithRules(bench, all) {
  const validations = all.length === 0 ? {} : { 'x-kubernetes-validations': all.map((rule) => ({ rule })) };
  const definition = definitionOf('things', 'Thing', { ...ruledSpec, ...validations });
  writeFileSync(join(bench.folder, 'things.yaml'), JSON.stringify(definition));
  return startInProcess(bench, { schemas: bench.folder });
}

export const garbage = {
  name: 'garbage',
  about: 'creates of a ConfigMap of 2 KiB on a server without controllers, and on one with the garbage collector',
  options: { creates: 500 },
  rounds: 15,
  columns: () => [
    createsOn('without', (bench) => startWithControllers(bench, []), { ...maps, settle: 0.005 }),
    createsOn('with', (bench) => startWithControllers(bench, ['garbagecollector']), { ...maps, settle: 0.005 }),
  ],
};

async function startWithControllers(bench, controllers) {
  const server = await startInProcess(bench, { controllers });
  // After this pause, the controller has read all kinds for the first time.
  await pause(2);
  return server;
}
