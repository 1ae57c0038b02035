/** The log of a server has a line for each request if a flag asks for it, and no secrets of clients. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as pino from 'pino';
import { describe, expect, it } from 'vitest';
import { readServeOptions } from '../../bin/flags/serve-options.js';
import { jsonLog, textLog } from '../../bin/serve/log.js';
import { startServer } from '../../server/index.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { usualFlags } from '../support/serving.js';

const folder = scratchFolder();

const token = 'janestokenwhichnobodymayread';
const secrets = [token, 'querytoken0123', 'passwordvalue0123', 'anothertoken0123', 'basic0123value'];

/** Starts a server with these flags and this log, sends it requests, and resolves to the log. */
async function logged(format: 'text' | 'json'): Promise<readonly string[]> {
  const tokenAuthFile = join(folder, 'tokens.csv');
  writeFileSync(tokenAuthFile, `${token},jane,1,system:masters\n`);
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log = format === 'text' ? textLog('info', write) : jsonLog(pino, 'info', { write });
  const options = readServeOptions({ ...usualFlags, tokenAuthFile, controllers: 'none' });
  const server = await startServer({ ...options, onProblem: log.problem, onRequest: log.request });
  const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  await ask('/api/v1/namespaces?limit=1&access_token=querytoken0123', { headers: { 'audit-id': 'mine' } });
  await ask('/api/v1/namespaces/default/secrets', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 's' }, stringData: { password: 'passwordvalue0123' } }),
  });
  await ask('/api', { headers: { authorization: 'Bearer anothertoken0123' } });
  await ask('/api', { headers: { authorization: 'Basic basic0123value' } });
  const watch = await ask('/api/v1/namespaces?watch=1&timeoutSeconds=1');
  await watch.text();
  await server.stop();
  return lines;
}

describe.each(['text', 'json'] as const)('in %s', (format) => {
  it('has each request after its end, without its secrets', async () => {
    const lines = await logged(format);
    const text = lines.join('');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const of = (part: string): readonly string[] => lines.filter((line) => line.includes(part));
    const [list = ''] = of('mine');
    expect(list).toContain('/api/v1/namespaces?limit=1&…');
    expect(list).toContain('jane');
    expect(of('POST').filter((line) => line.includes('/secrets') && line.includes('201'))).toHaveLength(1);
    // Random ids may have the same digits.
    expect(lines.filter((line) => /[ :]401[ ,]/.test(line))).toHaveLength(1);
    expect(of('403').filter((line) => line.includes('system:anonymous'))).toHaveLength(1);
    expect(of('watch=1&timeoutSeconds=1').filter((line) => line.includes('200'))).toHaveLength(1);
  });
});
