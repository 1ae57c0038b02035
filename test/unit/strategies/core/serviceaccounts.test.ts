/** ServiceAccount: the names of its secrets. */
import { expect, it } from 'vitest';
import type { ApiObject } from '../../../../runtime/contract/index.js';
import { defineServiceAccountStrategy } from '../../../../strategies/core/serviceaccounts.js';
import { contextOf, testStrategy } from '../../../support/strategy-suite.js';

const strategy = defineServiceAccountStrategy();
const stored: ApiObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'default' },
  secrets: [{ name: 'a' }],
};

testStrategy({ strategy, stored, columns: ['Secrets'] });

it('keeps nothing but the names of secrets', () => {
  const sent = (): ApiObject => ({
    ...stored,
    secrets: [{ name: 'a', namespace: 'other', uid: 'u' }, { kind: 'Secret' }],
  });
  const created = sent();
  strategy.prepareForCreate?.(created, contextOf());
  expect(created.secrets).toEqual([{ name: 'a' }, {}]);
  const updated = sent();
  strategy.prepareForUpdate?.(updated, stored, contextOf());
  expect(updated.secrets).toEqual([{ name: 'a' }, {}]);
});

it('shows how many secrets there are', () => {
  expect(strategy.cell?.(stored, 'Secrets', 0)).toBe(1);
  expect(strategy.cell?.({ ...stored, secrets: undefined }, 'Secrets', 0)).toBe(0);
});
