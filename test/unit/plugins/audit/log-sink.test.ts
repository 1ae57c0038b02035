import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AuditLogOptions, backupTime, defineLogSink } from '../../../../plugins/index.js';
import { testFolder } from '../../../support/scratch-folder.js';

let folder = '';
let path = '';
beforeEach(() => {
  folder = testFolder();
  path = join(folder, 'audit.log');
});

const problems: string[] = [];
const batch = { bufferSize: 10, maxSize: 2, maxWaitMs: 5 };

function open(mode: AuditLogOptions['delivery']['mode'], more: Partial<AuditLogOptions> & { maxBytes?: number } = {}) {
  const rotation = { maxBytes: more.maxBytes ?? 1000, maxAgeDays: 0, maxBackups: 0, compress: false };
  problems.length = 0;
  return defineLogSink({ path, rotation, delivery: { mode, batch }, ...more }, (problem) => problems.push(problem));
}

const record = (json: string) => ({ json, cut: () => 'cut' });
const written = (): string => readFileSync(path, 'utf8');

describe('the audit log', () => {
  it('can be read only by its owner, and is appended to', async () => {
    const first = open('blocking');
    void first.write(record('1'));
    await first.close();
    const second = open('blocking');
    void second.write(record('2'));
    await second.close();
    expect(written()).toBe('1\n2\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('gets the lines of a turn once the turn has ended', async () => {
    const sink = open('blocking');
    expect([sink.write(record('1')), sink.write(record('2'))]).toEqual([true, true]);
    await new Promise(setImmediate);
    expect(written()).toBe('1\n2\n');
    await sink.close();
  });

  it('writes each line at once in strict mode, and reports a failure', async () => {
    const sink = open('blocking-strict');
    expect(sink.strict).toBe(true);
    expect(sink.write(record('1'))).toBe(true);
    expect(written()).toBe('1\n');
    await sink.close();
    expect(sink.write(record('2'))).toBe(false);
    expect(problems.join()).toContain('1 record is lost');
  });

  it('writes the queued batches when it is closed', async () => {
    const sink = open('batch', {
      delivery: { mode: 'batch', batch: { bufferSize: 3, maxSize: 9, maxWaitMs: 60_000 } },
    });
    expect(['1', '2', '3', '4'].map((text) => sink.write(record(text)))).toEqual([true, true, true, false]);
    await sink.close();
    expect(written()).toBe('1\n2\n3\n');
    expect(problems.join()).toContain('the queue of 3 records is full');
  });

  it('is rotated before it grows too large, however long a line is', async () => {
    const sink = open('blocking-strict', { maxBytes: 10 });
    for (const text of ['12345', '67', '890', 'a line that is longer']) void sink.write(record(text));
    await sink.close();
    const backups = readdirSync(folder).filter((file) => backupTime(path.split('/').at(-1) ?? '', file));
    expect(backups.map((file) => readFileSync(join(folder, file), 'utf8')).sort()).toEqual(['12345\n67\n', '890\n']);
    expect(written()).toBe('a line that is longer\n');
  });

  it('keeps and compresses the configured number of latest files', async () => {
    for (const day of ['01', '02', '03']) writeFileSync(join(folder, `audit-2026-01-${day}T00-00-00.000.log`), day);
    writeFileSync(join(folder, 'audit-other.log'), 'mine');
    const rotation = { maxBytes: 1000, maxAgeDays: 0, maxBackups: 2, compress: true };
    await open('blocking', { rotation }).close();
    expect(readdirSync(folder).sort()).toEqual([
      'audit-2026-01-02T00-00-00.000.log.gz',
      'audit-2026-01-03T00-00-00.000.log.gz',
      'audit-other.log',
      'audit.log',
    ]);
    expect(gunzipSync(readFileSync(join(folder, 'audit-2026-01-03T00-00-00.000.log.gz'))).toString()).toBe('03');
  });

  it('removes files that are too old', async () => {
    writeFileSync(join(folder, 'audit-2020-01-01T00-00-00.000.log'), '');
    const rotation = { maxBytes: 1000, maxAgeDays: 1, maxBackups: 0, compress: false };
    await open('blocking', { rotation }).close();
    expect(readdirSync(folder)).toEqual(['audit.log']);
  });

  it('cuts the bodies of large records, and then drops the record', async () => {
    const sink = open('blocking-strict', { truncation: { maxEventBytes: 5, maxBatchBytes: 100 } });
    expect(sink.write(record('12345'))).toBe(true);
    expect(sink.write(record('ßßß'))).toBe(true);
    expect(sink.write({ json: '1234567', cut: () => '123456' })).toBe(false);
    await sink.close();
    expect(written()).toBe('12345\ncut\n');
    expect(problems.join()).toContain('a record of 6 bytes is too large');
  });

  it('throws if the file cannot be opened', () => {
    path = join(folder, 'missing', 'audit.log');
    expect(() => open('blocking')).toThrow('ENOENT');
    chmodSync(folder, 0o700);
  });
});
