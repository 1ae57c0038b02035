/** Sends recorded requests to a server, and compares their audit events with the recorded events. */
import { randomUUID } from 'node:crypto';

/** A recorded request with its events. */
export interface AuditRow {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly user?: string;
    readonly token?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly code: number;
  readonly events: readonly object[];
}

/** Sends a request as recorded. Resolves to its audit id and code when the answer is complete. */
export async function send(
  base: string,
  { method, path, user, token, headers, body }: AuditRow['request'],
): Promise<{ readonly id: string; readonly code: number }> {
  const id = randomUUID();
  const credentials = user === undefined ? token : `${user}token`;
  const answer = await fetch(base + path, {
    method,
    headers: {
      'user-agent': 'facts/1',
      'audit-id': id,
      ...(credentials ? { authorization: `Bearer ${credentials}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.text();
  return { id, code: answer.status };
}

/** The names of fields with values that differ from run to run. */
const marks: Readonly<Record<string, string>> = {
  auditID: '<id>',
  creationTimestamp: '<time>',
  time: '<time>',
  requestReceivedTimestamp: '<time>',
  stageTimestamp: '<time>',
  expirationTimestamp: '<time>',
  resourceVersion: '<revision>',
  token: '<token>',
};

const tokenVolume = 'kube-api-access-';

/** Removes the parts of an event that differ from run to run. */
export function comparable(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // Slow requests have these annotations.
      .filter(([key]) => !key.startsWith('apiserver.latency.'))
      .map(([key, item]) => [key, marked(key, item, path) ?? comparable(item, `${path}/${key}`)]),
  );
}

function marked(key: string, value: unknown, path: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (key === 'uid') return path === '/user' ? undefined : '<uid>';
  // The name of a pod's token volume ends with random letters and digits.
  if (key === 'name' && value.startsWith(tokenVolume)) return `${tokenVolume}<random>`;
  return Object.hasOwn(marks, key) ? marks[key] : undefined;
}
