/** Objects of about 2 KiB and small helpers for the store's benchmarks. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttributeReader, EncodedObject } from '../../runtime/contract/index.js';

const PAYLOAD = 'x'.repeat(1700);

/** A ConfigMap as the load generator creates it. */
export function encodedObject(name: string): EncodedObject {
  const managedFields = [
    {
      manager: 'bench',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:payload': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
    },
  ];
  const uid = '00000000-0000-0000-0000-000000000000';
  const labels = { app: 'bench' };
  const metadata = {
    name,
    namespace: 'bench',
    uid,
    resourceVersion: '',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
    managedFields,
  };
  const text = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { payload: PAYLOAD } });
  const mark = '"resourceVersion":"';
  return { text, revisionAt: text.indexOf(mark) + mark.length, attributes: { labels, fields: {} } };
}

export const readAttributes: AttributeReader = () => ({ labels: { app: 'bench' }, fields: {} });

/** Runs with a folder that is gone afterwards. */
export async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(process.env.KINDFORGE_BENCH_DIR ?? tmpdir(), 'kindforge-bench-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU seconds of this process so far, all threads. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Resident memory in MiB: all of it, and what is not backed by files. */
export function residentMiB(): { readonly total: number; readonly anonymous: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { total: field('VmRSS'), anonymous: field('RssAnon') };
}

export function print(row: Record<string, string | number>): void {
  console.log(
    Object.entries(row)
      .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`)
      .join('  '),
  );
}
