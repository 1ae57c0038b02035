/** Clients that request long lists and do not read them. They cost bounded memory, and the server answers others. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/ask.js';
import { memoryOf, type ServerProcess, startServerProcess } from '../support/server-process.js';

const path = '/api/v1/namespaces/default/configmaps';
const MiB = 1024 * 1024;
const count = 100;
const bytesOfEach = 100_000;
const clients = 30;
/** The allowed growth of the server's memory. The lists together have more than twice as many bytes. */
const maxGrowth = 120 * MiB;

/** Removes the ages of objects from a list's text. */
const withoutAges = (list: string): string => list.replaceAll(/"(\d+m)?\d+s"/g, '');

describe('clients that read nothing of a long list', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess('--storage', 'memory', '--controllers', 'none');
    for (let i = 0; i < count; i++) {
      const answer = await send(server, 'POST', path, {
        body: { metadata: { name: `c${i}` }, data: { text: 'x'.repeat(bytesOfEach) } },
      });
      await answer.arrayBuffer();
    }
  });
  afterAll(() => server?.end('SIGKILL'));

  it.each([
    ['YAML', 'application/yaml', ''],
    ['indented JSON', 'application/json', '?pretty=1'],
    ['rows with objects', 'application/json;as=Table;g=meta.platform.io;v=v1', '?includeObject=Object'],
  ])('get it in %s at their own pace', async (_what, accept, search) => {
    const url = `${server.url}${path}${search}`;
    const listed = async (): Promise<IncomingMessage> => {
      const [response]: IncomingMessage[] = await once(get(url, { headers: { accept } }), 'response');
      if (response?.statusCode !== 200) throw new Error(`no list: ${response?.statusCode}`);
      return response;
    };
    // Makes one list first, so that the measurement does not count what lists need once.
    const whole = await text(await listed());
    expect(whole.length).toBeGreaterThan(count * bytesOfEach);
    const before = memoryOf(server);
    const slow = await Promise.all(Array.from({ length: clients }, listed));
    // The server answers another request meanwhile. By then, each client has got all that it can without reading.
    for (let i = 0; i < 5; i++) expect((await fetch(`${server.url}${path}/c${i}`)).status).toBe(200);
    expect(memoryOf(server) - before).toBeLessThan(maxGrowth);
    const [first, ...others] = slow;
    for (const response of others) response.destroy();
    expect(first && withoutAges(await text(first)) === withoutAges(whole)).toBe(true);
  });
});
