/** The audit log: secrets stay out, ends of streams are recorded, and requests that cannot be recorded are refused. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditSink } from '../../runtime/contract/index.js';
import { startServer } from '../../server/index.js';
import { send as request } from '../support/ask.js';
import { scratchFolder } from '../support/scratch-folder.js';

const folder = scratchFolder();

let policies = 0;

/** Starts a server that records by these rules. */
async function start(rules: readonly object[], sink?: Partial<AuditSink>, path?: string) {
  const policyFile = join(folder, `policy${policies++}.json`);
  const own = { level: 'None', users: ['system:apiserver'] };
  const policy = { apiVersion: 'audit.platform.io/v1', kind: 'Policy', rules: [own, ...rules] };
  writeFileSync(policyFile, JSON.stringify(policy));
  const lines: string[] = [];
  const memory: AuditSink = {
    name: 'memory',
    write: ({ json }) => lines.push(json) > 0,
    close: () => Promise.resolve(),
    ...sink,
  };
  const server = await startServer({
    authentication: { anonymous: 'administrator' },
    controllers: [],
    audit: { policyFile, sinks: [memory], ...(path === undefined ? {} : { log: { path } }) },
  });
  const send = (method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(server, method, at, { body, headers });
  return { server, send, lines, events: () => lines.map((line) => JSON.parse(line)) };
}

const maps = '/api/v1/namespaces/default/configmaps';
const everything = [{ level: 'RequestResponse' }];

describe('the audit log of a server', () => {
  it('has everything except secrets and tokens', async () => {
    const path = join(folder, 'audit.log');
    const { server, send, events } = await start(
      [{ level: 'RequestResponse', resources: [{ group: '' }] }, ...everything],
      undefined,
      path,
    );
    const secret = { metadata: { name: 's' }, stringData: { a: 'hush-hush' } };
    await send('POST', '/api/v1/namespaces/default/secrets', secret);
    await send(
      'PATCH',
      '/api/v1/namespaces/default/secrets/s',
      { stringData: { a: 'hush-two' } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
    await (await send('GET', '/api/v1/secrets')).text();
    await send('POST', '/apis/authentication.platform.io/v1/tokenreviews', { spec: { token: 'hush-token' } });
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'a' } });
    const answer = await send('POST', '/api/v1/namespaces/default/serviceaccounts/a/token', { spec: {} });
    const { status } = await answer.json();
    await send('POST', maps, { metadata: { name: 'loud' }, data: { a: 'loud' } });
    await server.stop();
    const log = readFileSync(path, 'utf8');
    expect(log).toContain('loud');
    expect(log).not.toContain('hush');
    expect(log).not.toContain(Buffer.from('hush-hush').toString('base64'));
    expect(status.token.length).toBeGreaterThan(100);
    expect(log).not.toContain(status.token);
    expect(log.trimEnd().split('\n')).toHaveLength(events().length);
  });

  it('has the end of a watch, even if the client leaves', async () => {
    const { server, send, events } = await start(everything);
    await (await send('GET', `${maps}?watch=true&timeoutSeconds=1`)).text();
    const stop = new AbortController();
    await fetch(`${server.url}${maps}?watch=true`, { signal: stop.signal });
    stop.abort();
    await server.stop();
    const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete'];
    expect(events().map(({ stage }) => stage)).toEqual([...stages, ...stages]);
    expect(events().every(({ responseObject }) => responseObject === undefined)).toBe(true);
  });

  it('has one id for a request and all its events', async () => {
    const { server, send, events } = await start(everything);
    const answer = await send('GET', maps, undefined, { 'x-forwarded-for': '192.0.2.1' });
    await server.stop();
    const ids = events().map(({ auditID }) => auditID);
    expect(ids).toEqual([answer.headers.get('audit-id'), answer.headers.get('audit-id')]);
    expect(events()[0]).toMatchObject({ sourceIPs: ['192.0.2.1', '127.0.0.1'], apiVersion: 'audit.platform.io/v1' });
  });

  it.each(['application/yaml', 'application/vnd.platform.protobuf', 'application/json'])(
    'has the object of an answer in %s',
    async (accept) => {
      const { server, send, events } = await start([{ level: 'RequestResponse', omitManagedFields: true }]);
      await send('POST', maps, { metadata: { name: 'one' }, data: { a: 'b' } }, { accept });
      await (await send('GET', maps, undefined, { accept })).arrayBuffer();
      await (await send('GET', `${maps}/one`, undefined, { accept })).arrayBuffer();
      await server.stop();
      const objects = events().flatMap(({ responseObject }) => responseObject ?? []);
      const one = { metadata: { name: 'one' }, data: { a: 'b' } };
      expect(objects).toMatchObject([one, { kind: 'ConfigMapList', items: [one] }, one]);
      expect(JSON.stringify(objects)).not.toContain('managedFields');
    },
  );

  it('fails requests if a strict sink fails', async () => {
    const strict = await start(everything, { strict: true, write: () => Promise.resolve(false) });
    const refused = await strict.send('POST', maps, { metadata: { name: 'one' } });
    expect([refused.status, (await refused.json()).message]).toEqual([
      500,
      'Internal error occurred: failed to store audit event',
    ]);
    await strict.server.stop();
    const lenient = await start(everything, { write: () => false });
    expect((await lenient.send('POST', maps, { metadata: { name: 'one' } })).status).toBe(201);
    await lenient.server.stop();
  });

  it('does not begin if its policy has mistakes', () =>
    expect(start([{ level: 'Some' }])).rejects.toThrow(/audit\.policyFile .*rules\[1\]\.level: "Some" is unknown/));
});
