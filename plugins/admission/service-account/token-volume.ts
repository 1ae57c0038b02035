/** The volume through which a pod gets the token of its account. */
import { randomInt } from 'node:crypto';
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectsAt, stringAt } from '../../../runtime/objects/guards.js';

const prefix = 'kube-api-access-';
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Older clients read a token once; those that last an hour are extended, and the odd number marks them. */
const tokenSeconds = 3607;

/** Whether a pod gets the token: it says so itself, or its account does; otherwise it gets it. */
export function wantsToken(account: ApiObject, spec: JsonObject): boolean {
  const said = spec.automountServiceAccountToken ?? account.automountServiceAccountToken;
  return said !== false;
}

/**
 * Mounts a token at a path in all containers that mount nothing else there. A volume whose name says that it is one for
 * tokens is taken, whatever it is. `certificates` names the config map by which programs trust the server.
 */
export function mountToken(spec: JsonObject, mountPath: string, certificates: string): void {
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

/** The token, the certificates that the server is known by, and the namespace of the pod. */
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
