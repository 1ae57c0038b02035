/** Health endpoints: short and long answers, single checks, and excluded checks. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { allAlive, answerHealth, type HealthCheck, ping } from '../../../../runtime/discovery/health.js';
import { requestOf, textOf } from '../../../support/api-requests.js';
import { startTestApi } from '../../../support/test-api.js';

const broken: HealthCheck = { name: 'disk', problem: () => 'no space left' };

function ask(checks: readonly HealthCheck[], search = '', check?: string) {
  const { code, contentType, body } = answerHealth('readyz', check, checks, search);
  return { code, contentType, text: textOf({ body }) };
}

describe('an endpoint', () => {
  it('answers ok in one word, and lists each check on request', () => {
    expect(ask([ping])).toEqual({ code: 200, contentType: 'text/plain; charset=utf-8', text: 'ok' });
    expect(ask([ping], 'verbose')).toMatchObject({ code: 200, text: '[+]ping ok\nreadyz check passed\n' });
  });

  it('names the failed checks and hides the reason', () => {
    expect(ask([ping, broken])).toMatchObject({
      code: 500,
      text: '[+]ping ok\n[-]disk failed: reason withheld\nreadyz check failed\n',
    });
  });

  it('leaves out excluded checks', () => {
    expect(ask([ping, broken], 'exclude=disk')).toMatchObject({ code: 200, text: 'ok' });
    expect(ask([ping, broken], 'verbose&exclude=disk').text).toBe(
      '[+]ping ok\n[+]disk excluded: ok\nreadyz check passed\n',
    );
  });

  it('warns of excluded checks that do not exist', () => {
    expect(ask([ping], 'verbose&exclude=b&exclude=a').text).toBe(
      '[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "a","b"\nreadyz check passed\n',
    );
  });
});

describe('one check', () => {
  it.each([
    ['ping', 200, 'ok'],
    ['disk', 500, 'internal server error: no space left\n'],
    ['other', 404, '404 page not found\n'],
  ])('%s', (check, code, text) => {
    expect(ask([ping, broken], '', check)).toMatchObject({ code, text });
  });
});

describe('a server that is still starting', () => {
  it.each([
    ['', undefined, 'ok'],
    ['verbose', undefined, '[+]ping ok\n[+]disk ok\nreadyz check passed\n'],
    ['verbose&exclude=disk', undefined, '[+]ping ok\n[+]disk excluded: ok\nreadyz check passed\n'],
    ['', 'disk', 'ok'],
  ])('counts as alive, asked by %j for %s', (search, check, text) => {
    expect(ask(allAlive([ping, broken]), search, check)).toMatchObject({ code: 200, text });
  });
});

describe('the names of checks', () => {
  const healthChecks: readonly HealthCheck[] = [
    { name: 'poststarthook/rbac/bootstrap-roles', problem: () => '' },
    { name: 'poststarthook/slow', problem: () => '', readinessOnly: true },
  ];

  it.each(['healthz', 'livez', 'readyz'])(
    'of %s?verbose are all paths, and parts of them are not',
    async (endpoint) => {
      const api = await startTestApi([], { healthChecks });
      onTestFinished(() => api.close());
      const get = async (path: string): Promise<[number, string]> => {
        const answer = await api.server.handle(requestOf({ path }));
        return [answer.code, textOf(answer)];
      };
      const [, text] = await get(`/${endpoint}?verbose`);
      expect(text).toMatch(new RegExp(`\n${endpoint} check passed\n$`));
      const names = [...text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name = '']) => name);
      expect(names).toContain('poststarthook/rbac/bootstrap-roles');
      expect(names.includes('poststarthook/slow')).toBe(endpoint === 'readyz');
      for (const name of names) expect(await get(`/${endpoint}/${name}`), name).toEqual([200, 'ok']);
      for (const part of ['poststarthook', 'poststarthook/rbac', 'poststarthook/', '', 'bootstrap-roles', 'ping/']) {
        expect((await get(`/${endpoint}/${part}`))[0], part).toBe(404);
      }
    },
  );
});
