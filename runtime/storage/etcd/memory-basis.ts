/** The state of memory at one moment, as what a change is decided on before it is known to be the latest. */
import type { Basis, Failure } from '../../contract/index.js';
import type { Confirmations } from './confirmations.js';
import type { EtcdRevision } from './numbering.js';
import type { OtherWriters } from './other-writers.js';

export class MemoryBasis implements Basis {
  constructor(
    private readonly others: OtherWriters,
    private readonly confirmations: Confirmations,
    /** The revision up to which memory had everything. */
    private readonly revision: EtcdRevision,
  ) {}

  get isOutdated(): boolean {
    return this.others.haveWrittenSince(this.revision);
  }

  confirm(): Promise<Failure | undefined> {
    return this.confirmations.confirm();
  }
}
