/** Bootstrap tokens in the secrets of the system, and the controller that deletes them once they have expired. */

import { createResourceClient } from '../client/index.js';
import type { Controller } from './controller.js';
import { type Secret, secrets } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

export interface TokenOptions {
  /** The namespace of the system. */
  readonly namespace: string;
  /** The type of secrets that hold a bootstrap token. */
  readonly type: string;
}

/** Selects the secrets that hold bootstrap tokens. */
export const tokenSelector = ({ namespace, type }: TokenOptions): string =>
  `metadata.namespace=${namespace},type=${type}`;

/** Returns a value of a secret as text; empty if it is absent. */
export const secretValue = ({ data = {} }: Secret, key: string): string =>
  Object.hasOwn(data, key) ? Buffer.from(data[key] ?? '', 'base64').toString() : '';

/** RFC 3339. */
const timeForm = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Returns when a token expires, milliseconds since 1970: 0 if its expiry is not a time, `Infinity` without one. */
export function endOf(secret: Secret): number {
  const text = secretValue(secret, 'expiration');
  if (text === '') return Number.POSITIVE_INFINITY;
  const time = timeForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

/** A token that signs, in two parts. */
export interface SigningToken {
  readonly id: string;
  /** The whole token: `id.secret`. */
  readonly token: string;
}

/** Returns the token of a secret if it is for signing. Ignores its expiry. */
export function signingToken(secret: Secret): SigningToken | undefined {
  const [id, rest] = [secretValue(secret, 'token-id'), secretValue(secret, 'token-secret')];
  const isWhole = /^[a-z0-9]{6}$/.test(id) && /^[a-z0-9]{16}$/.test(rest);
  const isNamed = secret.metadata.name === `bootstrap-token-${id}` && secret.metadata.deletionTimestamp === undefined;
  const isForSigning = secretValue(secret, 'usage-bootstrap-signing') === 'true';
  return isWhole && isNamed && isForSigning ? { id, token: `${id}.${rest}` } : undefined;
}

/** Defines the controller that deletes expired tokens. A key is the key of a secret. */
export const defineTokenCleaning = (options: TokenOptions): Controller =>
  defineController({
    name: 'tokencleaner',
    watches: [watch(secrets, { fieldSelector: tokenSelector(options) })],
    async reconcile(key, { client, cacheOf, queue, clock, signal }) {
      const secret = cacheOf(secrets).get(key);
      if (secret === undefined) return;
      const leftMs = endOf(secret) - clock.wallMs();
      if (leftMs > 0) {
        if (Number.isFinite(leftMs)) queue.addAfter(key, leftMs);
        return;
      }
      // Keeps a token that was prolonged in the meantime.
      const { name = '', uid = '', resourceVersion = '' } = secret.metadata;
      const preconditions = { uid, resourceVersion };
      const beside = createResourceClient(secrets, client).in(options.namespace);
      await beside.delete(name, { preconditions, signal }).catch(ignoreNotFound);
    },
  });
