/** Counts etcd's revisions from further on than etcd does, which cannot skip any: a restore may have to. */
import type { Revision } from '../../contract/index.js';
import type {
  CompactionRequest,
  Compare,
  KeyValue,
  RangeRequest,
  RangeResponse,
  ResponseHeader,
  TxnRequest,
  TxnResponse,
  WatchRequest,
  WatchResponse,
} from './messages.js';

/** Both ways between a call's messages with the store's revisions and those with etcd's; `by` is the difference. */
export interface Renumbering<Question, Answer> {
  readonly question: (question: Question, by: number) => Question;
  readonly answer: (answer: Answer, by: number) => Answer;
}

/** For calls without revisions. */
export const withoutRevisions = {
  question: <T>(question: T): T => question,
  answer: <T>(answer: T): T => answer,
};

export const renumberRange: Renumbering<RangeRequest, RangeResponse> = { question: rangeToEtcd, answer: rangeToStore };

export const renumberTxn: Renumbering<TxnRequest, TxnResponse> = {
  question: ({ compare, ...operations }, by) => ({
    ...operations,
    compare: compare.map((one) => compareToEtcd(one, by)),
  }),
  answer: ({ header, responses, ...rest }, by) => ({
    ...rest,
    header: headerToStore(header, by),
    responses: responses?.map(({ responseRange }) => {
      return responseRange ? { responseRange: rangeToStore(responseRange, by) } : {};
    }),
  }),
};

export const renumberWatch: Renumbering<WatchRequest, WatchResponse> = {
  question: ({ createRequest }, by) => ({
    createRequest: { ...createRequest, startRevision: toEtcd(createRequest.startRevision, by) },
  }),
  answer: ({ header, events, compactRevision, ...rest }, by) => ({
    ...rest,
    header: headerToStore(header, by),
    compactRevision: toStore(compactRevision, by),
    events: events?.map(({ type, kv }) => ({ type, kv: kv && keyValueToStore(kv, by) })),
  }),
};

export const renumberCompaction: Renumbering<CompactionRequest, object> = {
  question: ({ revision }, by) => ({ revision: toEtcd(revision, by) }),
  answer: withoutRevisions.answer,
};

/** 0 stands for none, or for the latest. Revisions from before the offset become one that no key has. */
function toEtcd(revision: Revision, by: number): Revision {
  return revision === 0 ? 0 : Math.max(1, revision - by);
}

function toStore<T extends Revision | undefined>(revision: T, by: number): T | Revision {
  return revision ? revision + by : revision;
}

function compareToEtcd(compare: Compare, by: number): Compare {
  return 'modRevision' in compare
    ? { ...compare, modRevision: toEtcd(compare.modRevision, by) }
    : { ...compare, createRevision: toEtcd(compare.createRevision, by) };
}

function rangeToEtcd(request: RangeRequest, by: number): RangeRequest {
  return request.revision ? { ...request, revision: toEtcd(request.revision, by) } : request;
}

function rangeToStore({ header, kvs, more }: RangeResponse, by: number): RangeResponse {
  return { header: headerToStore(header, by), kvs: kvs?.map((found) => keyValueToStore(found, by)), more };
}

function headerToStore(header: ResponseHeader | undefined, by: number): ResponseHeader | undefined {
  return header && { revision: toStore(header.revision, by) };
}

function keyValueToStore({ createRevision, modRevision, ...rest }: KeyValue, by: number): KeyValue {
  return { ...rest, createRevision: toStore(createRevision, by), modRevision: toStore(modRevision, by) };
}
