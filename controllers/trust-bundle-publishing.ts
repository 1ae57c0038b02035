/** Publishes the certificates that clients of the server trust, as a ClusterTrustBundle. */
import { createHash, X509Certificate } from 'node:crypto';
import { type ApiObjectLike, createResourceClient, defineResource, isAlreadyExists, sleep } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

interface TrustBundle extends ApiObjectLike {
  spec?: { signerName?: string; trustBundle?: string };
}

export interface TrustBundleOptions {
  /** The group and version of the bundles, as they are served. */
  readonly group: string;
  readonly version: string;
  /** As in `example.com/serving`. */
  readonly signerName: string;
  /** Returns the current certificates in PEM, without certificates that sign no others. */
  readonly trusted: () => string;
}

/** How often to check for new certificates, milliseconds. */
const lookMs = 60_000;

/** The only key, for all bundles of the signer. */
const theKey = 'bundles';

/** Defines the controller, for servers with TLS. */
export function defineTrustBundlePublishing({ group, version, signerName, trusted }: TrustBundleOptions): Controller {
  const bundles = defineResource<TrustBundle>()({
    group,
    version,
    plural: 'clustertrustbundles',
    kind: 'ClusterTrustBundle',
    scope: 'Cluster',
    subresources: [],
  } as const);
  const isOwn = ({ spec }: TrustBundle): boolean => spec?.signerName === signerName;
  return defineController({
    name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
    watches: [watch(bundles, { keysOf: (bundle) => (isOwn(bundle) ? [theKey] : []) })],
    async reconcile(_, { client, cacheOf, signal }) {
      const trustBundle = authoritiesIn(trusted());
      const name = nameOfBundle(signerName, trustBundle);
      const all = createResourceClient(bundles, client);
      const known = cacheOf(bundles).get(name);
      const spec = { signerName, trustBundle };
      if (trustBundle !== '' && known === undefined)
        await all.create({ metadata: { name }, spec }, { signal }).catch((error: unknown) => {
          // The cache gets the bundle soon, and queues the key again.
          if (!isAlreadyExists(error)) throw error;
        });
      else if (known && known.spec?.trustBundle !== trustBundle) await all.update({ ...known, spec }, { signal });
      for (const { metadata } of [...cacheOf(bundles).values()].filter(isOwn))
        if (metadata.name !== name) await all.delete(metadata.name ?? '', { signal }).catch(ignoreNotFound);
    },
    async beside({ queue, clock, signal }) {
      for (; !signal.aborted; await sleep(lookMs, signal, clock)) queue.add(theKey);
    },
  });
}

/** Returns the authorities' certificates in a PEM text. A server may have a certificate that signs no others. */
const authoritiesIn = (pem: string): string =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n?/g) ?? [])
    .filter((one) => new X509Certificate(one).ca)
    .join('');

/** Returns a name that changes with the certificates, so that nobody mistakes a new bundle for an old one. */
function nameOfBundle(signerName: string, trustBundle: string): string {
  const hash = createHash('sha256').update(trustBundle).digest('hex').slice(0, 24);
  return `${signerName.replaceAll('/', ':')}:${hash}`;
}
