/** The names of all namespaces, for choosing one. */
import type { Session } from '../session/session.js';

class Namespaces {
  names: readonly string[] = $state.raw([]);
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    void this.read();
  }

  /** Reads the names again. Users who may not list namespaces must type a name. Never rejects. */
  async read(): Promise<void> {
    try {
      const { table } = await this.#session.client.resource('namespaces');
      const { rows } = await table({ limit: 1_000 });
      this.names = rows.map(({ object }) => object?.metadata.name ?? '').filter((name) => name !== '');
    } catch {
      this.names = [];
    }
  }
}

const key = 'kindforge-namespace';

/** The namespace that was last chosen in this tab; empty for all. */
export const chosenNamespace = {
  read: (): string => sessionStorage.getItem(key) ?? '',
  write: (name: string): void => sessionStorage.setItem(key, name),
};

const known = new WeakMap<Session, Namespaces>();

export function namespacesOf(session: Session): Namespaces {
  const found = known.get(session) ?? new Namespaces(session);
  known.set(session, found);
  return found;
}
