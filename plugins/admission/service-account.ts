/** ServiceAccount: each pod runs as an account of its namespace and gets the account's token and pull secrets. */

import { randomInt } from 'node:crypto';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { referencesOf } from '../authorization/pod-references.js';
import { refuse } from './define-admission-plugin.js';

const defaultAccount = 'default';

/** A controller creates the default account of a new namespace. The plugin looks for it up to this many times. */
const attempts = 10;

export function defineServiceAccount(
  { rename, wellKnown }: Naming,
  wait: () => Promise<void> = pause,
  { does }: Release = emulate(),
): AdmissionPlugin {
  const wholly = does('wholeSecretsLimited');
  const mirror = rename('platform.io/config.mirror');
  const isMirror = ({ metadata: { annotations = {} } }: ApiObject): boolean => Object.hasOwn(annotations, mirror);
  const path = `/var/run/secrets/${rename('platform.io/serviceaccount')}`;
  const limit = rename('platform.io/enforce-mountable-secrets');
  return {
    name: 'ServiceAccount',
    handles: (resource, operation, subresource) =>
      isPods(resource) &&
      ((operation === 'CREATE' && subresource === '') ||
        (operation === 'UPDATE' && subresource === 'ephemeralcontainers')),
    admit(attributes, context) {
      const { object, operation } = attributes;
      const spec = objectAt(object, 'spec');
      if (!object || !spec || operation !== 'CREATE') return undefined;
      if (isMirror(object)) return checkMirrorPod(attributes, object);
      return withAccount(attributes, spec, context, wait, (account) => {
        Object.assign(spec, { serviceAccountName: account.metadata.name, serviceAccount: account.metadata.name });
        if (wantsToken(account, spec)) mountToken(spec, path, wellKnown.rootCertificates);
        givePullSecrets(account, spec);
        return undefined;
      });
    },
    validate(attributes, context) {
      const { object, operation } = attributes;
      const spec = objectAt(object, 'spec');
      if (!object || !spec) return undefined;
      if (operation === 'CREATE' && isMirror(object)) return checkMirrorPod(attributes, object);
      const check = operation === 'CREATE' ? checkSecrets : checkEphemeralContainers;
      return withAccount(attributes, spec, context, undefined, (account) => {
        const why = saysYes(account.metadata.annotations?.[limit]) ? check(account, spec, wholly) : undefined;
        return why === undefined ? undefined : refuse(attributes, why);
      });
    },
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

const isPods = ({ group, names }: ResourceModule): boolean => group === '' && names.plural === 'pods';

const saysYes = (text: string | undefined): boolean => ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '');

/** Runs a function with the account of a pod, and waits for the account if needed. Refuses a pod without an account. */
function withAccount(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  context: AdmissionContext,
  wait: (() => Promise<void>) | undefined,
  act: (account: ApiObject) => Failure | undefined,
): Failure | undefined | Promise<Failure | undefined> {
  const { namespace } = attributes;
  const name = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount') || defaultAccount;
  const find = (): ApiObject | undefined => context.get('', 'serviceaccounts', namespace, name);
  const found = find();
  if (found) return act(found);
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  if (!wait || name !== defaultAccount) return refuse(attributes, why);
  return waitFor(find, wait).then((late) => (late ? act(late) : refuse(attributes, why)));
}

async function waitFor(find: () => ApiObject | undefined, wait: () => Promise<void>): Promise<ApiObject | undefined> {
  for (let i = 1; i < attempts; i++) {
    await wait();
    const found = find();
    if (found) return found;
  }
  return undefined;
}

/** Adds the account's pull secrets to a pod that has none. */
function givePullSecrets(account: ApiObject, spec: JsonObject): void {
  if (objectsAt(spec, 'imagePullSecrets').length > 0) return;
  const secrets = objectsAt(account, 'imagePullSecrets');
  if (secrets.length > 0) spec.imagePullSecrets = secrets.map((secret) => clone(secret));
}

const prefix = 'kube-api-access-';
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Older clients read a token only once. Tokens of this odd number of seconds are recognized and extended. */
const tokenSeconds = 3607;

/** Returns whether a pod gets the token: the pod decides, else its account; the default is yes. */
function wantsToken(account: ApiObject, spec: JsonObject): boolean {
  const said = spec.automountServiceAccountToken ?? account.automountServiceAccountToken;
  return said !== false;
}

/**
 * Mounts a token at a path in all containers that mount nothing there. Reuses a volume with the name prefix of token
 * volumes. `certificates` names the config map with the server's certificate authority.
 */
function mountToken(spec: JsonObject, mountPath: string, certificates: string): void {
  const volumes = objectsAt(spec, 'volumes');
  const own = volumes.map((volume) => stringAt(volume, 'name')).find((name) => name.startsWith(prefix));
  const name = own ?? `${prefix}${suffix()}`;
  let isMounted = false;
  for (const container of ['initContainers', 'containers'].flatMap((list) => objectsAt(spec, list))) {
    const mounts = objectsAt(container, 'volumeMounts');
    if (mounts.some((mount) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...mounts, { name, readOnly: true, mountPath }];
    isMounted = true;
  }
  if (isMounted && own === undefined) spec.volumes = [...volumes, tokenVolume(name, certificates)];
}

const suffix = (): string => Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join('');

/** Returns the volume with the token, the server's certificate authority, and the namespace of the pod. */
const tokenVolume = (name: string, certificates: string): JsonObject => ({
  name,
  projected: {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: tokenSeconds } },
      { configMap: { name: certificates, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
});

/** Returns why a new pod may not use the secrets that it refers to. */
function checkSecrets(account: ApiObject, spec: JsonObject, wholly: boolean): string | undefined {
  const secrets = namesIn(account, 'secrets');
  const name = account.metadata.name;
  for (const volume of objectsAt(spec, 'volumes')) {
    const secret = objectAt(volume, 'secret');
    const used = stringAt(secret, 'secretName');
    if (!secret || secrets.has(used)) continue;
    return `volume with secret.secretName="${used}" ${notReferenced(name, 'secret')}`;
  }
  return (
    checkContainers(account, objectsAt(spec, 'initContainers'), 'init container', wholly) ??
    checkContainers(account, objectsAt(spec, 'containers'), 'container', wholly) ??
    checkPullSecrets(account, spec)
  );
}

/** Returns why a pod may not get its new ephemeral containers. */
const checkEphemeralContainers = (account: ApiObject, spec: JsonObject, wholly: boolean): string | undefined =>
  checkContainers(account, objectsAt(spec, 'ephemeralContainers'), 'ephemeral container', wholly);

/** Checks the secrets of containers. `wholly`: also secrets that all variables come from. */
function checkContainers(
  account: ApiObject,
  containers: readonly JsonObject[],
  what: string,
  wholly: boolean,
): string | undefined {
  const secrets = namesIn(account, 'secrets');
  for (const container of containers) {
    for (const variable of objectsAt(container, 'env')) {
      const key = objectAt(objectAt(variable, 'valueFrom'), 'secretKeyRef');
      const used = stringAt(key, 'name');
      if (!key || secrets.has(used)) continue;
      const by = `${what} ${stringAt(container, 'name')} with envVar ${stringAt(variable, 'name')}`;
      return `${by} referencing secret.secretName="${used}" ${notReferenced(account.metadata.name, 'secret')}`;
    }
    for (const source of wholly ? objectsAt(container, 'envFrom') : []) {
      const secret = objectAt(source, 'secretRef');
      const used = stringAt(secret, 'name');
      if (!secret || secrets.has(used)) continue;
      const by = `${what} ${stringAt(container, 'name')} with envFrom`;
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

function checkMirrorPod(attributes: AdmissionAttributes, pod: ApiObject): Failure | undefined {
  const spec = objectAt(pod, 'spec') ?? {};
  if (stringAt(spec, 'serviceAccountName') !== '') {
    return refuse(attributes, 'a mirror pod may not reference service accounts');
  }
  if (referencesOf(spec, '').some(([resource]) => resource === 'secrets')) {
    return refuse(attributes, 'a mirror pod may not reference secrets');
  }
  const sources = objectsAt(spec, 'volumes').flatMap((volume) => objectsAt(objectAt(volume, 'projected'), 'sources'));
  return sources.some((source) => objectAt(source, 'serviceAccountToken'))
    ? refuse(attributes, 'a mirror pod may not use ServiceAccountToken volume projections')
    : undefined;
}
