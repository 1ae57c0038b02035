/** Turns a `CustomResourceDefinition` into a resource of the model. */
import type { Deprecation, JsonObject, KindAccess } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/names/names.js';
import { compact, isObject, type Raw } from '../../runtime/schema/read.js';
import { PLAIN, readSchema } from '../../runtime/schema/read-schema.js';
import type { ResourceDefinition, Version } from '../load/definition-format.js';
import { readColumns, readSelectableFields } from './columns.js';
import type { ResourceModel, SourceFile, VersionModel } from './model.js';
import { describe, READERS, SCOPES, WRITERS } from './native-resource.js';
import { Part, readNames } from './part.js';
import { readCustomSubresources, VERBS, type WrittenScale } from './subresources.js';

/** A version of a CustomResourceDefinition. It is much the same as a version of a native definition. */
interface CustomVersion
  extends Pick<Version, 'name' | 'served' | 'storage' | 'schema' | 'selectableFields' | 'additionalPrinterColumns'> {
  deprecated?: boolean;
  deprecationWarning?: string;
  subresources?: { status?: object; scale?: WrittenScale };
}

/** The parts of a CustomResourceDefinition that the model has. */
interface CustomDefinition {
  metadata?: {
    annotations?: { 'kindforge.dev/read'?: KindAccess['read']; 'kindforge.dev/write'?: KindAccess['write'] };
  };
  spec: Pick<ResourceDefinition['spec'], 'group' | 'names' | 'scope'> & {
    versions: CustomVersion[];
    conversion?: { strategy: string; webhook?: object };
  };
}

/**
 * Reads a CustomResourceDefinition. For settings that the format does not have, it uses the values of all custom
 * resources.
 */
export function readCustomResource(raw: Raw, source: SourceFile): ResourceModel {
  const spec = new Part<CustomDefinition>(raw).part('spec');
  const group = spec.string('group') ?? '';
  const names = readNames(spec.part('names'));
  const written = spec.parts('versions');
  const versions = written.map((version) =>
    readVersion(version, () => usualWarning(written, version, group, names.kind)),
  );
  return compact<ResourceModel>({
    group,
    names,
    scope: spec.choice('scope', SCOPES) ?? 'Namespaced',
    decoding: 'structural',
    verbs: VERBS,
    virtual: undefined,
    withoutMetadata: undefined,
    nameRule: { format: 'dns-1123-subdomain' },
    generation: 'counted',
    deleteReturns: 'Status',
    createOnUpdate: false,
    unconditionalUpdate: false,
    untracked: undefined,
    featureGate: undefined,
    storedAs: undefined,
    references: undefined,
    unique: undefined,
    access: readAccess(new Part<CustomDefinition>(raw)),
    conversionWebhook: readConversionWebhook(spec.part('conversion')),
    description: describe(versions),
    versions,
    source,
  });
}

/** Returns the roles with rights on the kind. They are in annotations, because the format has no key for them. */
function readAccess(definition: Part<CustomDefinition>): KindAccess | undefined {
  const annotations = definition.part('metadata').part('annotations');
  const read = annotations.choice('kindforge.dev/read', READERS);
  const write = annotations.choice('kindforge.dev/write', WRITERS);
  return read === undefined && write === undefined ? undefined : compact<KindAccess>({ read, write });
}

function readVersion(version: Part<CustomVersion>, deprecationWarning: () => string): VersionModel {
  return compact<VersionModel>({
    name: nameOf(version),
    served: version.boolean('served') ?? false,
    storage: version.boolean('storage') ?? false,
    schema: readSchema(version.part('schema').get('openAPIV3Schema'), PLAIN),
    subresources: readCustomSubresources(version.part('subresources')),
    columns: readColumns(version.parts('additionalPrinterColumns')),
    ...readSelectableFields(version.parts('selectableFields')),
    deprecation: readDeprecation(version, deprecationWarning),
    stability: undefined,
    conversion: undefined,
  });
}

function readConversionWebhook(
  conversion: Part<NonNullable<CustomDefinition['spec']['conversion']>>,
): JsonObject | undefined {
  const webhook = conversion.get('webhook');
  return conversion.string('strategy') === 'Webhook' && isObject(webhook) ? webhook : undefined;
}

const nameOf = (version: Part<CustomVersion>): string => version.string('name') ?? '';

/** Returns the default warning for users of a deprecated version. It names the best version to use instead. */
function usualWarning(
  versions: readonly Part<CustomVersion>[],
  version: Part<CustomVersion>,
  group: string,
  kind: string,
): string {
  const better = versions
    .filter((other) => other.boolean('served') === true && other.boolean('deprecated') !== true)
    .map(nameOf)
    .filter((name) => compareVersions(name, nameOf(version)) < 0)
    .sort(compareVersions);
  const [best] = better;
  const warning = `${group}/${nameOf(version)} ${kind} is deprecated`;
  return best === undefined ? warning : `${warning}; use ${group}/${best} ${kind}`;
}

function readDeprecation(version: Part<CustomVersion>, usual: () => string): Deprecation | undefined {
  if (version.boolean('deprecated') !== true) return undefined;
  return { message: version.string('deprecationWarning') ?? usual() };
}
