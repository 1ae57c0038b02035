/** What an answer shows of objects: all of them, their metadata alone, or rows of a table. */
import type { ApiObject, JsonObject, Revision } from '../../contract/index.js';
import type { ServedResource } from '../../pipeline/served-resource.js';

/** One form of objects. Stateless, like the representations made of it. */
export interface ResponseTransform {
  readonly key: string;
  /** What second it is, counted from 1970, where that is seen in what is made: ages count to it. */
  readonly second?: () => number;
  object(resource: ServedResource, object: ApiObject): JsonObject;
  /** `metadata` is the list's own. */
  list(resource: ServedResource, objects: readonly ApiObject[], metadata: JsonObject): JsonObject;
  /** What a watch event carries; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, object: ApiObject, first: boolean): JsonObject;
  /** What a bookmark carries. */
  bookmark(resource: ServedResource, revision: Revision, annotations?: JsonObject): JsonObject;
}
