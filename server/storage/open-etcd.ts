/** Opens a store in etcd. */
import { readFileSync } from 'node:fs';
import { withPackages } from '../optional-packages.js';
import type { Opening, Storage } from './opening.js';
import { readLine } from './read-line.js';
import type { EtcdOption } from './storage-option.js';

const packages = ['@grpc/grpc-js', 'protobufjs'];

export async function openEtcd(
  option: EtcdOption,
  { onDamage, readAttributes, readOnly, history, maxObjectBytes, observer, onLoading, onWatchError }: Opening,
): Promise<Storage> {
  const { endpoints, prefix = '/kindforge/', user, passwordFile, ca, cert, key, compaction = true } = option;
  const read = (path: string | undefined): Buffer | undefined => (path === undefined ? undefined : readFileSync(path));
  const part = { option: 'storage', value: `etcd:${endpoints.join(',')}`, packages } as const;
  const { openEtcdStore } = await withPackages(part, () => import('../../runtime/storage/etcd/index.js'));
  const store = await openEtcdStore({
    endpoints,
    prefix,
    user,
    password: passwordFile === undefined ? undefined : readLine(passwordFile),
    tls: ca === undefined && cert === undefined ? undefined : { ca: read(ca), cert: read(cert), key: read(key) },
    compaction,
    readAttributes,
    readOnly,
    ...history,
    maxObjectBytes,
    observer,
    onLoading,
    onWatchError,
    // There is no way to remove it for good at one stroke: other servers may be at work on the same.
    onDamage: onDamage === 'discard' ? 'refuse' : onDamage,
  });
  return {
    store,
    place: `etcd at ${endpoints.join(', ')}, under ${prefix}`,
    // Clients of other servers may count on the history, so it is not this server's to forget.
    forgetHistory: () => {},
    damage: store.damage,
  };
}
