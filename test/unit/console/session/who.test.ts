import { ApiError, type DynamicApi, type DynamicObject } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import { whoAmI } from '../../../../packages/console/src/session/who.js';

type Asked = Pick<DynamicApi, 'kinds' | 'create'>;

const review = {
  group: 'authentication.example',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
};
const refused = new ApiError(403, { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: 'Forbidden' });
const tokenOf = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** Makes a server that answers with the caller's user, with a refusal, or not at all. */
const serverThat = (answer: object | Error | undefined) => {
  const server: Asked = {
    kinds: async () => JSON.parse(JSON.stringify({ kinds: answer ? [review] : [], failed: [] })),
    create: async (): Promise<DynamicObject> => {
      if (answer instanceof Error) throw answer;
      return { apiVersion: 'v1', kind: review.kind, metadata: {}, status: { userInfo: answer } };
    },
  };
  return server;
};

describe('the user', () => {
  it("is the server's answer", async () =>
    expect(await whoAmI(serverThat({ username: 'jane', groups: ['a'] }), { token: tokenOf({ sub: 'other' }) })).toEqual(
      { name: 'jane', groups: ['a'] },
    ));

  it.each([
    ['a server without the review', undefined],
    ['a server that refuses it', refused],
  ])('is the name in the credentials, for %s', async (_, answer) => {
    const ask = (credentials: Parameters<typeof whoAmI>[1]) => whoAmI(serverThat(answer), credentials);
    expect(await ask({ token: tokenOf({ sub: 'system:serviceaccount:shop:böt' }) })).toEqual({
      name: 'system:serviceaccount:shop:böt',
      groups: [],
    });
    expect(await ask({ token: tokenOf({ sub: 'a' }), impersonate: { user: 'jane', groups: ['b'] } })).toEqual({
      name: 'jane',
      groups: ['b'],
    });
    for (const token of ['opaque', 'a.b.c', tokenOf({ sub: 7 }), undefined])
      expect(await ask(token === undefined ? {} : { token })).toEqual({ name: '', groups: [] });
  });
});
