/** Opens stores that several servers share. */
import { readFileSync } from 'node:fs';
import { withPackages } from '../option-error.js';
import { withoutPassword } from '../text/postgres.js';
import type { EtcdOption, Opening, PostgresOption, Storage } from './storage-options.js';

/**
 * Rejects with an `OptionError` if packages are missing, and with an error that names the cure if etcd cannot be used.
 */
export async function openEtcd(
  option: EtcdOption,
  {
    onDamage,
    encryption,
    readAttributes,
    readOnly,
    history,
    maxObjectBytes,
    observer,
    onLoading,
    onWatchError,
    onDamageFound,
  }: Opening,
): Promise<Storage> {
  const { endpoints, prefix = '/kindforge/', user, passwordFile, ca, cert, key, compaction = true } = option;
  const read = (path: string | undefined): Buffer | undefined => (path === undefined ? undefined : readFileSync(path));
  const part = {
    option: 'storage',
    value: `etcd:${endpoints.join(',')}`,
    packages: ['@grpc/grpc-js', 'protobufjs'],
  } as const;
  const { openEtcdStore } = await withPackages(part, () => import('../../runtime/storage/etcd/index.js'));
  const store = await openEtcdStore({
    endpoints,
    prefix,
    user,
    password: passwordFile === undefined ? undefined : readLine(passwordFile),
    tls: ca === undefined && cert === undefined ? undefined : { ca: read(ca), cert: read(cert), key: read(key) },
    compaction,
    encryption,
    readAttributes,
    readOnly,
    ...history,
    maxObjectBytes,
    observer,
    onLoading,
    onWatchError,
    onDamageFound,
    // Damaged data cannot be removed atomically, because other servers may use the same data.
    onDamage: onDamage === 'discard' ? 'refuse' : onDamage,
  });
  return {
    store,
    place: `etcd at ${endpoints.join(', ')}, under ${prefix}`,
    // Clients of other servers may rely on the history, so this server must not forget it.
    forgetHistory: () => {},
    damage: store.damage,
  };
}

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
export const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
