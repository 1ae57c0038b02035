/**
 * Opens the gate of a folder of definitions, if the folder has released definitions or must be compared with others.
 */
import type { Gate } from '../diff/gate.js';
import { hasReleased } from '../diff/released.js';

export interface GateFlags {
  readonly schemas: string;
  /** A side to compare with. */
  readonly against?: string | undefined;
  /** Path of the allow file. */
  readonly allow?: string | undefined;
}

/**
 * Opens the gate; `undefined` if there is nothing to compare with. Rejects with a `SideError` if a side or a file
 * cannot be read.
 */
export async function openGate({ schemas, against, allow: named }: GateFlags): Promise<Gate | undefined> {
  const released = hasReleased(schemas);
  if (!released && against === undefined && named === undefined) return undefined;
  const { createGate } = await import('../diff/gate.js');
  const { readSide } = await import('../diff/sides/read-side.js');
  const { loadAllow } = await import('../diff/allow-file.js');
  const allow = loadAllow(named, schemas);
  return createGate({
    schemas,
    released,
    ...(against === undefined ? {} : { against: await readSide(against) }),
    ...(allow === undefined ? {} : { allow }),
  });
}
