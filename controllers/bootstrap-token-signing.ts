/** Signs the config map that machines find the server with, with each bootstrap token for signing. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
} from '../client/index.js';
import { endOf, type SigningToken, signingToken, type TokenOptions, tokenSelector } from './bootstrap-tokens.js';
import type { Controller } from './controller.js';
import { type ConfigMap, configMaps, type Secret, secrets } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

export interface TokenSigningOptions {
  readonly tokens: TokenOptions;
  /** The namespace that everyone may read. */
  readonly publicNamespace: string;
  /** How to create the map if it does not exist; absent if others create it. */
  readonly info: Pick<ClusterInfoOptions, 'kubeconfig' | 'rolesGroup'> | undefined;
}

/** The prefix of the names of signatures; the id of the token follows. */
const prefix = 'jws-kubeconfig-';

/** Defines the controller. The only key is the name of the map. */
export function defineTokenSigning({ tokens, publicNamespace: namespace, info }: TokenSigningOptions): Controller {
  const mapSelector = `metadata.namespace=${namespace},metadata.name=${clusterInfo}`;
  return defineController({
    name: 'bootstrapsigner',
    watches: [
      watch(configMaps, { fieldSelector: mapSelector, keysOf: () => [clusterInfo] }),
      watch(secrets, { fieldSelector: tokenSelector(tokens), keysOf: () => [clusterInfo] }),
    ],
    async beside({ queue }) {
      queue.add(clusterInfo);
    },
    async reconcile(key, { client, cacheOf, queue, clock, signal }) {
      const map = cacheOf(configMaps).get(`${namespace}/${clusterInfo}`);
      if (map === undefined) {
        if (info) await makeClusterInfo({ ...info, namespace }, client, signal);
        return;
      }
      const now = clock.wallMs();
      const valid = [...cacheOf(secrets).values()].filter((secret) => endOf(secret) > now);
      const nextEnd = Math.min(...valid.map(endOf));
      if (Number.isFinite(nextEnd)) queue.addAfter(key, nextEnd - now);
      const data = await signed(map, valid);
      if (data === undefined) return;
      const beside = createResourceClient(configMaps, client).in(namespace);
      await beside.update({ ...map, data }, { signal }).catch(ignoreNotFound);
    },
  });
}

/** Returns the data of the map with the signatures of exactly these tokens; `undefined` if it has them already. */
async function signed(
  { data = {} }: ConfigMap,
  valid: readonly Secret[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const { kubeconfig } = data;
  if (kubeconfig === undefined || kubeconfig === '') return undefined;
  const ours = valid.flatMap((secret) => signingToken(secret) ?? []);
  const signatures = await Promise.all(
    ours.map(async (token) => [prefix + token.id, await detachedSignature(kubeconfig, token)] as const),
  );
  const others = Object.entries(data).filter(([name]) => !name.startsWith(prefix));
  const wanted = Object.fromEntries([...others, ...signatures]);
  const isSame =
    Object.keys(wanted).length === Object.keys(data).length &&
    Object.entries(wanted).every(([name, value]) => data[name] === value);
  return isSame ? undefined : wanted;
}

/** Returns a JWS (RFC 7515) with detached payload (appendix F), signed by HS256 with the whole token as secret. */
async function detachedSignature(payload: string, { id, token }: SigningToken): Promise<string> {
  // Loaded on first use: most servers never sign, and so start sooner.
  const { CompactSign } = await import('jose/jws/compact/sign');
  const jws = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'HS256', kid: id })
    .sign(Buffer.from(token));
  return jws.replace(/\..*\./, '..');
}

// The config map that unknown machines find the server with, and everyone's right to read it.

const clusterInfo = 'cluster-info';

/** The name that cluster setup tools use for the same role and binding. */
const readerName = 'kubeadm:bootstrap-signer-clusterinfo';

interface ClusterInfoOptions {
  /** The namespace that everyone may read. */
  readonly namespace: string;
  /** The group of roles as it is served; absent if roles are not served. */
  readonly rolesGroup: string | undefined;
  /** Returns a kubeconfig with the address of the server and the certificates to trust. */
  readonly kubeconfig: () => string;
}

interface Rules extends ApiObjectLike {
  rules?: readonly object[];
  roleRef?: object;
  subjects?: readonly object[];
}

/** Creates the map and the right to read it. Existing objects stay as they are. */
async function makeClusterInfo(
  { namespace, rolesGroup, kubeconfig }: ClusterInfoOptions,
  client: ClientOptions,
  signal: AbortSignal,
): Promise<void> {
  const map = { metadata: { name: clusterInfo }, data: { kubeconfig: kubeconfig() } };
  await createResourceClient(configMaps, client).in(namespace).create(map, { signal }).catch(ignoreExisting);
  if (rolesGroup === undefined) return;
  const metadata = { name: readerName };
  const make = async (plural: string, kind: string, object: Omit<Rules, 'apiVersion' | 'kind'>): Promise<void> => {
    const place = { group: rolesGroup, version: 'v1', plural, kind, scope: 'Namespaced', subresources: [] } as const;
    const resource = defineResource<Rules>()(place);
    await createResourceClient(resource, client).in(namespace).create(object, { signal }).catch(ignoreExisting);
  };
  await make('roles', 'Role', {
    metadata,
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [clusterInfo], verbs: ['get'] }],
  });
  await make('rolebindings', 'RoleBinding', {
    metadata,
    roleRef: { apiGroup: rolesGroup, kind: 'Role', name: readerName },
    subjects: [{ apiGroup: rolesGroup, kind: 'User', name: 'system:anonymous' }],
  });
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
