/** The calls of etcd's API: their paths, and how their messages are written and read, both out of `etcd.proto`. */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type {
  AuthenticateRequest,
  AuthenticateResponse,
  CompactionRequest,
  LeaseGrantRequest,
  LeaseKeepAliveResponse,
  LeaseRequest,
  RangeRequest,
  RangeResponse,
  StatusResponse,
  TxnRequest,
  TxnResponse,
  WatchRequest,
  WatchResponse,
} from './messages.js';

/** One call: `Question` goes there, `Answer` comes back. */
export interface Method<Question, Answer> {
  /** As in `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly encode: (question: Question) => Buffer;
  readonly decode: (bytes: Buffer) => Answer;
}

// The build copies the file beside the compiled module.
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
