/** Scenarios of single parts in this process: reading of bodies, protobuf, expressions, decisions about access. */
import { cpuOfSync } from './figures.mjs';

export const decode = {
  name: 'decode',
  about:
    'reading of bodies with everything that JSON.parse does not report: repeated keys and lost digits, then types and defaults',
  options: { reads: 500 },
  rounds: 20,
  columns: () =>
    ['JSON.parse', 'decodeJson', 'and toObject'].map((name) => ({ name, open: (bench) => openReader(bench, name) })),
};

const entries = (count, entryOf) => Object.fromEntries(Array.from({ length: count }, (_, i) => entryOf(i)));
const bodies = {
  'a config map, one text of 2 KiB': ['configmaps', { data: { payload: 'x'.repeat(1900) } }],
  'a config map, 40 texts': ['configmaps', { data: entries(40, (i) => [`key-${i}`, `the value of key ${i}`]) }],
  'a CSI driver': [
    'csidrivers',
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: false,
        fsGroupPolicy: 'File',
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        tokenRequests: Array.from({ length: 12 }, (_, i) => ({
          audience: `audience-${i}`,
          expirationSeconds: 3600 + i,
        })),
      },
    },
  ],
};

async function openReader({ load, options }, name) {
  const { registry } = await load('generated/registry.ts');
  const { decodeJson } = await load('runtime/codec/json.ts');
  const { toObject } = await load('runtime/write/decode.ts');
  const { serveResource } = await load('runtime/resource/serve-resource.ts');
  const decoded = (bytes) => {
    const read = decodeJson(bytes);
    if (!read.ok) throw new Error(read.problem);
    return read.value;
  };
  const readers = {
    'JSON.parse': () => (bytes) => JSON.parse(bytes.toString()),
    decodeJson: () => decoded,
    'and toObject': (resource) => (bytes) => {
      const object = toObject(resource, decoded(bytes));
      if (!object.ok || object.value.unknownFields.length > 0) throw new Error('the body is not as it should be');
    },
  };
  const rows = {};
  for (const [title, [plural, rest]] of Object.entries(bodies)) {
    const module = registry.find(({ names }) => names.plural === plural);
    const resource = serveResource(module);
    await resource.ready();
    const labels = entries(6, (i) => [`example.com/label-${i}`, `value-${i}`]);
    const object = {
      apiVersion: resource.apiVersion,
      kind: module.names.kind,
      metadata: { name: 'one', labels },
      ...rest,
    };
    const bytes = Buffer.from(JSON.stringify(object));
    const read = readers[name](resource);
    rows[title] = async () => cpuOfSync(options.reads, () => read(bytes));
  }
  return { rows };
}

export const protobuf = {
  name: 'protobuf',
  about: 'encoding and decoding of a pod in protobuf, beside protobufjs, which reads and writes its own messages',
  options: { turns: 500 },
  rounds: 20,
  columns: () => ['protobufjs', 'codec'].map((name) => ({ name, open: (bench) => openCodec(bench, name) })),
};

