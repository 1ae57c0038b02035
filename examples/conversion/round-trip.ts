/** Writes a timer in one version, reads it in the other, and the reverse. A webhook converts it. */
import { readFileSync } from 'node:fs';
import { type ApiObjectLike, dynamicClient } from 'kindforge/client';

interface Timer extends ApiObjectLike {
  spec: Record<string, unknown>;
}

const api = dynamicClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080', namespace: 'default' });
const definitions = readFileSync(process.argv[3] ?? 'timers.yaml', 'utf8');
for (const { manifest, error } of await api.applyAll(definitions, { fieldManager: 'example' })) {
  console.log(`${manifest.metadata.name}: ${error instanceof Error ? error.message : 'applied'}`);
}

const timers = async (version: string) => {
  const all = await api.resource<Timer>({ apiVersion: `kitchen.example.com/${version}`, kind: 'Timer' });
  return all.in('default');
};
const [v1, v2] = [await timers('v1'), await timers('v2')];
const show = (what: string, { metadata, spec }: Timer) =>
  console.log(what, JSON.stringify(spec), JSON.stringify(metadata.annotations ?? {}));

const spec = { minutes: 5, place: 'hall/2', host: 'bell.local', port: '80', bell: 'ding' };
show('written in v1:', await v1.create({ metadata: { name: 'egg' }, spec }));
const newer = await v2.get('egg');
show('read in v2:   ', newer);
await v2.update({ ...newer, spec: { ...newer.spec, bells: ['ding', 'dong'] } });
const older = await v1.get('egg');
show('read in v1:   ', older);
await v1.update({ ...older, spec: { ...older.spec, minutes: 6 } });
show('read in v2:   ', await v2.get('egg'));
await v1.delete('egg');
