/** Pages beside the API: who gets them, and which paths the API keeps. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Authenticator } from '../../../../runtime/contract/index.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { suiteApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const folder = scratchFolder({
  'web/index.html': '<h1>shop</h1>',
  'web/assets/app.js': 'let a;',
  'web/version': 'mine',
  'web/.env': 'SECRET=1',
  'secret.txt': 'outside',
});
symlinkSync(join(folder, 'secret.txt'), join(folder, 'web/link.txt'));

const byToken: Authenticator = {
  name: 'by token',
  authenticate: ({ headers: { authorization } }) =>
    authorization === 'Bearer a' ? { user: { name: 'anna', uid: '', groups: [], extra: {} } } : { refused: 'unknown' },
};
const api = await suiteApi([widgets], { authenticators: [byToken], pages: join(folder, 'web') });
api.server.get('/report', ({ context }) => `for ${context.user?.name}`);
const listening = await api.listen();

const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<[number, string]> => {
  const response = await fetch(`${listening.url}${path}`, { method, headers });
  return [response.status, await response.text()];
};
const browser = { accept: 'text/html,*/*' };
const anna = { authorization: 'Bearer a' };

describe('the pages of a folder', () => {
  it('are for everybody, with their types and conditions', async () => {
    const response = await fetch(`${listening.url}/assets/app.js`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/javascript');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('let a;');
    const since = response.headers.get('last-modified') ?? '';
    expect(await ask('/assets/app.js', { 'if-modified-since': since })).toEqual([304, '']);
    expect(await ask('/assets/app.js', {}, 'HEAD')).toEqual([200, '']);
  });

  it('begin with index.html for browsers; other clients get the API', async () => {
    expect(await ask('/', browser)).toEqual([200, '<h1>shop</h1>']);
    expect(await ask('/')).toMatchObject([401, expect.stringContaining('Unauthorized')]);
    expect(await ask('/', anna)).toMatchObject([200, expect.stringContaining('/apis')]);
  });

  it('are the answer for unknown paths, if a browser asks', async () => {
    expect(await ask('/orders/7', browser)).toEqual([200, '<h1>shop</h1>']);
    expect(await ask('/orders/7', anna)).toMatchObject([404, expect.anything()]);
    expect(await ask('/missing.js', { ...browser, ...anna })).toMatchObject([404, expect.anything()]);
    expect(await ask('/report', { ...browser, ...anna })).toEqual([200, 'for anna']);
  });

  it('never take a path of the API, or a method that writes', async () => {
    expect(await ask('/version', browser)).toMatchObject([401, expect.anything()]);
    expect(await ask('/apis', browser)).toMatchObject([401, expect.anything()]);
    expect(await ask('/assets/app.js', {}, 'POST')).toMatchObject([401, expect.anything()]);
  });

  it.each(['/.env', '/link.txt', '/../secret.txt', '/%2e%2e/secret.txt', '/assets/..%2f..%2fsecret.txt', '/%00'])(
    'have no hidden file, and none outside: %s',
    async (path) => expect(await ask(path, anna)).toMatchObject([404, expect.not.stringContaining('outside')]),
  );

  it('leave no headers on the answers of the API', async () => {
    const response = await fetch(`${listening.url}/orders`, { headers: anna });
    expect(response.headers.get('last-modified')).toBeNull();
  });
});