const pod = {
  metadata: {
    name: 'web-7d9f8c6b5-x2x4z',
    namespace: 'default',
    uid: '5e0f2d1c-3b4a-4c5d-8e6f-7a8b9c0d1e2f',
    resourceVersion: '123456',
    creationTimestamp: '2026-01-02T03:04:05Z',
    labels: { app: 'web', 'pod-template-hash': '7d9f8c6b5' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7d9f8c6b5', uid: '1e0f2d1c-3b4a', controller: true },
    ],
  },
  spec: {
    volumes: [{ name: 'config', configMap: { name: 'web', defaultMode: 420 } }],
    containers: [
      {
        name: 'web',
        image: 'registry.example.com/web:1.2.3',
        args: ['--port', '8080'],
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: [{ name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }],
        resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [{ name: 'config', mountPath: '/etc/web' }],
        readinessProbe: { httpGet: { path: '/ready', port: 8080, scheme: 'HTTP' }, periodSeconds: 10 },
        terminationMessagePath: '/dev/termination-log',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'web',
    nodeName: 'node-1',
    securityContext: {},
    tolerations: [{ key: 'not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
  },
  status: {
    phase: 'Running',
    podIP: '10.1.0.1',
    podIPs: [{ ip: '10.1.0.1' }],
    startTime: '2026-01-02T03:04:05Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:04:06Z' }],
  },
};

async function openCodec({ load, options }, name) {
  const { registry } = await load('generated/registry.ts');
  const { compileProtobuf } = await load('runtime/codec/protobuf/codec.ts');
  const { protobufjsType } = await load('test/support/protobufjs-messages.ts');
  const { protobuf: schema } = await registry.find(({ names }) => names.plural === 'pods').code();
  const [codec, type] = [compileProtobuf(schema), protobufjsType(schema)];
  const bytes = Buffer.from(codec.encodeItem(pod));
  const message = type.decode(bytes);
  if (!bytes.equals(type.encode(message).finish())) throw new Error('protobufjs writes other bytes');
  const jobs = {
    codec: { encode: () => codec.encodeItem(pod), decode: () => codec.decodeMessage(bytes) },
    protobufjs: { encode: () => type.encode(message).finish(), decode: () => type.decode(bytes) },
  };
  const rows = Object.entries(jobs[name]).map(([job, run]) => {
    cpuOfSync(10 * options.turns, run);
    return [job, async () => cpuOfSync(options.turns, run)];
  });
  return { rows: Object.fromEntries(rows) };
}

export const cel = {
  name: 'cel',
  about: 'evaluations of ten rules, compiled by the engine, and by two libraries, which count no costs',
  options: { seconds: 0.1 },
  rounds: 3,
  mean: true,
  columns: () =>
    ['@bufbuild/cel', '@marcbachmann/cel-js', 'engine'].map((name) => ({
      name,
      alone: name !== 'engine',
      open: (bench) => openRules(bench, name),
    })),
};

const [text, integer] = [{ type: 'string' }, { type: 'integer' }];
const schema = {
  type: 'object',
  properties: {
    replicas: integer,
    minReplicas: integer,
    maxReplicas: integer,
    name: text,
    image: text,
    tags: { type: 'array', items: text },
    ports: { type: 'array', items: { type: 'object', properties: { name: text, port: integer, protocol: text } } },
    labels: { type: 'object', additionalProperties: text },
    strategy: { type: 'object', properties: { type: text, maxSurge: integer } },
  },
};

const rules = [
  'self.replicas >= self.minReplicas && self.replicas <= self.maxReplicas',
  'has(self.strategy) && has(self.strategy.maxSurge) ? self.strategy.maxSurge > 0 : true',
  `self.name.startsWith('web-') && !self.name.endsWith('-') && size(self.name) <= 63`,
  'self.ports.all(p, p.port > 0 && p.port < 65536)',
  `self.ports.exists(p, p.name == 'http' && p.protocol in ['TCP', 'UDP'])`,
  'self.ports.all(p, self.ports.exists_one(q, q.name == p.name))',
  `self.labels.all(k, k.size() < 64 && self.labels[k] != '')`,
  `self.tags.filter(t, t.contains('a')).map(t, t + '!').size() < 10`,
  `self.image.matches('^[a-z0-9./-]+:[a-z0-9.-]+$')`,
  'self.replicas * 2 + self.maxReplicas - self.minReplicas * 3 < 1000',
];

const selves = Array.from({ length: 16 }, (_, i) => ({
  replicas: 3 + i,
  minReplicas: 1,
  maxReplicas: 40,
  name: `web-${i}`,
  image: `registry.example.com/shop/web:1.${i}.0`,
  tags: ['alpha', 'beta', 'gamma', `t${i}`],
  ports: [
    { name: 'http', port: 8080 + i, protocol: 'TCP' },
    { name: 'metrics', port: 9090, protocol: 'TCP' },
    { name: 'admin', port: 9091, protocol: 'TCP' },
  ],
  labels: { app: 'web', tier: 'front', instance: `i${i}` },
  strategy: { type: 'Rolling', maxSurge: 1 },
}));

/** Converts whole numbers to bigint, as both libraries need them. */
const withBigints = (value) => {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBigints(item)]));
};

/** Each engine compiles a rule into calls, one for each object, in its own form. */
const engines = {
  async engine({ load }) {
    const { compileExpression, dataTypeOf, Environment, laterEnvironment } = await load('runtime/cel/index.ts');
    const data = dataTypeOf(schema, 'self');
    const environment = new Environment({ ...laterEnvironment, variables: { self: { type: data.type, data } } });
    return (rule) => {
      const { expression } = compileExpression(rule, environment);
      return selves.map((self) => () => expression.evaluate({ self }).value);
    };
  },
  async '@bufbuild/cel'() {
    const { celEnv, parse, plan } = await import('@bufbuild/cel');
    const { strings } = await import('@bufbuild/cel/ext');
    return (rule) => {
      const run = plan(celEnv({ funcs: strings }), parse(rule));
      return selves.map(withBigints).map((self) => () => run({ self }));
    };
  },
  async '@marcbachmann/cel-js'() {
    const { Environment } = await import('@marcbachmann/cel-js');
    return (rule) => {
      const run = new Environment().registerVariable('self', 'dyn').parse(rule);
      return selves.map(withBigints).map((self) => () => run({ self }));
    };
  },
};

