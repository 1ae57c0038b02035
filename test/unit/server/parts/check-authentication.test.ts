import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineAuthorities } from '../../../../server/parts/check-authentication.js';
import type { Reloaded } from '../../../../server/transport/reloaded.js';
import { testFolder } from '../../../support/scratch-folder.js';

describe('the authorities of the machine', () => {
  it('are read from SSL_CERT_FILE, or else from the first file that the system has, and are read again', () => {
    const folder = testFolder();
    const [named, system, none] = ['named', 'system', 'none'].map((name) => join(folder, name));
    writeFileSync(String(named), 'NAMED');
    writeFileSync(String(system), 'SYSTEM');
    const followed: Reloaded<unknown>[] = [];
    const open = (variable: string | undefined, files: readonly (string | undefined)[]) =>
      machineAuthorities((value) => void followed.push(value), variable, files.map(String));
    expect(open(named, [system])?.()).toBe('NAMED');
    expect(open('', [none])).toBeUndefined();
    const current = open('', [none, system]);
    expect(current?.()).toBe('SYSTEM');
    writeFileSync(String(system), 'OTHER');
    followed.at(-1)?.reload();
    expect(current?.()).toBe('OTHER');
    expect(() => open(none, [system])).toThrow('ENOENT');
  });
});
