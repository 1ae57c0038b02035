/** Finds the kind that a reference names among those of a server. */
import type { KindReference, ServedKind } from './types.js';

/** The kind, or `undefined` where there is none. Of several, the first whose version is preferred counts. */
export function findKind(kinds: readonly ServedKind[], reference: KindReference): ServedKind | undefined {
  if (typeof reference === 'string') return findTyped(kinds, reference);
  if ('kind' in reference) {
    const { group, version } = splitApiVersion(reference.apiVersion);
    return kinds.find((one) => one.kind === reference.kind && one.group === group && one.version === version);
  }
  const { group, version, plural } = reference;
  const named = kinds.filter((one) => one.group === group && one.plural === plural);
  return version === undefined ? preferred(named) : named.find((one) => one.version === version);
}

/** Group and version of `apps/v1`; the core group has no name. */
export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const end = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(end, 0)), version: apiVersion.slice(end + 1) };
}

const preferred = (kinds: readonly ServedKind[]): ServedKind | undefined =>
  kinds.find(({ isPreferred }) => isPreferred) ?? kinds[0];

/** `name`, `name.group`, or `name.version.group`, as people type it. */
function findTyped(kinds: readonly ServedKind[], text: string): ServedKind | undefined {
  const [name = '', ...rest] = text.split('.');
  if (rest.length === 0) return byName(kinds, name);
  const [version = '', ...group] = rest;
  const inVersion = kinds.filter((one) => one.version === version && one.group === group.join('.'));
  const inGroup = kinds.filter((one) => one.group === rest.join('.'));
  return byName(inVersion, name) ?? byName(inGroup, name);
}

/** Whole names go before short ones, which groups choose without knowing of each other. */
function byName(kinds: readonly ServedKind[], name: string): ServedKind | undefined {
  const lower = name.toLowerCase();
  const named = kinds.filter((one) => [one.plural, one.singular, one.kind.toLowerCase()].includes(lower));
  return preferred(named) ?? preferred(kinds.filter(({ shortNames }) => shortNames.includes(lower)));
}
