/** Runs the server of a build once, sends requests as clients do, and saves the code that V8 has compiled so far. */
import { setFlagsFromString } from 'node:v8';
import { callExport, keepCode, loadProgram, runProgram } from './program.js';

const folder = import.meta.dirname;
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: '1' } };

// V8 drops code that has not run for a while, and the code of the start first.
setFlagsFromString('--no-flush-bytecode');
const program = loadProgram(folder);
const address = printedAddress();
process.argv.splice(
  2,
  process.argv.length,
  'serve',
  '--allow-everyone',
  '--http-port',
  'auto',
  '--secure-port',
  '0',
  '--storage',
  'memory',
);
callExport(runProgram(folder, program), 'runCommand');
void address.then(useAsClients).then(() => {
  // V8 only takes a cache in processes with the same flags.
  setFlagsFromString('--flush-bytecode');
  keepCode(folder, program);
  process.exit(0);
});

/** Resolves to the address that the server prints, and discards its output. */
function printedAddress(): Promise<string> {
  return new Promise((resolve) => {
    process.stdout.write = (text: string | Uint8Array) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? [];
      if (found !== undefined) resolve(found);
      return true;
    };
  });
}

async function useAsClients(server: string): Promise<void> {
  const send = async (method: string, path: string, body?: object, type = 'application/json'): Promise<void> => {
    const init = body && { body: JSON.stringify(body), headers: { 'content-type': type } };
    const response = await fetch(`${server}${path}`, { method, ...init });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  for (const path of ['/readyz', '/api', '/apis', '/api/v1', '/version', '/openapi/v3']) await send('GET', path);
  await send('POST', configMaps, configMap);
  await send('PUT', `${configMaps}/one`, configMap);
  await send('PATCH', `${configMaps}/one`, { data: { b: '2' } }, 'application/merge-patch+json');
  await send('PATCH', `${configMaps}/one?fieldManager=a&force=true`, configMap, 'application/apply-patch+yaml');
  for (const query of ['/one', '', '?limit=1', '?labelSelector=a%3Db']) await send('GET', `${configMaps}${query}`);
  await send('GET', `${configMaps}?watch=true&timeoutSeconds=1`);
  await send('DELETE', `${configMaps}/one`);
}
