/** Takes the address of a webhook apart. */
import { parseUrl } from '../../runtime/cel/library/url-text.js';

/** The parts of an address that rules look at; empty where there are none. */
export interface Address {
  readonly scheme: string;
  readonly host: string;
  /** The part before the host, percent-encoded. */
  readonly user: string;
  readonly query: string;
  readonly fragment: string;
}

/** Reads an address; a text says why it is none. */
export function readAddress(text: string): Address | string {
  const hash = text.indexOf('#');
  const url = hash === -1 ? text : text.slice(0, hash);
  const fragment = hash === -1 ? '' : text.slice(hash + 1);
  const hasScheme = /^([A-Za-z][A-Za-z0-9+.-]*)?:/.test(url);
  // Without a scheme it is a path: nothing that could be asked, and no mistake by itself.
  if (!hasScheme) return { scheme: '', host: '', user: '', query: url.split('?', 2)[1] ?? '', fragment };
  const parsed = parseUrl(url);
  if (typeof parsed === 'string') return parsed.slice(parsed.indexOf(': ') + 2);
  const user = /^[^:]*:\/\/([^/?]*)@/.exec(url)?.[1] ?? '';
  return { scheme: parsed.scheme, host: parsed.host, user, query: parsed.query, fragment };
}
