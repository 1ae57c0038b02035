/** Tokens that carry a paged list from chunk to chunk. Clients cannot read or change them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Revision } from '../contract/index.js';

/** The start of the next chunk of a list. */
export interface Continuation {
  /** The revision of all chunks; 0 for an inconsistent list, which continues at the latest revision. */
  readonly revision: Revision;
  /** The last key of the previous chunk, without the prefix of its collection. */
  readonly after: string;
  /** The time at which the list began, in milliseconds since the epoch. */
  readonly began: number;
}

/** Seals continuations, and opens the tokens that clients send back. */
export interface ContinueTokens {
  seal(continuation: Continuation): string;
  /** Returns `undefined` if the token was not sealed with this key. */
  open(token: string): Continuation | undefined;
}

const macLength = 16;

/** Makes tokens with a secret key. All servers of one store must have the same key. Keeps the last token. */
export function defineContinueTokens(secret: Uint8Array): ContinueTokens {
  const mac = (payload: Uint8Array): Uint8Array =>
    createHmac('sha256', secret).update(payload).digest().subarray(0, macLength);
  let latest: (Continuation & { readonly token: string }) | undefined;
  return {
    seal({ revision, after, began }) {
      if (latest?.revision === revision && latest.began === began && latest.after === after) return latest.token;
      const payload = Buffer.from(JSON.stringify([revision, after, began]));
      const token = Buffer.concat([mac(payload), payload]).toString('base64url');
      latest = { revision, after, began, token };
      return token;
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= macLength) return undefined;
      const payload = bytes.subarray(macLength);
      return timingSafeEqual(bytes.subarray(0, macLength), mac(payload)) ? parse(payload) : undefined;
    },
  };
}

function parse(payload: Buffer): Continuation | undefined {
  const parts: unknown = JSON.parse(payload.toString());
  if (!Array.isArray(parts)) return undefined;
  const [revision, after, began]: unknown[] = parts;
  if (typeof revision !== 'number' || typeof after !== 'string' || typeof began !== 'number') return undefined;
  return { revision, after, began };
}
