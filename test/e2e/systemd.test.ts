/** `kindforge serve` as a service of systemd: its messages about its state, and the sockets that it gets. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { builtCommand } from '../support/built-command.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { root } from '../support/shared.js';

/** Whether services can send messages. */
const hasSystemdNotify = spawnSync('systemd-notify', ['--version']).status === 0;

const python = '/usr/bin/python3';
const hasPython = spawnSync(python, ['--version']).status === 0;

/** A Python program that passes sockets to a command. */
const passSockets = join(root, 'test/support/systemd/pass_sockets.py');

/** Receives messages on a socket. */
interface Receiver {
  /** The messages so far, without barriers, which are empty. */
  readonly messages: readonly string[];
  dispose(): void;
}

/** Resolves when it listens on a socket: a path, or a name in the abstract namespace that begins with `@`. */
async function startReceiver(socket: string): Promise<Receiver> {
  const child = spawn(python, [join(root, 'test/support/systemd/receive.py'), socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = String(JSON.parse(line));
      if (message === 'bound') resolve();
      else if (message !== 'BARRIER=1') messages.push(message);
    });
    child.once('close', () => reject(new Error('the receiver ended')));
  });
  return { messages, dispose: () => void child.kill('SIGKILL') };
}

const folder = scratchFolder();

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** Other processes may be slow. */
const patient = { timeout: 60_000 };

async function receive(socket: string): Promise<Receiver> {
  const receiver = await startReceiver(socket);
  endings.push(receiver.dispose);
  return receiver;
}

interface Service {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

function start(command: readonly string[], env: NodeJS.ProcessEnv, flags: readonly string[]): Service {
  const [program = '', ...before] = command;
  const all = [...before, builtCommand(), 'serve', '--storage', 'memory', '--allow-everyone', ...flags];
  const child = spawn(program, all, { env: { ...process.env, ...env } });
  endings.push(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, out: () => out, err: () => err, ended };
}

const free = ['--http-port', 'auto', '--secure-port', '0'];

describe.skipIf(!hasPython || !hasSystemdNotify)('a service (skipped without python3 or systemd-notify)', () => {
  it.each([
    ['a path', () => join(folder, 'notify')],
    ['an abstract name', () => `@kindforge-${process.pid}`],
  ])('reports by %s when it is ready, that it is alive, and when it stops', async (_name, socketOf) => {
    const socket = socketOf();
    const receiver = await receive(socket);
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1000000' };
    const service = start([process.execPath], env, [...free, '--shutdown-delay-duration', '1s']);
    await expect
      .poll(() => receiver.messages[0], patient)
      .toMatch(/^READY=1\nSTATUS=serves \d+ resources at http:\/\/127\.0\.0\.1:\d+$/);
    const [, url = ''] = /listening on\s+(\S+)\n/.exec(service.out()) ?? [];
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await expect.poll(() => receiver.messages.filter((one) => one === 'WATCHDOG=1').length, patient).toBeGreaterThan(2);
    service.child.kill('SIGTERM');
    const stopping = 'STOPPING=1\nSTATUS=answers the requests in flight';
    await expect.poll(() => receiver.messages, patient).toContain(stopping);
    expect(await service.ended).toBe(0);
    expect(service.err()).toBe('');
    expect(receiver.messages.filter((one) => one.startsWith('READY'))).toHaveLength(1);
  });

  it.each([[{ WATCHDOG_USEC: '100000', WATCHDOG_PID: '1' }], [{ WATCHDOG_USEC: 'soon' }], [{}]])(
    'does not have to report that it is alive: %j',
    async (env) => {
      const socket = join(folder, `quiet-${JSON.stringify(env).length}`);
      const receiver = await receive(socket);
      const service = start([process.execPath], { NOTIFY_SOCKET: socket, ...env }, [
        ...free,
        '--shutdown-delay-duration',
        '1s',
      ]);
      await expect.poll(() => receiver.messages.length, patient).toBe(1);
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect(receiver.messages.map((one) => one.split('\n')[0])).toEqual(['READY=1', 'STOPPING=1']);
    },
  );

  it('logs once that its messages do not arrive, and serves', async () => {
    const env = { NOTIFY_SOCKET: join(folder, 'nowhere'), WATCHDOG_USEC: '200000' };
    const service = start([process.execPath], env, free);
    await expect.poll(service.err, patient).toMatch(/^kindforge: systemd cannot be notified: /);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.err().match(/cannot be notified/g)).toHaveLength(1);
  });
});

