/** Flags, gates and metrics stay as long as the rules of deprecation require. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FlagGroup } from '../../../bin/flags/flag.js';
import { serveFlagGroups } from '../../../bin/flags/serve/index.js';
import { allMetrics } from '../../../runtime/metrics/index.js';
import { configSchema, projectSchema, serveSettingsFile } from '../../support/flag-documents.js';
import { root } from '../../support/shared.js';

const releases: readonly Release[] = [
  { name: '1', day: '2026-01-01' },
  { name: '2', day: '2026-05-01' },
  { name: '3', day: '2026-09-01' },
  { name: '4', day: '2027-01-01' },
  { name: '5', day: '2027-05-01' },
];

describe('the rules of deprecation', () => {
  it.each<[Omit<Element, 'name'>, 'kept' | 'broken']>([
    [{ kind: 'flag', stability: 'stable', since: '1', deprecated: '2', removed: '3' }, 'broken'],
    [{ kind: 'flag', stability: 'stable', since: '1', deprecated: '2', removed: '4' }, 'kept'],
    [{ kind: 'flag', stability: 'beta', since: '1', deprecated: '2', removed: '3' }, 'kept'],
    [{ kind: 'flag', stability: 'beta', since: '1', deprecated: '2', removed: '2' }, 'broken'],
    [{ kind: 'flag', stability: 'beta', since: '1', removed: '5' }, 'broken'],
    [{ kind: 'flag', stability: 'alpha', since: '1', removed: '2' }, 'kept'],
    [{ kind: 'flag', stability: 'stable', since: '1', deprecated: '2' }, 'kept'],
    [{ kind: 'gate', stability: 'stable', since: '1', deprecated: '1', removed: '2' }, 'broken'],
    [{ kind: 'gate', stability: 'stable', since: '1', deprecated: '1', removed: '3' }, 'kept'],
    [{ kind: 'gate', stability: 'alpha', since: '1', deprecated: '2', removed: '2' }, 'kept'],
    [{ kind: 'metric', stability: 'stable', since: '1', deprecated: '4' }, 'broken'],
    [{ kind: 'metric', stability: 'stable', since: '1', deprecated: '5' }, 'kept'],
    [{ kind: 'metric', stability: 'beta', since: '1', deprecated: '3', removed: '4' }, 'kept'],
    [{ kind: 'metric', stability: 'beta', since: '1', deprecated: '2', removed: '4' }, 'broken'],
    [{ kind: 'flag', stability: 'beta', since: '1', deprecated: '2', removed: 'unknown' }, 'broken'],
  ])('%j: %s', (element, expected) =>
    expect(lifeCycleFaults([{ name: 'one', ...element }], releases)).toHaveLength(expected === 'kept' ? 0 : 1),
  );
});

/** The file of the flags of each release. A release adds its day, and its new flags. */
const released: { releases: Release[]; elements: Element[] } = JSON.parse(
  readFileSync(join(root, 'test/unit/docs/released.json'), 'utf8'),
);

describe('the flags of serve', () => {
  const flags = serveFlagGroups.flatMap((group: FlagGroup) =>
    group.flags.map(({ name, since = group.since }) => ({ name, since })),
  );

  it('were deprecated before they were removed', () =>
    expect(lifeCycleFaults(released.elements, released.releases)).toEqual([]));

  it('exist, unless a release has removed them', () => {
    const there = new Set(flags.map(({ name }) => name));
    const kept = released.elements.filter(({ kind, removed }) => kind === 'flag' && removed === undefined);
    expect(kept.filter(({ name }) => !there.has(name))).toEqual([]);
  });

  it('have the release that introduced them', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const known = new Set([...released.releases.map(({ name }) => name), version.split('.').slice(0, 2).join('.')]);
    expect(flags.filter(({ since }) => !known.has(since))).toEqual([]);
  });

  it('are in the schema of the configuration file', () =>
    expectSchema('server-configuration', configSchema(serveFlagGroups)));

  it('are in the schema and in the types of the configuration of a project', () => {
    expectSchema('project-configuration', projectSchema(serveFlagGroups));
    expectFile('bin/project/serve-settings.ts', serveSettingsFile(serveFlagGroups));
  });
});

