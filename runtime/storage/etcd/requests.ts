/** Changes as transactions of etcd, one change alone or many together, and what etcd's answers say of each. */
import type { Guard, Key } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import { encodeHead, type Layout } from './layout.js';
import { type Compare, type KeyValue, MOD, type RequestOp, type TxnRequest, type TxnResponse } from './messages.js';
import type { EtcdRevision, Numbering } from './numbering.js';
import type { OtherWriters } from './other-writers.js';
import type { PendingChange } from './pending-change.js';
import { isSameEpoch, type RestoreEpoch } from './restore-epoch.js';

/** The state that requests and answers depend on. */
export interface Context {
  readonly layout: Layout;
  /** Encrypts objects; absent if nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
  readonly epoch: RestoreEpoch;
  readonly numbering: Numbering;
  /** The other writers of the store, as the heads of transactions name them. */
  readonly others: OtherWriters;
}

/**
 * The outcome of a change. `superseded`: there was another restore, which invalidates all that is known. `moved`: the
 * head is not the expected one, so nothing has been decided. `outdated`: the change was not sent, as others have
 * changed something since it was decided.
 */
export interface Verdict {
  readonly outcome: 'made' | 'lost' | 'superseded' | 'moved' | 'outdated';
  /** The revision of the answer or, if the change was made, of the change. */
  readonly revision: EtcdRevision;
  /** The position of the change in that revision if it was made. */
  readonly position: number;
  /** The value of the key, where the change has lost and the key exists. */
  readonly found?: KeyValue | undefined;
  /** The last revision at which any object has changed. */
  readonly head: EtcdRevision;
}

/** Encodes one change alone: etcd's revision stays the same when it loses. `head` is the required head, if any. */
export function loneRequest(pending: PendingChange, context: Context, head?: EtcdRevision): TxnRequest {
  const { layout, epoch, others } = context;
  const { last, key } = pending;
  const size = pending.value ? pending.position + 1 : 1;
  const value = encodeHead(size, last ? [{ key, value: encrypted(context, key, last) }] : [], others.self);
  return {
    compare: [...conditionsOf(pending, context), isSameEpoch(layout, epoch), ...isHead(layout, head)],
    success: pending.writes ? [{ requestPut: { key: layout.head, value } }, writeOf(pending, context)] : [],
    failure: [
      { requestRange: { key: layout.object(key) } },
      { requestRange: { key: layout.restore, keysOnly: true } },
      { requestRange: { key: layout.head, keysOnly: true } },
    ],
  };
}

export function loneVerdict(
  pending: PendingChange,
  { epoch }: Context,
  answer: TxnResponse,
  compared?: EtcdRevision,
): Verdict {
  const revision = answer.header?.revision ?? 0;
  if (answer.succeeded) {
    return { outcome: 'made', revision, position: pending.value ? pending.position : 0, head: revision };
  }
  const [found, restore, head] = rangesOf(answer);
  const at = head?.modRevision ?? 0;
  const isMoved = compared !== undefined && compared !== at;
  const outcome = isSuperseded(restore, epoch) ? 'superseded' : isMoved ? 'moved' : 'lost';
  return { outcome, revision, position: 0, found, head: at };
}

/**
 * Encodes changes of different keys in one transaction. etcd decides each by itself, on the state before all of them,
 * so none may rely on a change of another. The head is written even if all lose. If `head` is set, nothing is done
 * unless it is the current head.
 */
export function groupRequest(group: readonly PendingChange[], context: Context, head?: EtcdRevision): TxnRequest {
  const { layout, epoch, others } = context;
  const last = group.flatMap(({ key, last: value }) => (value ? [{ key, value: encrypted(context, key, value) }] : []));
  return {
    compare: [isSameEpoch(layout, epoch), ...isHead(layout, head)],
    success: [
      { requestPut: { key: layout.head, value: encodeHead(group.length, last, others.self) } },
      ...group.map((pending) => ({
        requestTxn: {
          compare: conditionsOf(pending, context),
          success: pending.writes ? [writeOf(pending, context)] : [],
          failure: [{ requestRange: { key: layout.object(pending.key) } }],
        },
      })),
    ],
    failure: [
      { requestRange: { key: layout.restore, keysOnly: true } },
      { requestRange: { key: layout.head, keysOnly: true } },
    ],
  };
}

/**
 * Returns the verdicts in the order of the group. A deletion has the position behind the change before it, as watchers
 * see it.
 */
export function groupVerdicts(
  group: readonly PendingChange[],
  { epoch }: Context,
  answer: TxnResponse,
): readonly Verdict[] {
  const revision = answer.header?.revision ?? 0;
  if (!answer.succeeded) {
    const [restore, head] = rangesOf(answer);
    const outcome = isSuperseded(restore, epoch) ? 'superseded' : 'moved';
    return group.map(() => ({ outcome, revision, position: 0, head: head?.modRevision ?? 0 }));
  }
  const answers = (answer.responses ?? []).slice(1);
  let next = 0;
  return group.map((pending, index): Verdict => {
    const { succeeded, responses } = answers[index]?.responseTxn ?? {};
    if (!succeeded) {
      return { outcome: 'lost', revision, position: 0, found: responses?.[0]?.responseRange?.kvs?.[0], head: revision };
    }
    const position = pending.value ? pending.position : next;
    if (pending.writes) next = position + 1;
    return { outcome: 'made', revision, position, head: revision };
  });
}

/** Returns the keys that the branch for failures has looked up, in its order. */
const rangesOf = ({ responses = [] }: TxnResponse): readonly (KeyValue | undefined)[] =>
  responses.map(({ responseRange }) => responseRange?.kvs?.[0]);

const isSuperseded = (restore: KeyValue | undefined, epoch: RestoreEpoch): boolean =>
  (restore?.modRevision ?? 0) !== epoch.revision;

const isHead = ({ head: key }: Layout, head: EtcdRevision | undefined): readonly Compare[] =>
  head === undefined ? [] : [{ target: MOD, key, modRevision: head }];

/**
 * Returns the conditions of a change. Revisions are compared as etcd's: the caller has checked the position within
 * them.
 */
function conditionsOf({ change }: PendingChange, { layout, numbering }: Context): readonly Compare[] {
  const isAt = ({ key, revision }: Guard): Compare => ({
    target: MOD,
    key: layout.object(key),
    modRevision: numbering.toEtcd(revision),
  });
  return [isAt({ key: change.key, revision: change.expected }), ...(change.guards ?? []).map(isAt)];
}

function writeOf({ key, value }: PendingChange, context: Context): RequestOp {
  const place = context.layout.object(key);
  if (!value) return { requestDeleteRange: { key: place } };
  return { requestPut: { key: place, value: encrypted(context, key, value) } };
}

const encrypted = ({ encryption }: Pick<Context, 'encryption'>, key: Key, value: Buffer): Uint8Array =>
  encryption?.encrypt(key, value) ?? value;
