/** What is sent of objects: all of them, their metadata alone, or rows of a table. */
import type { Transform } from '../codec/negotiation.js';
import { partialMetadata, partialMetadataList, readIncludeObject } from '../codec/table.js';
import type { ApiObject, JsonObject, Result } from '../contract/index.js';
import type { ServedResource } from '../pipeline/served-resource.js';
import { tableForm } from './form-table.js';
import type { VerbRequest } from './verb-request.js';

/** One form of objects. Stateless, like the representations made of it. */
export interface Form {
  readonly key: string;
  object(resource: ServedResource, object: ApiObject): JsonObject;
  /** `metadata` is the list's own. */
  list(resource: ServedResource, objects: readonly ApiObject[], metadata: JsonObject): JsonObject;
  /** What a watch event carries; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, object: ApiObject, first: boolean): JsonObject;
}

/** The form that a request asks for. */
export function formFor(verb: VerbRequest, transform: Transform | undefined): Result<Form> {
  if (transform === undefined) return { ok: true, value: wholeForm };
  const apiVersion = `${transform.group}/${transform.version}`;
  if (transform.kind !== 'Table') return { ok: true, value: metadataForm(apiVersion) };
  const include = readIncludeObject(verb.query.text('includeObject'));
  return include.ok ? { ok: true, value: tableForm(apiVersion, include.value, verb.services.clock()) } : include;
}

/** Objects as they are. */
const wholeForm: Form = {
  key: 'whole',
  object: (_resource, object) => object,
  list: ({ module, apiVersion }, objects, metadata) => ({
    kind: module.names.listKind,
    apiVersion,
    metadata,
    items: objects.map((object) => (module.decoding === 'typed' ? withoutEnvelope(object) : object)),
  }),
  event: (_resource, object) => object,
};

/** Items of typed lists leave out what the list says already. */
function withoutEnvelope({ kind: _kind, apiVersion: _apiVersion, ...rest }: ApiObject): JsonObject {
  return rest;
}

/** Objects without anything but their metadata. */
function metadataForm(apiVersion: string): Form {
  const one = (_resource: ServedResource, object: ApiObject): JsonObject => partialMetadata(object, apiVersion);
  return {
    key: `metadata ${apiVersion}`,
    object: one,
    list: (_resource, objects, metadata) => partialMetadataList(objects, metadata, apiVersion),
    event: one,
  };
}
