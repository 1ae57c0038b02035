/** Makes transactions of etcd from changes, one alone or many together, and reads etcd's answers to them. */
import type {
  EncodedObject,
  GroupNumber,
  Guard,
  Key,
  SharedCommit,
  SharedCommitOptions,
  SharedProposal,
  SharedVerdict,
} from '../../contract/index.js';
import { encodeHead, type Layout } from './layout.js';
import {
  type Compare,
  type KeyValue,
  MOD,
  type RequestOp,
  type TxnRequest,
  type TxnResponse,
  txn,
} from './messages.js';
import { type EtcdRevision, withPosition } from './numbering.js';
import { type EtcdData, recordsOf } from './records.js';
import { isSameEpoch } from './restore-epoch.js';

/** Has etcd decide on changes. Rejects with an `EtcdError`. */
export async function commit(
  data: EtcdData,
  group: readonly SharedProposal[],
  { head, withinMs }: SharedCommitOptions,
): Promise<SharedCommit> {
  const [first, ...others] = group;
  const required = head === undefined ? undefined : data.numbering.toEtcd(head);
  const isLone = first !== undefined && others.length === 0;
  const request = isLone ? loneRequest(first, data, required) : groupRequest(group, data, required);
  const creates = group.some(({ expected, next }) => expected === 0 && next !== undefined);
  const answer = await (creates
    ? data.fence.send(request, withinMs)
    : data.connection.ask(txn, request, { withinMs, repeatable: false }));
  return isLone ? loneAnswer(first, data, answer, required) : groupAnswer(group, data, answer);
}

/** Encodes one change alone. If it loses, etcd's revision stays the same. `head` is the required head, if any. */
export function loneRequest(proposal: SharedProposal, data: EtcdData, head?: EtcdRevision): TxnRequest {
  const { layout, epoch, writer } = data;
  const { key } = proposal;
  const value = encodeHead(1, lastStates([proposal], data), writer);
  return {
    compare: [...conditionsOf(proposal, data), isSameEpoch(layout, epoch), ...isHead(layout, head)],
    success: proposal.writes ? [{ requestPut: { key: layout.head, value } }, writeOf(proposal, 0, data)] : [],
    failure: [
      { requestRange: { key: layout.object(key) } },
      { requestRange: { key: layout.restore, keysOnly: true } },
      { requestRange: { key: layout.head, keysOnly: true } },
    ],
  };
}

async function loneAnswer(
  { writes }: SharedProposal,
  data: EtcdData,
  answer: TxnResponse,
  required: EtcdRevision | undefined,
): Promise<SharedCommit> {
  const number = numberOf(data, answer);
  if (answer.succeeded) {
    return { outcome: 'decided', number, head: writes ? number : 0, verdicts: [{ made: true, revision: number }] };
  }
  const [found, restore, headKey] = rangesOf(answer);
  const at = headKey?.modRevision ?? 0;
  const head = data.numbering.toStore(at);
  if (isSuperseded(restore, data)) return { outcome: 'superseded' };
  if (required !== undefined && required !== at) return { outcome: 'moved', number, head };
  return { outcome: 'decided', number, head, verdicts: [await lost(data, found)] };
}

/**
 * Encodes changes of different keys in one transaction. etcd decides each by itself, on the state before all of them,
 * so no change may rely on another. Writes the head even if all changes lose. If `head` is set, etcd does nothing
 * unless it is the current head.
 */
export function groupRequest(group: readonly SharedProposal[], data: EtcdData, head?: EtcdRevision): TxnRequest {
  const { layout, epoch, writer } = data;
  return {
    compare: [isSameEpoch(layout, epoch), ...isHead(layout, head)],
    success: [
      { requestPut: { key: layout.head, value: encodeHead(group.length, lastStates(group, data), writer) } },
      ...group.map((proposal, position) => ({
        requestTxn: {
          compare: conditionsOf(proposal, data),
          success: proposal.writes ? [writeOf(proposal, position, data)] : [],
          failure: [{ requestRange: { key: layout.object(proposal.key) } }],
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
 * Reads the verdicts in the order of the group. A deletion gets the position after the previous change, the same as in
 * watches.
 */
async function groupAnswer(
  group: readonly SharedProposal[],
  data: EtcdData,
  answer: TxnResponse,
): Promise<SharedCommit> {
  const { numbering } = data;
  const number = numberOf(data, answer);
  if (!answer.succeeded) {
    const [restore, headKey] = rangesOf(answer);
    if (isSuperseded(restore, data)) return { outcome: 'superseded' };
    return { outcome: 'moved', number, head: numbering.toStore(headKey?.modRevision ?? 0) };
  }
  const answers = (answer.responses ?? []).slice(1);
  const verdicts: SharedVerdict[] = [];
  let next = 0;
  for (const [index, proposal] of group.entries()) {
    const { succeeded, responses } = answers[index]?.responseTxn ?? {};
    if (succeeded) {
      const position = proposal.next ? index : next;
      if (proposal.writes) next = position + 1;
      verdicts.push({ made: true, revision: number + position });
    } else verdicts.push(await lost(data, responses?.[0]?.responseRange?.kvs?.[0]));
  }
  return { outcome: 'decided', number, head: number, verdicts };
}

async function lost(data: EtcdData, kv: KeyValue | undefined): Promise<SharedVerdict> {
  const [found] = kv ? await recordsOf(data, [kv]) : [];
  return { made: false, found };
}

const numberOf = ({ numbering }: EtcdData, { header }: TxnResponse): GroupNumber =>
  numbering.toStore(header?.revision ?? 0);

/** Returns the keys that the branch for failures has read, in its order. */
const rangesOf = ({ responses = [] }: TxnResponse): readonly (KeyValue | undefined)[] =>
  responses.map(({ responseRange }) => responseRange?.kvs?.[0]);

const isSuperseded = (restore: KeyValue | undefined, { epoch }: EtcdData): boolean =>
  (restore?.modRevision ?? 0) !== epoch.revision;

const isHead = ({ head: key }: Layout, head: EtcdRevision | undefined): readonly Compare[] =>
  head === undefined ? [] : [{ target: MOD, key, modRevision: head }];

/**
 * Returns the conditions of a change. etcd compares its own revisions, without positions. Memory has already compared
 * the whole revision.
 */
function conditionsOf(
  { key, expected, guards = [] }: SharedProposal,
  { layout, numbering }: EtcdData,
): readonly Compare[] {
  const isAt = ({ key, revision }: Guard): Compare => ({
    target: MOD,
    key: layout.object(key),
    modRevision: numbering.toEtcd(revision),
  });
  return [isAt({ key, revision: expected }), ...guards.map(isAt)];
}

function writeOf({ key, next }: SharedProposal, position: number, data: EtcdData): RequestOp {
  const place = data.layout.object(key);
  if (!next) return { requestDeleteRange: { key: place } };
  return { requestPut: { key: place, value: stored(next, key, position, data) } };
}

/** Returns the last states of deleted objects, for the head. */
function lastStates(group: readonly SharedProposal[], data: EtcdData) {
  return group.flatMap(({ key, last }) => (last ? [{ key, value: stored(last, key, 0, data) }] : []));
}

function stored(
  object: EncodedObject,
  key: Key,
  position: number,
  { encryption }: Pick<EtcdData, 'encryption'>,
): Uint8Array {
  const value = Buffer.from(withPosition(object, position));
  return encryption?.encrypt(key, value) ?? value;
}
