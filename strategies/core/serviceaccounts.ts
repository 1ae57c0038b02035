/** ServiceAccount: the names of its secrets, and nothing else of them, are kept. */
import type { ServiceAccount } from '../../generated/core/v1/serviceaccounts/types.js';
import type { DraftObject, Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';

export const defineServiceAccountStrategy = (): Strategy =>
  defineStrategy<ServiceAccount>('ServiceAccount', {
    repeatsMetadataErrors: true,
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    cell: ({ secrets = [] }, column) => (column === 'Secrets' ? secrets.length : undefined),
  });

/** Secrets are in the account's own namespace, so that all but their names is dropped. */
function keepSecretNames(account: DraftObject<ServiceAccount>): void {
  if (!account.secrets) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
