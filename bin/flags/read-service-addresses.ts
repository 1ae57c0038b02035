/** Reads the addresses of admission webhooks behind Services. */
import { FlagError } from './flag-error.js';

/** By `<namespace>/<name>`. Throws a `FlagError` where a value has no address. */
export function readServiceAddresses(values: readonly string[]): Readonly<Record<string, string>> {
  const pairs = values.map((value) => {
    const [service = '', ...address] = value.split('=');
    if (address.length > 0) return [service.trim(), address.join('=').trim()] as const;
    throw new FlagError(`--service-resolver ${value} has no address; use <namespace>/<name>=<url>`);
  });
  return Object.fromEntries(pairs);
}
