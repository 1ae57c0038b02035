/** Fills secrets with tokens of service accounts, and deletes them once their account is gone. */
import { type ApiObjectLike, type Cache, type ClientOptions, createResourceClient } from '../client/index.js';
import type { Controller } from './controller.js';
import { type Secret, secrets, serviceAccounts } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

export interface TokenSecretsOptions {
  /** The type of these secrets. */
  readonly type: string;
  /** The annotations of these secrets that name the account. */
  readonly nameAnnotation: string;
  readonly uidAnnotation: string;
  /** The prefix of the names of claims, as in `kubernetes.io`. */
  readonly claim: string;
  /** Signs a token without expiry. */
  readonly issue: (claims: Readonly<Record<string, string>>) => Promise<string>;
  /** Returns the current certificates in PEM to trust the server; `undefined` without TLS. */
  readonly trusted: () => string | undefined;
}

/** Defines the controller. A key is the key of a secret. */
export function defineTokenSecrets(options: TokenSecretsOptions): Controller {
  const { type, nameAnnotation } = options;
  return defineController({
    name: 'serviceaccount-token',
    watches: [
      watch(secrets, { fieldSelector: `type=${type}` }),
      watch(serviceAccounts, {
        metadataOnly: true,
        keysOf: (account, cacheOf) => secretsOf(account, cacheOf(secrets), nameAnnotation),
      }),
    ],
    workers: 5,
    async reconcile(key, { client, cacheOf, signal }) {
      const secret = cacheOf(secrets).get(key);
      if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return;
      const { name = '', namespace = '' } = secret.metadata;
      const account = await accountOf(secret, cacheOf(serviceAccounts), options, client, signal);
      const beside = createResourceClient(secrets, client).in(namespace);
      if (account === undefined) {
        const { uid = '', resourceVersion = '' } = secret.metadata;
        const preconditions = { uid, resourceVersion };
        await beside.delete(name, { preconditions, signal }).catch(ignoreNotFound);
        return;
      }
      const filled = await fill(secret, account, options);
      if (filled !== undefined) await beside.update(filled, { signal }).catch(ignoreNotFound);
    },
  });
}

const annotationOf = ({ metadata }: ApiObjectLike, key: string): string => metadata.annotations?.[key] ?? '';

function* secretsOf({ metadata }: ApiObjectLike, all: Cache<Secret>, nameAnnotation: string): Generator<string> {
  for (const secret of all.values()) {
    const { name = '', namespace = '' } = secret.metadata;
    if (namespace === metadata.namespace && annotationOf(secret, nameAnnotation) === metadata.name)
      yield `${namespace}/${name}`;
  }
}

/**
 * Returns the account of a secret. The cache may be late, so this asks the server before it reports that the account
 * does not exist.
 */
async function accountOf(
  secret: Secret,
  known: Cache<ApiObjectLike>,
  { nameAnnotation, uidAnnotation }: TokenSecretsOptions,
  client: ClientOptions,
  signal: AbortSignal,
): Promise<ApiObjectLike | undefined> {
  const { namespace = '' } = secret.metadata;
  const name = annotationOf(secret, nameAnnotation);
  const uid = annotationOf(secret, uidAnnotation);
  const isMeant = (one: ApiObjectLike | undefined): one is ApiObjectLike =>
    one !== undefined && (uid === '' || one.metadata.uid === uid);
  const cached = known.get(`${namespace}/${name}`);
  if (isMeant(cached)) return cached;
  const found = await createResourceClient(serviceAccounts, client)
    .in(namespace)
    .get(name, { signal })
    .catch(ignoreNotFound);
  return isMeant(found) ? found : undefined;
}

/** Returns the filled secret; `undefined` if it is complete already. */
async function fill(secret: Secret, account: ApiObjectLike, options: TokenSecretsOptions): Promise<Secret | undefined> {
  const { data = {}, metadata } = secret;
  const trusted = options.trusted();
  const authority = trusted === undefined ? undefined : base64(trusted);
  const wanted = {
    ...(authority === undefined || data['ca.crt'] === authority ? {} : { 'ca.crt': authority }),
    ...(data.namespace ? {} : { namespace: base64(metadata.namespace ?? '') }),
    ...(data.token ? {} : { token: base64(await options.issue(claimsOf(secret, account, options))) }),
  };
  const uid = account.metadata.uid ?? '';
  const isNamed = annotationOf(secret, options.uidAnnotation) === uid;
  if (Object.keys(wanted).length === 0 && isNamed) return undefined;
  const annotations = { ...metadata.annotations, [options.uidAnnotation]: uid };
  return { ...secret, metadata: { ...metadata, annotations }, data: { ...data, ...wanted } };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function claimsOf(
  secret: Secret,
  { metadata: account }: ApiObjectLike,
  { claim }: TokenSecretsOptions,
): Readonly<Record<string, string>> {
  const { name = '', namespace = '' } = secret.metadata;
  return {
    sub: `system:serviceaccount:${namespace}:${account.name ?? ''}`,
    [`${claim}/serviceaccount/namespace`]: namespace,
    [`${claim}/serviceaccount/secret.name`]: name,
    [`${claim}/serviceaccount/service-account.name`]: account.name ?? '',
    [`${claim}/serviceaccount/service-account.uid`]: account.uid ?? '',
  };
}
