/** Tokens that carry a paged list from chunk to chunk: opaque to clients, and of no use when tampered with. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Revision } from '../contract/index.js';

/** Where a paged list goes on. */
export interface Continuation {
  /** The revision that all chunks show; 0 for a list that goes on inconsistently at the latest one. */
  readonly revision: Revision;
  /** The last key of the chunk before, without the prefix of its collection. */
  readonly after: string;
  /** When the list began, milliseconds since the epoch. */
  readonly began: number;
}

/** Seals continuations and opens what comes back. */
export interface ContinueTokens {
  seal(continuation: Continuation): string;
  /** `undefined` for anything that was not sealed here. */
  open(token: string): Continuation | undefined;
}

const macLength = 16;

/** Tokens under a secret key; servers that share a store share the key. The token that was made last is kept. */
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
