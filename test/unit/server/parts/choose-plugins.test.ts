/** Options choose admission plugins by name; the table puts them in order. */
import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../../../bin/flags/explain-failure.js';
import type { AdmissionPlugin } from '../../../../runtime/contract/index.js';
import { type AdmissionOptions, choosePlugins } from '../../../../server/parts/open-admission.js';

const plugin = (name: string): AdmissionPlugin => ({ name, handles: () => false });
const kinds = {
  plugins: ['NamespaceLifecycle', 'ValidatingAdmissionPolicy', 'RoleEscalation', 'Custom'].map(plugin),
  optionalPlugins: ['AlwaysDeny', 'NamespaceExists', 'CustomOff'].map(plugin),
};
const chosen = (options: AdmissionOptions): string[] => choosePlugins(kinds, options).map(({ name }) => name);

describe('admission plugins', () => {
  it('run by default in the order of the table, and plugins of the program before the last ones', () => {
    expect(chosen({})).toEqual(['NamespaceLifecycle', 'Custom', 'RoleEscalation', 'ValidatingAdmissionPolicy']);
    expect(chosen({ plugins: [plugin('Own')] })).toEqual([
      'NamespaceLifecycle',
      'Custom',
      'Own',
      'RoleEscalation',
      'ValidatingAdmissionPolicy',
    ]);
  });

  it('run in the same order, whatever the order of names', () => {
    const expected = [
      'NamespaceLifecycle',
      'NamespaceExists',
      'Custom',
      'CustomOff',
      'RoleEscalation',
      'ValidatingAdmissionPolicy',
      'AlwaysDeny',
    ];
    expect(chosen({ enable: ['AlwaysDeny', 'CustomOff', 'NamespaceExists'] })).toEqual(expected);
    expect(chosen({ enable: ['NamespaceExists', 'CustomOff', 'AlwaysDeny', 'NamespaceLifecycle'] })).toEqual(expected);
  });

  it('can be turned off, even plugins that are not part of this server', () => {
    const disable = ['NamespaceLifecycle', 'Custom', 'LimitRanger'];
    expect(chosen({ disable })).toEqual(['RoleEscalation', 'ValidatingAdmissionPolicy']);
  });

  it.each<[AdmissionOptions, string]>([
    [
      { enable: ['NamespaceExist'] },
      '--enable-admission-plugins: "NamespaceExist" is unknown; did you mean `NamespaceExists`?',
    ],
    [
      { disable: ['Nonsense1'] },
      '--disable-admission-plugins: "Nonsense1" is unknown; use names of: AlwaysAdmit, AlwaysDeny, ',
    ],
    [
      { disable: ['RoleEscalation'] },
      '--disable-admission-plugins: RoleEscalation is part of the server; it is always on',
    ],
    [{ enable: ['AlwaysAdmit'] }, '--enable-admission-plugins: AlwaysAdmit is not part of this server; leave it out'],
    [
      { enable: ['NamespaceExists'], disable: ['NamespaceExists'] },
      '--enable-admission-plugins and --disable-admission-plugins both name NamespaceExists; name it in one',
    ],
  ])('%j is refused', (options, message) => {
    let error: unknown;
    try {
      choosePlugins(kinds, options);
    } catch (thrown) {
      error = thrown;
    }
    expect(explainFailure(error)).toMatchObject({ ending: 'failed', message: expect.stringContaining(message) });
  });
});
