import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAuditQuery } from '../../../../bin/flags/audit-query.js';
import { parseFieldPath, touchedBy } from '../../../../server/maintenance/field-changes.js';
import { queryLog } from '../../../../server/maintenance/query-log.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

let minute = 0;
const event = (verb: string, more: object = {}) => ({
  kind: 'Event',
  stage: 'ResponseComplete',
  verb,
  requestURI: '/apis/apps/v1/namespaces/default/deployments/web',
  user: { username: 'ann' },
  userAgent: 'kubectl/v1.27',
  objectRef: { resource: 'deployments', apiGroup: 'apps', namespace: 'default', name: 'web', apiVersion: 'v1' },
  responseStatus: { code: 200 },
  stageTimestamp: `2026-01-01T00:${String(minute++).padStart(2, '0')}:00.000000Z`,
  ...more,
});

const web = (replicas?: number) => ({
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: replicas === undefined ? {} : { replicas },
});

let files = 0;
function logOf(events: readonly unknown[]): string {
  const log = join(folder, `log${files++}.log`);
  writeFileSync(log, events.map((one) => (typeof one === 'string' ? `${one}\n` : `${JSON.stringify(one)}\n`)).join(''));
  return log;
}

/** Returns the lines of the answer without their heading, with one space between columns. */
async function ask(log: string, flags: object = {}) {
  const lines: string[] = [];
  const query = readAuditQuery({ log: [log], output: 'table', ...flags }, Date.parse('2026-01-02T00:00:00Z'));
  const answer = await queryLog(query, (line) => lines.push(line.replaceAll(/ +/g, ' ')));
  return { lines: query.format === 'json' ? lines : lines.slice(1), ...answer };
}

const ofField = (log: string, field = 'spec.replicas', more: object = {}) =>
  ask(log, { resource: 'deployments', name: 'web', field, ...more });

/** Removes the times of changes. */
const changes = (lines: readonly string[]): readonly string[] => lines.map((line) => line.replace(/^\S+ /, ''));

describe('audit query', () => {
  const log = logOf([
    event('create', { stage: 'RequestReceived', responseStatus: undefined }),
    event('create', { user: { username: 'bob' }, responseStatus: { code: 201 } }),
    event('get', { impersonatedUser: { username: 'carol' } }),
    event('get', { objectRef: undefined, requestURI: '/metrics?x=1' }),
    event('get', { stage: 'ResponseStarted', user: {}, responseStatus: { code: 401 } }),
    event('patch', { objectRef: { resource: 'pods', subresource: 'status', namespace: 'other', name: 'p' } }),
  ]);

  it.each<[object, readonly string[]]>([
    [{}, ['create', 'get', 'get', 'get', 'patch']],
    [{ user: 'bob' }, ['create']],
    [{ user: 'carol' }, ['get']],
    [{ verb: 'create,patch' }, ['create', 'patch']],
    [{ resource: 'deployments.apps' }, ['create', 'get', 'get']],
    [{ resource: 'deployments.other' }, []],
    [{ resource: 'pods/status' }, ['patch']],
    [{ resource: 'pods/log' }, []],
    [{ namespace: 'other' }, ['patch']],
    [{ name: 'p' }, ['patch']],
    [{ since: '2026-01-01T00:05:00Z' }, ['patch']],
    [{ until: '2026-01-01T00:01:00Z' }, ['create']],
    [{ since: '24h' }, ['create', 'get', 'get', 'get', 'patch']],
    [{ since: '1h' }, []],
  ])('filters by %j', async (flags, verbs) =>
    expect((await ask(log, flags)).lines.map((line) => line.match(/ (create|get|patch) /)?.[1])).toEqual(verbs),
  );

  it('shows the real and the impersonated user, and the object', async () => {
    const { lines } = await ask(log, { verb: 'get' });
    expect(changes(lines)).toEqual([
      'carol (ann) get default/deployments.apps/web 200',
      'ann get /metrics 200',
      '- get default/deployments.apps/web 401',
    ]);
  });

  it('prints lines unchanged', async () => {
    const { lines } = await ask(log, { user: 'bob', output: 'json' });
    expect(lines.map((line) => JSON.parse(line).user)).toEqual([{ username: 'bob' }]);
  });

  it('reports lines that are not records, and continues', async () => {
    const { lines, broken, remarks } = await ask(logOf(['{"kind":"Ev', event('get')]));
    expect([lines.length, broken, remarks]).toEqual([1, true, [expect.stringMatching(/:1: not an audit event/)]]);
  });

  it('reads older files first, compressed ones too', async () => {
    const rotated = logOf([event('patch')]);
    const base = rotated.replace(/\.log$/, '');
    writeFileSync(`${base}-2026-01-01T00-00-00.000.log.gz`, gzipSync(`${JSON.stringify(event('create'))}\n`));
    writeFileSync(`${base}-2026-01-02T00-00-00.000.log`, `${JSON.stringify(event('update'))}\n`);
    const { lines } = await ask(rotated);
    expect(lines.map((line) => line.match(/ (create|update|patch) /)?.[1])).toEqual(['create', 'update', 'patch']);
  });

  it('rejects if a log does not exist', () => expect(ask(join(folder, 'missing.log'))).rejects.toThrow('ENOENT'));
});

