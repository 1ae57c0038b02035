/** The headers that a proxy passes on: all but those of one connection (RFC 9110, 7.6.1), and of who asks. */
import { listMembers } from '../../../runtime/objects/scan/header-lists.js';

/** All values of each header, by names in lower case. */
export type HeaderValues = Readonly<Record<string, readonly string[]>>;

const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Reads names and values in turn, as they came. */
export function readHeaders(raw: readonly string[]): HeaderValues {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    values.set(name, [...(values.get(name) ?? []), raw[i + 1] ?? '']);
  }
  return Object.fromEntries(values);
}

/** Headers for the next connection, without the named ones besides. */
export function passedOn(headers: HeaderValues, ...without: readonly string[]): Record<string, string[]> {
  const named = (headers.connection ?? []).flatMap((value) => listMembers(value.toLowerCase()));
  const left = new Set([...ofConnection, ...named, ...without]);
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !left.has(name))
      .map(([name, values]) => [name, [...values]]),
  );
}
