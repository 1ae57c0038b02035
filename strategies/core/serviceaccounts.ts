/** ServiceAccount: keeps only the names of its secrets. */
import { defineServiceAccountHandlers } from '../../generated/core/v1/serviceaccounts/handlers.js';
import type { ServiceAccount } from '../../generated/core/v1/serviceaccounts/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Serving } from '../shared/serving.js';

export const defineServiceAccounts = ({ names, release }: Serving): KindHandlers =>
  defineServiceAccountHandlers({
    warn: (account, old) => (release.does('mountableSecretsDeprecated') ? limitWarnings(account, old, names) : []),
    updateChecks: ['metadata changes', 'metadata', 'fields'],
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    columns: { Secrets: ({ secrets = [] }) => secrets.length },
  });

/** Warns about an annotation that limits the secrets of pods, if it is new. */
function limitWarnings(
  { metadata: { annotations = {} } }: DraftObject<ServiceAccount>,
  old: DraftObject<ServiceAccount> | undefined,
  { rename }: Naming,
): readonly string[] {
  const key = rename('platform.io/enforce-mountable-secrets');
  if (!Object.hasOwn(annotations, key) || Object.hasOwn(old?.metadata.annotations ?? {}, key)) return [];
  const advice = 'prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${key}]: deprecated in v1.32+; ${advice}`];
}

/** Secrets are in the account's own namespace, so only their names are kept. */
function keepSecretNames(account: DraftObject<ServiceAccount>): void {
  if (!account.secrets) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
