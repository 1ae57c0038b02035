/** The ConfigMap in which a cluster names the authorities of its clients and proxies. */
import type { X509Certificate } from 'node:crypto';
import { type ApiObjectLike, createResourceClient, defineResource } from '../../client/index.js';
import { type RequestHeaders, readAuthorities } from '../../plugins/index.js';
import { isStringArray } from '../../runtime/objects/guards.js';
import type { ClusterClient } from './cluster-client.js';

export const trustNamespace = 'kube-system';
export const trustName = 'extension-apiserver-authentication';

/** The ConfigMap. Each value is a text. */
export interface TrustMap extends ApiObjectLike {
  readonly data?: Readonly<Record<string, string>>;
}

/** Returns the client of the ConfigMaps in its namespace. */
export const trustMapsOf = ({ options }: ClusterClient) =>
  createResourceClient(
    defineResource<TrustMap>()({
      ...{ group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', scope: 'Namespaced', subresources: [] },
    } as const),
    options,
  ).in(trustNamespace);

/** The content of the ConfigMap. A cluster leaves out parts that it does not use. */
export interface Trust {
  readonly clients: readonly X509Certificate[];
  readonly proxies: readonly X509Certificate[];
  readonly headers: RequestHeaders;
}

/** Reads the ConfigMap, or says why its content cannot be used. */
export function readTrust({ data = {} }: TrustMap): { readonly ok: true; readonly trust: Trust } | Problem {
  const problems: string[] = [];
  const authorities = (key: string): readonly X509Certificate[] => {
    const pem = data[key] ?? '';
    if (pem.trim() === '') return [];
    const read = readAuthorities(Buffer.from(pem));
    if (read.ok) return read.authorities;
    problems.push(`${key}: ${read.problem}`);
    return [];
  };
  const names = (key: string): readonly string[] => {
    const list = parse(data[key] ?? '[]');
    if (isStringArray(list)) return list;
    problems.push(`${key}: must be a list of texts, in JSON`);
    return [];
  };
  const trust = {
    clients: authorities('client-ca-file'),
    proxies: authorities('requestheader-client-ca-file'),
    headers: {
      usernameHeaders: names('requestheader-username-headers'),
      groupHeaders: names('requestheader-group-headers'),
      extraHeadersPrefixes: names('requestheader-extra-headers-prefix'),
      allowedNames: names('requestheader-allowed-names'),
    },
  };
  return problems.length === 0 ? { ok: true, trust } : { ok: false, problem: problems.join('; ') };
}

interface Problem {
  readonly ok: false;
  readonly problem: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
