import { describe, expect, it } from 'vitest';
import { admissionPlugins, admissionTable, pluginsByName } from '../../../plugins/index.js';
import { platformNaming } from '../../../runtime/objects/names/naming.js';

describe('pluginsByName', () => {
  it('finds plugins by name, in their order', () => {
    const plugins = admissionPlugins(platformNaming);
    const table = pluginsByName(plugins);
    const names = table.ok ? [...table.plugins.keys()] : [];
    expect(names).toEqual(plugins.map(({ name }) => name));
    expect(names).toEqual(admissionTable.map(({ name }) => name).filter((name) => names.includes(name)));
    expect(table.ok && table.plugins.get('CertificateSigning')?.name).toBe('CertificateSigning');
  });

  it('refuses a repeated name', () => {
    const plugins = ['a', 'b', 'a', 'c', 'a', 'c'].map((name) => ({ name }));
    expect(pluginsByName(plugins)).toEqual({ ok: false, duplicates: ['a', 'c'] });
  });
});