describe('the changes of a field', () => {
  it('is found in consecutive answers', async () => {
    const log = logOf([
      event('create', { requestObject: web(1), responseObject: web(1), responseStatus: { code: 201 } }),
      event('update', { user: { username: 'bob' }, requestObject: web(1), responseObject: web(1) }),
      event('update', { user: { username: 'carol' }, requestObject: web(3), responseObject: web(3) }),
      event('delete', { responseObject: { kind: 'Status' } }),
    ]);
    expect(changes((await ofField(log)).lines)).toEqual([
      'ann create kubectl - 1',
      'carol update kubectl 1 3',
      'ann delete kubectl 3 -',
    ]);
  });

  it('is found in requests only', async () => {
    const log = logOf([
      event('update', { requestObject: web(1) }),
      event('patch', { requestObject: { spec: { paused: true } } }),
      event('patch', { requestObject: { spec: { replicas: 2 } } }),
      event('patch', { requestObject: [{ op: 'replace', path: '/spec/replicas', value: 5 }] }),
    ]);
    expect(changes((await ofField(log)).lines)).toEqual(['ann patch kubectl 1 2', 'ann patch kubectl 2 5']);
  });

  it('ignores failed requests, dry runs, and other objects', async () => {
    const log = logOf([
      event('create', { requestObject: web(1), responseObject: web(1) }),
      event('update', { requestObject: web(2), responseStatus: { code: 409 } }),
      event('update', { requestObject: web(2), responseObject: web(2), requestURI: '/x?dryRun=All' }),
      event('update', { requestObject: web(2), objectRef: { resource: 'deployments', name: 'other' } }),
    ]);
    expect((await ofField(log)).lines).toHaveLength(1);
  });

  it('begins with a write that has the field, or owns it, if nothing is known before', async () => {
    const owned = {
      ...web(4),
      metadata: {
        managedFields: [{ time: '2026-01-01T03:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }],
      },
    };
    const log = logOf([event('update', { responseObject: owned, stageTimestamp: '2026-01-01T03:00:00.500000Z' })]);
    expect(changes((await ofField(log)).lines)).toEqual(['ann update kubectl ? 4']);
    const patched = logOf([event('patch', { requestObject: { spec: { replicas: 4 } }, responseObject: web(4) })]);
    expect((await ofField(patched)).lines).toHaveLength(1);
    const other = logOf([event('patch', { requestObject: { spec: {} }, responseObject: web(4) })]);
    expect((await ofField(other)).lines).toEqual([]);
  });

  it('follows scales, and applies the other filters to changes', async () => {
    const scale = { resource: 'deployments', namespace: 'default', name: 'web', subresource: 'scale' };
    const log = logOf([
      event('create', { requestObject: web(1), responseObject: web(1) }),
      event('update', { objectRef: scale, user: { username: 'bob' }, responseObject: { spec: { replicas: 7 } } }),
    ]);
    expect(changes((await ofField(log, 'spec.replicas', { user: 'bob' })).lines)).toEqual(['bob update kubectl 1 7']);
  });

  it('reports how many writes have no bodies', async () => {
    const log = logOf([event('update'), event('patch')]);
    expect((await ofField(log)).remarks).toEqual([expect.stringContaining('2 writes of this object are recorded')]);
  });

  it.each([
    [{ field: 'spec.replicas' }, '--field needs --resource and --name'],
    [{ field: 'spec..x', resource: 'a', name: 'b' }, 'is not the path of a field'],
    [{ since: 'yesterday' }, '--since yesterday: must be a time'],
  ])('refuses %j', (flags, problem) => expect(ask('audit.log', flags)).rejects.toThrow(problem));
});

describe('the path of a field', () => {
  it.each<[string, unknown]>([
    ['spec.replicas', ['spec', 'replicas']],
    ['spec.containers[0].image', ['spec', 'containers', 0, 'image']],
    ["data['a.b']", ['data', 'a.b']],
    ['data["a.b"].c', ['data', 'a.b', 'c']],
    ['', undefined],
    ['.spec', undefined],
    ['spec.', undefined],
    ['spec[x]', undefined],
  ])('%s', (text, path) => expect(parseFieldPath(text)).toEqual(path));
});

describe('the value of a field after a patch', () => {
  const path = ['data', 'a'];
  it.each<[Parameters<typeof touchedBy>[0], unknown]>([
    [{ data: { a: 1 } }, { value: 1 }],
    [{ data: { a: null } }, { value: undefined }],
    [{ data: null }, { value: undefined }],
    [{ data: { b: 1 } }, undefined],
    [{ data: [1] }, 'unknown value'],
    [[{ op: 'add', path: '/data/a', value: 1 }], { value: 1 }],
    [[{ op: 'add', path: '/data', value: { a: 2 } }], { value: 2 }],
    [[{ op: 'remove', path: '/data' }], { value: undefined }],
    [[{ op: 'replace', path: '/data/a/b', value: 1 }], 'unknown value'],
    [[{ op: 'copy', from: '/x', path: '/data/a' }], 'unknown value'],
    [[{ op: 'move', from: '/data/a', path: '/data/b' }], { value: undefined }],
    [[{ op: 'test', path: '/data/a', value: 1 }], undefined],
    [[{ op: 'add', path: '/data/a~1', value: 1 }], undefined],
  ])('%j', (patch, expected) => expect(touchedBy(patch, path)).toEqual(expected));
});
