/** Names and shapes of the client for kinds that it learns at run time. */
import type { DiscoveredResource } from '../discovery.js';
import type { ApiObjectLike } from '../types.js';

/** An object of any kind. */
export interface DynamicObject extends ApiObjectLike {
  [field: string]: unknown;
}

/** A kind in one of its versions, as the server describes it. */
export interface ServedKind extends DiscoveredResource {
  /** The name of one object, as in `widget`; empty if the server has no such name. */
  readonly singular: string;
  /** The categories that the kind is in, such as `all`. */
  readonly categories: readonly string[];
  /** Whether this is the preferred version of its group. */
  readonly isPreferred: boolean;
}

/** Every kind of a server, in the server's order, and errors. */
export interface ServedKinds {
  readonly kinds: readonly ServedKind[];
  /** Group versions with kinds that could not be read, for example because another server is down. */
  readonly failed: readonly { readonly groupVersion: string; readonly error: unknown }[];
}

/**
 * Names a kind: by `apiVersion` and `kind`, as objects do; by group, plural and optionally version; or as people type
 * it: `widgets`, `widget`, `Widget`, `wd`, `widgets.shop.example.com`, `widgets.v1.shop.example.com`.
 */
export type KindReference =
  | string
  | { readonly apiVersion: string; readonly kind: string }
  | { readonly group: string; readonly version?: string; readonly plural: string };

/** Names one object. Any object with a kind and a name is such a reference. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

/** A kind that the server does not have. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
  readonly reference: KindReference;

  constructor(reference: KindReference) {
    super(`the server has no ${printReference(reference)}`);
    this.reference = reference;
  }
}

/** Returns whether an error says that the server does not have a kind. */
export const isUnknownKind = (error: unknown): error is UnknownKindError => error instanceof UnknownKindError;

function printReference(reference: KindReference): string {
  if (typeof reference === 'string') return `kind or resource ${JSON.stringify(reference)}`;
  if ('kind' in reference) return `kind ${JSON.stringify(reference.kind)} in ${JSON.stringify(reference.apiVersion)}`;
  const { group, version, plural } = reference;
  return `resource ${JSON.stringify([plural, version, group].filter(Boolean).join('.'))}`;
}
