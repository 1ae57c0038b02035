/** Turns a `CustomResourceDefinition` into a resource of the model. */
import type { Deprecation, JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { compareVersions } from '../../runtime/objects/gvk.js';
import { boolean, compact, get, list, oneOf, type Raw, string } from '../../runtime/schema/reading/read.js';
import { PLAIN, readSchema } from '../../runtime/schema/reading/read-schema.js';
import { readColumns } from './columns.js';
import type { ResourceModel, SourceFile, VersionModel } from './model.js';
import { readNames } from './names.js';
import { describe, SCOPES } from './native-resource.js';
import { readSelectableFields } from './selectable-fields.js';
import { readCustomSubresources } from './subresources.js';
import { VERBS } from './verbs.js';

/** The resource a CustomResourceDefinition describes. Everything it cannot say is as for all custom resources. */
export function readCustomResource(raw: Raw, source: SourceFile): ResourceModel {
  const spec = get(raw, 'spec');
  const group = string(get(spec, 'group')) ?? '';
  const names = readNames(get(spec, 'names'));
  const written = list(get(spec, 'versions'));
  const versions = written.map((version) =>
    readVersion(version, () => usualWarning(written, version, group, names.kind)),
  );
  return compact<ResourceModel>({
    group,
    names,
    scope: oneOf(SCOPES)(get(spec, 'scope')) ?? 'Namespaced',
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
    conversionWebhook: readConversionWebhook(get(spec, 'conversion')),
    description: describe(versions),
    versions,
    source,
  });
}

function readVersion(raw: Raw, deprecationWarning: () => string): VersionModel {
  return compact<VersionModel>({
    name: nameOf(raw),
    served: boolean(get(raw, 'served')) ?? false,
    storage: boolean(get(raw, 'storage')) ?? false,
    schema: readSchema(get(get(raw, 'schema'), 'openAPIV3Schema'), PLAIN),
    subresources: readCustomSubresources(get(raw, 'subresources')),
    columns: readColumns(get(raw, 'additionalPrinterColumns')),
    selectableFields: readSelectableFields(get(raw, 'selectableFields')),
    deprecation: readDeprecation(raw, deprecationWarning),
    stability: undefined,
    conversion: undefined,
  });
}

function readConversionWebhook(conversion: Raw): JsonObject | undefined {
  const webhook = get(conversion, 'webhook');
  return get(conversion, 'strategy') === 'Webhook' && isObject(webhook) ? webhook : undefined;
}

const nameOf = (version: Raw): string => string(get(version, 'name')) ?? '';

/** What users of a deprecated version are told where the definition does not say: that it is, and the best one after it. */
function usualWarning(versions: readonly Raw[], version: Raw, group: string, kind: string): string {
  const better = versions
    .filter((other) => get(other, 'served') === true && get(other, 'deprecated') !== true)
    .map(nameOf)
    .filter((name) => compareVersions(name, nameOf(version)) < 0)
    .sort(compareVersions);
  const [best] = better;
  const warning = `${group}/${nameOf(version)} ${kind} is deprecated`;
  return best === undefined ? warning : `${warning}; use ${group}/${best} ${kind}`;
}

function readDeprecation(raw: Raw, usual: () => string): Deprecation | undefined {
  if (get(raw, 'deprecated') !== true) return undefined;
  return { message: string(get(raw, 'deprecationWarning')) ?? usual() };
}
