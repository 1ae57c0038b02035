import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTokens, tokenFile, withLock, writeTokens } from '../../../../bin/login/token-cache.js';
import { testFolder } from '../../../support/scratch-folder.js';

const client = { issuer: 'https://id.example.com', clientId: 'shop' };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms / 100));
const fresh = (): string => tokenFile({ user: 'oidc' }, client, testFolder());

describe('the file of tokens', () => {
  it('can be read by its owner only, and so can its folder', () => {
    const file = fresh();
    writeTokens(file, { idToken: 'a', refreshToken: 'b' });
    expect(readTokens(file)).toEqual({ idToken: 'a', refreshToken: 'b' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('is another one for another user, client, provider or other scopes', () => {
    const files = [
      tokenFile({ user: 'oidc' }, client, '/home'),
      tokenFile({ user: 'work' }, client, '/home'),
      tokenFile({ user: 'oidc' }, { ...client, clientId: 'other' }, '/home'),
      tokenFile({ user: 'oidc' }, { ...client, issuer: 'https://x.example.com' }, '/home'),
      tokenFile({ user: 'oidc' }, { ...client, scopes: ['openid'] }, '/home'),
    ];
    expect(new Set(files).size).toBe(5);
    expect(tokenFile({ user: 'oidc' }, client, '/home')).toBe(files[0]);
  });

  it('counts as missing if it is damaged', () => {
    const file = join(testFolder(), 'tokens');
    expect(readTokens(file)).toBeUndefined();
    for (const text of ['{', '{"idToken":1}', '[]']) {
      writeFileSync(file, text);
      expect(readTokens(file)).toBeUndefined();
    }
  });
});

describe('the lock of the file', () => {
  it('allows one process at a time', async () => {
    const file = fresh();
    const order: string[] = [];
    const job = (name: string) => async () => {
      order.push(`${name} begins`);
      await sleep(1000);
      order.push(`${name} ends`);
    };
    await Promise.all([withLock(file, 60_000, { sleep }, job('one')), withLock(file, 60_000, { sleep }, job('two'))]);
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('ends with a job that fails, or with its process', async () => {
    const file = fresh();
    const failing = withLock(file, 0, { sleep }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    writeFileSync(`${file}.lock`, '999999999');
    expect(await withLock(file, 1000, { sleep }, async () => 'mine')).toBe('mine');
  });

  it('is not waited for longer than people may take', async () => {
    const file = fresh();
    await withLock(file, 0, { sleep }, async () => {
      expect(readFileSync(`${file}.lock`, 'utf8')).toBe(String(process.pid));
      await expect(withLock(file, 1000, { sleep }, async () => 'mine')).rejects.toThrow(
        `another kindforge login (process ${process.pid}) has been waiting for somebody to log in for 1 s`,
      );
    });
  });
});
