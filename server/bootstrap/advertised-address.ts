/** Finds the address that other machines reach a server at. */
import { networkInterfaces } from 'node:os';
import { type IpFamily, ipNumber } from '../../runtime/objects/addresses/ip-range.js';

/** The one that it listens on, or, where that is no such address, the machine's first one of the family. */
export function advertisedAddress(host: string, family: IpFamily): string | undefined {
  if (isReachable(host, family)) return host;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.find((one) => !one.internal && isReachable(one.address, family))?.address;
}

/** Neither every address nor one that only the machine or its link knows. */
function isReachable(address: string, family: IpFamily): boolean {
  if (ipNumber(address)?.family !== family) return false;
  return !/^(?:127\.|0\.0\.0\.0$|169\.254\.|::1?$|fe80:)/i.test(address);
}
