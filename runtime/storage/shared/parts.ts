/** Puts the parts of a shared store together. */
import type { AttributeReader, Damage, Key, OnLoading, SharedDriver } from '../../contract/index.js';
import { MAX_OBJECT_BYTES } from '../../objects/size-limit.js';
import { BriefMap } from '../brief-map.js';
import type { Encryption } from '../encryption/encryption.js';
import type { Replica } from '../memory/replica.js';
import { Commits } from './commits.js';
import { Confirmations } from './confirmations.js';
import { Mirror } from './mirror.js';
import { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';
import type { Refusals } from './refusals.js';

/** The parts that work on the data that the last `open` of the driver found. */
export interface Parts {
  readonly mirror: Mirror;
  readonly confirmations: Confirmations;
  readonly commits: Commits;
  readonly others: OtherWriters;
}

export interface PartsOptions {
  readonly driver: SharedDriver;
  readonly replica: Replica;
  readonly refusals: Refusals;
  readonly readAttributes: AttributeReader;
  readonly encryption?: Encryption | undefined;
  /** The largest size of a stored object, in bytes; 1.5 MiB by default. */
  readonly maxObjectBytes?: number;
  readonly largestGroup?: number;
  readonly onLoading?: OnLoading | undefined;
  /** Called with each damaged object, once for each of its revisions. */
  readonly onDamage: (damage: Damage) => void;
}

export function assemble(options: PartsOptions): Parts {
  const { driver, replica, maxObjectBytes = MAX_OBJECT_BYTES } = options;
  const others = new OtherWriters(driver.writer);
  const shared = { ...options, maxObjectBytes, others, pending: new BriefMap<Key, PendingChange>() };
  const mirror = new Mirror(shared);
  const confirmations = new Confirmations(driver, replica, mirror);
  const commits = new Commits({ ...shared, mirror, confirmations });
  return { mirror, confirmations, commits, others };
}
