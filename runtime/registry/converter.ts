/** Converts decoded objects between versions without a server. */
import { unknownRemarks } from '../codec/field-remarks.js';
import type { JsonObject, KindHandlers, NamedConversion, ResourceModule, Result } from '../contract/index.js';
import { textOf } from '../objects/guards.js';
import { compareVersions, formatGroupVersion } from '../objects/names/names.js';
import type { Naming } from '../objects/names/naming.js';
import { badRequest } from '../objects/status.js';
import type { ResourceNames, ResourceVersions, ServedResource } from '../resource/served-resource.js';
import { conversionFailure, convertBetween, toStored } from '../resource/versions.js';
import { toObject } from '../write/decode.js';
import { underNaming } from './module-naming.js';
import { buildRegistry, type RegistrySources } from './registry.js';

/** A converted object, and the fields that its version does not have, as a warning to the writer. */
export interface Converted {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

/** Converts one object to the version `apiVersion`. Default: the preferred version. */
export type Convert = (value: JsonObject, apiVersion?: string) => Promise<Result<Converted>>;

/** The kinds to convert, under platform names, and the naming of the objects. */
export interface ConverterOptions {
  readonly modules: readonly ResourceModule[];
  readonly naming: Naming;
  readonly handlers?: readonly KindHandlers[];
  readonly conversions?: readonly NamedConversion[];
}

/** Prepares to convert objects of some modules, between all their versions, served or not. */
export function defineConverter(options: ConverterOptions): Convert {
  const sources: RegistrySources = {
    modules: throughOneVersion(options.modules).map((module) => underNaming(module, options.naming)),
    handlers: options.handlers ?? [],
    plugins: [],
    featureEnabled: () => true,
    conversions: options.conversions ?? [],
    rename: options.naming.rename,
  };
  const registry = buildRegistry(sources);
  const versionsOf = ({ stored }: ResourceVersions): readonly ServedResource[] =>
    sources.modules.flatMap(({ group, version, names }) => {
      const found = registry.convertible(formatGroupVersion(group, version), names.kind);
      return found?.stored === stored ? [found] : [];
    });
  return async (value, apiVersion) => {
    const source = registry.convertible(textOf(value.apiVersion), textOf(value.kind));
    if (!source) return refuse(`unknown kind ${nameOf(value)}`);
    const versions = versionsOf(source);
    const target =
      apiVersion === undefined ? preferred(source, versions) : registry.convertible(apiVersion, textOf(value.kind));
    if (!target || target.stored !== source.stored) {
      const known = versions.map((each) => each.apiVersion).join(', ');
      return refuse(`${nameOf(value)} cannot be converted to ${apiVersion}, only to: ${known}`);
    }
    if (source !== target && source.stored.module.conversionWebhook) {
      return refuse(`${nameOf(value)} cannot be converted to ${target.apiVersion} here: only its webhook can do that`);
    }
    await source.ready();
    const decoded = toObject(source, value);
    if (!decoded.ok) return refuse(decoded.problem);
    const { object } = decoded.value;
    const unknownFields = unknownRemarks(decoded.value.unknownFields, source.module.decoding);
    if (source === target) return { ok: true, value: { object: withItsMetadata(target, object), unknownFields } };
    const kept = toStored(source, object);
    const failure = conversionFailure(source.stored, target, kept);
    if (failure) return { ok: false, failure };
    const converted = convertBetween(source.stored, target, kept);
    return { ok: true, value: { object: withItsMetadata(target, converted), unknownFields } };
  };
}

/**
 * Marks the best version of each virtual kind as the version that the others are converted to. The definitions of such
 * kinds mark none, because nothing is stored.
 */
function throughOneVersion(modules: readonly ResourceModule[]): readonly ResourceModule[] {
  const best = new Map<string, ResourceModule>();
  for (const module of modules.filter(({ virtual }) => virtual)) {
    const resource = `${module.group}/${module.names.plural}`;
    const other = best.get(resource);
    if (!other || compareVersions(module.version, other.version) < 0) best.set(resource, module);
  }
  const marked = new Set(best.values());
  return modules.map((module) => (marked.has(module) ? { ...module, storage: true } : module));
}

/** Returns the best served version of the object's own group. If that has none, returns the stored version. */
function preferred(source: ResourceNames & ResourceVersions, versions: readonly ServedResource[]): ServedResource {
  if (source.stored.module.group === source.module.group && source.stored.module.served) return source.stored;
  const [best] = versions
    .filter(({ module }) => module.served && module.group === source.module.group)
    .sort((a, b) => compareVersions(a.module.version, b.module.version));
  return best ?? source.stored;
}

/** Returns an object as it is sent. Removes the metadata, which all decoded objects have, if its kind has none. */
function withItsMetadata({ module }: ResourceNames, object: JsonObject): JsonObject {
  if (!module.withoutMetadata) return object;
  const { metadata: _metadata, ...rest } = object;
  return rest;
}

const nameOf = ({ apiVersion, kind }: JsonObject): string =>
  `${textOf(kind) || '(none)'} of ${textOf(apiVersion) || '(no apiVersion)'}`;

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
