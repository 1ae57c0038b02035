/** The flags about admission plugins. */
import { expect, it } from 'vitest';
import { readServeOptions } from '../../../../bin/flags/serve-options.js';
import { usualFlags } from '../../../support/serving.js';

it('name plugins with commas between, as often as they are given', () => {
  const flags = { enableAdmissionPlugins: ['A, B', 'C'], disableAdmissionPlugins: ['D', ''] };
  expect(readServeOptions({ ...usualFlags, ...flags, admissionControlConfigFile: 'a.yaml' }).admission).toEqual({
    enable: ['A', 'B', 'C'],
    disable: ['D'],
    configurationFile: 'a.yaml',
  });
  expect(readServeOptions(usualFlags).admission).toEqual({ enable: [], disable: [] });
});

it('need the name of a file', () => {
  expect(() => readServeOptions({ ...usualFlags, admissionControlConfigFile: '' })).toThrow(
    '--admission-control-config-file is empty; give a file',
  );
});
