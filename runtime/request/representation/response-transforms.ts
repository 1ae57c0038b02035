/** The forms of objects in an answer: whole objects, their metadata alone, or rows of a table. */
import type { Transform } from '../../codec/negotiation.js';
import {
  compileTable,
  type IncludeObject,
  partialMetadata,
  partialMetadataList,
  readIncludeObject,
  type TableLayout,
  toRow,
  toTable,
} from '../../codec/table.js';
import type { ApiObject, Failure, JsonObject, Result, Revision } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import type { ResourceNames, ServedResource, VersionCode } from '../../resource/served-resource.js';
import type { VerbRequest } from '../verb-request.js';
import type { AnswerShape } from './representation.js';

/** Returns the form that a request asks for, or a 406 if an answer of this shape does not have it. */
export function transformFor(
  verb: VerbRequest,
  transform: Transform | undefined,
  shape: AnswerShape,
): Result<ResponseTransform> {
  if (transform === undefined) return { ok: true, value: wholeObjects };
  const apiVersion = `${transform.group}/${transform.version}`;
  if (transform.kind !== 'Table') {
    const refused = misshapen(verb.resource, transform.kind, shape);
    return refused ? { ok: false, failure: refused } : { ok: true, value: metadataAlone(apiVersion) };
  }
  const include = readIncludeObject(verb.query.text('includeObject'));
  return include.ok ? { ok: true, value: tableTransform(apiVersion, include.value, verb.services.clock) } : include;
}

/** Refuses the metadata of one object for a list, and metadata of a list for one object. */
function misshapen({ module }: ResourceNames, wanted: string, shape: AnswerShape): Failure | undefined {
  const listed = shape === 'list';
  if (listed === (wanted === 'PartialObjectMetadataList')) return undefined;
  const kind = listed ? module.names.listKind : module.names.kind;
  const typed = `${module.group.split('.')[0] || 'core'}.${kind}`;
  const untyped = listed ? 'unstructured.UnstructuredList' : 'unstructured.Unstructured';
  const name = module.decoding === 'typed' ? typed : untyped;
  const message = `you requested ${wanted}, but the requested object is ${listed ? 'a' : 'not a'} list (*${name})`;
  return { reason: 'NotAcceptable', message };
}

/** Returns a bookmark in the form of an object. */
export function objectBookmark(
  kind: string,
  apiVersion: string,
  revision: Revision,
  annotations?: JsonObject,
): JsonObject {
  const metadata: JsonObject = { resourceVersion: String(revision), creationTimestamp: null };
  if (annotations) metadata.annotations = annotations;
  return { kind, apiVersion, metadata };
}

/** Shows whole objects. */
export const wholeObjects: ResponseTransform = {
  key: 'whole',
  object: (_resource, object) => object,
  list: ({ module, apiVersion }, objects, metadata) => ({
    kind: module.names.listKind,
    apiVersion,
    metadata,
    items: objects.map(asItem(module.decoding)),
  }),
  items: ({ module }) => ({ field: 'items', itemOf: asItem(module.decoding) }),
  event: (_resource, object) => object,
  bookmark: ({ module, apiVersion }, revision, annotations) =>
    objectBookmark(module.names.kind, apiVersion, revision, annotations),
};

const asItem =
  (decoding: 'typed' | 'structural') =>
  (object: ApiObject): JsonObject =>
    decoding === 'typed' ? withoutEnvelope(object) : object;

/** Removes the kind and version of an item, because a typed list implies them. */
function withoutEnvelope({ kind: _kind, apiVersion: _apiVersion, ...rest }: ApiObject): JsonObject {
  return rest;
}

/** Shows only the metadata of objects. */
function metadataAlone(apiVersion: string): ResponseTransform {
  const one = (_resource: ResourceNames, object: ApiObject): JsonObject => partialMetadata(object, apiVersion);
  return {
    key: `metadata ${apiVersion}`,
    object: one,
    list: (_resource, objects, metadata) => partialMetadataList(objects, metadata, apiVersion),
    items: () => ({ field: 'items', itemOf: (object) => partialMetadata(object, apiVersion) }),
    event: one,
    bookmark: (_resource, revision, annotations) =>
      objectBookmark('PartialObjectMetadata', apiVersion, revision, annotations),
  };
}

/** Returns the layout of a resource's rows. Compiles it for the first Table. */
const layoutOf = memoizeByObject((resource: ResourceNames & VersionCode): TableLayout => {
  const { columns, decoding } = resource.module;
  return compileTable({ columns, decoding, own: resource.handlers?.columns });
});

/**
 * Shows objects as Tables in a version of the meta group. `clock` returns milliseconds since 1970, for the ages of
 * objects.
 */
function tableTransform(apiVersion: string, include: IncludeObject, clock: () => number): ResponseTransform {
  const table = (
    resource: ServedResource,
    objects: readonly ApiObject[],
    metadata: JsonObject,
    withoutColumns = false,
  ) => toTable(layoutOf(resource), objects, metadata, { apiVersion, include, now: clock(), withoutColumns });
  const one = (resource: ServedResource, object: ApiObject, withoutColumns = false): JsonObject => {
    const { resourceVersion } = object.metadata;
    return table(resource, [object], resourceVersion === undefined ? {} : { resourceVersion }, withoutColumns);
  };
  return {
    key: `table ${apiVersion} ${include}`,
    second: () => Math.floor(clock() / 1000),
    object: (resource, object) => one(resource, object),
    list: (resource, objects, metadata) => table(resource, objects, metadata),
    items: (resource) => {
      const layout = layoutOf(resource);
      const now = clock();
      return { field: 'rows', itemOf: (object) => toRow(layout, object, { apiVersion, include, now }) };
    },
    // Only the first event of a watch has columns.
    event: (resource, object, first) => one(resource, object, !first),
    // A Table has list metadata, and so no annotations.
    bookmark: (_resource, revision) => ({
      kind: 'Table',
      apiVersion,
      metadata: { resourceVersion: String(revision) },
      columnDefinitions: null,
      rows: null,
    }),
  };
}

interface ListItems {
  /** The field of the list that contains the items. */
  readonly field: 'items' | 'rows';
  readonly itemOf: (object: ApiObject) => JsonObject;
}

/** One form of objects. It has no state, and neither have its representations. */
export interface ResponseTransform {
  readonly key: string;
  /** Returns the current second since 1970; absent if the result contains no ages. */
  readonly second?: () => number;
  object(resource: ServedResource, object: ApiObject): JsonObject;
  /** Returns a list; `metadata` is the list's own. */
  list(resource: ServedResource, objects: readonly ApiObject[], metadata: JsonObject): JsonObject;
  /** Returns how to make the items of `list` one by one. */
  items(resource: ServedResource): ListItems;
  /** Returns the object of a watch event. `first` is true for the first event of its watch. */
  event(resource: ServedResource, object: ApiObject, first: boolean): JsonObject;
  bookmark(resource: ServedResource, revision: Revision, annotations?: JsonObject): JsonObject;
}
