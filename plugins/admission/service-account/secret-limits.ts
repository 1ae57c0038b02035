/** The limit of accounts that ask for it: their pods use no secrets but those that the account lists. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';

/** Why a new pod may not have the secrets that it refers to. */
export function checkSecrets(account: ApiObject, spec: JsonObject): string | undefined {
  const secrets = namesIn(account, 'secrets');
  const name = account.metadata.name;
  for (const volume of objectsAt(spec, 'volumes')) {
    const secret = objectAt(volume, 'secret');
    const used = stringAt(secret, 'secretName');
    if (!secret || secrets.has(used)) continue;
    return `volume with secret.secretName="${used}" ${notReferenced(name, 'secret')}`;
  }
  return (
    checkContainers(account, objectsAt(spec, 'initContainers'), 'init container') ??
    checkContainers(account, objectsAt(spec, 'containers'), 'container') ??
    checkPullSecrets(account, spec)
  );
}

/** Why a pod may not get the ephemeral containers that it is to have. */
export const checkEphemeralContainers = (account: ApiObject, spec: JsonObject): string | undefined =>
  checkContainers(account, objectsAt(spec, 'ephemeralContainers'), 'ephemeral container');

function checkContainers(account: ApiObject, containers: readonly JsonObject[], what: string): string | undefined {
  const secrets = namesIn(account, 'secrets');
  for (const container of containers) {
    for (const variable of objectsAt(container, 'env')) {
      const key = objectAt(objectAt(variable, 'valueFrom'), 'secretKeyRef');
      const used = stringAt(key, 'name');
      if (!key || secrets.has(used)) continue;
      const by = `${what} ${stringAt(container, 'name')} with envVar ${stringAt(variable, 'name')}`;
      return `${by} referencing secret.secretName="${used}" ${notReferenced(account.metadata.name, 'secret')}`;
    }
  }
  return undefined;
}

function checkPullSecrets(account: ApiObject, spec: JsonObject): string | undefined {
  const secrets = namesIn(account, 'imagePullSecrets');
  for (const [i, secret] of objectsAt(spec, 'imagePullSecrets').entries()) {
    const used = stringAt(secret, 'name');
    if (secrets.has(used)) continue;
    return `imagePullSecrets[${i}].name="${used}" ${notReferenced(account.metadata.name, 'imagePullSecret')}`;
  }
  return undefined;
}

const namesIn = (account: ApiObject, field: string): ReadonlySet<string> =>
  new Set(objectsAt(account, field).map((one) => stringAt(one, 'name')));

const notReferenced = (account: string | undefined, what: string): string =>
  `is not allowed because service account ${account} does not reference that ${what}`;
