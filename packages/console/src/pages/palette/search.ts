/** Finds objects by name: in the kind that the text names, and in kinds that the user has opened. */
import type { DynamicApi, ServedKind } from 'kindforge/client';
import { scored } from './rank.js';
import type { Visited } from './recent.svelte.js';

/** An object that fits. */
export interface FoundObject {
  readonly kind: ServedKind;
  readonly namespace?: string;
  readonly name: string;
}

/** The most kinds to search for one text, besides the kind that it names. */
const recentKinds = 3;

/** The most names to read of one kind. Beyond them, only the exact name is found. */
const readNames = 500;

/** How long to use read names, milliseconds. */
const keptMs = 15_000;

/** The search for a text. */
interface Question {
  readonly kinds: readonly ServedKind[];
  readonly text: string;
}

/** Returns the kinds to search, and the text for names: `cm web` searches config maps for `web`. */
export function questionOf(typed: string, kinds: readonly ServedKind[], recent: readonly Visited[]): Question {
  const [first = '', ...rest] = typed.trim().split(/\s+/);
  const listed = kinds.filter(({ verbs }) => verbs.includes('list'));
  const names = first.toLowerCase();
  const named = listed.filter(
    ({ kind, plural, singular, shortNames, isPreferred }) =>
      isPreferred && [kind.toLowerCase(), plural, singular, ...shortNames].includes(names),
  );
  if (named.length > 0 && rest.length > 0) return { kinds: named.slice(0, recentKinds), text: rest.join(' ') };
  const looked = recent.flatMap(([group, version, plural]) =>
    listed.filter((one) => (one.group || 'core') === group && one.version === version && one.plural === plural),
  );
  return { kinds: [...new Set(looked)].slice(0, recentKinds), text: typed.trim() };
}

type Names = readonly Omit<FoundObject, 'kind'>[];

/** Reads names from a server, and keeps them for a moment. */
export class ObjectSearch {
  readonly #client: DynamicApi;
  readonly #known = new Map<string, { readonly asked: number; readonly names: Promise<Names> }>();

  constructor(client: DynamicApi) {
    this.#client = client;
  }

  /** Resolves to the objects that fit best. Skips kinds that the user may not list. Never rejects. */
  async find({ kinds, text }: Question, most: number): Promise<readonly FoundObject[]> {
    if (text === '') return [];
    const all = await Promise.all(
      kinds.map(async (kind) => (await this.#namesOf(kind, text)).map((object) => ({ ...object, kind }))),
    );
    const fitting = scored(all.flat(), text, ({ name, namespace }) => [name, `${namespace ?? ''}/${name}`], most);
    return fitting.map(({ entry }) => entry);
  }

  async #namesOf(kind: ServedKind, text: string): Promise<Names> {
    const all = await this.#keep(kind, '', { limit: readNames });
    if (all.length < readNames) return all;
    return [...all, ...(await this.#keep(kind, text, { fieldSelector: `metadata.name=${text}`, limit: readNames }))];
  }

  #keep(kind: ServedKind, name: string, options: { limit: number; fieldSelector?: string }): Promise<Names> {
    const key = [kind.group, kind.version, kind.plural, name].join('/');
    const known = this.#known.get(key);
    if (known && Date.now() - known.asked < keptMs) return known.names;
    const names = this.#read(kind, options).catch(() => []);
    this.#known.set(key, { asked: Date.now(), names });
    return names;
  }

  async #read(
    { group, version, plural }: ServedKind,
    options: { limit: number; fieldSelector?: string },
  ): Promise<Names> {
    const resource = await this.#client.resource({ group, version, plural });
    const { items } = await resource.metadataOnly().list(options);
    return items.map(({ metadata: { name = '', namespace } }) => ({ name, ...(namespace ? { namespace } : {}) }));
  }
}
