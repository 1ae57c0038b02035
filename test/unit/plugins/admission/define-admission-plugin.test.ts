import { describe, expect, it } from 'vitest';
import { configurationSchema, defineAdmissionPlugin } from '../../../../plugins/kit.js';
import { hostOf } from '../../../support/admission-host.js';

const { fields, whole } = configurationSchema;
const schema = fields({ most: whole() });
const format = { apiVersions: ['example.com/v1'], kind: 'Limits', schema };

describe('a plugin with a configuration', () => {
  it('is started with its typed configuration', () => {
    const seen: number[] = [];
    const plugin = defineAdmissionPlugin({
      name: 'Limits',
      configuration: { ...format, byDefault: { most: 7 } },
      start: (_host, { most }) => void seen.push(most),
      handles: () => false,
    });
    plugin.start?.(hostOf([]), { most: 3n });
    plugin.start?.(hostOf([]));
    expect(seen).toEqual([3, 7]);
    expect(plugin.configuration).toMatchObject({ apiVersions: ['example.com/v1'], kind: 'Limits', required: false });
    const problems: string[] = [];
    plugin.configuration?.check({ most: 'x' }, (path, problem) => problems.push(`${path} ${problem}`));
    expect(problems).toEqual(['most "x" is not a whole number']);
  });

  it('may be required', () => {
    const plugin = defineAdmissionPlugin({
      name: 'Limits',
      configuration: { ...format, required: true },
      start: () => {},
      handles: () => false,
    });
    expect(plugin.configuration?.required).toBe(true);
    expect(() => plugin.start?.(hostOf([]))).toThrow('Limits needs a configuration');
  });
});

it('does not change without one', () => {
  const plugin = defineAdmissionPlugin({ name: 'Plain', handles: () => true, validate: () => undefined });
  expect(plugin.configuration).toBeUndefined();
  expect(plugin.name).toBe('Plain');
});
