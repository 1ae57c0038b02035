/** Code of resource modules, which is loaded once, and never used before. */
import { describe, expect, it, vi } from 'vitest';
import { codeOf, loadAll, loadCode } from '../../../../runtime/resource/resource-code.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { moduleOf } from '../../../support/modules.js';

const lamps = moduleOf('shop.example.com', 'lamps', 'Lamp');
const code = codeOf(lamps);

describe('code that is loaded', () => {
  it('is there at once for all who ask later, under whatever name', async () => {
    const load = vi.fn(() => Promise.resolve(code));
    const lazy = { ...lamps, code: load };
    expect(await loadCode(lazy)).toBe(code);
    expect(loadCode({ ...lazy, group: 'renamed' })).toBe(code);
    expect(codeOf(lazy)).toBe(code);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('needs no waiting where all of it is there', async () => {
    const lazy = { ...lamps, code: () => Promise.resolve(code) };
    expect(loadAll([lamps])).toBe(undefined);
    await loadAll([lamps, lazy]);
    expect(loadAll([lamps, lazy])).toBe(undefined);
  });
});

describe('a served resource', () => {
  const family = ['v1', 'v2'].map((version) => ({ ...lamps, version, code: async () => code }));
  const [one = lamps, other = lamps] = family;

  it('has its description before its code, and refuses to do without that', async () => {
    const resource = serveResource(one, { family });
    expect(resource.apiVersion).toBe('shop.example.com/v1');
    expect(() => resource.schema).toThrow('the code of shop.example.com/v1 lamps is used before it is loaded');
    await resource.ready();
    expect(resource.schema).toBe(code.schema);
    expect(resource.ready()).toBe(undefined);
    // Objects may have to be converted to the other version.
    expect(codeOf(other)).toBe(code);
  });
});
