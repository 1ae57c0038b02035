/**
 * Measures what it costs to encode and decode a pod in protobuf, beside what protobufjs takes for the same bytes. Protobufjs
 * has the easier work: it reads and writes its own messages, where ours reads and writes the object as JSON has it.
 *
 *   node --import tsx bench/protobuf.mjs [--seconds 4]
 *
 * Rounds of both take turns; the middle one of each counts.
 */
import { parseArgs } from 'node:util';
import { registry } from '../generated/registry.ts';
import { compileProtobuf } from '../runtime/codec/protobuf/codec.ts';
import { protobufjsType } from '../test/support/protobufjs-messages.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } });
const time = Number(values.seconds) * 1000;
const perRound = 500;

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

const pods = registry.find(({ names }) => names.plural === 'pods');
const { protobuf: schema } = await pods.code();
const codec = compileProtobuf(schema);
const type = protobufjsType(schema);
const bytes = Buffer.from(codec.encodeItem(pod));
const message = type.decode(bytes);
if (!bytes.equals(type.encode(message).finish())) throw new Error('protobufjs writes other bytes');

const jobs = {
  encode: { ours: () => codec.encodeItem(pod), protobufjs: () => type.encode(message).finish() },
  decode: { ours: () => codec.decodeMessage(bytes), protobufjs: () => type.decode(bytes) },
};

/** Microseconds of CPU that one run takes, over one round. */
function round(run) {
  const start = process.cpuUsage();
  for (let i = 0; i < perRound; i++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / perRound;
}

const middle = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

console.log(`a pod of ${bytes.length} bytes`);
for (const [name, { ours, protobufjs }] of Object.entries(jobs)) {
  const rounds = { ours: [], protobufjs: [] };
  for (const run of [ours, protobufjs]) for (let i = 0; i < 10; i++) round(run);
  for (const end = performance.now() + time / 2; performance.now() < end; ) {
    rounds.ours.push(round(ours));
    rounds.protobufjs.push(round(protobufjs));
  }
  const [mine, its] = [middle(rounds.ours), middle(rounds.protobufjs)];
  console.log(`  ${name}: ${mine.toFixed(1)} µs, protobufjs alone ${its.toFixed(1)} µs (${(its / mine).toFixed(2)})`);
}
