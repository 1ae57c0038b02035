/** The pages, by the first word of their address. A page is loaded when it is first shown. */
import type { Component } from 'svelte';
import { lazily } from '../data/connection.svelte.js';
import type { Session } from '../session/session.js';

/** The props of each page. */
export interface PageProps {
  readonly session: Session;
  /** The parts of the address after the first word. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export type Page = Component<PageProps>;

/** A page that an address names. */
export interface FoundPage {
  readonly load: () => Promise<Page>;
  readonly rest: readonly string[];
}

/** All pages of `src/pages`. The build makes a separate part of each. */
const files = import.meta.glob<{ readonly default: Page }>('../pages/*/*Page.svelte');

const names: Readonly<Record<string, string>> = {
  '': 'home/Home',
  create: 'create/Create',
  definitions: 'definitions/Definitions',
  access: 'access/Access',
};

/** Finds the page of an address; returns `undefined` if there is none. */
export function pageFor([word = '', ...rest]: readonly string[]): FoundPage | undefined {
  const name = word === 'kinds' ? (rest.length >= 5 ? 'object/Object' : 'list/List') : names[word];
  const file = name === undefined ? undefined : files[`../pages/${name}Page.svelte`];
  return file && { load: () => loaded(file), rest };
}

/**
 * The requested pages. The promise of a page stays the same, so that the page stays when only the rest of its address
 * changes.
 */
const asked = new Map<() => Promise<{ readonly default: Page }>, Promise<Page>>();

function loaded(file: () => Promise<{ readonly default: Page }>): Promise<Page> {
  const known = asked.get(file);
  if (known) return known;
  const loading = lazily(file).then((module) => module.default);
  asked.set(file, loading);
  loading.catch(() => asked.delete(file));
  return loading;
}
