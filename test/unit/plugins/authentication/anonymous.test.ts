/** Requests without credentials. */
import { expect, it } from 'vitest';
import { defineAnonymous } from '../../../../plugins/index.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';

testAuthenticator({
  authenticator: defineAnonymous(),
  recognized: { headers: {} },
  name: 'system:anonymous',
  wrong: { headers: { authorization: 'Bearer unknown-token' } },
});

it('takes what is no bearer token for no credentials', () => {
  for (const authorization of ['Basic YTpi', 'Bearer', 'x']) {
    expect(defineAnonymous().authenticate({ headers: { authorization } })).toEqual({
      user: { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} },
    });
  }
});
