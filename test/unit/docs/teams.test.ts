/** The authorizer that docs/authorization.md builds. */
import { describe, expect, it } from 'vitest';
import { defineTeams } from '../../../examples/authorization/teams.js';
import { testAuthorizer } from '../../support/authorizer-suite.js';

const authorizer = defineTeams({ prefix: 'team:' });
const user = (...groups: readonly string[]) => ({ name: 'anna', uid: '', groups, extra: {} });
const front = user('team:front', 'system:authenticated');
const ask = { verb: 'delete', group: 'example.com', resource: 'widgets' };

testAuthorizer({
  authorizer,
  allowed: { ...ask, user: front, namespace: 'front' },
  refused: { ...ask, user: front, namespace: 'back' },
});

describe('teams', () => {
  it('have no rights outside of namespaces', async () => {
    expect(await authorizer.decide({ ...ask, user: front })).toEqual({ decision: 'no opinion' });
    expect(await authorizer.decide({ user: front, verb: 'post', path: '/x' })).toEqual({ decision: 'no opinion' });
  });

  it('may read everywhere, unless nobody knows them', async () => {
    expect(await authorizer.decide({ ...ask, verb: 'get', user: front })).toMatchObject({ decision: 'allow' });
    const stranger = user('system:unauthenticated', 'team:front');
    expect(await authorizer.decide({ ...ask, verb: 'get', user: stranger })).toMatchObject({ decision: 'deny' });
  });

  it('get a list of their own objects', async () => {
    const verbsIn = async (namespace: string) => (await authorizer.rules?.(front, namespace))?.resourceRules[0]?.verbs;
    expect(await verbsIn('front')).toEqual(['*']);
    expect(await verbsIn('back')).toEqual(['get', 'list', 'watch']);
  });
});
