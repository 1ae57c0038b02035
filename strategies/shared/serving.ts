/** The names and the release of a server, on which the rules of several kinds depend. */
import type { Naming } from '../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../runtime/objects/release.js';

/** The names and the release that a server has. */
export interface Serving {
  readonly names: Naming;
  readonly release: Release;
}

/** Returns both together. Default: the specified release with the latest machinery. */
export const servingOf = (names: Naming, release: Release = emulate()): Serving => ({ names, release });
