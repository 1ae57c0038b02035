/** The definitions of the product: correct, described throughout, and in line with the facts of the reference. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ResourceModel, VersionModel } from '../../../generator/model/model.js';
import type { Schema } from '../../../runtime/contract/index.js';
import { nameFormat } from '../../../runtime/objects/names/names.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { apiRelease, type EmulatedVersion, emulate, isThere } from '../../../runtime/objects/release.js';
import { buildOpenApiV2, kubernetesNaming as naming } from '../../../runtime/schema/openapi/index.js';
import { cutSchemas } from '../../../runtime/schema/schema-in-release.js';
import { builtInDefinitions } from '../../support/built-in-definitions.js';
import { hasShared, shared } from '../../support/shared.js';

const { model, diagnostics } = builtInDefinitions();

const titleOf = ({ group, names }: ResourceModel): string => (group === '' ? names.kind : `${group}/${names.kind}`);

/** Every resource with each served version. A version that is only converted has only its conversion. */
const resources = model.resources.flatMap((resource) =>
  resource.versions
    .filter(({ served }) => served)
    .map((version): [string, ResourceModel, VersionModel] => [titleOf(resource), resource, version]),
);

/** Calls for each node of a schema, with its path. */
function walk(schema: Schema, visit: (node: Schema, path: string) => void, path = ''): void {
  visit(schema, path);
  for (const [name, property] of Object.entries(schema.properties ?? {})) walk(property, visit, `${path}.${name}`);
  if (schema.items) walk(schema.items, visit, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, visit, `${path}{}`);
}

describe('the definitions', () => {
  it('have no mistakes', () => expect(diagnostics).toEqual([]));

  it('use every shared type', () => {
    const used = new Set<string | undefined>();
    const note = (node: Schema): unknown => used.add(node['x-kindforge-type']);
    for (const { schema } of model.resources.flatMap(({ versions }) => versions)) walk(schema, note);
    const own = [...model.types.keys()].filter((name) => !name.startsWith('meta/'));
    expect(own.filter((name) => !used.has(name))).toEqual([]);
  });
});

/** Reports whether a field is more than two levels below `spec` or `status`, where descriptions may be missing. */
const isDeep = (path: string): boolean => path.split('.').length - 1 > (/^\.(spec|status)\b/.test(path) ? 3 : 2);

/** Lists the parts of a kind without description: fields by path, and columns by name. */
function undescribed(version: VersionModel): readonly string[] {
  const bare: string[] = [];
  walk(version.schema, ({ description }, path) => {
    const isPart = path.endsWith(']') || path.endsWith('}');
    if (!isPart && !isDeep(path) && !/\w.*\.$/s.test(description ?? '')) bare.push(path);
  });
  const columns = version.columns.filter(({ description }) => !/\w.*\.$/.test(description ?? ''));
  return [...bare, ...columns.map(({ name }) => name)];
}

describe.each(resources)('%s', (_title, resource, version) => {
  it('is described, and so is every field and column', () => expect(undescribed(version)).toEqual([]));

  it('uses existing checks for names', () => {
    const formats = [resource.nameRule.format];
    walk(version.schema, (node) => formats.push(node['x-kindforge-name-format'] ?? 'any'));
    expect(formats.filter((format) => nameFormat(format) === undefined)).toEqual([]);
  });
});

