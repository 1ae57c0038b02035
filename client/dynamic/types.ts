/** Names and shapes of the client for kinds that are known at run time only. */
import type { DiscoveredResource } from '../discovery.js';
import type { ApiObjectLike } from '../types.js';

/** An object of any kind. */
export interface DynamicObject extends ApiObjectLike {
  [field: string]: unknown;
}

/** A kind in one of its versions, as the server has it. */
export interface ServedKind extends DiscoveredResource {
  /** The name of one object, as in `widget`; empty where the server has none. */
  readonly singular: string;
  /** Groups of kinds that it is in, such as `all`. */
  readonly categories: readonly string[];
  /** Whether its version is the one that its group prefers. */
  readonly isPreferred: boolean;
}

/** Every kind that a server has, in its order, and what it could not say. */
export interface ServedKinds {
  readonly kinds: readonly ServedKind[];
  /** Versions of groups whose kinds could not be asked for, such as those of servers that are down. */
  readonly failed: readonly { readonly groupVersion: string; readonly error: unknown }[];
}

/**
 * Names a kind: as objects do, by `apiVersion` and `kind`; by group, version and plural, of which the version may be
 * left out; or as people type it: `widgets`, `widget`, `Widget`, `wd`, `widgets.shop.example.com`,
 * `widgets.v1.shop.example.com`.
 */
export type KindReference =
  | string
  | { readonly apiVersion: string; readonly kind: string }
  | { readonly group: string; readonly version?: string; readonly plural: string };

/** Names one object: any object that says its kind and name does. */
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

/** Whether the server does not have the kind that a request is about. */
export const isUnknownKind = (error: unknown): error is UnknownKindError => error instanceof UnknownKindError;

function printReference(reference: KindReference): string {
  if (typeof reference === 'string') return `kind or resource ${JSON.stringify(reference)}`;
  if ('kind' in reference) return `kind ${JSON.stringify(reference.kind)} in ${JSON.stringify(reference.apiVersion)}`;
  const { group, version, plural } = reference;
  return `resource ${JSON.stringify([plural, version, group].filter(Boolean).join('.'))}`;
}
