/** Gives each pod an IP address that no other has. */
import type { Pod } from './types.js';

/** Addresses from 10.128.0.1 on; there are 8,388,608, so the first are free again long before the last is given away. */
const size = 2 ** 23;

export class PodAddresses {
  readonly #taken = new Map<string, string>();
  #next: number | undefined;

  /** The address of the pod of a key; `pods` are those that may have one from earlier. */
  take(key: string, pods: Iterable<Pod>): string {
    const own = this.#taken.get(key);
    if (own !== undefined) return own;
    this.#next ??= 1 + Math.max(0, ...[...pods].map(({ status }) => numberOf(status?.podIP)));
    const address = addressOf(this.#next);
    this.#next = (this.#next + 1) % size;
    this.#taken.set(key, address);
    return address;
  }

  release(key: string): void {
    this.#taken.delete(key);
  }
}

const addressOf = (number: number): string => `10.${128 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

/** The number of an address that was given away here; 0 for others. */
function numberOf(address = ''): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = address.split('.').map(Number);
  return first === 10 && second >= 128 ? ((second - 128) << 16) + (third << 8) + fourth : 0;
}
