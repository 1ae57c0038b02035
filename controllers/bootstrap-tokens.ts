/** Bootstrap tokens as the secrets of the system hold them. */
import type { Secret } from './core-resources.js';

export interface TokenOptions {
  /** The namespace of the system. */
  readonly namespace: string;
  /** The type of secrets that hold a bootstrap token. */
  readonly type: string;
}

/** Selects the secrets that hold bootstrap tokens. */
export const tokenSelector = ({ namespace, type }: TokenOptions): string =>
  `metadata.namespace=${namespace},type=${type}`;

/** A value of a secret as text; empty where there is none. */
export const textOf = ({ data = {} }: Secret, key: string): string =>
  Object.hasOwn(data, key) ? Buffer.from(data[key] ?? '', 'base64').toString() : '';

/** RFC 3339. */
const timeForm = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** When a token ends, milliseconds since 1970. One whose end is no time has ended long ago; one without an end does not. */
export function endOf(secret: Secret): number {
  const text = textOf(secret, 'expiration');
  if (text === '') return Number.POSITIVE_INFINITY;
  const time = timeForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

/** A token that signs. */
export interface SigningToken {
  readonly id: string;
  /** All of it: `id.secret`. */
  readonly token: string;
}

/** The token of a secret, where that is one for signing; its end is not looked at. */
export function signingToken(secret: Secret): SigningToken | undefined {
  const [id, rest] = [textOf(secret, 'token-id'), textOf(secret, 'token-secret')];
  const isWhole = /^[a-z0-9]{6}$/.test(id) && /^[a-z0-9]{16}$/.test(rest);
  const isNamed = secret.metadata.name === `bootstrap-token-${id}` && secret.metadata.deletionTimestamp === undefined;
  const isForSigning = textOf(secret, 'usage-bootstrap-signing') === 'true';
  return isWhole && isNamed && isForSigning ? { id, token: `${id}.${rest}` } : undefined;
}
