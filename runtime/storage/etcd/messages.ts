/**
 * The messages of `etcd.proto` as values. In answers everything is optional, because etcd does not send default values.
 */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/** The revision of the keyspace when an answer was made. */
export interface ResponseHeader {
  readonly revision?: number;
}

export interface KeyValue {
  readonly key?: Buffer;
  readonly createRevision?: number;
  readonly modRevision?: number;
  readonly value?: Buffer;
  /** The reason if `Decryption` cannot decrypt the value. */
  readonly locked?: string;
}

export interface RangeRequest {
  readonly key: Uint8Array;
  /** The first key after the range. If absent, the range is one key. */
  readonly rangeEnd?: Uint8Array;
  readonly limit?: number;
  /** Default: the latest. */
  readonly revision?: number;
  readonly keysOnly?: boolean;
}

export interface RangeResponse {
  readonly header?: ResponseHeader;
  readonly kvs?: readonly KeyValue[];
  readonly more?: boolean;
  /** The number of keys in the range, including the keys after the limit. */
  readonly count?: number;
}

export interface RequestOp {
  readonly requestRange?: RangeRequest;
  readonly requestPut?: { readonly key: Uint8Array; readonly value?: Uint8Array; readonly lease?: number };
  readonly requestDeleteRange?: { readonly key: Uint8Array; readonly rangeEnd?: Uint8Array };
  /** etcd decides it by itself, on the state before the whole transaction. */
  readonly requestTxn?: TxnRequest;
}

export interface ResponseOp {
  readonly responseRange?: RangeResponse;
  readonly responseTxn?: TxnResponse;
}

/** A comparison of the revision at which a key was created, or last changed. 0 stands for absence. */
export type Compare =
  | { readonly target: typeof CREATE; readonly key: Uint8Array; readonly createRevision: number }
  | { readonly target: typeof MOD; readonly key: Uint8Array; readonly modRevision: number };

export const CREATE = 1;
export const MOD = 2;

/** All or nothing at one revision: `success` if the comparisons hold, else `failure`. */
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure?: readonly RequestOp[];
}

export interface TxnResponse {
  readonly header?: ResponseHeader;
  readonly succeeded?: boolean;
  readonly responses?: readonly ResponseOp[];
}

export interface CompactionRequest {
  readonly revision: number;
}

export interface EtcdEvent {
  /** `DELETED` for this type, spelled differently. */
  readonly type?: number;
  readonly kv?: KeyValue;
}

export const DELETED = 1;

export interface WatchRequest {
  readonly createRequest: {
    readonly key: Uint8Array;
    readonly rangeEnd: Uint8Array;
    readonly startRevision: number;
    readonly progressNotify: boolean;
  };
}

export interface WatchResponse {
  readonly header?: ResponseHeader;
  readonly created?: boolean;
  readonly canceled?: boolean;
  readonly compactRevision?: number;
  readonly cancelReason?: string;
  readonly events?: readonly EtcdEvent[];
}

export interface LeaseGrantRequest {
  /** Seconds. */
  readonly TTL: number;
  readonly ID: number;
}

export interface LeaseRequest {
  readonly ID: number;
}

export interface LeaseKeepAliveResponse {
  /** Seconds; absent if the lease is gone. */
  readonly TTL?: number;
}

export interface AuthenticateRequest {
  readonly name: string;
  readonly password: string;
}

export interface AuthenticateResponse {
  readonly token?: string;
}

export interface StatusResponse {
  readonly header?: ResponseHeader;
  readonly version?: string;
  readonly dbSize?: number;
  /** Has the alarms of members too, as in `memberID:1 alarm:NOSPACE `. */
  readonly errors?: readonly string[];
}

// The calls of etcd's API: their paths, and the encoding of their messages, both from `etcd.proto`.

/** One call, with a `Question` and an `Answer`. */
export interface Method<Question, Answer> {
  /** As in `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly encode: (question: Question) => Buffer;
  readonly decode: (bytes: Buffer) => Answer;
}

// The build copies this file to the folder of the compiled module.
const { root } = protobuf.parse(readFileSync(new URL('./etcd.proto', import.meta.url), 'utf8'));
root.resolveAll();

function call(service: string, name: string) {
  const definition = root.lookupService(`etcdserverpb.${service}`).methods[name];
  const { resolvedRequestType: question, resolvedResponseType: answer } = definition ?? {};
  if (!question || !answer) throw new Error(`etcd.proto lacks the call ${name}`);
  return {
    path: `/etcdserverpb.${service}/${name}`,
    encode: (fields: object) => {
      const { buffer, byteOffset, length } = question.encode(fields).finish();
      return Buffer.from(buffer, byteOffset, length);
    },
    // Revisions stay below 2^53 for longer than any cluster lives.
    decode: (bytes: Buffer) => answer.toObject(answer.decode(bytes), { longs: Number }),
  };
}

export const range: Method<RangeRequest, RangeResponse> = call('KV', 'Range');
export const txn: Method<TxnRequest, TxnResponse> = call('KV', 'Txn');
export const compact: Method<CompactionRequest, object> = call('KV', 'Compact');
export const watch: Method<WatchRequest, WatchResponse> = call('Watch', 'Watch');
export const leaseGrant: Method<LeaseGrantRequest, object> = call('Lease', 'LeaseGrant');
export const leaseRevoke: Method<LeaseRequest, object> = call('Lease', 'LeaseRevoke');
export const leaseKeepAlive: Method<LeaseRequest, LeaseKeepAliveResponse> = call('Lease', 'LeaseKeepAlive');
export const authenticate: Method<AuthenticateRequest, AuthenticateResponse> = call('Auth', 'Authenticate');
export const status: Method<object, StatusResponse> = call('Maintenance', 'Status');
