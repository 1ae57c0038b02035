/**
 * Emits the OpenAPI documents: `openapi/v2.json` for everything, `openapi/v3/<group>/<version>.json` per group version.
 */
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import {
  buildOpenApiV2,
  buildOpenApiV3,
  encodeOpenApiJson,
  type OpenApiOptions,
  type OpenApiResource,
  type OpenApiV2Document,
  platformNaming,
} from '../../runtime/schema/openapi/index.js';
import { typeSchemas } from '../lock/plan-model.js';
import type { Model, ResourceModel, SharedType, VersionModel } from '../model/model.js';
import { lazyFile } from '../write/output-file.js';
import { type Emitter, fingerprintOf, keyOf } from './emitter.js';
import { versionFolder } from './layout.js';
import { FIELD_KEYS, structureOf } from './structures.js';

/** Entries of a map in a document: each key with its line, in UTF-8. */
type Lines = ReadonlyMap<string, Uint8Array>;

/** A Swagger document, split into the lines of its maps. */
type Parts = Readonly<Record<'paths' | 'definitions' | 'parameters', Lines>>;

/** Creates an emitter that only makes parts again if a resource in them has changed. */
export function createOpenApiEmitter(): Emitter {
  const resourcesOf = memoizeByObject((resource: ResourceModel) =>
    resource.versions.filter((version) => version.served).map((version) => documented(resource, version)),
  );
  const typesOf = memoizeByObject((types: ReadonlyMap<string, SharedType>) => typeSchemas({ types }));
  // Custom resources only refer to meta types, so each part of the whole document can be made alone.
  const partsOf = memoizeByObject((resource: ResourceModel) =>
    takeApart(buildOpenApiV2(resourcesOf(resource), baseOptions)),
  );
  return {
    name: 'openapi',
    emitModel(model) {
      const options = { ...baseOptions, types: typesOf(model.types) };
      const whole = keyOf(typesKey(model), model.resources.map(fingerprintOf));
      return [
        lazyFile('openapi/v2.json', whole, () => printV2(model, resourcesOf, partsOf, options)),
        ...[...groupVersions(model)].map(([path, from]) =>
          lazyFile(pathOfV3(path), keyOf(from), () => printV3(path, model.resources.flatMap(resourcesOf), options)),
        ),
      ];
    },
  };
}

const baseOptions: OpenApiOptions = { naming: platformNaming, title: 'Kindforge', version: 'unversioned' };

function documented(resource: ResourceModel, version: VersionModel): OpenApiResource {
  const { group, names, scope, verbs, decoding, deleteReturns } = resource;
  const { name, schema, subresources, selectableFields, served } = version;
  const own = { version: name, schema, subresources, selectableFields, served };
  return { group, names, scope, verbs, decoding, deleteReturns, ...own };
}

/** Returns a text that changes with the shared types. */
const typesKey = ({ types }: Model): string =>
  keyOf([...types].map(([name, { schema }]) => [name, structureOf(schema).key, FIELD_KEYS.map((key) => schema[key])]));

/**
 * Returns the documents, each with its sources: its resources, the built-in group versions that shared types list, and
 * for built-in kinds the libraries.
 */
function groupVersions(model: Model): Map<string, string[]> {
  const { resources } = model;
  const types = typesKey(model);
  const builtIn = resources
    .filter(({ decoding }) => decoding === 'typed')
    .flatMap(({ group, versions }) => versions.map(({ name }) => `${group}/${name}`))
    .join();
  const documents = new Map<string, string[]>();
  for (const resource of resources) {
    for (const version of resource.versions) {
      if (!version.served || resource.verbs.length === 0) continue;
      const path = resource.group === '' ? `api/${version.name}` : `apis/${resource.group}/${version.name}`;
      const from = documents.get(path) ?? [builtIn];
      documents.set(path, [...from, fingerprintOf(resource), ...(resource.decoding === 'typed' ? [types] : [])]);
    }
  }
  return documents;
}

