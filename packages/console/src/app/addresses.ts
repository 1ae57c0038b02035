/** The addresses of kinds and objects. */
import type { ServedKind } from 'kindforge/client';
import { href } from './router.svelte.js';

/** A kind in an address. The core group has no name, so addresses have `core`. */
export type KindPlace = Pick<ServedKind, 'group' | 'version' | 'plural'>;

/** Returns the address of a list. */
export const listHref = (kind: KindPlace, query: Readonly<Record<string, string | undefined>> = {}): string =>
  href('kinds', kind.group === '' ? 'core' : kind.group, kind.version, kind.plural, query);

/** Returns the address of one object. An object without a namespace has `-` in its place. */
export const objectHref = (
  kind: KindPlace,
  object: { readonly namespace?: string | undefined; readonly name: string },
  query: Readonly<Record<string, string | undefined>> = {},
): string =>
  href(
    'kinds',
    kind.group === '' ? 'core' : kind.group,
    kind.version,
    kind.plural,
    object.namespace ? object.namespace : '-',
    object.name,
    query,
  );

/** Returns the address of the page that creates objects, with a kind chosen if one is given. */
export const createHref = (kind?: KindPlace, namespace?: string): string =>
  href('create', { kind: kind && [kind.group || 'core', kind.version, kind.plural].join('/'), ns: namespace });
