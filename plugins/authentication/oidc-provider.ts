/** Fetches and keeps the documents of an identity provider: where its keys are, and the keys. */

import type { RequestOptions } from 'node:https';
import type { JSONWebKeySet } from 'jose';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isArray, isObject, stringAt } from '../../runtime/objects/guards.js';

export interface Provider {
  /** Returns the known keys, and fetches them first if needed. Rejects if the provider cannot be reached. */
  keys(): Promise<JSONWebKeySet>;
  /** Fetches the keys again, for a token that names an unknown key. At most `mostQuestions` times per `limitMs`. */
  newerKeys(): Promise<JSONWebKeySet>;
}

/** Receives the text of keys that were fetched; `undefined` if that failed. */
export type OnFetch = (keys: string | undefined) => void;

/** The most requests to a provider within `limitMs`, so that tokens with invented keys cannot flood it. */
const mostQuestions = 3;
const limitMs = 10_000;

/** Keys older than this are fetched again, milliseconds, so that a revoked key does not stay valid. */
const freshMs = 600_000;

/**
 * Creates the provider. `issuer` is its HTTPS URL (OpenID Connect Discovery 1.0 section 4); by default, its discovery
 * document is below that. `clock` returns milliseconds since any fixed time.
 */
export function defineProvider(
  issuer: string,
  get: GetText,
  clock: () => number,
  discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  onFetch?: OnFetch,
): Provider {
  let known: { readonly keys: JSONWebKeySet; readonly since: number } | undefined;
  let keysUrl: string | undefined;
  let questions: readonly number[] = [];
  let asking: Promise<JSONWebKeySet> | undefined;

  const ask = async (): Promise<JSONWebKeySet> => {
    keysUrl ??= await discover(issuer, discoveryUrl, get);
    const text = await get(keysUrl);
    const keys = readKeys(text);
    known = { keys, since: clock() };
    onFetch?.(text);
    return keys;
  };
  const newerKeys = async (): Promise<JSONWebKeySet> => {
    // Requests at the same time share one fetch.
    if (asking) return asking;
    const now = clock();
    questions = questions.filter((time) => now - time < limitMs);
    if (questions.length >= mostQuestions) {
      if (known) return known.keys;
      throw new Error('the provider cannot be reached; trying again later');
    }
    questions = [...questions, now];
    asking = ask().finally(() => {
      asking = undefined;
    });
    asking.catch(() => onFetch?.(undefined));
    return asking;
  };
  return {
    newerKeys,
    async keys() {
      if (!known) return newerKeys();
      if (clock() - known.since < freshMs) return known.keys;
      const { keys } = known;
      // If the provider is down, recent keys stay valid.
      return newerKeys().catch(() => keys);
    },
  };
}

/** Finds the URL of the keys. The document must name exactly this issuer. */
async function discover(issuer: string, url: string, get: GetText): Promise<string> {
  const document = parseObject(await get(url));
  const said = stringAt(document, 'issuer');
  if (said !== issuer) throw new Error(`the discovery document names the issuer ${JSON.stringify(said)}`);
  return stringAt(document, 'jwks_uri');
}

function readKeys(text: string): JSONWebKeySet {
  const keys = parseObject(text).keys;
  if (!isArray(keys)) throw new Error('the keys of the issuer are not a JWK set');
  return { keys: keys.filter(isObject).map((key) => ({ ...key, kty: stringAt(key, 'kty') })) };
}

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error('the answer is not a JSON object');
  return value;
}

/** Fetches the text at an HTTPS URL, with an optional `authorization` header. Rejects on failure. */
export type GetText = (url: string, authorization?: string) => Promise<string>;

const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

/**
 * Creates a getter. `ca` returns the trusted authorities in PEM; `undefined` for Node's own. Does not follow redirects.
 */
export const httpsGetter =
  (ca: (() => string | undefined) | undefined): GetText =>
  async (url, authorization) => {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new Error(`${url} is not an HTTPS URL`);
    // Loaded with the first token of a provider.
    const { get } = await import('node:https');
    const authorities = ca?.();
    const options: RequestOptions = {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: '*/*', ...(authorization === undefined ? {} : { authorization }) },
      ...(authorities === undefined ? {} : { ca: authorities }),
    };
    return new Promise((resolve, reject) => {
      const call = get(url, options, (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > maxBytes) call.destroy(new Error(`${url}: the answer is too large`));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
          else reject(new Error(`${url} answers with ${response.statusCode}`));
        });
      });
      call.on('error', reject);
    });
  };
