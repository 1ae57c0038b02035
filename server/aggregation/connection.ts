/** Connections to a server behind this one, at one address and with one certificate. */
import { Agent } from 'node:https';
import type { ForwardTarget, UserInfo } from '../../runtime/contract/index.js';
import type { ForwardPeer } from '../../runtime/server/index.js';
import { namedAuthorities } from '../webhooks/machine-authorities.js';
import { openPool, type PoolAnswer, type PoolTarget, tlsOf } from '../webhooks/pool.js';

/** The user of this server's own reads; the same as in the reference. */
export const checker: UserInfo = { name: 'system:kube-aggregator', uid: '', groups: ['system:masters'], extra: {} };

const checkerHeaders = {
  'x-remote-user': checker.name,
  'x-remote-group': 'system:masters',
  accept: 'application/json',
} as const;

/** The size limit of a document, bytes. */
const mostBytes = 64 * 1024 * 1024;

/** How long an idle connection stays open, milliseconds. */
const keptMs = 15_000;

export interface Connection {
  readonly to: PoolTarget;
  readonly target: ForwardTarget;
  /** For requests of users. */
  readonly agents: Promise<Pick<ForwardPeer, 'agent' | 'keptAgent'>>;
  /** Reads a path as the user of checks, with a time limit in milliseconds. Never rejects. */
  get(path: string, ms: number): Promise<PoolAnswer>;
  /** Closes connections of reads. Requests of users continue. */
  close(): void;
}

/** Connects at the first request. */
export function openConnection(to: PoolTarget): Connection {
  const pool = openPool(to);
  const { hostname, port } = new URL(to.origin);
  const agents = tlsOf(to, namedAuthorities).then((options) => ({
    agent: new Agent(options),
    keptAgent: new Agent({ ...options, keepAlive: true, timeout: keptMs }),
  }));
  // A check fails with the same error, and then requests do not get here.
  agents.catch(() => undefined);
  return {
    to,
    target: { scheme: 'https', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) },
    agents,
    async get(path, ms) {
      const call = { method: 'GET', path, headers: checkerHeaders, mostBytes } as const;
      return (await pool.send(call, AbortSignal.timeout(ms))).answer;
    },
    close: () => pool.close(),
  };
}
