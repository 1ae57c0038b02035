/** `kindforge console` in front of `kindforge serve`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamicClient } from '../../client/index.js';
import { builtCommand } from '../support/built-command.js';
import { runHere } from '../support/run-here.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type Ended, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { writeKubeconfig } from '../support/write-kubeconfig.js';

interface ConsoleProcess {
  /** As in `http://127.0.0.1:8090`. */
  readonly url: string;
  readonly code: string;
  /** Ends the command, and returns its exit code. */
  stop(): Promise<number>;
}

/** Resolves when the command has printed the link. */
async function startConsole(...flags: readonly string[]): Promise<ConsoleProcess> {
  const child = spawn(process.execPath, [builtCommand(), 'console', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let printed = '';
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += String(chunk);
      const found = /http:\S+#code=\S+/.exec(printed)?.[0];
      if (found !== undefined) resolve(found);
    });
    void exit.then(() => reject(new Error(`console ended: ${printed}`)));
  });
  const { origin, hash } = new URL(link);
  return {
    url: origin,
    code: hash.slice('#code='.length),
    async stop() {
      child.kill('SIGTERM');
      return (await exit)[0];
    },
  };
}

describe('kindforge console', () => {
  const folder = scratchFolder();
  let server: ServerProcess;
  let opened: ConsoleProcess;
  beforeAll(async () => {
    server = await startServerProcess('--storage', 'memory', '--naming', 'kubernetes');
    opened = await startConsole('--kubeconfig', writeKubeconfig(folder, server.url, {}), '--context', 'one');
  });
  afterAll(async () => {
    await opened?.stop();
    await server?.kill();
  });

  it('signs in by its link, and shows the objects of the server live', async () => {
    const page = await fetch(`${opened.url}/console/`);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const body = JSON.stringify({ code: opened.code });
    const answer = await fetch(`${opened.url}/console/api/sign-in`, { method: 'POST', body });
    const { token } = JSON.parse(await answer.text());
    const client = dynamicClient({ baseUrl: opened.url, token });
    const maps = await client.resource({ group: '', version: 'v1', plural: 'configmaps' });
    const end = new AbortController();
    const changes = maps.watch({ signal: end.signal });
    const next = (async (): Promise<string> => {
      for await (const { object } of changes) if (object.metadata.name === 'made') return object.metadata.name;
      return '';
    })();
    await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: 'default' } });
    expect(await next).toBe('made');
    end.abort();
    expect((await fetch(`${opened.url}/api/v1/configmaps`)).status).toBe(401);
  });

  it('prints another link to the console of a server, for its administrator', async () => {
    const data = join(folder, 'data');
    const own = await startServerProcess('--storage', `lmdb:${data}`, '--administrator', 'true');
    try {
      const print = (kubeconfig: string): Promise<Ended> => runHere('console', '--link', '--kubeconfig', kubeconfig);
      const { code, out } = await print(join(data, 'credentials', 'kubeconfig'));
      expect([code, out.startsWith(`${own.url}/console/#code=`)]).toEqual([0, true]);
      const body = JSON.stringify({ code: out.trim().split('#code=')[1] });
      expect((await fetch(`${own.url}/console/api/sign-in`, { method: 'POST', body })).status).toBe(200);
      expect(await print(writeKubeconfig(folder, own.url, {}))).toMatchObject({
        code: 1,
        err: expect.stringContaining("administrator's credentials"),
      });
    } finally {
      await own.kill();
    }
  });

  it('ends by a signal, and reports mistakes before it listens', async () => {
    const other = await startConsole('--kubeconfig', writeKubeconfig(folder, server.url, {}));
    expect(await other.stop()).toBe(0);
    const run = (...flags: readonly string[]): Promise<Ended> => runHere('console', ...flags);
    const refused = await run('--kubeconfig', writeKubeconfig(folder, server.url, { token: 'wrong' }));
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('does not accept the credentials')]);
    const away = await run('--kubeconfig', writeKubeconfig(folder, 'http://127.0.0.1:1', {}));
    expect([away.code, away.err]).toEqual([2, expect.stringContaining('no answer from http://127.0.0.1:1')]);
    const taken = await run(
      '--kubeconfig',
      writeKubeconfig(folder, server.url, {}),
      '--port',
      new URL(opened.url).port,
    );
    expect([taken.code, taken.err]).toEqual([2, expect.stringContaining('EADDRINUSE')]);
    expect(await run('--port', 'many')).toMatchObject({ code: 2, err: expect.stringContaining('must be a port') });
  });
});
