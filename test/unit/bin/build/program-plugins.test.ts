/** A built server loads libraries with the first request that needs them, and they then do their part. */
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTelling, type TellingServer } from '../../../support/telling-server.js';

let server: TellingServer;
afterEach(() => server.end());

async function post(path: string, object: object): Promise<{ readonly code: number; readonly text: string }> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  return { code: response.status, text: await response.text() };
}

/** A definition of objects whose code is a letter and digits. */
const definition = {
  apiVersion: 'apiextensions.platform.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'tickets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'tickets', singular: 'ticket', kind: 'Ticket', listKind: 'TicketList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { code: { type: 'string', pattern: '^[a-z][0-9]+$' } } },
        },
      },
    ],
  },
};

describe('a built server', { timeout: 60_000 }, () => {
  it('loads what matches patterns with the first of them', async () => {
    server = await startTelling();
    expect(server.hasLoaded('re2js')).toBe(false);
    const defined = await post('/apis/apiextensions.platform.io/v1/customresourcedefinitions', definition);
    expect(defined).toMatchObject({ code: 201 });
    const tickets = '/apis/example.com/v1/tickets';
    while ((await fetch(server.url + tickets)).status !== 200) await new Promise((done) => setTimeout(done, 20));
    const ticket = (name: string, code: string): Promise<{ readonly code: number; readonly text: string }> =>
      post(tickets, { apiVersion: 'example.com/v1', kind: 'Ticket', metadata: { name }, code });
    expect((await ticket('one', 'a1')).code).toBe(201);
    const refused = await ticket('two', '1a');
    expect(refused.code).toBe(422);
    expect(refused.text).toContain('^[a-z][0-9]+$');
    expect(server.hasLoaded('re2js')).toBe(true);
  });

  it('loads what speaks WebSocket with the first who does', async () => {
    server = await startTelling();
    expect(server.hasLoaded(' ws')).toBe(false);
    const path = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault';
    const socket = new WebSocket(server.url.replace('http', 'ws') + path);
    const message = await new Promise((resolve, reject) => socket.on('error', reject).once('message', resolve));
    expect(JSON.parse(String(message))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'default' } } });
    expect(server.hasLoaded(' ws')).toBe(true);
    socket.terminate();
  });
});
