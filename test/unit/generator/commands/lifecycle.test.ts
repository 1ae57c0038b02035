/**
 * `kindforge lifecycle`: the calendar of versions, and the changes that it refuses compared with an earlier release.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LifecycleFlags, runLifecycle } from '../../../../generator/commands/run-lifecycle.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { root } from '../../../support/shared.js';

const base = scratchFolder();

const native = { apiVersion: 'kindforge.dev/v1', kind: 'ResourceDefinition' };
const custom = { apiVersion: 'apiextensions.platform.io/v1', kind: 'CustomResourceDefinition' };

interface Version {
  readonly name: string;
  readonly storage?: boolean;
  readonly served?: boolean;
  readonly stability?: Readonly<Record<string, unknown>>;
}

let folders = 0;
/** Writes a folder with lamps of some versions, one version per line. */
function lamps(versions: readonly Version[], header = native, names = { plural: 'lamps', kind: 'Lamp' }): string {
  const folder = join(base, String(folders++));
  mkdirSync(folder);
  const schema = { openAPIV3Schema: { type: 'object', properties: { watts: { type: 'integer' } } } };
  const lines = versions.map((one) => `    - ${JSON.stringify({ storage: false, served: true, ...one, schema })}`);
  const text = [
    `apiVersion: ${header.apiVersion}`,
    `kind: ${header.kind}`,
    `metadata: { name: ${names.plural}.example.com }`,
    'spec:',
    '  group: example.com',
    `  names: ${JSON.stringify(names)}`,
    '  scope: Namespaced',
    '  versions:',
    ...lines,
  ];
  writeFileSync(join(folder, 'lamps.yaml'), `${text.join('\n')}\n`);
  return folder;
}

async function run(flags: Partial<LifecycleFlags> & { readonly schemas: string }) {
  const lines: string[] = [];
  const errors: string[] = [];
  const ended = await runLifecycle(
    { format: 'text', date: '2024-01-31', release: '1.27', ...flags },
    { out: (line) => lines.push(line), error: (line) => errors.push(line), progress: { write: () => {} } },
  );
  return { ended, lines, errors };
}

const beta = { level: 'beta', introduced: '1.21' };
const stable = { level: 'stable', introduced: '1.25' };
const old: readonly Version[] = [{ name: 'v1beta1', storage: true, stability: beta }];

/** Returns the findings when lamps change in this way. */
async function moved(
  before: readonly Version[],
  after: readonly Version[],
  more: Partial<LifecycleFlags> = {},
  header = native,
): Promise<{ readonly ended: string; readonly found: readonly string[] }> {
  const schemas = lamps(after, header);
  const { ended, lines } = await run({ schemas, against: lamps(before, header), ...more });
  const found = lines.flatMap((line) => {
    const [, at, severity, rule] = /lamps\.yaml:(\d+):\d+ (error|warning): .* \(rule (\w+)\)$/.exec(line) ?? [];
    return at === undefined ? [] : [`${severity} ${rule} at ${at}`];
  });
  return { ended, found };
}

const done = { ended: 'done', found: [] };
const refused = (...found: string[]) => ({ ended: 'refused', found });

