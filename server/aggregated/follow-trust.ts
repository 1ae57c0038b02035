/** Follows the authorities, and the headers of proxies, that a cluster names in a ConfigMap. */
import type { X509Certificate } from 'node:crypto';
import { openCache } from '../../client/index.js';
import { defineRequestHeaders, identifiesUser } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import { type OnProblem, OptionError } from '../option-error.js';
import type { Reloaded } from '../transport/reloaded.js';
import { atMostEvery } from '../webhooks/line.js';
import type { ClusterClient } from './cluster-client.js';
import { readTrust, type Trust, type TrustMap, trustMapsOf, trustName, trustNamespace } from './trust-map.js';

/** The proxies that may name the user of a request. */
export interface Proxies {
  readonly authenticator: Authenticator;
  /** Reports whether a header (in lower case) identifies a user. */
  readonly identifiesUser: (name: string) => boolean;
}

/** The clients and proxies that a cluster names at present. */
export interface FollowedTrust {
  readonly proxies: Proxies;
  readonly clientAuthorities: Reloaded<readonly X509Certificate[]>;
  readonly proxyAuthorities: Reloaded<readonly X509Certificate[]>;
}

const place = `ConfigMap ${trustNamespace}/${trustName}`;

/**
 * Follows the ConfigMap, from a first state, until the signal is aborted. If a later state cannot be used, or the
 * ConfigMap is gone, the earlier state stays in use. Throws an `OptionError` if the first one cannot be used.
 */
export function followTrust(
  client: ClusterClient,
  first: TrustMap,
  signal: AbortSignal,
  onProblem: OnProblem,
): FollowedTrust {
  let trust = readFirst(first);
  for (const lack of lacksOf(trust)) onProblem(lack);
  const listeners = new Set<() => void>();
  const tell = atMostEvery(60_000, onProblem);
  const cache = openCache(trustMapsOf(client), {
    signal,
    fieldSelector: `metadata.name=${trustName}`,
    onError: (error) => tell(`the ${place} cannot be followed: ${String(error)}`),
  });
  cache.onChange(({ type, object }) => {
    if (type === 'removed') return onProblem(`the ${place} is gone; what was read before stays in use`);
    const read = readTrust(object);
    if (!read.ok) return onProblem(`the ${place}: what was read before stays in use: ${read.problem}`);
    trust = read.trust;
    for (const listener of listeners) listener();
  });
  const reloaded = <T>(current: () => T): Reloaded<T> => ({
    paths: [],
    current,
    reload: () => undefined,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  });
  return {
    proxies: defineProxies(() => trust),
    clientAuthorities: reloaded(() => trust.clients),
    proxyAuthorities: reloaded(() => trust.proxies),
  };
}

function readFirst(map: TrustMap): Trust {
  const read = readTrust(map);
  if (read.ok) return read.trust;
  throw new OptionError(
    (nameOf) => `${nameOf('aggregated')}: the ${place} of the cluster cannot be used: ${read.problem}`,
  );
}

function lacksOf({ clients, proxies }: Trust): readonly string[] {
  return [
    ...(proxies.length === 0
      ? [
          `the ${place} has no requestheader-client-ca-file, so requests through the cluster are refused; start it with that flag`,
        ]
      : []),
    ...(clients.length === 0 ? [`the ${place} has no client-ca-file, so client certificates are refused`] : []),
  ];
}

/** Makes a new authenticator when the headers change. */
function defineProxies(current: () => Trust): Proxies {
  const make = (trust: Trust) => ({
    trust,
    authenticator: defineRequestHeaders(trust.headers, () => current().proxies),
    identifies: identifiesUser(trust.headers),
  });
  let made = make(current());
  const latest = (): ReturnType<typeof make> => {
    if (made.trust !== current()) made = make(current());
    return made;
  };
  return {
    authenticator: {
      name: 'request-header',
      authenticate: (credentials) => latest().authenticator.authenticate(credentials),
    },
    identifiesUser: (name) => latest().identifies(name),
  };
}
