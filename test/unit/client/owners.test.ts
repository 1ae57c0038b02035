import { expect, it } from 'vitest';
import { type ApiObjectLike, OwnerError, type OwnerReference, setOwner } from '../../../client/index.js';

const owner = (metadata: object = {}): ApiObjectLike => ({
  apiVersion: 'example.com/v1',
  kind: 'Project',
  metadata: { name: 'site', namespace: 'shop', uid: 'u1', ...metadata },
});

const reference: OwnerReference = {
  apiVersion: 'example.com/v1',
  kind: 'Project',
  name: 'site',
  uid: 'u1',
  controller: true,
  blockOwnerDeletion: true,
};

it('gives a new object its owner and its namespace, and does not change the given one', () => {
  const made = { metadata: { name: 'a' }, data: { x: '1' } };
  const owned = setOwner(made, owner());
  expect(owned).toEqual({ metadata: { name: 'a', namespace: 'shop', ownerReferences: [reference] }, data: { x: '1' } });
  expect(made.metadata).toEqual({ name: 'a' });
  expect(setOwner(owned, owner())).toEqual(owned);
});

it('keeps owners that do not control the object', () => {
  const other = { ...reference, uid: 'u2', controller: false };
  expect(setOwner({ metadata: { ownerReferences: [other] } }, owner()).metadata.ownerReferences).toEqual([
    other,
    reference,
  ]);
});

it.each([
  ['that is not stored', {}, { uid: undefined }, 'Project "site" has no uid: only a stored object can own others'],
  [
    'in another namespace',
    { namespace: 'b' },
    {},
    'Project "site" in namespace "shop" cannot own an object in namespace "b"',
  ],
  [
    'in a namespace, for an object of the cluster',
    { uid: 'x' },
    {},
    'Project "site" in namespace "shop" cannot own an object without a namespace',
  ],
  [
    'besides another controller',
    { ownerReferences: [{ ...reference, uid: 'u2', name: 'first' }] },
    {},
    'Project "site" cannot control an object that Project "first" controls',
  ],
])('refuses an owner %s', (_what, metadata, change, message) => {
  expect(() => setOwner({ metadata }, owner(change))).toThrow(new OwnerError(message));
});

it('allows a cluster-scoped object to own any other', () => {
  const cluster = owner({ namespace: undefined });
  expect(setOwner({ metadata: { uid: 'x' } }, cluster).metadata.ownerReferences).toHaveLength(1);
  expect(setOwner({ metadata: { namespace: 'b' } }, cluster).metadata.namespace).toBe('b');
});
