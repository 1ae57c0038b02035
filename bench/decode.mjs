/**
 * Measures what it costs to read a body with all that JSON.parse does not tell, beside JSON.parse of the same bytes:
 * repeated keys and numbers that lose digits (`decodeJson`), and then wrong types and unknown fields as well
 * (`toObject`, which also fills in defaults).
 *
 *   node --import tsx bench/decode.mjs [--seconds 4]
 *
 * Rounds of all take turns; the middle one of each counts.
 */
import { parseArgs } from 'node:util';
import { registry } from '../generated/registry.ts';
import { decodeJson } from '../runtime/codec/json.ts';
import { serveResource } from '../runtime/resource/serve-resource.js';
import { toObject } from '../runtime/write/decode.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } });
const time = Number(values.seconds) * 1000;
const readsPerRound = 500;

const entries = (count, key, value) => Object.fromEntries(Array.from({ length: count }, (_, i) => [key(i), value(i)]));
const labels = entries(
  6,
  (i) => `example.com/label-${i}`,
  (i) => `value-${i}`,
);
const bodies = {
  'a config map, one text of 2 KiB': ['configmaps', { data: { payload: 'x'.repeat(1900) } }],
  'a config map, 40 texts': [
    'configmaps',
    {
      data: entries(
        40,
        (i) => `key-${i}`,
        (i) => `the value of key ${i}`,
      ),
    },
  ],
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

const middle = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

/** Microseconds of CPU that one reading takes, over one round. */
function round(read, bytes) {
  const start = process.cpuUsage();
  for (let i = 0; i < readsPerRound; i++) read(bytes);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / readsPerRound;
}

function readersOf(resource) {
  const decoded = (bytes) => {
    const read = decodeJson(bytes);
    if (!read.ok) throw new Error(read.problem);
    return read.value;
  };
  return {
    'JSON.parse': (bytes) => JSON.parse(bytes.toString()),
    decodeJson: decoded,
    'and toObject': (bytes) => {
      const object = toObject(resource, decoded(bytes));
      if (!object.ok || object.value.unknownFields.length > 0) throw new Error('the body is not as it should be');
    },
  };
}

const names = Object.keys(bodies);
for (const name of names) {
  const [plural, rest] = bodies[name];
  const module = registry.find(({ names }) => names.plural === plural);
  const resource = serveResource(module);
  await resource.ready();
  const metadata = { name: 'one', labels };
  const object = { apiVersion: resource.apiVersion, kind: module.names.kind, metadata, ...rest };
  const bytes = Buffer.from(JSON.stringify(object));
  const readers = Object.entries(readersOf(resource)).map(([reader, read]) => ({ reader, read, rounds: [] }));
  for (const { read } of readers) round(read, bytes);
  for (const end = performance.now() + time / names.length; performance.now() < end; ) {
    for (const { read, rounds } of readers) rounds.push(round(read, bytes));
  }
  const [plain] = readers.map(({ rounds }) => middle(rounds));
  console.log(`${name}, ${bytes.length} bytes`);
  for (const { reader, rounds } of readers) {
    console.log(
      `  ${reader}: ${middle(rounds).toFixed(1)} µs, ${(middle(rounds) / plain).toFixed(2)} times JSON.parse`,
    );
  }
}
