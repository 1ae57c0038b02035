/** Credentials that end, are refused, and are asked for by many. */
import { expect, it } from 'vitest';
import type { Identity } from '../../../../client/node/identity.js';
import { renewedIdentity } from '../../../../client/node/renewed.js';
import { rejection } from '../../../support/sdk.js';

const identity = (token: string): Identity => ({ headers: { authorization: token } });

it('are renewed once for all, when they end, and when they are refused', async () => {
  const ends = [Date.now() + 60_000, Date.now() - 1, undefined];
  let renewed = 0;
  const source = renewedIdentity(async () => {
    const end = ends[renewed++];
    return { identity: identity(String(renewed)), ...(end === undefined ? {} : { ends: end }) };
  });
  const [first, same] = await Promise.all([source(), source()]);
  expect(await source()).toBe(first);
  expect(same).toBe(first);
  const [second, too] = await Promise.all([source(first), source(first)]);
  expect([second, too].map(({ headers }) => headers.authorization)).toEqual(['2', '2']);
  expect((await source()).headers.authorization).toBe('3');
  expect((await source(second)).headers.authorization).toBe('3');
  expect(renewed).toBe(3);
});

it('are asked for again after a failure', async () => {
  let asked = 0;
  const source = renewedIdentity(async () => {
    if (asked++ === 0) throw new Error('not now');
    return { identity: identity('later') };
  });
  expect(await rejection(Promise.resolve(source()))).toMatchObject({ message: 'not now' });
  expect((await source()).headers.authorization).toBe('later');
});
