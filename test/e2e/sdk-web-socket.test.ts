/** Watches of the SDK over WebSocket: their users, and refused watches. */
import { WebSocket } from 'undici';
import { describe, expect, it } from 'vitest';
import { isUnauthorized, webSocketTransport } from '../../client/index.js';
import { createClient } from '../../generated/client.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { collect, rejection } from '../support/sdk.js';
import { servingForTests } from '../support/serving.js';

const running = servingForTests({
  tokenAuthFile: filesIn(scratchFolder())('tokens.csv', 'se/cr+et~,anna,u-1,system:masters\n'),
  naming: 'kubernetes',
  authorizationMode: 'AlwaysAllow',
  anonymousAuth: 'true',
});

/** A WebSocket that counts its instances. */
let made = 0;
class Counted extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    made++;
  }
}

const namespaces = (token: string) => {
  const options = { baseUrl: `${running().url}/`, token, naming: 'kubernetes', WebSocket: Counted } as const;
  return createClient({ transport: webSocketTransport(options), naming: 'kubernetes' }).core.v1.namespaces;
};

describe('a client that watches over WebSocket', () => {
  it('sends its token there, too', async () => {
    made = 0;
    const known = namespaces('se/cr+et~');
    const { items } = await known.list();
    expect(made).toBe(0);
    expect(await collect(known.watch({ timeoutSeconds: 1 }))).toHaveLength(items.length);
    expect(made).toBe(1);
  });

  it('reports why the server refuses it', async () => {
    made = 0;
    expect(isUnauthorized(await rejection(collect(namespaces('guess').watch({ timeoutSeconds: 1 }))))).toBe(true);
    expect(made).toBe(1);
  });

  it('reads its token before each request, and again after a 401', async () => {
    const asked: (string | undefined)[] = [];
    const tokens = ['guess', 'guess', 'se/cr+et~'];
    const token = (refused?: string): string | undefined => {
      asked.push(refused);
      return refused === undefined ? tokens.shift() : 'se/cr+et~';
    };
    const options = { baseUrl: running().url, token, naming: 'kubernetes', WebSocket } as const;
    const known = createClient({ transport: webSocketTransport(options), naming: 'kubernetes' }).core.v1.namespaces;
    // The server refuses the WebSocket, and the same request over HTTP, until the source has another token.
    expect(await collect(known.watch({ timeoutSeconds: 1 }))).not.toEqual([]);
    expect(asked).toEqual([undefined, undefined, 'guess']);
    expect(await collect(known.watch({ timeoutSeconds: 1 }))).not.toEqual([]);
    expect(asked.slice(3)).toEqual([undefined]);
    expect((await known.list()).items).not.toEqual([]);
  });

  it('watches over HTTP if WebSockets do not work', async () => {
    const nowhere = class extends WebSocket {
      constructor(_url: string, protocols: string[]) {
        super('ws://127.0.0.1:1/', protocols);
      }
    };
    const transport = webSocketTransport({ baseUrl: running().url, WebSocket: nowhere });
    const found = await collect(createClient({ transport }).core.v1.namespaces.watch({ timeoutSeconds: 1 }));
    expect(found.length).toBeGreaterThan(0);
  });

  it('reports a broken watch', async () => {
    let last: WebSocket | undefined;
    const kept = class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        last = this;
      }
    };
    const transport = webSocketTransport({ baseUrl: running().url, WebSocket: kept });
    const events = createClient({ transport }).core.v1.namespaces.watch();
    await events.next();
    last?.close(3000);
    expect(await rejection(collect(events))).toMatchObject({ name: 'ConnectionError' });
  });
});