describe('metrics', () => {
  const elements = allMetrics.map(
    ({ name, stability, since, deprecated }): Element => ({
      kind: 'metric',
      name,
      stability: stabilities[stability],
      since,
      ...(deprecated === undefined ? {} : { deprecated }),
    }),
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const current = version.split('.').slice(0, 2).join('.');

  it('follow the rules of deprecation', () => {
    const known = [...released.releases, { name: current, day: new Date().toISOString().slice(0, 10) }];
    expect(lifeCycleFaults(elements, known)).toEqual([]);
  });

  it('exist, unless a release has removed them', () => {
    const there = new Set(elements.map(({ name }) => name));
    const kept = released.elements.filter(({ kind, removed }) => kind === 'metric' && removed === undefined);
    expect(kept.filter(({ name }) => !there.has(name))).toEqual([]);
  });

  it('have unique names, labels in order, and the release that introduced them', () => {
    expect(new Set(elements.map(({ name }) => name)).size).toBe(elements.length);
    expect(allMetrics.filter(({ labels }) => [...labels].sort().join() !== labels.join())).toEqual([]);
    const known = new Set([...released.releases.map(({ name }) => name), current]);
    expect(elements.filter(({ since }) => !known.has(since))).toEqual([]);
  });
});

const stabilities = { ALPHA: 'alpha', BETA: 'beta', STABLE: 'stable' } as const;

/** Writes the file before if `UPDATE_GOLDEN` is set. The formatter decides its layout. */
function expectSchema(name: string, schema: object): void {
  const path = join(root, `schemas/meta/${name}.schema.json`);
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, JSON.stringify(schema));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema);
}

/** Writes the file instead if `UPDATE_GOLDEN` is set. */
function expectFile(path: string, text: string): void {
  if (process.env.UPDATE_GOLDEN) writeFileSync(join(root, path), text);
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
}

// The rules for deprecating and removing flags, gates and metrics (deprecation rules 5 to 9 of the API).

/** A flag, gate or metric, and its stages. */
interface Element {
  readonly kind: 'flag' | 'gate' | 'metric';
  readonly name: string;
  readonly stability: 'alpha' | 'beta' | 'stable';
  readonly since: string;
  readonly deprecated?: string;
  /** The release that no longer has it. */
  readonly removed?: string;
}

/** A release, the oldest first, and its day, as in `2026-11-25`. */
interface Release {
  readonly name: string;
  readonly day: string;
}

/** Both must pass: the longer counts. */
interface Span {
  readonly months: number;
  readonly releases: number;
}

const none: Span = { months: 0, releases: 0 };

/** The time that each still works after its deprecation. Flags are for administrators. */
const afterDeprecation: Readonly<Record<Element['kind'], Readonly<Record<Element['stability'], Span>>>> = {
  flag: { stable: { months: 6, releases: 1 }, beta: { months: 3, releases: 1 }, alpha: none },
  gate: { stable: { months: 6, releases: 2 }, beta: { months: 3, releases: 1 }, alpha: none },
  metric: { stable: { months: 9, releases: 3 }, beta: { months: 4, releases: 1 }, alpha: none },
};

/** The minimum time of a metric before it is deprecated. */
const beforeDeprecation: Readonly<Record<Element['stability'], Span>> = {
  stable: { months: 12, releases: 4 },
  beta: { months: 8, releases: 2 },
  alpha: none,
};

/** Lists the breaches of the rules, a sentence for each. */
function lifeCycleFaults(elements: readonly Element[], releases: readonly Release[]): readonly string[] {
  return elements.flatMap((element) => {
    const { kind, name, stability, since, deprecated, removed } = element;
    const lasts = (what: string, from: string, to: string, span: Span): readonly string[] =>
      isOver(span, from, to, releases) ? [] : [`${kind} ${name} (${stability}): ${what} ${from} and ${to}`];
    if (removed !== undefined && deprecated === undefined && stability !== 'alpha') {
      return [`${kind} ${name} (${stability}): removed in ${removed}, and never deprecated`];
    }
    return [
      ...(kind === 'metric' && deprecated !== undefined
        ? lasts(
            'too little time between its first release and its deprecation:',
            since,
            deprecated,
            beforeDeprecation[stability],
          )
        : []),
      ...(deprecated !== undefined && removed !== undefined
        ? lasts(
            'too little time between its deprecation and its removal:',
            deprecated,
            removed,
            afterDeprecation[kind][stability],
          )
        : []),
    ];
  });
}

function isOver({ months, releases: count }: Span, from: string, to: string, releases: readonly Release[]): boolean {
  const [first, last] = [from, to].map((name) => releases.findIndex((release) => release.name === name));
  if (first === undefined || last === undefined || first < 0 || last < 0) return false;
  const earliest = new Date(releases[first]?.day ?? '');
  earliest.setUTCMonth(earliest.getUTCMonth() + months);
  return last - first >= count && new Date(releases[last]?.day ?? '') >= earliest;
}
