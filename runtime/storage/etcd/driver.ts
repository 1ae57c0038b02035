/** The driver of a shared store that keeps its data in etcd. */
import { randomBytes } from 'node:crypto';
import type {
  GroupNumber,
  Key,
  RestoredObject,
  Revision,
  SharedCommit,
  SharedCommitOptions,
  SharedDriver,
  SharedFollower,
  SharedHeads,
  SharedOpened,
  SharedOpenOptions,
  SharedPage,
  SharedProposal,
  SharedRecord,
  SharedState,
} from '../../contract/index.js';
import { superseded } from '../shared/errors.js';
import { Connection, READ } from './connection.js';
import { Fence } from './fence.js';
import { follow } from './follow.js';
import { Housekeeping, historyStart } from './housekeeping.js';
import { Layout } from './layout.js';
import { range, status, txn } from './messages.js';
import type { EtcdDriverOptions } from './options.js';
import { readState } from './read-state.js';
import { type EtcdData, recordsOf } from './records.js';
import { replaceAll } from './replacement.js';
import { commit } from './requests.js';
import {
  FORMAT,
  foundSecret,
  numberingOf,
  type RestoreEpoch,
  readRestoreEpoch,
  sharedSecret,
  upgraded,
} from './restore-epoch.js';

const DEFAULT_PREFIX = '/kindforge/';
/** etcd takes 128 operations and 1.5 MiB in one transaction by default. A guard is an operation too. */
export const LIMITS = { changes: 100, bytes: 1024 * 1024, guards: 20 } as const;

export class EtcdDriver implements SharedDriver {
  readonly name = 'etcd';
  readonly limits = LIMITS;
  readonly writer = randomBytes(6).toString('base64url');
  readonly housekeeping: Housekeeping;
  readonly #options: EtcdDriverOptions;
  readonly #layout: Layout;
  readonly #connection: Connection;
  readonly #fence: Fence;
  #data: EtcdData;

  constructor(options: EtcdDriverOptions) {
    this.#options = options;
    this.#layout = new Layout(options.prefix ?? DEFAULT_PREFIX);
    this.#connection = new Connection(options);
    this.#fence = new Fence((request, how) => this.#connection.ask(txn, request, how), this.#layout, this.writer);
    this.housekeeping = new Housekeeping(this.#connection, this.#layout);
    this.#data = this.#foundAt({ format: FORMAT, base: 0, unfinished: false, revision: 0 });
  }

  async open({ readOnly, replacing, windowMs }: SharedOpenOptions): Promise<SharedOpened> {
    const [connection, layout] = [this.#connection, this.#layout];
    const found = await readRestoreEpoch(connection, layout);
    const isUseless = found.unfinished && !replacing;
    const epoch = readOnly || isUseless ? found : await upgraded(connection, layout, found);
    this.#data = this.#foundAt(epoch);
    const secret = await (readOnly ? foundSecret : sharedSecret)(connection, layout);
    const from = await historyStart(connection, layout, windowMs);
    const historyFrom = from === undefined ? undefined : this.#data.numbering.toStore(Math.max(from, epoch.revision));
    return { unfinished: epoch.unfinished, secret, historyFrom };
  }

  load(at: GroupNumber | undefined, take: (page: SharedPage) => Promise<void> | void): Promise<SharedState> {
    return readState(this.#data, at, take);
  }

  follow(after: GroupNumber, follower: SharedFollower): () => void {
    return follow(this.#data, after, follower);
  }

  commit(group: readonly SharedProposal[], options: SharedCommitOptions): Promise<SharedCommit> {
    return commit(this.#data, group, options);
  }

  async look(key?: Key): Promise<SharedHeads & { readonly found?: SharedRecord | undefined }> {
    const { numbering, epoch } = this.#data;
    const [head, restore] = [this.#layout.head, this.#layout.restore];
    if (key === undefined) {
      const { header, kvs } = await this.#connection.ask(range, { key: head, keysOnly: true }, READ);
      const at = kvs?.[0]?.modRevision ?? 0;
      return { number: numbering.toStore(header?.revision ?? 0), head: numbering.toStore(at) };
    }
    const keys = [{ key: head, keysOnly: true }, { key: restore, keysOnly: true }, { key: this.#layout.object(key) }];
    const success = keys.map((requestRange) => ({ requestRange }));
    const { header, responses = [] } = await this.#connection.ask(txn, { compare: [], success }, READ);
    const [headKey, restoreKey, object] = responses.map(({ responseRange }) => responseRange?.kvs?.[0]);
    if ((restoreKey?.modRevision ?? 0) !== epoch.revision) throw superseded();
    const [found] = object ? await recordsOf(this.#data, [object]) : [];
    const at = headKey?.modRevision ?? 0;
    return { number: numbering.toStore(header?.revision ?? 0), head: numbering.toStore(at), found };
  }

  replace(objects: AsyncIterable<RestoredObject>, behind: Revision, secret?: Uint8Array): Promise<void> {
    return replaceAll(this.#data, objects, behind, secret);
  }

  /** Asks a member for alarms. */
  async writeProblem(): Promise<string | undefined> {
    const answer = await this.#connection.ask(status, {}, READ).catch(() => undefined);
    if (!answer) return undefined;
    if (answer.dbSize !== undefined) this.#options.observer?.sized('etcd-0', answer.dbSize);
    const alarms = (answer.errors ?? []).flatMap((text) => /\balarm:(\w+)/.exec(text)?.[1] ?? []);
    const names = [...new Set(alarms)].join(', ');
    return names && `etcd refuses writes: it has raised the alarm ${names}; fix the cause, then disarm the alarm`;
  }

  leave(): void {
    this.#connection.leave();
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  #foundAt(epoch: RestoreEpoch): EtcdData {
    const { encryption } = this.#options;
    const { writer } = this;
    return {
      connection: this.#connection,
      layout: this.#layout,
      encryption,
      epoch,
      numbering: numberingOf(epoch),
      fence: this.#fence,
      writer,
    };
  }
}
