/** The newest head that this server has seen. If a server of PostgreSQL lacks that state, it has lost changes. */
import type { Revision } from '../../contract/index.js';
import { DriverError } from '../shared/errors.js';
import { micros } from './functions.js';

/** The last assigned revision, and its time in microseconds since 1970. */
export interface Head {
  readonly revision: Revision;
  readonly at: number;
}

export class Known implements Head {
  #head: Head = { revision: 0, at: 0 };

  get revision(): Revision {
    return this.#head.revision;
  }

  get at(): number {
    return this.#head.at;
  }

  note(head: Head): void {
    if (head.revision > this.#head.revision) this.#head = { revision: head.revision, at: head.at };
  }

  forget(): void {
    this.#head = { revision: 0, at: 0 };
  }

  /** Returns the condition that the database lacks the known change, or has another change in its place. */
  isLost(schema: string): string {
    const { revision, at } = this.#head;
    if (revision === 0) return 'false';
    return (
      `(${revision} > h.revision OR (${revision} = h.revision AND ${at} <> ${micros('h.at')}) OR ` +
      `EXISTS (SELECT FROM ${schema}.changes k WHERE k.revision = ${revision} AND ${micros('k.at')} <> ${at}))`
    );
  }

  /** Returns the error for a database that meets this condition. */
  lost({ revision }: Head): DriverError {
    const when = new Date(Math.floor(this.at / 1000)).toISOString();
    return new DriverError(
      'unsent',
      `PostgreSQL is at revision ${revision} and lacks revision ${this.revision}, which it had acknowledged at ${when}: ` +
        'a standby without it was promoted, or a backup was restored; if there is no newer data to restore, restart all servers',
    );
  }
}
