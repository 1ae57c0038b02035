/** Runs the server of a build once, uses it as clients do, and keeps the code that V8 has compiled until then. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { codeCacheOf, loadProgram } from '../launch/load-program.js';

const folder = import.meta.dirname;
const data = mkdtempSync(join(tmpdir(), 'kindforge-build-'));

// V8 drops code that was not run for a while, that of the start first of all.
setFlagsFromString('--no-flush-bytecode');
const program = loadProgram(folder);
const address = addressPrinted();
const flags = ['serve', '--allow-everyone', '--http-port', '0', '--storage', `lmdb:${data}`];
process.argv.splice(2, process.argv.length, ...flags);
program.run();
await use(await address);
// A cache is only taken by processes with the same flags: as they were before this.
setFlagsFromString('--flush-bytecode');
for (const [file, code] of program.compiled()) writeFileSync(join(folder, codeCacheOf(file)), code);
rmSync(data, { recursive: true, force: true });
process.exit(0);

/** What the server prints goes no further; it resolves to the address among it. */
function addressPrinted(): Promise<string> {
  return new Promise((resolve) => {
    process.stdout.write = (text: string | Uint8Array) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? [];
      if (found !== undefined) resolve(found);
      return true;
    };
  });
}

type Send = (method: string, path: string, type?: string, body?: unknown) => Promise<void>;

/** What most clients begin with: discovery, documents, one object through all verbs, and a watch. */
async function use(server: string): Promise<void> {
  const send: Send = async (method, path, type, body) => {
    const headers = { ...(type !== undefined && { [body === undefined ? 'accept' : 'content-type']: type }) };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${server}${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  for (const path of ['/readyz', '/api', '/apis', '/api/v1', '/version', '/openapi/v3']) await send('GET', path);
  const maps = '/api/v1/namespaces/default/configmaps';
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: '1' } };
  await send('POST', maps, 'application/json', object);
  await send('GET', `${maps}/one`);
  await send('PUT', `${maps}/one`, 'application/json', object);
  await send('PATCH', `${maps}/one`, 'application/merge-patch+json', { data: { b: '2' } });
  await send('PATCH', `${maps}/one?fieldManager=build&force=true`, 'application/apply-patch+yaml', object);
  for (const query of ['', '?limit=1', '?labelSelector=a%3Db']) await send('GET', `${maps}${query}`);
  await send('GET', `${maps}?watch=true&timeoutSeconds=1`);
  await send('DELETE', `${maps}/one`);
  await usePods(send);
}

/** Pods by themselves and in a workload, one of them asked for in protobuf. */
async function usePods(send: Send): Promise<void> {
  const pods = '/api/v1/namespaces/default/pods';
  const labels = { app: 'one' };
  const spec = { containers: [{ name: 'one', image: 'one' }] };
  await send('POST', pods, 'application/json', { metadata: { name: 'one', labels }, spec });
  await send('GET', `${pods}/one`, 'application/vnd.platform.protobuf');
  await send('POST', '/apis/apps/v1/namespaces/default/deployments', 'application/json', {
    metadata: { name: 'one' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
}
