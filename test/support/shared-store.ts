/** A store that other servers write to as well. It shows their writes only after it has confirmed its revision. */
import type { Basis, Change, Commit, Store } from '../../runtime/contract/index.js';
import { uncertain } from '../../runtime/storage/failures.js';

/** A store that does not show the writes of others at first. */
export interface SharedStore {
  readonly store: Store;
  /** How often the store has confirmed. */
  readonly confirmations: number;
  /** Makes another server write. This store shows the write only after it confirms or refuses a change. */
  othersWrite(write: (store: Store) => Promise<unknown>): void;
  /** Makes the next change succeed without an answer. */
  loseAnswer(): void;
}

export function sharedStore(own: Store): SharedStore {
  let confirmations = 0;
  let shown = 0;
  let isLost = false;
  let hidden: ((store: Store) => Promise<unknown>)[] = [];
  const show = async (): Promise<undefined> => {
    const writes = hidden;
    hidden = [];
    shown += writes.length;
    for (const write of writes) await write(own);
    return undefined;
  };
  const confirm = (): Promise<undefined> => {
    confirmations++;
    return show();
  };
  const replaced: Pick<Store, 'confirm' | 'commit'> & { basis(): Basis } = {
    confirm,
    basis() {
      const before = shown;
      return {
        get isOutdated() {
          return shown > before;
        },
        confirm,
      };
    },
    async commit(change: Change): Promise<Commit> {
      if (isLost) {
        isLost = false;
        await own.commit(change);
        return { outcome: 'failed', failure: uncertain('the answer was lost') };
      }
      await show();
      if (!change.basis?.isOutdated) return own.commit(change);
      const failure = { reason: 'ServiceUnavailable', message: 'decided on an older state' } as const;
      return { outcome: 'failed', failure, outdated: true };
    },
  };
  const store = new Proxy(own, {
    get(_target, name) {
      const value: unknown = Reflect.get(name in replaced ? replaced : own, name);
      return typeof value === 'function' ? value.bind(own) : value;
    },
  });
  return {
    store,
    get confirmations() {
      return confirmations;
    },
    othersWrite: (write) => void hidden.push(write),
    loseAnswer() {
      isLost = true;
    },
  };
}