/** Packages of the reference with another name than their groups. */
const packages: ReadonlyMap<string, string> = new Map([
  ['apiextensions', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions'],
  ['apiregistration', 'io.k8s.kube-aggregator.pkg.apis.apiregistration'],
  ['internal', 'io.k8s.api.apiserverinternal'],
]);

interface ReferenceType extends Schema {
  readonly $ref?: string;
}

/** The specified release and the last one. */
const releasesWithFacts: readonly EmulatedVersion[] = [apiRelease, '1.36'];

describe.skipIf(!hasShared).each(releasesWithFacts)('the facts of %s (needs ../shared)', (release) => {
  const read = <T>(file: string): T => JSON.parse(readFileSync(shared('reference', file), 'utf8'));
  const types: Readonly<Record<string, ReferenceType>> = hasShared ? read(`types-${release}.json`) : {};
  const columns: Readonly<
    Record<string, readonly { name: string; type: string; format?: string; priority?: number }[]>
  > = hasShared ? read(`table-columns-${release}.json`) : {};
  const discovery: readonly {
    groupVersion: string;
    resources: { name: string; namespaced: boolean; verbs: string[]; shortNames?: string[]; singularName: string }[];
  }[] = hasShared ? read(`discovery-${release}.json`) : [];

  const apiVersionOf = (resource: ResourceModel, version: VersionModel): string =>
    resource.group === '' ? version.name : `${kubernetesNaming.rename(resource.group)}/${version.name}`;

  function idOf(resource: ResourceModel, version: VersionModel): string {
    const part = resource.group === '' ? 'core' : (resource.group.split('.')[0] ?? '');
    return `${packages.get(part) ?? `io.k8s.api.${part}`}.${version.name}.${resource.names.kind}`;
  }

  const typeOf = (resource: ResourceModel, version: VersionModel): ReferenceType =>
    types[idOf(resource, version)] ?? {};

  /** Reduces a type to the keys of the reference if the native format has more about its values. */
  function plain(schema: ReferenceType): ReferenceType {
    if (schema['x-kubernetes-int-or-string'] === true) return { ...schema, type: 'string', format: 'int-or-string' };
    const { format, 'x-kubernetes-patch-merge-key': _key, 'x-kubernetes-patch-strategy': _strategy, ...rest } = schema;
    if (format === 'quantity') return rest;
    // The merge strategy of a text means nothing.
    return schema.type === 'string' && format === undefined ? rest : schema;
  }

  /** Collects the parts that must agree: names, types, formats, and how lists and maps merge. */
  function facts(
    schema: ReferenceType,
    path: string,
    found: Map<string, string>,
    within: readonly string[] = [],
  ): void {
    const name = schema.$ref?.replace('#/definitions/', '') ?? '';
    if (name.endsWith('.ObjectMeta') || schema['x-kindforge-type'] === 'meta/v1#/ObjectMeta') return;
    // A recursive type ends at its first repetition.
    if (name !== '' && within.includes(name)) {
      found.set(path, `type=${JSON.stringify(types[name]?.type)}`);
      return;
    }
    const target = plain({ ...types[name], ...schema });
    const around = name === '' ? within : [...within, name];
    const marks = Object.entries(target).filter(([key]) => /^(type|format|x-kubernetes-(list|map|patch))/.test(key));
    found.set(
      path,
      marks
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .sort()
        .join(' '),
    );
    for (const [key, property] of Object.entries(target.properties ?? {})) {
      if (path !== '' || !['apiVersion', 'kind', 'metadata'].includes(key))
        facts(property, `${path}.${key}`, found, around);
    }
    if (target.items) facts(target.items, `${path}[]`, found, around);
    const { additionalProperties } = target;
    if (typeof additionalProperties === 'object') facts(additionalProperties, `${path}{}`, found, around);
  }

  const factsOf = (schema: ReferenceType): Record<string, string> => {
    const found = new Map<string, string>();
    facts(schema, '', found);
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  /** Removes rules of definitions, because they have more in later releases. */
  const withoutLater = (facts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(facts).filter(
        ([path]) => !/x-kubernetes-validations\[\]\.(reason|fieldPath|optionalOldSelf)$|\.selectableFields/.test(path),
      ),
    );

  /** Kinds of the reference's release. It did not serve kinds with a disabled gate. */
  const known = resources.filter(
    ([, resource, version]) => isThere(version.stability ?? {}, release) && idOf(resource, version) in types,
  );

  const inRelease = cutSchemas(release, emulate(release).has);

  it('have all kinds of the reference', () => {
    const own = new Set(known.map(([, resource, version]) => idOf(resource, version)));
    const kinds = discovery.flatMap(({ groupVersion, resources: all }) =>
      all.filter(({ name }) => !name.includes('/')).map(({ name }) => `${groupVersion}/${name}`),
    );
    const found = known.map(([, resource, version]) => `${apiVersionOf(resource, version)}/${resource.names.plural}`);
    expect(kinds.filter((name) => !found.includes(name))).toEqual([]);
    expect(own.size).toBeGreaterThan(60);
  });

  it.each(known)('%s has the fields of the reference', (_title, resource, version) =>
    expect(withoutLater(factsOf(inRelease(version.schema)))).toEqual(withoutLater(factsOf(typeOf(resource, version)))),
  );

  it.each(known)('%s requires the fields that the reference requires', (_title, resource, version) => {
    const missing = (typeOf(resource, version).required ?? []).filter(
      (name) => name !== 'metadata' && !inRelease(version.schema).required?.includes(name),
    );
    expect(missing).toEqual([]);
  });

  it.each(known)('%s has the columns of the reference', (_title, resource, version) => {
    if (resource.virtual) return;
    const own = version.columns
      .filter((one) => isThere(one, release))
      .map(({ name, type, format, priority }) => ({ name, type, format, priority }));
    const first = { name: 'Name', type: 'string', format: 'name' };
    const all = own.some(({ name, format }) => name === 'Name' && format === 'name') ? own : [first, ...own];
    const usual = [first, { name: 'Created At', type: 'date' }];
    expect(JSON.parse(JSON.stringify(own.length === 0 ? usual : all))).toEqual(
      columns[`${apiVersionOf(resource, version)}/${resource.names.plural}`],
    );
  });

  it.each(known)('%s is discovered as in the reference', (_title, resource, version) => {
    const group = discovery.find(({ groupVersion }) => groupVersion === apiVersionOf(resource, version));
    const { plural, singular, shortNames } = resource.names;
    const served = (group?.resources ?? []).filter(({ name }) => name === plural || name.startsWith(`${plural}/`));
    // Kinds that only subresources use have no path.
    const own =
      resource.verbs.length === 0
        ? []
        : [
            { name: plural, singular, shortNames: [...shortNames], verbs: [...resource.verbs].sort() },
            ...version.subresources
              .filter((one) => isThere(one, release))
              .map(({ name, verbs }) => ({
                name: `${plural}/${name}`,
                singular: '',
                shortNames: [],
                verbs: [...verbs].sort(),
              })),
          ];
    const found = served.map((one) => ({
      name: one.name,
      singular: one.singularName,
      shortNames: one.shortNames ?? [],
      verbs: [...one.verbs].sort(),
    }));
    expect(own.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(found);
    expect(served.every(({ namespaced }) => namespaced === (resource.scope === 'Namespaced'))).toBe(true);
  });
});

/** Types of 1.36 with documents that differ from the reference, apart from bounds. This list may only shrink. */
const differing: readonly string[] = [
  // The reference wrote fewer enums for versions below v1.
  'io.k8s.api.admissionregistration.v1beta1.MatchResources',
  'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicySpec',
  'io.k8s.api.admissionregistration.v1beta1.ParamRef',
  // Metadata is never required.
  'io.k8s.api.apiserverinternal.v1alpha1.StorageVersion',
  // Unions, which no client reads.
  'io.k8s.api.core.v1.AppArmorProfile',
  'io.k8s.api.core.v1.Event',
  'io.k8s.api.core.v1.PodSchedulingGroup',
  'io.k8s.api.core.v1.SeccompProfile',
  'io.k8s.api.flowcontrol.v1.LimitResponse',
  'io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec',
  'io.k8s.api.flowcontrol.v1.Subject',
  // Enums that the reference only checks.
  'io.k8s.api.networking.v1.IngressClassParametersReference',
  'io.k8s.api.storage.v1.CSIDriverSpec',
  // Schemas that contain schemas.
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
];

describe.skipIf(!hasShared)('the document of 1.36 (needs ../shared)', () => {
  const bounds = /^((exclusive)?(minimum|maximum)|(min|max)(Items|Length|Properties)|pattern|uniqueItems|multipleOf)$/i;

  /**
   * Reduces a definition to the parts that must agree. Texts, bounds, and the order of lists that are sets mean
   * nothing.
   */
  const reduced = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item) => reduced(item));
      return key === 'required' || key === 'enum' ? items.map(String).sort() : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).filter(
      ([name, part]) =>
        !bounds.test(name) && !(name === 'description' && typeof part === 'string') && !name.endsWith('-version-kind'),
    );
    return Object.fromEntries(
      parts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, reduced(part, name)]),
    );
  };

  it('has the types of the reference', () => {
    const types: Readonly<Record<string, object>> = JSON.parse(
      readFileSync(shared('reference', 'types-1.36.json'), 'utf8'),
    );
    const cut = cutSchemas('1.36', emulate('1.36').has);
    const served = resources
      .filter(([, , { stability = {} }]) => isThere(stability, '1.36'))
      .map(([, resource, version]) => ({
        ...resource,
        ...version,
        group: kubernetesNaming.rename(resource.group),
        version: version.name,
        schema: cut(version.schema),
      }));
    const { definitions } = buildOpenApiV2(served, { naming, title: 'a', version: 'v1', release: '1.36' });
    const found = Object.keys(types).filter(
      (id) => JSON.stringify(reduced(definitions[id])) !== JSON.stringify(reduced(types[id])),
    );
    expect(found).toEqual(differing);
  });
});
