import { expect, it } from 'vitest';
import type { ApiObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineServiceAccounts } from '../../../../strategies/core/serviceaccounts.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineServiceAccounts(servingOf(platformNaming));
const stored: ApiObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'default' },
  secrets: [{ name: 'a' }],
};

it('keeps only the names of secrets', () => {
  const sent = (): ApiObject => ({
    ...stored,
    secrets: [{ name: 'a', namespace: 'other', uid: 'u' }, { kind: 'Secret' }],
  });
  const created = sent();
  handlers.prepareForCreate?.(created, contextOf());
  expect(created.secrets).toEqual([{ name: 'a' }, {}]);
  const updated = sent();
  handlers.prepareForUpdate?.(updated, stored, contextOf());
  expect(updated.secrets).toEqual([{ name: 'a' }, {}]);
});

it('shows how many secrets there are', () => {
  expect(handlers.columns?.Secrets?.(stored, 0)).toBe(1);
  expect(handlers.columns?.Secrets?.({ ...stored, secrets: undefined }, 0)).toBe(0);
});