async function openRules(bench, name) {
  const compile = await engines[name](bench);
  const rows = rules.flatMap((rule) => {
    try {
      const calls = compile(rule);
      const wrong = calls.find((call) => call() !== true);
      if (wrong !== undefined) throw new Error(`it yields ${wrong()}`);
      rateOf(calls, bench.options.seconds);
      return [[rule, async () => ({ 'per second': rateOf(calls, bench.options.seconds) })]];
    } catch (error) {
      console.error(`${name} cannot evaluate ${rule}: ${error.message}`);
      return [];
    }
  });
  return { rows: Object.fromEntries(rows) };
}

function rateOf(calls, seconds) {
  const began = performance.now();
  let count = 0;
  let now = began;
  for (; now - began < seconds * 1000; now = performance.now()) {
    for (let i = 0; i < 64; i++) calls[i % calls.length]();
    count += 64;
  }
  return (count / (now - began)) * 1000;
}

export const authorization = {
  name: 'authorization',
  about: 'decisions by roles and bindings, about one user among many, and about one user with all of the bindings',
  options: { bindings: 1000, decisions: 200_000 },
  columns: () => [
    { name: 'one user among many', open: (bench) => openRoles(bench, (i) => `u${i}`) },
    { name: 'one user with all', open: (bench) => openRoles(bench, () => 'u7') },
  ],
};

const groups = ['devs', 'testers', 'system:authenticated'];
const user = { name: 'u7', uid: '', groups, extra: {} };
const administrator = { ...user, groups: ['system:masters', ...groups] };
const getPod = { verb: 'get', group: '', resource: 'pods', subresource: '', namespace: 'n7', name: 'a' };
const questions = {
  allowed: { ...getPod, user },
  refused: { ...getPod, user, resource: 'secrets' },
  'a path': { user, verb: 'get', path: '/apis/apps/v1' },
  'an administrator': { ...getPod, user: administrator },
};

async function openRoles(bench, userOf) {
  const authorizer = await rolesOf(bench, userOf);
  const { decisions } = bench.options;
  const decide = (question) => async () => {
    const { 'µs of CPU': micros } = cpuOfSync(decisions, () => void authorizer.decide(question));
    return { 'ns of CPU': micros * 1000 };
  };
  return { rows: Object.fromEntries(Object.entries(questions).map(([name, question]) => [name, decide(question)])) };
}

/** Makes RBAC over a store with bindings in ten namespaces. `userOf` names the user of each binding. */
async function rolesOf({ load, options: { bindings } }, userOf) {
  const { defineAdministrators, defineInOrder, defineRbac } = await load('plugins/index.ts');
  const { Followers } = await load('runtime/server/index.ts');
  const { platformNaming } = await load('runtime/objects/names/naming.ts');
  const { memoryBackend, openStore } = await load('runtime/storage/index.ts');
  const readAttributes = () => ({ labels: {}, fields: {} });
  const store = await openStore({ backend: memoryBackend(), readAttributes });
  const put = async (plural, namespace, name, object) => {
    const stored = JSON.stringify({ metadata: { resourceVersion: '', name, namespace }, ...object });
    const revisionAt = stored.indexOf('""', stored.indexOf('resourceVersion')) + 1;
    const key = `rbac.authorization.platform.io/${plural}/${namespace === '' ? '' : `${namespace}/`}${name}`;
    await store.commit({ key, expected: 0, next: { text: stored, revisionAt, attributes: readAttributes() } });
  };
  const rules = [
    { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'services', 'configmaps'] },
    { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'] },
  ];
  const paths = [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/version', '/api', '/api/*', '/apis', '/apis/*'] }];
  await put('clusterroles', '', 'role', { rules });
  await put('clusterroles', '', 'paths', { rules: paths });
  const subjects = [{ kind: 'Group', name: 'system:authenticated' }];
  await put('clusterrolebindings', '', 'paths', { roleRef: { kind: 'ClusterRole', name: 'paths' }, subjects });
  for (let i = 0; i < bindings; i++) {
    const roleRef = { kind: 'ClusterRole', name: 'role' };
    await put('rolebindings', `n${i % 10}`, `b${i}`, { roleRef, subjects: [{ kind: 'User', name: userOf(i) }] });
  }
  const { follow } = new Followers({ store, onError: console.error });
  return defineInOrder([defineAdministrators(), defineRbac({ follow, names: platformNaming }).authorizer]);
}
