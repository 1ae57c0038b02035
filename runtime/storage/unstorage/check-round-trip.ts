/** Finds out whether a driver gives back what it is given, before anything is entrusted to it. */
import { randomUUID } from 'node:crypto';
import type { Items } from './items.js';

/** Every byte there is: a driver that takes bytes for text changes some of them. */
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Rejects with what is wrong: a driver that stores nothing, or something else, or does not remove. */
export async function checkRoundTrip(items: Items): Promise<void> {
  const key = `probes:${randomUUID()}`;
  await items.put(key, EVERY_BYTE);
  const found = await items.get(key);
  if (!found) throw new Error('the driver does not give back what it is given; is it read-only?');
  if (!Buffer.from(found).equals(EVERY_BYTE)) throw new Error('the driver does not keep bytes as they are');
  await items.remove(key);
  if (await items.get(key)) throw new Error('the driver does not remove what it is told to');
}
