/** Finds the admission plugins that handle an operation on a resource. */

import {
  arrangeRules,
  baseEnvironment,
  compileRuleTree,
  laterEnvironment,
  laterReading,
  type RulePlace,
} from '../cel/index.js';
import type {
  AdmissionPlugin,
  Deprecation,
  Operation,
  ResourceCode,
  ResourceModule,
  Schema,
  Stability,
} from '../contract/index.js';
import { type FieldSet, fieldElement, fieldSetOf } from '../merge/index.js';
import { formatGroupVersion } from '../objects/gvk.js';
import { memoize } from '../objects/memoize.js';
import { isReached } from '../objects/release.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { EmulatedVersion, ServedResource } from './served-resource.js';

/** Finds the plugins of an operation and a subresource, in order; the answers are kept. */
export function admissionTable(
  module: ResourceModule,
  plugins: readonly AdmissionPlugin[],
): ServedResource['admission'] {
  const pluginsOf = (operation: Operation) =>
    memoize((subresource) => plugins.filter((plugin) => plugin.handles(module, operation, subresource)));
  const byOperation = {
    CREATE: pluginsOf('CREATE'),
    UPDATE: pluginsOf('UPDATE'),
    DELETE: pluginsOf('DELETE'),
    CONNECT: pluginsOf('CONNECT'),
  };
  return (operation, subresource) => byOperation[operation](subresource);
}

/**
 * The notice of a version in a release: that of its definition, or one made of its stability; `undefined` where nobody
 * advises against it yet.
 */
export function deprecationOf(module: ResourceModule, release: string): Deprecation | undefined {
  const { deprecation, stability } = module;
  if (stability === undefined || stability.deprecated === undefined) return deprecation;
  if (!isReached(stability.deprecated, release)) return undefined;
  const { removed } = stability;
  const message = deprecation?.message ?? warningOf(module, stability.deprecated, stability);
  const removedRelease = deprecation?.removedRelease ?? removed;
  return { message, ...(removedRelease === undefined ? {} : { removedRelease }) };
}

/** As in `example.com/v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+; use example.com/v1 Widget`. */
function warningOf({ group, version, names }: ResourceModule, deprecated: string, life: Stability): string {
  const { removed, replacement } = life;
  const until = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const better = replacement && formatGroupVersion(replacement.group ?? group, replacement.version);
  const instead = replacement === undefined ? '' : `; use ${better} ${replacement.kind ?? names.kind}`;
  return `${formatGroupVersion(group, version)} ${names.kind} is deprecated in v${deprecated}+${until}${instead}`;
}

/**
 * Fields that writes to the object (empty) or to a subresource never come to own, because they cannot change them: the
 * status for the object itself, for a subresource all but what it writes.
 */
export function resetFieldsOf(resource: Pick<ServedResource, 'module' | 'schema'>, subresource: string): FieldSet {
  const { module } = resource;
  const target = module.subresources.find(({ name }) => name === subresource);
  if (!target) {
    const status = module.subresources.some(({ name }) => name === 'status') ? ['status'] : [];
    return toFieldSet(pathsOf([...status, ...(module.untracked ?? [])]));
  }
  const others = complement(resource.schema, pathsOf(target.writes), []);
  // Of custom resources the reference records owners of metadata even where the write leaves it as it was.
  const metadata = target.writesMetadata || module.decoding === 'structural' ? [] : [['metadata']];
  return toFieldSet([...others, ...metadata, ...pathsOf(target.untracked ?? [])]);
}

const pathsOf = (texts: readonly string[]): string[][] => texts.map((text) => text.split('.'));

const toFieldSet = (paths: readonly (readonly string[])[]): FieldSet =>
  fieldSetOf(paths.map((path) => path.map(fieldElement)));

/** The topmost fields of a schema that lie outside of all the given paths. */
function complement(schema: Schema, keep: readonly (readonly string[])[], at: readonly string[]): string[][] {
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    if (at.length === 0 && envelope.has(name)) return [];
    const below = keep.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (below.length === 0) return [[...at, name]];
    if (below.some((rest) => rest.length === 0)) return [];
    return complement(schema.properties?.[name] ?? {}, below, [...at, name]);
  });
}

const envelope: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Copies of a module under other names load by the same function, and so share what it loads. */
const loaded = new WeakMap<ResourceModule['code'], ResourceCode>();

/** The code of a module: at once where it has been loaded before, or needs no loading. */
export const loadCode = ({ code }: ResourceModule): MaybePromise<ResourceCode> =>
  loaded.get(code) ??
  thenSync(code(), (found) => {
    loaded.set(code, found);
    return found;
  });

/** Loads the code of several modules; returns at once where all of it is there. */
export function loadAll(modules: readonly ResourceModule[]): MaybePromise<void> {
  const loading = modules.map(loadCode).filter((code) => code instanceof Promise);
  return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
}

/** The code of a module for what cannot wait. Throws where it has not been loaded, which is a defect of the caller. */
export function codeOf(module: ResourceModule): ResourceCode {
  const code = loadCode(module);
  if (!(code instanceof Promise)) return code;
  const { group, version, names } = module;
  throw new Error(
    `the code of ${group === '' ? version : `${group}/${version}`} ${names.plural} is used before it is loaded`,
  );
}

/** Generated rules are those of the latest release; for another one they are compiled here. */
export function compileRules(
  { schema, rules }: ResourceCode,
  emulated: EmulatedVersion | undefined,
): RulePlace | undefined {
  if (emulated === '1.27') return compileRuleTree(schema, baseEnvironment);
  return rules === undefined ? compileRuleTree(schema, laterEnvironment, laterReading) : arrangeRules(schema, rules);
}
