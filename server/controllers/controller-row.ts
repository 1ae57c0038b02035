/** A built-in controller as the table has it, and what it is made from. */
import type { Controller } from '../../controllers/kit/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { OwnParts } from './own-parts.js';

/** A server as controllers see it: which resources it has, and under which names. */
export interface Served {
  readonly serves: (group: string, version: string, plural: string) => boolean;
  readonly naming: Naming;
  /** How many nodes are simulated, where workloads are. Default: 1. */
  readonly simulatedNodes?: number | undefined;
  /** Absent for controllers in another process than the server's. */
  readonly own?: OwnParts;
}

/** One controller of the table. */
export interface ControllerRow {
  readonly name: string;
  /** Whether `*` means it, too. */
  readonly byDefault: boolean;
  /** Makes it for a server; none where the server lacks the resource that it is about. */
  readonly make: (served: Served) => Controller | undefined;
}

/** Whether the server has all of these resources, in version `v1` of a group. */
export const has = ({ serves }: Served, group: string, ...plurals: readonly string[]): boolean =>
  plurals.every((plural) => serves(group, 'v1', plural));

/** Whether it has all of these, in the core group. */
export const hasCore = (served: Served, ...plurals: readonly string[]): boolean => has(served, '', ...plurals);
