/** Finds the differences between two releases: in the definitions of built-in kinds, the gates and the behaviours. */
import { registry } from '../../generated/registry.js';
import { additions } from '../../runtime/cel/releases.js';
import type { ResourceModule } from '../../runtime/contract/index.js';
import { type BehaviourLife, behaviours } from '../../runtime/objects/behaviours.js';
import { isReached, type Release } from '../../runtime/objects/release.js';
import {
  defineFieldChanges,
  enabledByDefault,
  type FieldChange,
  type Gate,
  gatesIn,
  isLater,
  isRemoved,
  servedByDefault,
} from '../../runtime/server/index.js';

/** One version of a kind, or one of its subresources. */
export interface KindChange {
  readonly change: 'comes' | 'goes' | 'changes';
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As in `pods`, or `pods/resize` for a subresource. */
  readonly resource: string;
  /** The changes in words, or the special facts about a new version. */
  readonly notes: readonly string[];
  readonly gate?: string;
}

/** A field of a version of a kind. */
export interface KindFieldChange extends FieldChange {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

/** A gate: its states before and after. A state is absent if the release does not know the gate. */
export interface GateChange {
  readonly gate: string;
  readonly before?: Gate;
  readonly after?: Gate;
}

export interface BehaviourChange {
  readonly change: 'comes' | 'goes';
  readonly name: string;
  readonly about: string;
}

/** The changes from one release to another. */
export interface ReleaseChanges {
  readonly kinds: readonly KindChange[];
  readonly fields: readonly KindFieldChange[];
  readonly gates: readonly GateChange[];
  readonly behaviours: readonly BehaviourChange[];
}

/**
 * Compares two releases. With `kinds`, returns just the changes of these kinds and of the gates that they name. Leaves
 * out behaviours then, because these do not name kinds.
 */
export async function compareReleases(
  from: Release,
  to: Release,
  kinds?: Iterable<ResourceModule>,
): Promise<ReleaseChanges> {
  const modules = [...(kinds ?? registry)].filter(({ served }) => served);
  const gates = gateChanges(from, to);
  const named = new Set(modules.flatMap(({ featureGate, fieldGates = [] }) => [featureGate ?? '', ...fieldGates]));
  return {
    kinds: modules.flatMap((module) => kindChanges(module, from, to, isServedOf(modules))),
    fields: (await Promise.all(modules.map(fieldsBetween(from, to)))).flat(),
    gates: kinds === undefined ? gates : gates.filter(({ gate }) => named.has(gate)),
    behaviours: kinds === undefined ? behaviourChanges(from, to) : [],
  };
}

const partOf = ({ machinery }: ResourceModule): 'kinds' | 'machinery' => (machinery ? 'machinery' : 'kinds');

const isThere = (module: ResourceModule, release: Release): boolean =>
  !isLater(module, release) && !isRemoved(module, release.name);

function placeOf({ group, version, names }: ResourceModule) {
  return { group, version, kind: names.kind, resource: names.plural };
}

function kindChanges(module: ResourceModule, from: Release, to: Release, isServed: IsServed): readonly KindChange[] {
  const [was, is] = [isThere(module, from), isThere(module, to)];
  const place = placeOf(module);
  const gate = module.featureGate === undefined ? {} : { gate: module.featureGate };
  if (!was && !is) return [];
  if (was !== is)
    return [{ change: is ? 'comes' : 'goes', ...place, notes: is ? notesOn(module, to, isServed) : [], ...gate }];
  const notes = [...servingNotes(isServed(module, from), isServed(module, to)), ...deprecationNotes(module, from, to)];
  const changed: readonly KindChange[] = notes.length === 0 ? [] : [{ change: 'changes', ...place, notes, ...gate }];
  return [...changed, ...subresourceChanges(module, from, to)];
}

function notesOn(module: ResourceModule, release: Release, isServed: IsServed): readonly string[] {
  const { deprecated } = module.stability ?? {};
  return [
    ...(isServed(module, release) ? [] : ['not served by default']),
    ...(isReached(deprecated, release.name) ? ['deprecated'] : []),
  ];
}

type IsServed = (module: ResourceModule, release: Release) => boolean;

function isServedOf(modules: readonly ResourceModule[]): IsServed {
  const byVersion = servedByDefault(modules);
  return (module, release) =>
    byVersion(module) && (module.featureGate === undefined || enabledByDefault(module.featureGate, release));
}

function servingNotes(was: boolean, is: boolean): readonly string[] {
  return was === is ? [] : [is ? 'served by default' : 'no longer served by default'];
}

function deprecationNotes({ stability }: ResourceModule, from: Release, to: Release): readonly string[] {
  const { deprecated, replacement } = stability ?? {};
  const is = isReached(deprecated, to.name);
  if (isReached(deprecated, from.name) === is) return [];
  const instead = [replacement?.group, replacement?.version].filter(Boolean).join('/');
  return [`${is ? 'deprecated' : 'not deprecated yet'}${instead === '' ? '' : ` for ${instead}`}`];
}

function subresourceChanges(module: ResourceModule, from: Release, to: Release): readonly KindChange[] {
  return module.subresources.flatMap((subresource): KindChange | [] => {
    const [was, is] = [from.has(subresource, partOf(module)), to.has(subresource, partOf(module))];
    const resource = `${module.names.plural}/${subresource.name}`;
    return was === is ? [] : { change: is ? 'comes' : 'goes', ...placeOf(module), resource, notes: [] };
  });
}

function fieldsBetween(from: Release, to: Release): (module: ResourceModule) => Promise<readonly KindFieldChange[]> {
  const changes = {
    kinds: defineFieldChanges(from, to, 'kinds'),
    machinery: defineFieldChanges(from, to, 'machinery'),
  };
  return async (module) => {
    if (!isThere(module, from) || !isThere(module, to)) return [];
    const { schema } = await module.code();
    return changes[partOf(module)](schema).map((change) => ({ ...placeOf(module), ...change }));
  };
}

function gateChanges(from: Release, to: Release): readonly GateChange[] {
  const [was, is] = [gatesIn(from), gatesIn(to)];
  const names = [...new Set([...was.keys(), ...is.keys()])].sort((a, b) => a.localeCompare(b, 'en'));
  return names.flatMap((gate) => {
    const [before, after] = [was.get(gate), is.get(gate)];
    if (before?.stage === after?.stage && before?.byDefault === after?.byDefault && before?.locked === after?.locked)
      return [];
    return { gate, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  });
}

function behaviourChanges(from: Release, to: Release): readonly BehaviourChange[] {
  const expressions = additions.map(({ introduced, about }): [string, BehaviourLife] => [
    'expressions',
    { introduced, machinery: true, about },
  ]);
  const named = Object.entries<BehaviourLife>(behaviours).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const all = [...named, ...expressions];
  return all.flatMap(([name, life]): BehaviourChange | [] => {
    const part = life.machinery ? 'machinery' : 'kinds';
    const [was, is] = [from.has(life, part), to.has(life, part)];
    return was === is ? [] : { change: is ? 'comes' : 'goes', name, about: life.about };
  });
}

/** Returns the modules of each group, kind and resource, by names in lower case; groups also by their first word. */
export function groupsAndKinds(
  rename: (group: string) => string,
  modules: readonly ResourceModule[] = registry,
): ReadonlyMap<string, ReadonlySet<ResourceModule>> {
  const found = new Map<string, Set<ResourceModule>>();
  for (const module of modules) {
    const { group, names } = module;
    const served = group === '' ? 'core' : rename(group);
    for (const name of new Set([served, served.replace(/\..*/, ''), names.kind.toLowerCase(), names.plural])) {
      const there = found.get(name);
      if (there) there.add(module);
      else found.set(name, new Set([module]));
    }
  }
  return found;
}
