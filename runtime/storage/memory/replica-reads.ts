/** The reads that every store answers only from its memory. */
import type {
  Entry,
  Key,
  ListOptions,
  Revision,
  RevisionProblem,
  Snapshot,
  Subscription,
  WatchSink,
} from '../../contract/index.js';
import type { Replica, StoreStatistics } from './replica.js';

/** The part of `Store` that all stores share. */
export abstract class ReplicaReads {
  constructor(protected readonly replica: Replica) {}

  get revision(): Revision {
    return this.replica.revision;
  }

  get oldestRevision(): Revision {
    return this.replica.oldestRevision;
  }

  get statistics(): StoreStatistics {
    return this.replica.statistics;
  }

  get(key: Key): Entry | undefined {
    return this.replica.get(key);
  }

  list(prefix: string, options?: ListOptions): Snapshot | RevisionProblem {
    return this.replica.list(prefix, options);
  }

  count(prefix: string): number {
    return this.replica.count(prefix);
  }

  watch(prefix: string, from: Revision, sink: WatchSink): Subscription | RevisionProblem {
    return this.replica.watch(prefix, from, sink);
  }
}
