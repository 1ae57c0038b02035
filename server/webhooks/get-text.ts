/** Fetches texts from identity providers. */
import { LRUCache } from 'lru-cache';
import type { OutgoingCalls, Target } from './outgoing-calls.js';

const timeoutMs = 30_000;
const mostBytes = 1024 * 1024;

/** The number of hosts that stay open. Tokens may name other hosts than the provider's. */
const mostHosts = 16;

/** Fetches the text at an HTTPS URL, with an optional `authorization` header. Rejects on failure. */
type GetText = (url: string, authorization?: string) => Promise<string>;

/** Returns the function that fetches, for as long as the server runs. */
export const textGetter = (calls: OutgoingCalls, ca: (() => string) | undefined): GetText =>
  openTextGetter(calls, ca).get;

/**
 * Opens the function that fetches. `ca` returns the trusted authorities in PEM; the default is Node's authorities.
 * `close` ends the connections.
 */
export function openTextGetter(
  calls: OutgoingCalls,
  ca: (() => string) | undefined,
): { readonly get: GetText; readonly close: () => void } {
  const targets = new LRUCache<string, Target>({ max: mostHosts, dispose: (target) => target.close() });
  const targetOf = (origin: string): Target => {
    const authorities = ca?.();
    const key = `${origin} ${authorities ?? ''}`;
    const target = targets.get(key) ?? calls.open(origin, { origin, ca: authorities });
    targets.set(key, target);
    return target;
  };
  const get: GetText = async (url, authorization) => {
    const { protocol, origin, pathname, search } = URL.canParse(url) ? new URL(url) : noUrl;
    if (protocol !== 'https:') throw new Error(`${url} is not an HTTPS URL`);
    const answer = await targetOf(origin).send({
      method: 'GET',
      path: pathname + search,
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      mostBytes,
      timeoutMs,
    });
    if (!answer.ok) throw new Error(`${url}: ${answer.problem}`);
    if (answer.code !== 200) throw new Error(`${url} answers with ${answer.code}`);
    return answer.text;
  };
  return { get, close: () => targets.clear() };
}

const noUrl = { protocol: '', origin: '', pathname: '', search: '' };
