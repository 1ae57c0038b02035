/** Reads what selectors may ask of an object: its labels, and the fields that its kind is selected by. */
import type { ApiObject, Attributes, Handlers, ResourceModule } from '../contract/index.js';
import { getOwn } from '../objects/guards.js';
import { compileJsonPath, type JsonPath } from '../objects/json-path.js';
import type { ServedResource } from './served-resource.js';

/** The selectable fields of a module with their readers. */
export const selectableFields = (module: ResourceModule): ServedResource['fieldPaths'] =>
  module.selectableFields.map((path) => ({ path, read: compileSelectable(path) }));

function compileSelectable(path: string): JsonPath {
  const compiled = compileJsonPath(path.startsWith('.') ? path : `.${path}`);
  return compiled.ok ? compiled.value : () => [];
}

/** The labels and selectable fields of an object; its key says its name and namespace. */
export function attributesOf(resource: ServedResource, object: ApiObject): Attributes {
  return { labels: object.metadata.labels ?? noLabels, fields: fieldValues(resource, object) };
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

const noReaders: NonNullable<Handlers['selectableFields']> = {};

/** The selectable fields of an object, by their paths. */
export function fieldValues(resource: ServedResource, object: ApiObject): Attributes['fields'] {
  const own = resource.handlers?.selectableFields ?? noReaders;
  const fields: Record<string, string> = {};
  for (const { path, read } of resource.fieldPaths) {
    fields[path] = getOwn(own, path)?.(object) ?? selectableText(read(object)[0]);
  }
  return fields;
}

const selectableText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : '';
