/** What is sent of objects: all of them, their metadata alone, or rows of a table. */
import type { Transform } from '../codec/negotiation.js';
import type { ApiObject, JsonObject, Result } from '../contract/index.js';
import { badRequest } from '../objects/status.js';
import type { ServedResource } from '../pipeline/served-resource.js';
import { tableForm } from './form-table.js';
import type { VerbRequest } from './verb-request.js';

/** Metadata of a list that is being sent. */
export type ListMetadata = JsonObject;

/** One form of objects. Stateless, like the representations made of it. */
export interface Form {
  readonly key: string;
  object(resource: ServedResource, object: ApiObject): JsonObject;
  list(resource: ServedResource, objects: readonly ApiObject[], metadata: ListMetadata): JsonObject;
  /** What a watch event carries; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, object: ApiObject, first: boolean): JsonObject;
}

/** The form that a request asks for. */
export function formFor(verb: VerbRequest, transform: Transform | undefined): Result<Form> {
  if (transform === undefined) return { ok: true, value: wholeForm };
  const apiVersion = `${transform.group}/${transform.version}`;
  if (transform.kind !== 'Table') return { ok: true, value: metadataForm(apiVersion) };
  const include = verb.query.text('includeObject') || 'Metadata';
  if (include !== 'None' && include !== 'Metadata' && include !== 'Object') {
    return { ok: false, failure: badRequest(`unrecognized includeObject value: ${JSON.stringify(include)}`) };
  }
  return { ok: true, value: tableForm(apiVersion, include) };
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
  const partial = ({ metadata }: ApiObject): JsonObject => ({ kind: 'PartialObjectMetadata', apiVersion, metadata });
  return {
    key: `metadata ${apiVersion}`,
    object: (_resource, object) => partial(object),
    list: (_resource, objects, metadata) => ({
      kind: 'PartialObjectMetadataList',
      apiVersion,
      metadata,
      items: objects.map(partial),
    }),
    event: (_resource, object) => partial(object),
  };
}
