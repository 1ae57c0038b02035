/** Changes as transactions of etcd, one change alone or many together, and what etcd's answers say of each. */
import type { Guard } from '../../contract/index.js';
import { encodeHead } from './head-value.js';
import type { Layout } from './layout.js';
import { type Compare, type KeyValue, MOD, type RequestOp, type TxnRequest, type TxnResponse } from './messages.js';
import type { EtcdRevision, Numbering } from './numbering.js';
import type { PendingChange } from './pending-change.js';
import { isSameEpoch, type RestoreEpoch } from './restore-epoch.js';

/** The state that requests are made for, and their answers read by. */
export interface Context {
  readonly layout: Layout;
  readonly epoch: RestoreEpoch;
  readonly numbering: Numbering;
}

/** Why a change was made or not: `superseded` stands for another restore, by which nothing that is known counts. */
export interface Verdict {
  readonly outcome: 'made' | 'lost' | 'superseded';
  /** The revision of the answer; of the change where that was made. */
  readonly revision: EtcdRevision;
  /** The position of the change in that revision, where it was made. */
  readonly position: number;
  /** The value of the key, where the change has lost and the key exists. */
  readonly found?: KeyValue | undefined;
  /** The last revision at which any object has changed. */
  readonly head: EtcdRevision;
}

/** One change alone: etcd's revision stays where it is when it loses. */
export function loneRequest(pending: PendingChange, context: Context): TxnRequest {
  const { layout, epoch } = context;
  const { last, key } = pending;
  const value = encodeHead(pending.value ? pending.position + 1 : 1, last ? [{ key, value: last }] : []);
  return {
    compare: [...conditionsOf(pending, context), isSameEpoch(layout, epoch)],
    success: pending.writes ? [{ requestPut: { key: layout.head, value } }, writeOf(pending, context)] : [],
    failure: [
      { requestRange: { key: layout.object(key) } },
      { requestRange: { key: layout.head, keysOnly: true } },
      { requestRange: { key: layout.restore, keysOnly: true } },
    ],
  };
}

export function loneVerdict(pending: PendingChange, { epoch }: Context, answer: TxnResponse): Verdict {
  const revision = answer.header?.revision ?? 0;
  if (answer.succeeded) {
    return { outcome: 'made', revision, position: pending.value ? pending.position : 0, head: revision };
  }
  const [found, head, restore] = (answer.responses ?? []).map(({ responseRange }) => responseRange?.kvs?.[0]);
  const isSuperseded = (restore?.modRevision ?? 0) !== epoch.revision;
  const outcome = isSuperseded ? 'superseded' : 'lost';
  return { outcome, revision, position: 0, found, head: head?.modRevision ?? 0 };
}

/**
 * Changes of different keys in one transaction. etcd decides each by itself, on what was there before all of them, so
 * none may count on what another one changes. The head is written though all should lose.
 */
export function groupRequest(group: readonly PendingChange[], context: Context): TxnRequest {
  const { layout, epoch } = context;
  const last = group.flatMap(({ key, last: value }) => (value ? [{ key, value }] : []));
  return {
    compare: [isSameEpoch(layout, epoch)],
    success: [
      { requestPut: { key: layout.head, value: encodeHead(group.length, last) } },
      ...group.map((pending) => ({
        requestTxn: {
          compare: conditionsOf(pending, context),
          success: pending.writes ? [writeOf(pending, context)] : [],
          failure: [{ requestRange: { key: layout.object(pending.key) } }],
        },
      })),
    ],
  };
}

/** In the order of the group. A deletion has the position behind the change before it, as those see it who watch. */
export function groupVerdicts(group: readonly PendingChange[], answer: TxnResponse): readonly Verdict[] {
  const revision = answer.header?.revision ?? 0;
  const answers = (answer.responses ?? []).slice(1);
  let next = 0;
  return group.map((pending, index): Verdict => {
    const { succeeded, responses } = answers[index]?.responseTxn ?? {};
    if (!answer.succeeded) return { outcome: 'superseded', revision, position: 0, head: revision };
    if (!succeeded) {
      return { outcome: 'lost', revision, position: 0, found: responses?.[0]?.responseRange?.kvs?.[0], head: revision };
    }
    const position = pending.value ? pending.position : next;
    if (pending.writes) next = position + 1;
    return { outcome: 'made', revision, position, head: revision };
  });
}

/** A revision counts as etcd's here: whoever asks has seen to it that the position in it is right. */
function conditionsOf({ change }: PendingChange, { layout, numbering }: Context): readonly Compare[] {
  const isAt = ({ key, revision }: Guard): Compare => ({
    target: MOD,
    key: layout.object(key),
    modRevision: numbering.toEtcd(revision),
  });
  return [isAt({ key: change.key, revision: change.expected }), ...(change.guards ?? []).map(isAt)];
}

function writeOf({ key, value }: PendingChange, { layout }: Context): RequestOp {
  const place = layout.object(key);
  return value ? { requestPut: { key: place, value } } : { requestDeleteRange: { key: place } };
}
