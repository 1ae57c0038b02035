/** Turns a `ResourceDefinition` into a resource of the model. */
import type { Deprecation, NameRule, Replacement, Stability, StoredAs, Verb } from '../../runtime/contract/index.js';
import { boolean, compact, get, list, number, oneOf, type Raw, string } from '../../runtime/schema/reading/read.js';
import { readSchema, type SchemaContext } from '../../runtime/schema/reading/read-schema.js';
import { readColumns } from './columns.js';
import { readConversion } from './conversion.js';
import type { ResourceModel, SourceFile, VersionModel } from './model.js';
import { readNames } from './names.js';
import { readSelectableFields } from './selectable-fields.js';
import { readNativeSubresources, readPaths } from './subresources.js';
import { readVerbs, VERBS } from './verbs.js';

/** Names of objects where a definition has no rule of its own. */
const USUAL_NAMES: NameRule = { format: 'dns-1123-subdomain' };

/** What can be done with a virtual kind that does not say. */
const VIRTUAL_VERBS: readonly Verb[] = ['create'];

export const SCOPES = ['Cluster', 'Namespaced'] as const;
export const GENERATIONS = ['counted', 'after-change', 'none'] as const;
export const DELETE_RETURNS = ['object', 'Status'] as const;
export const PRESENCES = ['explicit', 'implicit'] as const;
export const LEVELS = ['alpha', 'beta', 'stable'] as const;

/** The resource a native definition describes; what is missing or of a wrong type gets the format's default. */
export function readNativeResource(raw: Raw, source: SourceFile, resolve: SchemaContext['resolve']): ResourceModel {
  const spec = get(raw, 'spec');
  const verbs = get(spec, 'verbs');
  const virtual = boolean(get(spec, 'virtual')) ?? false;
  const written = list(get(spec, 'versions'));
  const storedAs = readStoredAs(get(spec, 'storedAs'));
  const isOnly = written.length === 1 && storedAs === undefined && !virtual;
  const versions = written.map((version) => readVersion(version, isOnly, resolve));
  return compact<ResourceModel>({
    group: string(get(spec, 'group')) ?? '',
    names: readNames(get(spec, 'names')),
    scope: oneOf(SCOPES)(get(spec, 'scope')) ?? 'Namespaced',
    decoding: 'typed',
    verbs: Array.isArray(verbs) ? readVerbs(verbs) : virtual ? VIRTUAL_VERBS : VERBS,
    virtual: virtual || undefined,
    withoutMetadata: boolean(get(spec, 'withoutMetadata')) || undefined,
    nameRule: readNameRule(get(spec, 'nameRule')),
    generation: oneOf(GENERATIONS)(get(spec, 'generation')) ?? 'counted',
    deleteReturns: oneOf(DELETE_RETURNS)(get(spec, 'deleteReturns')) ?? 'object',
    createOnUpdate: boolean(get(spec, 'createOnUpdate')) ?? false,
    unconditionalUpdate: boolean(get(spec, 'unconditionalUpdate')) ?? true,
    untracked: readPaths(get(spec, 'untracked')),
    featureGate: string(get(spec, 'featureGate')),
    storedAs,
    conversionWebhook: undefined,
    description: describe(versions),
    versions,
    source,
  });
}

/** What the schema of the stored version says of the kind. */
export function describe(versions: readonly VersionModel[]): string | undefined {
  return (versions.find((version) => version.storage) ?? versions[0])?.schema.description;
}

function readVersion(raw: Raw, isOnly: boolean, resolve: SchemaContext['resolve']): VersionModel {
  const fieldPresence = oneOf(PRESENCES)(get(raw, 'fieldPresence')) ?? 'explicit';
  return compact<VersionModel>({
    name: string(get(raw, 'name')) ?? '',
    served: boolean(get(raw, 'served')) ?? true,
    storage: boolean(get(raw, 'storage')) ?? isOnly,
    schema: readSchema(get(get(raw, 'schema'), 'openAPIV3Schema'), { fieldPresence, resolve }),
    subresources: readNativeSubresources(get(raw, 'subresources')),
    columns: readColumns(get(raw, 'additionalPrinterColumns')),
    selectableFields: readSelectableFields(get(raw, 'selectableFields')),
    deprecation: readDeprecation(get(raw, 'deprecation')),
    stability: readStability(get(raw, 'stability')),
    conversion: readConversion(get(raw, 'conversion')),
  });
}

/** `deployments.apps` is the resource of that name; without a dot it is one of the core group. */
function readStoredAs(raw: Raw): StoredAs | undefined {
  const name = string(raw);
  if (name === undefined) return undefined;
  const dot = name.indexOf('.');
  return dot === -1 ? { group: '', plural: name } : { group: name.slice(dot + 1), plural: name.slice(0, dot) };
}

const GENERATED_NAMES = ['random', 'nothing'] as const;

function readNameRule(raw: Raw): NameRule {
  const format = string(get(raw, 'format')) ?? USUAL_NAMES.format;
  const generated = oneOf(GENERATED_NAMES)(get(raw, 'generated'));
  return compact<NameRule>({ format, maxLength: number(get(raw, 'maxLength')), generated });
}

function readDeprecation(raw: Raw): Deprecation | undefined {
  const message = string(get(raw, 'message'));
  if (message === undefined) return undefined;
  return compact<Deprecation>({ message, removedRelease: string(get(raw, 'removedRelease')) });
}

function readStability(raw: Raw): Stability | undefined {
  const level = oneOf(LEVELS)(get(raw, 'level'));
  if (level === undefined) return undefined;
  return compact<Stability>({
    level,
    introduced: string(get(raw, 'introduced')),
    deprecated: string(get(raw, 'deprecated')),
    removed: string(get(raw, 'removed')),
    replacement: readReplacement(get(raw, 'replacement')),
  });
}

function readReplacement(raw: Raw): Replacement | undefined {
  const version = string(get(raw, 'version'));
  if (version === undefined) return undefined;
  return compact<Replacement>({ group: string(get(raw, 'group')), version, kind: string(get(raw, 'kind')) });
}