/** Returns the path of a document. */
function pathOfV3(path: string): string {
  const [group = '', version = ''] = path
    .replace(/^apis\//, '')
    .replace(/^api\//, '/')
    .split('/');
  return `openapi/v3/${versionFolder(group, version)}.json`;
}

function printV3(path: string, resources: readonly OpenApiResource[], options: OpenApiOptions): string {
  const document = buildOpenApiV3(path, resources, options);
  const schemas = entriesOf(document?.components.schemas ?? {});
  const content = printObject({
    openapi: encodeOpenApiJson(document?.openapi),
    info: encodeOpenApiJson(document?.info),
    paths: printEntries(entriesOf(document?.paths ?? {})),
    components: printObject({
      schemas: printEntries(schemas),
      securitySchemes: encodeOpenApiJson(document?.components.securitySchemes),
    }),
  });
  return `${content}\n`;
}

function printV2(
  { resources }: Model,
  resourcesOf: (resource: ResourceModel) => readonly OpenApiResource[],
  partsOf: (resource: ResourceModel) => Parts,
  options: OpenApiOptions,
): Uint8Array {
  const builtIn = resources.filter(({ decoding }) => decoding === 'typed').flatMap(resourcesOf);
  const custom = resources.filter(({ decoding }) => decoding === 'structural');
  const base = buildOpenApiV2(builtIn, options);
  // The first entry of a name wins: the built-in kinds know all group versions that shared types list.
  const all = [takeApart(base), ...custom.map(partsOf)];
  const pieces = [
    bytes(`{\n"swagger": ${encodeOpenApiJson(base.swagger)},\n"info": ${encodeOpenApiJson(base.info)}`),
    ...printLines('paths', merge(all.map(({ paths }) => paths))),
    ...printLines('definitions', merge(all.map(({ definitions }) => definitions))),
    ...printLines('parameters', merge(all.map(({ parameters }) => parameters))),
    bytes(`,\n"securityDefinitions": ${encodeOpenApiJson(base.securityDefinitions)}`),
    bytes(`,\n"security": ${encodeOpenApiJson(base.security)}\n}\n`),
  ];
  return Buffer.concat(pieces);
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

function takeApart({ paths, definitions, parameters }: OpenApiV2Document): Parts {
  return { paths: linesOf(paths), definitions: linesOf(definitions), parameters: linesOf(parameters) };
}

/** Encodes a part once per resource: the document of everything is large, and made again with every change. */
function linesOf(map: Readonly<Record<string, unknown>>): Lines {
  return new Map(
    Object.entries(map).map(([key, value]) => [key, bytes(`${JSON.stringify(key)}: ${encodeOpenApiJson(value)}`)]),
  );
}

function merge(maps: readonly Lines[]): Lines {
  const merged = new Map<string, Uint8Array>();
  for (const map of maps) for (const [key, line] of map) if (!merged.has(key)) merged.set(key, line);
  return new Map([...merged].sort(([left], [right]) => (left < right ? -1 : 1)));
}

const between = bytes(',\n');

/** Prints a member of the document, one line per entry. */
function printLines(name: string, lines: Lines): Uint8Array[] {
  if (lines.size === 0) return [bytes(`,\n"${name}": {}`)];
  const entries = [...lines.values()].flatMap((line, index) => (index === 0 ? [line] : [between, line]));
  return [bytes(`,\n"${name}": {\n`), ...entries, bytes('\n}')];
}

function entriesOf(map: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(Object.entries(map).map(([key, value]) => [key, encodeOpenApiJson(value)]));
}

/** Prints one line per entry, so that a diff of two documents shows what has changed. */
function printEntries(entries: ReadonlyMap<string, string>): string {
  if (entries.size === 0) return '{}';
  return `{\n${[...entries].map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(',\n')}\n}`;
}

function printObject(members: Readonly<Record<string, string>>): string {
  return printEntries(new Map(Object.entries(members)));
}
