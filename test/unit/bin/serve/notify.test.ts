import { describe, expect, it } from 'vitest';
import type { Transport } from '../../../../bin/flags/serve/listening.js';
import { type PassedSocket, takePassedSockets, withPassedSockets } from '../../../../bin/serve/notify.js';

describe('the environment', () => {
  it.each<[NodeJS.ProcessEnv, readonly PassedSocket[]]>([
    [{}, []],
    [{ LISTEN_FDS: '1', LISTEN_PID: '7' }, [{ fd: 3, name: '' }]],
    [
      { LISTEN_FDS: '2', LISTEN_PID: '7', LISTEN_FDNAMES: 'https:kindforge.socket' },
      [
        { fd: 3, name: 'https' },
        { fd: 4, name: 'kindforge.socket' },
      ],
    ],
    [{ LISTEN_FDS: '1', LISTEN_PID: '8' }, []],
    [{ LISTEN_FDS: '1' }, []],
    [{ LISTEN_FDS: '0', LISTEN_PID: '7' }, []],
    [{ LISTEN_FDS: '-1', LISTEN_PID: '7' }, []],
    [{ LISTEN_FDS: 'two', LISTEN_PID: '7' }, []],
  ])('%j sends %j, once', (env, expected) => {
    const own: NodeJS.ProcessEnv = { ...env, OTHER: 'stays' };
    expect(takePassedSockets(own, 7)).toEqual(expected);
    expect(own).toEqual({ OTHER: 'stays' });
  });
});

describe('sockets', () => {
  const both: Transport = { http: { port: 8080 }, tls: { port: 6443 } };
  const secure: Transport = { http: false, tls: { port: 6443 } };
  const plain: Transport = { http: { port: 8080 } };
  const sockets = (...names: string[]): readonly PassedSocket[] => names.map((name, i) => ({ fd: i + 3, name }));

  it.each<[Transport, readonly string[], Transport]>([
    [both, [], both],
    [both, ['x'], { http: { port: 8080 }, tls: { port: 6443, fd: 3 } }],
    [both, ['x', 'x'], { http: { port: 8080, fd: 4 }, tls: { port: 6443, fd: 3 } }],
    [both, ['http'], { http: { port: 8080, fd: 3 }, tls: { port: 6443 } }],
    [both, ['x', 'https'], { http: { port: 8080, fd: 3 }, tls: { port: 6443, fd: 4 } }],
    [secure, ['x'], { http: false, tls: { port: 6443, fd: 3 } }],
    [plain, ['x'], { http: { port: 8080, fd: 3 } }],
  ])('of %j called %j make %j', (transport, names, expected) =>
    expect(withPassedSockets(transport, sockets(...names))).toEqual(expected),
  );

  it.each<[Transport, readonly string[], string]>([
    [both, ['x', 'y', 'z'], 'the socket 5 (z)'],
    [both, ['https', 'https'], 'the socket 4 (https)'],
    [plain, ['https'], 'the socket 3 (https)'],
    [secure, ['http'], 'the socket 3 (http)'],
    [plain, ['', ''], 'the socket 4, which has no use'],
  ])('of %j called %j are too many', (transport, names, message) =>
    expect(() => withPassedSockets(transport, sockets(...names))).toThrow(message),
  );
});