describe('the calendar', () => {
  const versions: readonly Version[] = [
    { name: 'v1', storage: true, stability: stable },
    {
      name: 'v1beta2',
      stability: { ...beta, introduced: '1.26' },
    },
    { name: 'v1beta1', stability: { ...beta, deprecated: '1.25', removed: '1.28', replacement: { version: 'v1' } } },
    { name: 'v1alpha1', stability: { level: 'alpha', introduced: '1.20' } },
    { name: 'v1alpha0', served: false, stability: { level: 'alpha', introduced: '1.19', removed: '1.21' } },
  ];

  it('prints from when on each version may be removed', async () => {
    const { ended, lines } = await run({ schemas: lamps(versions) });
    expect(ended).toBe('done');
    expect(lines.map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'VERSION | RESOURCE | LEVEL | INTRODUCED | DEPRECATED | REMOVED | MAY BE REMOVED',
      'example.com/v1 | lamps | stable | 1.25 | - | - | not within 1.x (4a) | stored, preferred',
      'example.com/v1beta2 | lamps | beta | 1.26 | - | - | once deprecated, by 1.29, about 2024-09 (4a)',
      'example.com/v1beta1 | lamps | beta | 1.21 | 1.25 for v1 | 1.28 | from 1.28, about 2024-05 (4a)',
      'example.com/v1alpha1 | lamps | alpha | 1.20 | - | - | in any release (4a)',
    ]);
  });

  it('prints when a version comes that the release does not have yet', async () => {
    const later = [...versions, { name: 'v2', stability: { ...stable, introduced: '1.29' } }];
    const lineOf = async (release: string) =>
      (await run({ schemas: lamps(later), release })).lines.find((line) => line.includes('example.com/v2 '));
    expect(await lineOf('1.28')).toContain('comes in 1.29');
    expect(await lineOf('1.29')).toContain('not within 1.x (4a)');
  });

  it('takes nine months if these are longer than three releases', async () => {
    const { lines } = await run({ schemas: lamps(versions), releasesPerYear: '12' });
    expect(lines.find((line) => line.includes('v1beta1'))).toContain('from 1.34, about 2024-08');
  });

  it('is printed as JSON too, with removed versions', async () => {
    const { lines } = await run({ schemas: lamps(versions), format: 'json' });
    const printed = JSON.parse(lines.join('\n'));
    expect(printed).toMatchObject({ release: '1.27', date: '2024-01-31', releasesPerYear: 3, findings: [] });
    expect(printed.versions.at(-1)).toEqual({
      group: 'example.com',
      version: 'v1alpha0',
      resource: 'lamps',
      kind: 'Lamp',
      level: 'alpha',
      introduced: '1.19',
      removed: '1.21',
      stored: false,
      preferred: false,
      removal: { may: 'gone', since: '1.21' },
    });
  });

  it('warns of a version that has been beta for long', async () => {
    const { ended, lines } = await run({ schemas: lamps(old) });
    expect(ended).toBe('done');
    expect(lines.at(-2)).toMatch(
      /lamps\.yaml:9:\d+ warning: lamps\.example\.com: v1beta1 was introduced in 1\.21, .* \(rule 4a\)$/,
    );
  });

  it.each([
    [{ release: 'next' }, '--release next'],
    [{ date: 'soon' }, '--date soon'],
    [{ date: '2024-13' }, '--date 2024-13'],
    [{ date: '2023-02-29' }, '--date 2023-02-29'],
    [{ releasesPerYear: '0' }, '--releases-per-year 0'],
    [{ against: join(base, 'none') }, 'none'],
    [{ against: 'git:nothing:here' }, 'git:nothing'],
  ])('refuses the flags %j', async (flags, message) => {
    const { ended, errors } = await run({ schemas: lamps(old), ...flags });
    expect(ended).toBe('failed');
    expect(errors.join('\n')).toContain(message);
  });
});

describe('a stable version', () => {
  const next: Version = { name: 'v2', storage: true, stability: { ...stable, introduced: '1.10' } };
  const earlier = (more: object): readonly Version[] => [
    { name: 'v1', stability: { level: 'stable', introduced: '1.1', ...more } },
    next,
  ];
  const told = earlier({ deprecated: '1.20', replacement: { version: 'v2' } });

  it('may be removed in a new major release, once it has been deprecated', async () => {
    expect(await moved(told, [next], { release: '2.0' })).toEqual(done);
    expect((await moved(told, [next], { release: '1.99' })).ended).toBe('refused');
    expect((await moved(earlier({}), [next], { release: '2.0' })).ended).toBe('refused');
  });

  it('has that release in the calendar', async () => {
    const { lines } = await run({ schemas: lamps(told), release: '2.1' });
    expect(lines.find((line) => line.includes('/v1 '))).toContain('from 2.0 (4a)');
  });
});

