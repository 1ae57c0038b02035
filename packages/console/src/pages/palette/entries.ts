/** The entries of the command palette, in groups. */

import type { ServedKind } from 'kindforge/client';
import box from '~icon/box';
import file from '~icon/file-text';
import history from '~icon/history';
import house from '~icon/house';
import key from '~icon/key-round';
import plus from '~icon/plus';
import shapes from '~icon/shapes';
import zap from '~icon/zap';
import type { Action } from '../../app/actions.svelte.js';
import { listHref, objectHref } from '../../app/addresses.js';
import { jumps } from '../../app/keys.js';
import type { IconShapes } from '../../design/icon.js';
import { scored } from './rank.js';
import type { Visited } from './recent.svelte.js';
import type { FoundObject } from './search.js';

export interface Entry {
  readonly id: string;
  readonly label: string;
  /** The text after the label, such as the group of a kind. */
  readonly detail: string;
  readonly icon: IconShapes;
  /** The names by which it can be found. */
  readonly names: readonly string[];
  /** The address to go to, or the function to call. */
  readonly open: string | (() => void);
  /** The keys that do the same, as in `g h`. */
  readonly keys?: string | undefined;
}

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Everything that the palette can show. */
interface Sources {
  readonly actions: readonly Action[];
  readonly kinds: readonly ServedKind[];
  readonly recent: readonly Visited[];
  /** Objects that fit the text. */
  readonly objects: readonly FoundObject[];
}

/** The most entries of one group. */
const most = 8;

/**
 * Returns the entries that fit a text, the group with the best entry first. Objects come last, because they arrive
 * later, and entries must not move under the pointer.
 */
export function groupsOf(text: string, { actions, kinds, recent, objects }: Sources): readonly Group[] {
  const wanted = text.trim();
  const groups = [
    { title: 'Recent', all: recent.flatMap(recentEntry(kinds)).slice(0, wanted === '' ? 6 : undefined) },
    { title: 'Actions', all: actions.map(actionEntry) },
    { title: 'Pages', all: jumps.map(pageEntry) },
    {
      title: 'Kinds',
      all: kinds.filter(({ verbs, isPreferred }) => verbs.includes('list') && isPreferred).map(kindEntry),
    },
  ].map(({ title, all }) => ({ title, found: scored(all, wanted, ({ names }) => names, wanted === '' ? 200 : most) }));
  const best = ({ found }: (typeof groups)[number]): number => (wanted === '' ? 0 : (found[0]?.score ?? 0));
  const known = groups
    .toSorted((a, b) => best(b) - best(a))
    .map(({ title, found }) => ({ title, entries: found.map(({ entry }) => entry) }));
  const ids = new Set(known.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const others = objects.map(objectEntry).filter(({ id }) => !ids.has(id));
  return [...known, { title: 'Objects', entries: others }].filter(({ entries }) => entries.length > 0);
}

const actionEntry = ({ id, label, icon = zap, keys, run }: Action): Entry => ({
  id: `action ${id}`,
  ...{ label, icon, keys, detail: '', names: [label] },
  open: () => run(),
});

const icons: Readonly<Record<string, IconShapes>> = { Home: house, Create: plus, Definitions: shapes, Access: key };

const pageEntry = ({ label, address, keys }: (typeof jumps)[number]): Entry => ({
  id: `page ${label}`,
  ...{ label, keys, detail: '', icon: icons[label] ?? house, names: [label], open: address },
});

const kindEntry = (kind: ServedKind): Entry => ({
  id: `kind ${kind.group}/${kind.plural}`,
  ...{ label: kind.kind, detail: kind.group, icon: box, open: listHref(kind) },
  names: [kind.plural, kind.kind, kind.singular, ...kind.shortNames].filter((name) => name !== ''),
});

const objectEntry = ({ kind, namespace, name }: FoundObject): Entry => ({
  id: `object ${kind.group}/${kind.plural}/${namespace ?? ''}/${name}`,
  ...{ label: name, icon: file, names: [name] },
  detail: [kind.kind, namespace].filter(Boolean).join(' in '),
  open: objectHref(kind, { namespace, name }),
});

/** Returns the recent objects. Recent lists are found as kinds. */
const recentEntry =
  (kinds: readonly ServedKind[]) =>
  ([group, version, plural, namespace = '-', name]: Visited): Entry[] => {
    const kind = kinds.find(
      (one) => (one.group || 'core') === group && one.version === version && one.plural === plural,
    );
    if (!kind || name === undefined) return [];
    return [{ ...objectEntry({ kind, name, ...(namespace === '-' ? {} : { namespace }) }), icon: history }];
  };
