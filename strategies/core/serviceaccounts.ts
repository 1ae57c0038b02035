/** ServiceAccount: keeps only the names of its secrets. */
import { defineServiceAccountHandlers } from '../../generated/core/v1/serviceaccounts/handlers.js';
import type { ServiceAccount } from '../../generated/core/v1/serviceaccounts/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';

export const defineServiceAccounts = (): KindHandlers =>
  defineServiceAccountHandlers({
    updateChecks: ['metadata changes', 'metadata', 'fields'],
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    columns: { Secrets: ({ secrets = [] }) => secrets.length },
  });

/** Secrets are in the account's own namespace, so only their names are kept. */
function keepSecretNames(account: DraftObject<ServiceAccount>): void {
  if (!account.secrets) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
