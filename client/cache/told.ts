/** A collection as a list and a watch of it tell it, and the changes that follow from that. */
import type { ApiObjectLike } from '../types.js';

/** One thing that is told of a collection. */
export type Told<T> =
  /** A whole state follows, object by object. */
  | { readonly type: 'begin' }
  | { readonly type: 'object'; readonly object: T }
  | { readonly type: 'gone'; readonly object: T }
  /** The whole state of this revision has been told. */
  | { readonly type: 'listed'; readonly revision: string }
  /** Everything up to this revision has been told. */
  | { readonly type: 'reached'; readonly revision: string };

/** A change of one object. */
export type ObjectChange<T = ApiObjectLike> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'changed'; readonly object: T; readonly before: T }
  /** `object` is as the server told of its end, `before` as it was kept. */
  | { readonly type: 'removed'; readonly object: T; readonly before: T };

/** A change as a follower sees it. `synced` comes once after each listing: what came before is the whole state. */
export type Change<T> = ObjectChange<T> | { readonly type: 'synced' };

/** `namespace/name`, or the name alone where the object is in no namespace. */
export const keyOf = ({ metadata: { namespace, name = '' } }: ApiObjectLike): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
