/** A resource as it is served: its module with everything that can be worked out once instead of per request. */
import type {
  AdmissionPlugin,
  ApiObject,
  Attributes,
  JsonObject,
  Operation,
  ResourceModule,
  Strategy,
  Subresource,
} from '../contract/index.js';
import { compileTypedPlan, type TypedPlan } from '../merge/index.js';
import { compileJsonPath, type JsonPath } from '../objects/json-path.js';

/** One served version of a resource. Versions of one resource share a key prefix and the version they are stored in. */
export interface ServedResource {
  readonly module: ResourceModule;
  readonly strategy: Strategy | undefined;
  /** As in `storage.platform.io/v1`; the version alone for the core group. */
  readonly apiVersion: string;
  /** As in `csidrivers.storage.platform.io`; the plural alone for the core group. */
  readonly groupResource: string;
  /** Store keys begin with this: `<group>/<plural>/`. */
  readonly keyPrefix: string;
  /** The version that objects are stored in; itself for most. */
  readonly stored: ServedResource;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** JSON of an object up to its revision: `{"kind":…,"apiVersion":…,"metadata":{"resourceVersion":"`. */
  readonly head: string;
  /** Bytes of `head` before `"metadata"`, which list items of typed kinds leave out. */
  readonly envelopeLength: number;
  readonly fieldPaths: readonly { readonly path: string; readonly read: JsonPath }[];
  /** How fields are owned and merged; compiled when first asked for. */
  readonly plan: TypedPlan;
  /** The admission plugins that have a say, in order. */
  admission(operation: Operation, subresource: string): readonly AdmissionPlugin[];
}

export interface ServeOptions {
  readonly strategy?: Strategy;
  readonly plugins?: readonly AdmissionPlugin[];
  /** The stored version, where it is another one. */
  readonly stored?: ServedResource;
}

/** Prepares a module for service. */
export function serveResource(module: ResourceModule, options: ServeOptions = {}): ServedResource {
  const apiVersion = module.group === '' ? module.version : `${module.group}/${module.version}`;
  const envelope = `{"kind":${JSON.stringify(module.names.kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  let plan: TypedPlan | undefined;
  const served: ServedResource = {
    module,
    strategy: options.strategy,
    apiVersion,
    groupResource: module.group === '' ? module.names.plural : `${module.names.plural}.${module.group}`,
    keyPrefix: `${module.group}/${module.names.plural}/`,
    get stored() {
      return options.stored ?? served;
    },
    subresources: new Map(module.subresources.map((subresource) => [subresource.name, subresource])),
    head: `${envelope}"metadata":{"resourceVersion":"`,
    envelopeLength: Buffer.byteLength(envelope),
    fieldPaths: module.selectableFields.map((path) => ({ path, read: compileSelectable(path) })),
    get plan() {
      plan ??= compileTypedPlan(module.schema);
      return plan;
    },
    admission: pluginsByOperation(module, options.plugins ?? []),
  };
  return served;
}

/** The store key of an object; `namespace` is empty for cluster-scoped resources. */
export const keyOf = (resource: ServedResource, namespace: string, name: string): string =>
  namespace === '' ? resource.keyPrefix + name : `${resource.keyPrefix}${namespace}/${name}`;

/** What selectors may ask of an object of this resource. */
export function attributesOf(resource: ServedResource, object: JsonObject & Pick<ApiObject, 'metadata'>): Attributes {
  return { labels: object.metadata.labels ?? noLabels, fields: selectableValues(resource, object) };
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

function selectableValues(
  resource: ServedResource,
  object: JsonObject & Pick<ApiObject, 'metadata'>,
): Record<string, string> {
  const { metadata } = object;
  const fields: Record<string, string> = { 'metadata.name': metadata.name ?? '' };
  if (resource.module.scope === 'Namespaced') fields['metadata.namespace'] = metadata.namespace ?? '';
  for (const { path, read } of resource.fieldPaths) fields[path] = selectableText(read(object)[0]);
  return fields;
}

const selectableText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : '';

function compileSelectable(path: string): JsonPath {
  const compiled = compileJsonPath(path.startsWith('.') ? path : `.${path}`);
  return compiled.ok ? compiled.value : () => [];
}

function pluginsByOperation(module: ResourceModule, plugins: readonly AdmissionPlugin[]): ServedResource['admission'] {
  const found = new Map<string, readonly AdmissionPlugin[]>();
  return (operation, subresource) => {
    const key = `${operation}/${subresource}`;
    let handling = found.get(key);
    if (!handling) {
      handling = plugins.filter((plugin) => plugin.handles(module, operation, subresource));
      found.set(key, handling);
    }
    return handling;
  };
}