describe.skipIf(!hasPython)('passed sockets (skipped without python3)', () => {
  const activated = (passed: object, ...flags: string[]): Service =>
    start([python, passSockets, JSON.stringify(passed), process.execPath], {}, flags);
  const loopback = { host: '127.0.0.1' };

  const urlsOf = async (service: Service): Promise<readonly string[]> => {
    await expect.poll(service.out, patient).toContain('Stop with');
    return [...service.out().matchAll(/(https?:\/\/127\.\S+:\d+) *(?:\n| {3}\()/g)]
      .map(([, url = '']) => url)
      .slice(0, 2);
  };

  const codeOf = (url: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      if (url.startsWith('http:')) return fetch(`${url}/readyz`).then(({ status }) => resolve(status), reject);
      return request(`${url}/readyz`, { rejectUnauthorized: false }, (res) => resolve(res.statusCode))
        .on('error', reject)
        .end();
    });

  it.each([
    ['by their order, TLS first', undefined, ['https:', 'http:']],
    ['by the name of the unit', 'kindforge.socket:kindforge.socket', ['https:', 'http:']],
    ['by their names', 'http:https', ['https:', 'http:']],
  ])('are for TLS and for plain HTTP, %s', async (_how, names, protocols) => {
    const passed = { sockets: [loopback, loopback], ...(names === undefined ? {} : { names }) };
    // Neither port is available.
    const service = activated(passed, '--secure-port', '1', '--http-port', '1');
    const urls = await urlsOf(service);
    expect(urls.map((url) => new URL(url).protocol)).toEqual(protocols);
    expect(await Promise.all(urls.map(codeOf))).toEqual([200, 200]);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('may be for one side only, if the other is off or has its port', async () => {
    const off = activated({ sockets: [loopback], names: 'kindforge.socket' }, '--secure-port', '0', '--http-port', '1');
    const [plain = ''] = await urlsOf(off);
    expect(await codeOf(plain)).toBe(200);
    const both = activated({ sockets: [loopback], names: 'http' }, '--secure-port', 'auto', '--http-port', '1');
    expect(await Promise.all((await urlsOf(both)).map(codeOf))).toEqual([200, 200]);
  });

  it('are ignored if they are for another process', async () => {
    const service = activated({ sockets: [loopback, loopback, loopback], pidOff: 1 }, ...free);
    const urls = await urlsOf(service);
    expect(await codeOf(urls[0] ?? '')).toBe(200);
  });

  it.each<[string, object, string[], string]>([
    [
      'plain HTTP for everyone',
      { sockets: [{ host: '0.0.0.0' }], names: 'http' },
      ['--secure-port', '0'],
      'socket 3 is bound to 0.0.0.0, which is not a loopback address; plain HTTP is for this machine only',
    ],
    [
      'an administrator’s rights for everyone',
      { sockets: [{ host: '0.0.0.0' }], names: 'https' },
      ['--http-port', '0'],
      'socket 3, bound to 0.0.0.0 can be reached from other machines, where everyone would be an administrator',
    ],
    [
      'a third one',
      { sockets: [loopback, loopback, loopback] },
      [],
      'systemd passes the socket 5, which has no use: there can be one called https and one called http',
    ],
    [
      'TLS that is off',
      { sockets: [loopback], names: 'https' },
      ['--secure-port', '0'],
      'systemd passes the socket 3 (https), which has no use',
    ],
    [
      'a path',
      { sockets: [{ path: join(folder, 'unix') }], names: 'http' },
      ['--secure-port', '0'],
      'the passed socket is not a TCP socket',
    ],
  ])('are refused for %s', async (_what, passed, flags, message) => {
    const service = activated(passed, ...flags);
    expect(await service.ended).toBe(2);
    expect(service.err()).toContain(message);
  });
});
