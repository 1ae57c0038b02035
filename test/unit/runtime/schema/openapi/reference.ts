/** The built-in kinds of the reference as resources, to compare documents made from them with the reference's own. */
import { existsSync, readFileSync } from 'node:fs';
import type { Schema, Subresource, Verb } from '../../../../../runtime/contract/index.js';
import type { OpenApiResource, OpenApiV2Document } from '../../../../../runtime/schema/openapi/index.js';

const folder = new URL('../../../../../../shared/reference/', import.meta.url);

export const hasReference = existsSync(folder);

export interface ReferenceDefinition {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, ReferenceDefinition>>;
  readonly items?: ReferenceDefinition;
  readonly additionalProperties?: ReferenceDefinition;
}

export interface ReferenceOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly action?: string;
  readonly gvk?: { readonly group: string; readonly kind: string; readonly version: string };
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly type?: string }[];
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly responses: Readonly<Record<string, string | null>>;
}

interface DiscoveredResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly verbs: readonly Verb[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

export const referenceTypes = (release = '1.27'): Record<string, ReferenceDefinition> =>
  read(`types-${release}.json`) as Record<string, ReferenceDefinition>;

export const referenceOperations = (release = '1.27'): ReferenceOperation[] =>
  read(`operations-${release}.json`) as ReferenceOperation[];

/** Returns every built-in kind that is stored or reviewed, with the subresources that have its own kind or a scale. */
export function referenceResources(release = '1.27'): OpenApiResource[] {
  const types = referenceTypes(release);
  const operations = referenceOperations(release);
  const discovery = read(`discovery-${release}.json`) as { groupVersion: string; resources: DiscoveredResource[] }[];
  const nodes = new Map<string, Schema>();
  return discovery.flatMap(({ groupVersion, resources }) => {
    const [version = '', group = ''] = groupVersion.split('/').reverse();
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map((resource) => {
        const id = kindDefinition(types, group, version, resource.kind);
        const deletes = operations.find(
          ({ action, gvk }) =>
            action === 'delete' && gvk?.group === group && gvk.kind === resource.kind && gvk.version === version,
        );
        return {
          group,
          version,
          names: {
            plural: resource.name,
            singular: resource.singularName,
            kind: resource.kind,
            listKind: `${resource.kind}List`,
            shortNames: [],
            categories: [],
          },
          scope: resource.namespaced ? 'Namespaced' : 'Cluster',
          verbs: resource.verbs,
          subresources: subresourcesOf(resource, resources),
          decoding: 'typed',
          schema: schemaOf(id, types, nodes),
          selectableFields: [],
          served: true,
          deleteReturns: deletes?.responses['200']?.endsWith('.Status') ? 'Status' : 'object',
        } satisfies OpenApiResource;
      });
  });
}

function subresourcesOf(resource: DiscoveredResource, all: readonly DiscoveredResource[]): Subresource[] {
  return all
    .filter(({ name }) => name.startsWith(`${resource.name}/`) && !name.endsWith('/log') && !name.endsWith('/binding'))
    .filter(({ kind }) => kind === resource.kind || kind === 'Scale')
    .map(({ name, kind, verbs }) => ({
      name: name.slice(resource.name.length + 1),
      verbs,
      writes: [],
      writesMetadata: false,
      ...(kind === 'Scale' ? { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.x' } } : {}),
    }));
}

function kindDefinition(
  types: Record<string, ReferenceDefinition>,
  group: string,
  version: string,
  kind: string,
): string {
  const found = Object.entries(types).find(([, type]) => {
    const gvks = type['x-kubernetes-group-version-kind'] as { group: string; version: string; kind: string }[];
    return gvks?.some((gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind);
  });
  if (found === undefined) throw new Error(`no type for ${group}/${version} ${kind}`);
  return found[0];
}

/** Converts a definition to a schema with names for shared types. Nodes of types that contain themselves are cyclic. */
function schemaOf(id: string, types: Record<string, ReferenceDefinition>, nodes: Map<string, Schema>): Schema {
  const known = nodes.get(id);
  if (known !== undefined) return known;
  const node: Record<string, unknown> = {};
  nodes.set(id, node);
  const definition = types[id];
  if (definition === undefined) throw new Error(`no type ${id}`);
  return Object.assign(node, inline(definition, types, nodes));
}

function inline(
  definition: ReferenceDefinition,
  types: Record<string, ReferenceDefinition>,
  nodes: Map<string, Schema>,
): Schema {
  if (definition.$ref !== undefined) {
    const { $ref, ...siblings } = definition;
    const id = $ref.slice('#/definitions/'.length);
    const node = Object.assign(schemaOf(id, types, nodes), { 'x-kindforge-type': typeName(id) });
    return Object.keys(siblings).length === 0 ? node : { ...node, ...siblings };
  }
  const { properties, items, additionalProperties } = definition;
  const { 'x-kubernetes-group-version-kind': _gvk, ...rest } = definition;
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, child]) => [name, inline(child, types, nodes)]),
          ),
        }),
    ...(items === undefined ? {} : { items: inline(items, types, nodes) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inline(additionalProperties, types, nodes) }),
  } as Schema;
}

function typeName(id: string): string {
  const [name = '', version = '', group = ''] = id.split('.').reverse();
  return id.includes('.apimachinery.') ? `meta/v1#/${name}` : `${group}/${version}#/${name}`;
}

/** Converts an operation of the reference to the form of `operationsOf`. */
export function comparable({ method, parameters, ...operation }: ReferenceOperation) {
  return {
    operationId: operation.operationId,
    method: method.toLowerCase(),
    path: operation.path,
    action: operation.action,
    gvk: operation.gvk,
    parameters: parameters.map(({ name, in: place, type }) => `${place}/${name}/${type ?? ''}`).sort(),
    consumes: operation.consumes,
    produces: operation.produces,
    responses: operation.responses,
  };
}

/** Returns the operations of a document, without descriptions. */
export function operationsOf(document: OpenApiV2Document) {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { parameters: shared = [], ...methods } = item;
    return Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method,
      path,
      action: operation['x-kubernetes-action'],
      gvk: operation['x-kubernetes-group-version-kind'],
      parameters: [...shared, ...(operation.parameters ?? [])]
        .map((parameter) => {
          const resolved = '$ref' in parameter ? document.parameters[parameter.$ref.split('/')[2] ?? ''] : parameter;
          return `${resolved?.in}/${resolved?.name}/${resolved !== undefined && 'type' in resolved ? resolved.type : ''}`;
        })
        .sort(),
      consumes: operation.consumes,
      produces: operation.produces,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([code, { schema }]) => [
          code,
          schema?.$ref?.slice('#/definitions/'.length) ?? schema?.type ?? null,
        ]),
      ),
    }));
  });
}
