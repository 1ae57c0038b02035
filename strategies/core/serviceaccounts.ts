/** ServiceAccount: what is kept of the secrets it names. */
import type { ApiObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { isArray, isObject } from '../../runtime/objects/guards.js';

export function defineServiceAccountStrategy(): Strategy {
  return {
    kind: 'ServiceAccount',
    repeatsMetadataErrors: true,
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    cell: (object, column) => (column === 'Secrets' ? secretsOf(object).length : undefined),
  };
}

function secretsOf(object: ApiObject): readonly JsonValue[] {
  return isArray(object.secrets) ? object.secrets : [];
}

/** Secrets are in the account's own namespace, so that all but their names is dropped. */
function keepSecretNames(object: ApiObject): void {
  if (!isArray(object.secrets)) return;
  object.secrets = object.secrets.map((secret) =>
    isObject(secret) && secret.name !== undefined ? { name: secret.name } : {},
  );
}
