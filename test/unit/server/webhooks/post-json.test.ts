/** Webhooks are reached as their file says, and asked again where that may help. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postTo } from '../../../../server/webhooks/post-json.js';
import { readWebhookFile } from '../../../../server/webhooks/webhook-file.js';
import { startTokenWebhook, type TokenWebhook } from '../../../support/token-webhook.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-webhook-'));
let webhook: TokenWebhook;
beforeAll(async () => {
  webhook = await startTokenWebhook();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await webhook.close();
});

const option = 'authentication.tokenWebhook.configFile';
function fileOf(text: string): string {
  const path = join(folder, 'config');
  writeFileSync(path, text);
  return path;
}
const read = (text: string) => {
  const connection = readWebhookFile(option, fileOf(text));
  return () => connection;
};
const soon = { tries: 5, firstMs: 1 };

describe('a webhook', () => {
  it.each([
    [{ token: 'secret' }, 'Bearer secret'],
    [{ tokenFile: 'token' }, 'Bearer from-file'],
    [{ username: 'a', password: 'b' }, 'Basic YTpi'],
    [{}, undefined],
  ])('is told who asks by %j', async (user, authorization) => {
    writeFileSync(join(folder, 'token'), 'from-file\n');
    const answer = await postTo(read(webhook.configFile(user)))('{"a":1}');
    expect(answer).toHaveProperty('ok', true);
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
    const answer = await postTo(read(webhook.configFile()), soon)('{}');
    expect(answer).toHaveProperty('problem', expect.stringContaining(`the webhook answers with ${code}`));
    expect(webhook.asked.length - before).toBe(times);
  });

  it('is believed once it answers', async () => {
    let tries = 0;
    webhook.answer = () => (++tries < 3 ? [500, ''] : [200, 'good']);
    expect(await postTo(read(webhook.configFile()), soon)('{}')).toEqual({ ok: true, text: 'good' });
  });

  it('is not one that another authority vouches for', async () => {
    const other = await startTokenWebhook();
    const text = webhook.configFile().replace(webhook.url, other.url);
    expect(await postTo(read(text))('{}')).toHaveProperty('ok', false);
    expect(other.asked).toEqual([]);
    await other.close();
  });
});

it.each([
  ['{', '--'],
  ['{}', 'current-context'],
  [webhookText({ server: 'ftp://x' }), 'ftp://x is no URL'],
  [webhookText({ server: 'https://x', 'certificate-authority': 'gone.crt' }), 'gone.crt'],
  [webhookText({ server: 'https://x' }, { exec: {} }), 'exec'],
  [webhookText({ server: 'https://x' }, { 'client-certificate-data': 'YQ==' }), 'client-key'],
])('the file %s is refused', (text, problem) => {
  const refused = () => read(text);
  expect(refused).toThrow(`${option} ${join(folder, 'config')}: `);
  if (problem !== '--') expect(refused).toThrow(problem);
});

function webhookText(cluster: object, user: object = {}): string {
  return JSON.stringify({
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  });
}