describe('rule 4b', () => {
  const both = (stored: string): readonly Version[] => [
    { name: 'v1', storage: stored === 'v1', stability: { ...stable, introduced: '1.27' } },
    { name: 'v1beta1', storage: stored === 'v1beta1', stability: { ...beta, deprecated: '1.27' } },
  ];
  const asked = { name: 'v1', stability: { level: 'beta', introduced: '1.27' } };

  it('refuses a stored version that the release before cannot read, and a preferred one that it does not serve', async () => {
    expect(await moved(old, both('v1'))).toEqual(refused('error 4b at 9', 'error 4b at 9'));
    expect(await moved(old, both('v1beta1'))).toEqual(refused('error 4b at 9'));
  });

  it('allows both one release later', async () => {
    const between: readonly Version[] = [
      asked,
      { name: 'v1beta1', storage: true, stability: { ...beta, deprecated: '1.26' } },
    ];
    expect(await moved(between, both('v1'), { release: '1.28' })).toEqual(done);
  });

  it('only warns about the preferred version of a CustomResourceDefinition, which follows from its name', async () => {
    const before = [{ name: 'v1', storage: true }];
    const after = [...before, { name: 'v2' }];
    expect(await moved(before, after, {}, custom)).toEqual({ ended: 'done', found: ['warning 4b at 10'] });
    const storing = [{ name: 'v1' }, { name: 'v2', storage: true }];
    expect(await moved(before, storing, {}, custom)).toEqual(refused('error 4b at 10', 'warning 4b at 10'));
  });
});

describe('rule 4a', () => {
  const v1 = { name: 'v1', storage: true, stability: stable };
  const deprecated = (release: string): Version => ({ name: 'v1beta1', stability: { ...beta, deprecated: release } });

  it('refuses to remove a beta version before its time', async () => {
    expect(await moved([v1, deprecated('1.25')], [v1])).toEqual(refused('error 4a at 8'));
    expect(await moved([v1, deprecated('1.24')], [v1])).toEqual(done);
    expect(await moved([v1, { name: 'v1beta1', stability: beta }], [v1])).toEqual(refused('error 4a at 8'));
    expect(await moved([v1, deprecated('1.24')], [v1], { releasesPerYear: '6' })).toEqual(refused('error 4a at 8'));
  });

  it('refuses to remove a stable version, or to stop serving it', async () => {
    const v2 = { name: 'v2', storage: true, stability: stable };
    const before = [v2, { ...v1, storage: false }];
    expect(await moved(before, [v2])).toEqual(refused('error 4a at 8'));
    expect(await moved(before, [v2, { ...v1, storage: false, served: false }])).toEqual(refused('error 4a at 10'));
    expect(await moved(before, before)).toEqual(done);
  });

  it('allows the removal of an alpha version, unless objects are stored in it', async () => {
    const alpha = { name: 'v1alpha1', stability: { level: 'alpha', introduced: '1.26' } };
    expect(await moved([v1, alpha], [v1])).toEqual(done);
    const storing = [
      { ...v1, storage: false },
      { ...alpha, storage: true },
    ];
    expect(await moved(storing, [v1])).toEqual(refused('error 4a at 8'));
  });

  it('refuses a deprecation that no earlier release announced', async () => {
    const before = [v1, { name: 'v1beta1', stability: { ...beta, introduced: '1.25' } }];
    expect(await moved(before, [v1, deprecated('1.24')])).toEqual(refused('error 4a at 10'));
    expect(await moved(before, [v1, deprecated('1.27')])).toEqual(done);
  });

  it('counts all versions of a removed resource', async () => {
    const schemas = lamps([v1], native, { plural: 'bulbs', kind: 'Bulb' });
    const { ended, lines } = await run({ schemas, against: lamps([v1]) });
    expect(ended).toBe('refused');
    expect(lines.filter((line) => line.endsWith('(rule 4a)'))).toEqual([
      expect.stringMatching(/lamps\.yaml:8:\d+ error: lamps\.example\.com: v1 is no longer served/),
      expect.stringMatching(/lamps\.yaml:8:\d+ error: lamps\.example\.com: v1 must stay defined/),
    ]);
  });
});

it('compares nothing while there are mistakes', async () => {
  const { ended, lines, errors } = await run({ schemas: lamps([]), against: lamps(old) });
  expect({ ended, lines }).toEqual({ ended: 'refused', lines: [] });
  expect(errors[0]).toMatch(/lamps\.yaml:\d+:\d+ KF/);
});

it('finds nothing in the built-in definitions', async () => {
  const { ended, lines, errors } = await run({ schemas: join(root, 'schemas') });
  expect(ended).toBe('done');
  expect(lines.filter((line) => line.endsWith(')') && line.includes('(rule'))).toEqual([]);
  expect(errors).toEqual([expect.stringMatching(/^\d+ versions$/)]);
  expect(lines.find((line) => /v1beta2 +flowschemas/.test(line))).toContain('from 1.29, about 2024-09');
});
