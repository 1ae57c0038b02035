/** A built server starts without the schemas of late kinds and all tables for protobuf, and has them when it is asked. */
import { afterEach, describe, expect, it } from 'vitest';
import { lateSchemasFile, lateTablesFile } from '../../../../bin/launch/load-program.js';
import { startTelling, type TellingServer } from '../../../support/telling-server.js';

let server: TellingServer;
afterEach(() => server.end());

const read = (): readonly boolean[] => [lateSchemasFile, lateTablesFile].map((file) => server.hasLoaded(file));

async function send(method: string, path: string, accept: string, object?: object): Promise<Uint8Array> {
  const response = await fetch(`${server.url}/api/v1/namespaces/default/${path}`, {
    method,
    headers: { accept, 'content-type': 'application/json' },
    ...(object && { body: JSON.stringify(object) }),
  });
  const body = new Uint8Array(await response.arrayBuffer());
  expect(response.status, new TextDecoder().decode(body)).toBeLessThan(300);
  return body;
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one' },
  spec: { containers: [{ name: 'main', image: 'web' }] },
};

describe.each(['platform', 'kubernetes'])('a built server with %s names', (naming) => {
  it('reads schemas and tables with the first request that needs them', { timeout: 60_000 }, async () => {
    server = await startTelling('--naming', naming);
    await send('POST', 'configmaps', 'application/json', { metadata: { name: 'one' } });
    await send('GET', 'pods', 'application/json');
    expect(read()).toEqual([false, false]);
    const created = await send('POST', 'pods', 'application/json', pod);
    // Found in the schema: containers are told apart by their names.
    expect(new TextDecoder().decode(created)).toContain('k:{\\"name\\":\\"main\\"}');
    expect(read()).toEqual([true, false]);
    const inProtobuf = await send('GET', 'pods/one', `application/vnd.${naming}.protobuf`);
    expect(new TextDecoder().decode(inProtobuf.subarray(0, 3))).toBe('k8s');
    expect(new TextDecoder().decode(inProtobuf)).toContain('main');
    await send('GET', 'configmaps/one', `application/vnd.${naming}.protobuf`);
    expect(read()).toEqual([true, true]);
  });
});
