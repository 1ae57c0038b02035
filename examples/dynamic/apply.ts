/** Applies manifests of any kind to a server, and prints the results. */
import { readFileSync } from 'node:fs';
import { dynamicClient } from 'kindforge/client';

const api = dynamicClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' });
const text = readFileSync(process.argv[3] ?? 'examples/dynamic/toys.yaml', 'utf8');

for (const { manifest, error } of await api.applyAll(text, { fieldManager: 'toy-maker' })) {
  console.log(`${manifest.kind} ${manifest.metadata.name}: ${error instanceof Error ? error.message : 'applied'}`);
}

const tops = await api.resource('tops');
const { columnDefinitions, rows } = await tops.table({ namespace: 'toys' });
console.log(columnDefinitions.map(({ name }) => name).join('  '));
for (const { cells } of rows) console.log(cells.join('  '));

const metadata = { name: 'wooden', namespace: 'toys' };
const wrong = { apiVersion: 'toys.example.com/v1', kind: 'Top', metadata, spec: { colour: 'green', spin: 3 } };
for (const { path, message } of await api.check(wrong)) console.log(`${path}: ${message}`);

await api.deleteAll(text);
