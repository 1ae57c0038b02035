/** Comparisons of releases: they follow the definitions of kinds and the tables of gates and behaviours. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../../generated/registry.js';
import { additions } from '../../../../runtime/cel/releases.js';
import { emulate, releases } from '../../../../runtime/objects/release.js';
import { enabledByDefault, machineryGates } from '../../../../runtime/server/index.js';
import { compareReleases, groupsAndKinds } from '../../../../server/maintenance/compare-releases.js';

describe('two releases', () => {
  it('differ in the versions that the definitions add or remove between them', async () => {
    const { kinds } = await compareReleases(emulate('1.27'), emulate('latest'));
    const between = releases.slice(1).map(String);
    const lives = registry
      .filter(({ served }) => served)
      .map(({ group, version, names, stability = {} }) => {
        const { introduced, removed }: { introduced?: string; removed?: string } = stability;
        const [comes, goes] = [between.includes(introduced ?? ''), between.includes(removed ?? '')];
        return comes === goes ? [] : [`${comes ? 'comes' : 'goes'} ${group}/${version} ${names.plural}`];
      });
    const found = kinds.filter(({ change, resource }) => change !== 'changes' && !resource.includes('/'));
    expect(found.map(({ change, group, version, resource }) => `${change} ${group}/${version} ${resource}`)).toEqual(
      lives.flat(),
    );
    expect(found.length).toBeGreaterThan(0);
  });

  it('list each gate with its state before and after', async () => {
    const { gates } = await compareReleases(emulate('1.31'), emulate('1.32'));
    const of = (name: string) => gates.find(({ gate }) => gate === name);
    expect(of('APIListChunking')).toEqual({
      gate: 'APIListChunking',
      before: { stage: 'ga', byDefault: true, locked: true },
    });
    expect(of('WatchList')).toMatchObject({ before: { stage: 'alpha' }, after: { stage: 'beta', byDefault: true } });
    expect(of('DRAAdminAccess')).toEqual({
      gate: 'DRAAdminAccess',
      after: { stage: 'alpha', byDefault: false, locked: false },
    });
    expect(of('OpenAPIEnums')).toBeUndefined();
  });

  it('do not differ from themselves', async () => {
    const nothing = { kinds: [], fields: [], gates: [], behaviours: [] };
    expect(await compareReleases(emulate('latest'), emulate('1.36'))).toEqual(nothing);
  });

  it('may be compared in one kind only, with its gates', async () => {
    const jobs = groupsAndKinds((group) => group).get('job');
    const { kinds, gates, behaviours } = await compareReleases(emulate('1.27'), emulate('latest'), jobs);
    expect(kinds.filter(({ kind }) => kind !== 'Job')).toEqual([]);
    expect(behaviours).toEqual([]);
    const named = registry.filter(({ names }) => names.kind === 'Job').flatMap(({ fieldGates = [] }) => fieldGates);
    expect(gates.filter(({ gate }) => !named.includes(gate))).toEqual([]);
  });
});

it('a server without a release differs from 1.27 in the machinery', async () => {
  const { gates, behaviours, kinds } = await compareReleases(emulate('1.27'), emulate());
  expect(gates.map(({ gate }) => gate).sort()).toEqual([...machineryGates].sort());
  expect(gates.filter(({ gate }) => !enabledByDefault(gate))).toEqual([]);
  expect(behaviours.map(({ name }) => name)).toContain('laterExpressions');
  expect(behaviours.filter(({ name }) => name === 'expressions').map(({ about }) => about)).toEqual(
    additions.map(({ about }) => about),
  );
  expect(behaviours.filter(({ change }) => change === 'goes')).toEqual([]);
  expect(kinds.filter(({ change }) => change === 'goes')).toEqual([]);
});

it('groups and kinds have their served names', () => {
  const names = groupsAndKinds((group) => group.replace('platform.io', 'k8s.io'));
  expect([...(names.get('storage.k8s.io') ?? [])].every(({ group }) => group === 'storage.platform.io')).toBe(true);
  expect(names.get('storage')).toEqual(names.get('storage.k8s.io'));
  expect([...(names.get('pods') ?? [])].map(({ names: { kind } }) => kind)).toEqual(['Pod']);
  expect(names.get('core')?.size).toBeGreaterThan(10);
  expect(names.has('storage.platform.io')).toBe(false);
});
