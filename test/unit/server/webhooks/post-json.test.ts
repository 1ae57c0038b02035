import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { atMostEvery, eachAtMostEvery } from '../../../../server/webhooks/line.js';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { postTo } from '../../../../server/webhooks/post-json.js';
import {
  followWebhookFile,
  readTrustedConnection,
  readWebhookFile,
  type WebhookConnection,
} from '../../../../server/webhooks/webhook-file.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { startTokenWebhook, type TokenWebhook } from '../../../support/token-webhook.js';

const folder = scratchFolder();
const calls = new OutgoingCalls();
let webhook: TokenWebhook;
beforeAll(async () => {
  webhook = await startTokenWebhook();
});
afterAll(async () => {
  await webhook.close();
});

const option = 'authentication.tokenWebhook.configFile';
function fileOf(text: string): string {
  const path = join(folder, 'config');
  writeFileSync(path, text);
  return path;
}
function read(text: string): () => WebhookConnection {
  const connection = readWebhookFile(option, fileOf(text));
  return () => connection;
}
const soon = { tries: 5, firstMs: 1 };

describe('a webhook', () => {
  it.each([
    [{ token: 'secret' }, 'Bearer secret'],
    [{ tokenFile: 'token' }, 'Bearer from-file'],
    [{ username: 'a', password: 'b' }, 'Basic YTpi'],
    [{}, undefined],
  ])('recognizes the caller by %j', async (user, authorization) => {
    writeFileSync(join(folder, 'token'), 'from-file\n');
    expect(await postTo(calls, read(webhook.configFile(user)))('{"a":1}')).toHaveProperty('ok', true);
    expect(webhook.asked.at(-1)).toEqual({ review: { a: 1 }, authorization });
  });

  it.each([
    [429, 5],
    [500, 5],
    [504, 5],
    [401, 1],
    [404, 1],
    [503, 1],
  ])('that answers with %i is asked %i times', async (code, times) => {
    webhook.answer = () => [code, 'no'];
    const before = webhook.asked.length;
    const answer = await postTo(calls, read(webhook.configFile()), soon)('{}');
    expect(answer).toHaveProperty('problem', expect.stringContaining(`the webhook answers with ${code}`));
    expect(webhook.asked.length - before).toBe(times);
  });

  it('is accepted once it answers', async () => {
    let tries = 0;
    webhook.answer = () => (++tries < 3 ? [500, ''] : [200, 'good']);
    expect(await postTo(calls, read(webhook.configFile()), soon)('{}')).toEqual({ ok: true, text: 'good' });
  });

  it('is refused if another authority signed its certificate', async () => {
    const other = await startTokenWebhook();
    const text = webhook.configFile().replace(webhook.url, other.url);
    expect(await postTo(calls, read(text))('{}')).toHaveProperty('ok', false);
    expect(other.asked).toEqual([]);
    await other.close();
  });
});

describe('the file of a webhook', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is read again when it changes, or the authority that it names', () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const problems: string[] = [];
    const authority = join(folder, 'authority.pem');
    const write = (path: string, text: string) => {
      writeFileSync(path, text);
      utimesSync(path, now, now);
      now += 1000;
    };
    write(authority, 'one');
    const textOf = (server: string) =>
      webhookText({ server, 'certificate-authority': 'authority.pem' }, { token: 'shown' });
    const path = fileOf(textOf('https://x/'));
    const connection = followWebhookFile(option, path, (problem) => problems.push(problem));
    const seen = () => [connection().url.href, connection().ca];
    expect(seen()).toEqual(['https://x/', 'one']);
    write(authority, 'other');
    expect(seen()).toEqual(['https://x/', 'other']);
    write(path, textOf('https://y/'));
    expect(seen()).toEqual(['https://y/', 'other']);
    write(path, '{}');
    expect(seen()).toEqual(['https://y/', 'other']);
    now += 1000;
    expect(seen()).toEqual(['https://y/', 'other']);
    expect(problems).toEqual([expect.stringContaining('what was read before stays in use')]);
    write(path, textOf('https://z/'));
    expect(seen()).toEqual(['https://z/', 'other']);
  });
});

