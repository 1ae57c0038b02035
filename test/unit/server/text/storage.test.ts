import { describe, expect, it } from 'vitest';
import { readStorage } from '../../../../server/text/storage.js';

describe('readStorage', () => {
  it('accepts a folder for the driver fs of unstorage, with any characters', () => {
    const unstorage = { driver: 'fs', options: { base: 'a/b?c=d:e' } };
    expect(readStorage('fs:a/b?c=d:e')).toEqual({ ok: true, value: { unstorage } });
  });

  it.each(['fs:', 'fs', 'lmdb:', 'floppy:a'])('refuses %s and lists the alternatives', (text) => {
    const read = readStorage(text);
    expect(read.ok ? '' : read.failure.message).toContain('memory, lmdb:<folder>, fs:<folder>, unstorage:<driver>');
  });
});
