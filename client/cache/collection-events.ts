/** Events of lists and watches, and the changes of objects that follow from them. */
import type { ApiObjectLike } from '../types.js';

/** An event of a list or watch: part of a whole state, one change, or a mark of progress. */
export type CollectionEvent<T> =
  /** A whole state follows, object by object. */
  | { readonly type: 'begin' }
  | { readonly type: 'object'; readonly object: T }
  | { readonly type: 'gone'; readonly object: T }
  /** The whole state of this revision is complete. */
  | { readonly type: 'listed'; readonly revision: string }
  /** Everything up to this revision is complete. */
  | { readonly type: 'reached'; readonly revision: string };

/** A change of one object in a cache, with its previous state. */
export type ObjectChange<T = ApiObjectLike> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'changed'; readonly object: T; readonly before: T }
  /** `object` is the last state from the server, `before` the object as the cache kept it. */
  | { readonly type: 'removed'; readonly object: T; readonly before: T };

/** A change, as followers get it. `synced` comes once after each listing: the objects before it are the whole state. */
export type Change<T> = ObjectChange<T> | { readonly type: 'synced' };

/** Returns `namespace/name`, or the name alone for an object without a namespace. */
export const keyOf = ({ metadata: { namespace, name = '' } }: ApiObjectLike): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
