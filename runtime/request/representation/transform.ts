/** The transform of an answer: it shows whole objects, their metadata alone, or rows of a table. */
import type { ApiObject, JsonObject, Revision } from '../../contract/index.js';
import type { ServedResource } from '../../resource/served-resource.js';

/** The items of a list. */
export interface ListItems {
  /** The field of the list that has them. */
  readonly field: 'items' | 'rows';
  readonly itemOf: (object: ApiObject) => JsonObject;
}

/** One form of objects. Stateless, like the representations made of it. */
export interface ResponseTransform {
  readonly key: string;
  /** The present second, counted from 1970, where the result depends on it: ages count to it. */
  readonly second?: () => number;
  object(resource: ServedResource, object: ApiObject): JsonObject;
  /** `metadata` is the list's own. */
  list(resource: ServedResource, objects: readonly ApiObject[], metadata: JsonObject): JsonObject;
  /** The same items as in `list`, one by one. */
  items(resource: ServedResource): ListItems;
  /** The object of a watch event; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, object: ApiObject, first: boolean): JsonObject;
  /** The object of a bookmark. */
  bookmark(resource: ServedResource, revision: Revision, annotations?: JsonObject): JsonObject;
}
