/** Turns a `ResourceDefinition` into a resource of the model. */
import type {
  Deprecation,
  KindAccess,
  NameRule,
  Replacement,
  Stability,
  StoredAs,
  Verb,
} from '../../runtime/contract/index.js';
import { compact, type Raw } from '../../runtime/schema/read.js';
import { readSchema, type SchemaContext } from '../../runtime/schema/read-schema.js';
import type { ResourceDefinition, Version } from '../load/definition-format.js';
import { readColumns, readSelectableFields } from './columns.js';
import { readConversion } from './conversion.js';
import type { ResourceModel, SourceFile, VersionModel } from './model.js';
import { Part, readNames } from './part.js';
import { readRelations, withRelations } from './relations.js';
import { knownVerbs, readNativeSubresources, VERBS } from './subresources.js';
import { convertedToStored } from './turned-conversion.js';

/** The default rule for the names of objects. */
const USUAL_NAMES: NameRule = { format: 'dns-1123-subdomain' };

/** The default verbs of a virtual kind. */
const VIRTUAL_VERBS: readonly Verb[] = ['create'];

export const SCOPES = ['Cluster', 'Namespaced'] as const;
export const GENERATIONS = ['counted', 'after-change', 'none'] as const;
export const DELETE_RETURNS = ['object', 'Status'] as const;
export const READERS = ['view', 'edit', 'admin', 'none'] as const;
export const WRITERS = ['edit', 'admin', 'none'] as const;
export const PRESENCES = ['explicit', 'implicit'] as const;
export const LEVELS = ['alpha', 'beta', 'stable'] as const;

/** Reads a native definition. Missing values and values of a wrong type get the format's default. */
export function readNativeResource(raw: Raw, source: SourceFile, resolve: SchemaContext['resolve']): ResourceModel {
  const spec = new Part<ResourceDefinition>(raw).part('spec');
  const verbs = spec.optionalStrings('verbs');
  const virtual = spec.boolean('virtual') ?? false;
  const written = spec.parts('versions');
  const storedAs = readStoredAs(spec.string('storedAs'));
  const isOnly = written.length === 1 && storedAs === undefined && !virtual;
  const group = spec.string('group') ?? '';
  const scope = spec.choice('scope', SCOPES) ?? 'Namespaced';
  const relations = readRelations(spec, group, scope);
  const read = convertedToStored(written.map((version) => readVersion(version, isOnly, resolve)));
  const versions = withRelations(read, relations);
  return compact<ResourceModel>({
    group,
    names: readNames(spec.part('names')),
    scope,
    decoding: 'typed',
    verbs: verbs !== undefined ? knownVerbs(verbs) : virtual ? VIRTUAL_VERBS : VERBS,
    virtual: virtual || undefined,
    withoutMetadata: spec.boolean('withoutMetadata') || undefined,
    nameRule: readNameRule(spec.part('nameRule')),
    generation: spec.choice('generation', GENERATIONS) ?? 'counted',
    deleteReturns: spec.choice('deleteReturns', DELETE_RETURNS) ?? 'object',
    createOnUpdate: spec.boolean('createOnUpdate') ?? false,
    unconditionalUpdate: spec.boolean('unconditionalUpdate') ?? true,
    untracked: spec.optionalStrings('untracked'),
    featureGate: spec.string('featureGate'),
    machinery: spec.boolean('machinery') || undefined,
    storedAs,
    references: relations.references.length === 0 ? undefined : relations.references,
    unique: relations.unique.length === 0 ? undefined : relations.unique,
    access: readAccess(spec.part('access')),
    conversionWebhook: undefined,
    description: describe(versions),
    versions,
    source,
  });
}

/** Returns the description of the kind, which is in the schema of the stored version. */
export function describe(versions: readonly VersionModel[]): string | undefined {
  return (versions.find((version) => version.storage) ?? versions[0])?.schema.description;
}

function readVersion(version: Part<Version>, isOnly: boolean, resolve: SchemaContext['resolve']): VersionModel {
  const fieldPresence = version.choice('fieldPresence', PRESENCES) ?? 'explicit';
  return compact<VersionModel>({
    name: version.string('name') ?? '',
    served: version.boolean('served') ?? true,
    storage: version.boolean('storage') ?? isOnly,
    schema: readSchema(version.part('schema').get('openAPIV3Schema'), { fieldPresence, resolve }),
    subresources: readNativeSubresources(version),
    columns: readColumns(version.parts('additionalPrinterColumns')),
    ...readSelectableFields(version.parts('selectableFields')),
    deprecation: readDeprecation(version.part('deprecation')),
    stability: readStability(version.part('stability')),
    conversion: readConversion(version.part('conversion')),
  });
}

/** Reads a reference to a resource: `deployments.apps`, or a name without a dot for the core group. */
function readStoredAs(name: string | undefined): StoredAs | undefined {
  if (name === undefined) return undefined;
  const dot = name.indexOf('.');
  return dot === -1 ? { group: '', plural: name } : { group: name.slice(dot + 1), plural: name.slice(0, dot) };
}

/** Returns the roles with rights on the kind, or `undefined` if the definition names none. */
function readAccess(access: Part<NonNullable<ResourceDefinition['spec']['access']>>): KindAccess | undefined {
  const read = access.choice('read', READERS);
  const write = access.choice('write', WRITERS);
  return read === undefined && write === undefined ? undefined : compact<KindAccess>({ read, write });
}

const GENERATED_NAMES = ['random', 'nothing'] as const;

function readNameRule(rule: Part<NonNullable<ResourceDefinition['spec']['nameRule']>>): NameRule {
  return compact<NameRule>({
    format: rule.string('format') ?? USUAL_NAMES.format,
    maxLength: rule.number('maxLength'),
    generated: rule.choice('generated', GENERATED_NAMES),
  });
}

function readDeprecation(deprecation: Part<NonNullable<Version['deprecation']>>): Deprecation | undefined {
  const message = deprecation.string('message');
  if (message === undefined) return undefined;
  return compact<Deprecation>({ message, removedRelease: deprecation.string('removedRelease') });
}

type WrittenStability = NonNullable<Version['stability']>;

function readStability(stability: Part<WrittenStability>): Stability | undefined {
  const level = stability.choice('level', LEVELS);
  if (level === undefined) return undefined;
  return compact<Stability>({
    level,
    introduced: stability.string('introduced'),
    deprecated: stability.string('deprecated'),
    removed: stability.string('removed'),
    replacement: readReplacement(stability.part('replacement')),
  });
}

function readReplacement(raw: Part<NonNullable<WrittenStability['replacement']>>): Replacement | undefined {
  const version = raw.string('version');
  if (version === undefined) return undefined;
  return compact<Replacement>({ group: raw.string('group'), version, kind: raw.string('kind') });
}
