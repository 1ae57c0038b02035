/** Opens the store in PostgreSQL. */
import { readFileSync } from 'node:fs';
import { withPackages } from '../option-error.js';
import { withoutPassword } from '../text/postgres.js';
import type { Opening, PostgresOption, Storage } from './open-storage.js';

/**
 * Rejects with an `OptionError` if the package `pg` is missing, and with an error that names the cure, and no password,
 * if PostgreSQL cannot be used.
 */
export async function openPostgres(option: PostgresOption, opening: Opening): Promise<Storage> {
  const { url, schema, passwordFile, compaction = true } = option;
  const { onDamage, history, onNotice, now: _now, ...others } = opening;
  const shown = withoutPassword(url);
  const { openPostgresStore } = await withPackages({ option: 'storage', value: shown, packages: ['pg'] }, async () => {
    await import('pg');
    return import('../../runtime/storage/postgres/index.js');
  });
  const store = await openPostgresStore({
    url,
    schema,
    password: passwordFile === undefined ? undefined : readLine(passwordFile),
    compaction,
    ...others,
    ...history,
    onNotice,
    // Damaged data cannot be removed atomically, because other servers may use the same data.
    onDamage: onDamage === 'discard' ? 'refuse' : onDamage,
  });
  return {
    store,
    place: `PostgreSQL at ${shown}`,
    // Clients of other servers may rely on the history, so this server must not forget it.
    forgetHistory: () => {},
    damage: store.damage,
  };
}

/** Returns the text of the file without a final line break. */
const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