it('problems are reported only once in a while', () => {
  let now = 0;
  const told: string[] = [];
  const tell = atMostEvery(
    10,
    (problem) => told.push(problem),
    () => now,
  );
  for (const problem of ['a', 'b']) tell(problem);
  now = 10;
  tell('c');
  expect(told).toEqual(['a', 'c']);
});

it('each reason is reported only once in a while, and only so many of them', () => {
  let now = 0;
  const told: string[] = [];
  const tell = eachAtMostEvery(
    10,
    (problem) => told.push(problem),
    () => now,
  );
  for (const problem of ['a', 'b', 'a']) tell(problem);
  expect(told).toEqual(['a', 'b']);
  now = 10;
  tell('a');
  expect(told).toEqual(['a', 'b', 'a']);
  for (let i = 0; i < 1000; i++) tell(`reason ${i}`);
  expect(told).toHaveLength(18);
});

it.each([
  ['{', '--'],
  ['{}', 'current-context'],
  [webhookText({ server: 'ftp://x' }), 'ftp://x: must be an HTTP'],
  [webhookText({ server: 'https://x', 'certificate-authority': 'gone.crt' }), 'gone.crt'],
  [webhookText({ server: 'https://x' }, { exec: {} }), 'exec'],
  [webhookText({ server: 'https://x' }, { 'client-certificate-data': 'YQ==' }), 'client-key'],
])('the file %s is refused', (text, problem) => {
  const refused = () => read(text);
  expect(refused).toThrow(`${option} ${join(folder, 'config')}: `);
  if (problem !== '--') expect(refused).toThrow(problem);
});

const authority = { 'certificate-authority-data': Buffer.from('pem').toString('base64') };
const certificate = { 'client-certificate-data': 'YQ==', 'client-key-data': 'YQ==' };
const remote = 'https://hooks.example.com/';

it.each<[server: string, cluster: object, user: object]>([
  ...['http://127.0.0.1:9000/', 'http://localhost/', 'http://[::1]:9/', 'https://127.1.2.3/'].map(
    (server): [string, object, object] => [server, {}, {}],
  ),
  [remote, authority, { token: 't' }],
  [remote, authority, { username: 'u', password: 'p' }],
  [remote, authority, certificate],
])('a webhook at %s is called with %j and %j', (server, cluster, user) => {
  expect(read(webhookText({ server, ...cluster }, user))().url.href).toBe(server);
});

it.each<[server: string, cluster: object, user: object, lack: string]>([
  ['http://hooks.example.com/', authority, { token: 't' }, 'https; plain http is for webhooks on this machine'],
  ['http://127.example.com/', authority, { token: 't' }, 'https; plain http is for webhooks on this machine'],
  ['http://10.0.0.1/', {}, {}, 'https; plain http is for webhooks on this machine'],
  [remote, {}, { token: 't' }, 'a certificate-authority'],
  [remote, { 'insecure-skip-tls-verify': true }, { token: 't' }, 'a certificate-authority'],
  [remote, authority, {}, 'client credentials: a certificate with its key, a token, or a name with a password'],
])('a webhook elsewhere at %s is refused with %j and %j', (server, cluster, user, lack) => {
  expect(() => read(webhookText({ server, ...cluster }, user))).toThrow(`the server ${server} needs ${lack}`);
});

it('a trusted webhook needs https, an authority and credentials on this machine too', () => {
  const trusted = (cluster: object, user: object) => {
    const path = fileOf(webhookText(cluster, user));
    return () => readTrustedConnection(path);
  };
  const server = 'https://127.0.0.1:9/';
  expect(trusted({ server: 'http://127.0.0.1/' }, {})).toThrow('needs https');
  expect(trusted({ server }, { token: 't' })).toThrow('needs a certificate-authority');
  expect(trusted({ server, ...authority }, {})).toThrow('needs client credentials');
  expect(trusted({ server, ...authority }, certificate)().url.href).toBe(server);
});

function webhookText(cluster: object, user: object = {}): string {
  return JSON.stringify({
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  });
}
