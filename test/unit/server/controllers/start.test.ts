import { describe, expect, it } from 'vitest';
import { healthOfControllers } from '../../../../server/controllers/start.js';
import { servingForTests } from '../../../support/serving.js';

describe('the health of controllers', async () => {
  const server = servingForTests({ controllers: 'namespace', authorizationMode: 'AlwaysAllow' });

  const ask = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(server().url + path);
    return [answer.status, await answer.text()];
  };

  it('is reported by name, for running controllers', async () => {
    expect(await ask('/healthz/namespace')).toEqual([200, 'ok']);
    for (const path of ['/healthz/moon', '/healthz/serviceaccount', '/livez/namespace', '/healthz/namespace/more'])
      expect((await ask(path))[0], path).toBe(404);
  });

  it("is not part of the server's health", async () => {
    expect((await ask('/healthz?verbose'))[1]).not.toContain(']namespace ');
    expect((await ask('/'))[1]).not.toContain('/healthz/namespace');
  });

  it('fails while a controller waits for its restart', () => {
    const healthOf = healthOfControllers(
      () =>
        new Map([
          ['a', 'failed'],
          ['b', 'starting'],
        ]),
    );
    expect(healthOf('a')?.problem()).toContain('is restarted');
    expect(healthOf('b')?.problem()).toBe('');
    expect(healthOfControllers(() => undefined)('a')).toBeUndefined();
  });
});
