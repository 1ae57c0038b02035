import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitKey, toKey } from '../../../../../runtime/storage/postgres/columns.js';

/** Joins columns like `joined` in the database. */
const joinedIn = ([group, resource, namespace, name]: readonly string[]): string =>
  `${group}/${resource}/${namespace === '' ? '' : `${namespace}/`}${name}`;

it('splits keys into group, resource, namespace and name', () => {
  expect(splitKey('apps/deployments/shop/web')).toEqual(['apps', 'deployments', 'shop', 'web']);
  expect(splitKey('/nodes/n1')).toEqual(['', 'nodes', '', 'n1']);
  expect(splitKey('/pods/shop/web')).toEqual(['', 'pods', 'shop', 'web']);
});

it('makes the same key from the columns again, for any key', () => {
  const part = fc.constantFrom('', 'a', 'b-c', 'ä');
  const key = fc
    .array(part, { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join('/'))
    .filter((text) => text !== '' && !text.endsWith('/'));
  fc.assert(fc.property(key, (text) => toKey(joinedIn(splitKey(text))) === text));
});
