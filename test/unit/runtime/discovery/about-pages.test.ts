/** The pages about the server: as text, as objects, and behind their gates. */
import { describe, expect, it } from 'vitest';
import { aboutPages } from '../../../../runtime/discovery/about-pages.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { requestOf } from '../../../support/api-requests.js';

const pagesOf = (version: EmulatedVersion, on = true) =>
  aboutPages({
    release: emulate(version),
    featureEnabled: () => on,
    group: 'config.example.com',
    productVersion: '1.2.3',
    flags: { storage: 'memory' },
    paths: () => ['/livez', '/metrics'],
    now: () => 0,
  });

async function ask(path: string, accept: string, version: EmulatedVersion = 'latest') {
  const page = pagesOf(version).find((one) => one.path === path);
  const answer = await page?.answer(requestOf({ path, headers: { accept } }));
  const body = answer?.body instanceof Uint8Array ? Buffer.from(answer.body).toString() : '';
  return { code: answer?.code, type: answer?.contentType, warning: answer?.headers?.warning, body };
}

describe('pages about the server', () => {
  it('are off without their gates', () => {
    expect(pagesOf('latest', false)).toEqual([]);
  });

  it('are text only for clients that name it', async () => {
    expect(await ask('/flagz', 'text/plain')).toMatchObject({
      code: 200,
      body: expect.stringContaining('storage: memory'),
    });
    expect(await ask('/flagz', '*/*')).toMatchObject({ code: 406 });
  });

  it('are objects in the version that a client asks for, with a warning for the old one', async () => {
    const typed = (v: string) => `application/json;v=${v};g=config.example.com;as=Statusz`;
    const now = await ask('/statusz', typed('v1beta1'));
    expect(now).toMatchObject({ code: 200, warning: undefined });
    expect(now.type).toBe('application/json;g=config.example.com;v=v1beta1;as=Statusz');
    expect(JSON.parse(now.body)).toMatchObject({
      kind: 'Statusz',
      emulationVersion: '1.36',
      uptimeSeconds: 0,
      paths: ['/livez', '/metrics'],
    });
    expect((await ask('/statusz', typed('v1alpha1'))).warning).toContain('deprecated');
    expect(await ask('/statusz', typed('v2'))).toMatchObject({ code: 406 });
    expect(await ask('/statusz', typed('v1beta1'), '1.34')).toMatchObject({ code: 406 });
  });
});
