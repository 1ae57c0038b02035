import { describe, expect, it } from 'vitest';
import { readStorage } from '../../../../server/text/storage.js';

describe('readStorage', () => {
  it('takes a folder for the driver fs of unstorage, whatever characters it has', () => {
    const unstorage = { driver: 'fs', options: { base: 'a/b?c=d:e' } };
    expect(readStorage('fs:a/b?c=d:e')).toEqual({ ok: true, value: { unstorage } });
  });

  it.each(['fs:', 'fs', 'lmdb:', 'floppy:a'])('refuses %s and says what there is', (text) => {
    const read = readStorage(text);
    expect(read.ok ? '' : read.failure.message).toContain('memory, lmdb:<folder>, fs:<folder>, unstorage:<driver>');
  });
});
