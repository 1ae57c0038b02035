/** Compares the audit log with the reference's events, for the same requests under the same policy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startReference } from '../support/reference-server.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { hasShared, shared } from '../support/shared.js';
import { type AuditRow, comparable, send } from './audit-events.js';

/** The objects that existed before the recording. */
const before: readonly AuditRow['request'][] = [
  {
    method: 'POST',
    path: '/api/v1/namespaces/default/secrets',
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
  },
  {
    method: 'POST',
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  },
];

/** A change before the first apply that is not in the recording. */
const unrecorded: AuditRow['request'] = {
  method: 'PATCH',
  path: '/api/v1/namespaces/default/configmaps/one',
  headers: { 'content-type': 'application/merge-patch+json' },
  body: { data: { d: 'e' } },
};

/**
 * Rows with known differences, because the specification counts: the deletion of a collection answers with a Status,
 * and a driver has a spec.
 */
const differing: ReadonlySet<number> = new Set([17, 30]);

describe.skipIf(!hasShared)('audit events (skipped if the recordings are not beside the checkout)', () => {
  const folder = scratchFolder();
  const rows: readonly AuditRow[] = hasShared
    ? JSON.parse(readFileSync(shared('reference/audit-1.27.json'), 'utf8')).rows
    : [];
  const played: { readonly code: number; readonly events: readonly unknown[] }[] = [];

  beforeAll(async () => {
    const auditLogPath = join(folder, 'audit.log');
    const server = await startReference({
      auditPolicyFile: shared('reference/audit-policy-1.27.yaml'),
      auditLogPath,
    });
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    for (const request of before) await send(server.url, { ...request, user: 'admin' });
    for (const { request } of rows) {
      if (request.headers?.['content-type'] === 'application/apply-patch+yaml') {
        await send(server.url, { ...unrecorded, user: 'admin' });
      }
      answers.push(await send(server.url, request));
    }
    await server.stop();
    const events = readFileSync(auditLogPath, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const { id, code } of answers) played.push({ code, events: events.filter(({ auditID }) => auditID === id) });
  }, 60_000);

  it.each(rows.map((row, i) => ({ name: `${row.request.method} ${row.request.path} #${i}`, row, i })))(
    'records the same events as the reference: $name',
    ({ row, i }) => {
      const found = expect(comparable(played[i]));
      const recorded = comparable({ code: row.code, events: row.events });
      if (differing.has(i)) found.not.toEqual(recorded);
      else found.toEqual(recorded);
    },
  );
});
