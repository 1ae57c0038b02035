/** The kinds of the server. They change with its definitions. */
import { followAll, type ServedKind } from 'kindforge/client';
import type { Session } from '../session/session.js';
import { connection } from './connection.svelte.js';

export class Kinds {
  all: readonly ServedKind[] = $state.raw([]);
  /** Groups without a server that answers. */
  failed: readonly { readonly groupVersion: string; readonly error: unknown }[] = $state.raw([]);
  ready = $state(false);
  error: unknown = $state.raw(undefined);
  readonly #session: Session;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session) {
    this.#session = session;
    void this.read();
    void this.#follow();
  }

  byPlace(group: string, version: string, plural: string): ServedKind | undefined {
    const wanted = group === 'core' ? '' : group;
    return this.all.find((kind) => kind.group === wanted && kind.version === version && kind.plural === plural);
  }

  /** Reads the kinds again. Never rejects. */
  async read(): Promise<void> {
    try {
      const { kinds, failed } = await this.#session.client.kinds();
      this.all = kept(kinds, this.all);
      this.failed = failed;
      this.error = undefined;
      this.ready = true;
      connection.report(undefined);
    } catch (error) {
      this.error = error;
      connection.report(error);
      this.#readSoon(5_000);
    }
  }

  /** Reads again after a moment without changes: a definition changes several times until it is established. */
  #readSoon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#session.client.forget();
      void this.read();
    }, ms);
  }

  /** Follows definitions while the page is open. Users who may not read them see new kinds after a reload. */
  async #follow(): Promise<void> {
    try {
      const definitions = await this.#session.client.resource('customresourcedefinitions');
      for await (const change of followAll({ definitions }, { onError: (error) => connection.report(error) }))
        if (change) this.#readSoon(300);
    } catch {
      // The server has no such kind, or the user may not watch it.
    }
  }
}

/** Keeps each unchanged kind, so that an open page does not begin again. */
function kept(kinds: readonly ServedKind[], before: readonly ServedKind[]): readonly ServedKind[] {
  const old = new Map(before.map((kind) => [JSON.stringify(kind), kind]));
  return kinds.map((kind) => old.get(JSON.stringify(kind)) ?? kind);
}

const known = new WeakMap<Session, Kinds>();

/** Returns the kinds of a session: the same ones for all parts of the page. */
export function kindsOf(session: Session): Kinds {
  const found = known.get(session) ?? new Kinds(session);
  known.set(session, found);
  return found;
}
