/**
 * Converts CustomResourceDefinitions of earlier releases into v1: v1beta1 has fields that all versions share, and
 * `preserveUnknownFields` keeps fields without a schema.
 */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, list, object, type Raw, string } from '../../runtime/schema/read.js';
import type { Path } from '../diagnostics/problem.js';
import { childNodes } from '../model/references.js';
import { withoutEnvelope } from './envelope.js';
import type { Remarks } from './remarks.js';
import { ANYTHING, anything, convertNode } from './schema.js';

const FORMER = /^(apiextensions\.[a-z0-9.]+)\/v1beta1$/;

/** The keys of a v1beta1 spec that v1 has in each version, with their new names. */
const COMMON = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/** Returns the definition as v1; the same object if it already is v1. */
export function toPresent(definition: JsonObject, path: Path, remarks: Remarks): JsonObject {
  const [, group] = FORMER.exec(string(definition.apiVersion) ?? '') ?? [];
  const { spec } = definition;
  if (!isObject(spec)) return definition;
  const present = group === undefined ? spec : fromFormer(spec);
  const keepsUnknown = spec.preserveUnknownFields ?? group !== undefined;
  if (group === undefined && keepsUnknown !== true) return definition;
  const apiVersion = group === undefined ? definition.apiVersion : `${group}/v1`;
  const changed = keepsUnknown === true ? withOpenSchemas(present, path, remarks) : present;
  return { ...definition, ...(apiVersion === undefined ? {} : { apiVersion }), spec: changed };
}

function fromFormer(spec: JsonObject): JsonObject {
  const { version, validation, subresources, additionalPrinterColumns, conversion, versions, ...rest } = spec;
  const written = list(versions);
  const all = written.length > 0 ? written : [{ name: version ?? 'v1', served: true, storage: true }];
  const common: JsonObject = {};
  for (const [above, below] of COMMON) if (spec[above] !== undefined) common[below] = spec[above];
  return {
    ...rest,
    ...(isObject(conversion) ? { conversion: conversionOf(conversion) } : {}),
    versions: all.map((each) => (isObject(each) ? withColumns({ ...each, ...common, ...each }) : each)),
  };
}

function withColumns(version: JsonObject): JsonObject {
  if (version.additionalPrinterColumns === undefined) return version;
  const columns = list(version.additionalPrinterColumns).map((column) => {
    if (!isObject(column)) return column;
    const { JSONPath, ...rest } = column;
    return JSONPath === undefined ? rest : { ...rest, jsonPath: JSONPath };
  });
  return { ...version, additionalPrinterColumns: columns };
}

function conversionOf({ webhookClientConfig, conversionReviewVersions, ...rest }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined) return rest;
  const webhook = {
    clientConfig: webhookClientConfig,
    conversionReviewVersions: conversionReviewVersions ?? ['v1beta1'],
  };
  return { ...rest, webhook };
}

/** Returns a spec with schemas that keep unknown fields themselves. They need not be structural. */
function withOpenSchemas({ preserveUnknownFields: _, ...spec }: JsonObject, path: Path, remarks: Remarks): JsonObject {
  const versions = list(spec.versions).map((version, index) => {
    if (!isObject(version)) return version;
    const written = get(version.schema, 'openAPIV3Schema');
    const place = [...path, 'spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    return { ...version, schema: { openAPIV3Schema: openSchema(written, place, remarks) } };
  });
  return { ...spec, versions };
}

function openSchema(raw: Raw, path: Path, remarks: Remarks): JsonObject {
  if (!isObject(raw)) return { type: 'object', ...anything() };
  const converted = convertNode(withoutEnvelope(raw), path, { reference: () => undefined, remarks });
  open(converted);
  const name = get(get(get(raw.properties, 'metadata'), 'properties'), 'name');
  if (!isObject(name)) return { ...converted, type: 'object' };
  const metadata = { type: 'object', properties: { name: { ...name, type: 'string' } } };
  return { ...converted, type: 'object', properties: { metadata, ...(object(converted.properties) ?? {}) } };
}

/** Marks every object that has fields of its own. Changes the nodes; as deep as the schema. */
function open(node: JsonObject): void {
  if (node.type === 'object' && node.additionalProperties === undefined) node[ANYTHING] = true;
  delete node['x-kindforge-presence'];
  for (const { node: child } of childNodes(node)) if (isObject(child)) open(child);
}
