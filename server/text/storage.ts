/**
 * Reads the storage of objects from a flag: `memory`, `lmdb:<folder>`, `fs:<folder>`, `unstorage:…`, `etcd:…` or
 * `postgres://…`.
 */
import type { Result } from '../../runtime/contract/index.js';
import { listMembers } from '../../runtime/objects/scan/media-types.js';
import { withoutLeading, withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { EtcdOption, StorageOption } from '../parts/storage-options.js';
import { isPostgres, readPostgres } from './postgres.js';
import { readUnstorage } from './unstorage.js';

/** The storage options that a text can name. */
export type NamedStorage = Exclude<StorageOption, { readonly backend: unknown }>;

/** Reads a storage option. The failure's message lists the accepted texts. */
export function readStorage(text: string): Result<NamedStorage> {
  if (text === 'memory') return { ok: true, value: 'memory' };
  if (isPostgres(text)) {
    const read = readPostgres(text);
    return read.ok ? { ok: true, value: { postgres: read.value } } : read;
  }
  const [backend, place] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  if (backend === 'lmdb' && place !== '') return { ok: true, value: { lmdb: place } };
  if (backend === 'fs' && place !== '')
    return { ok: true, value: { unstorage: { driver: 'fs', options: { base: place } } } };
  if (backend === 'etcd') {
    const read = readEtcd(place);
    return read.ok ? { ok: true, value: { etcd: read.value } } : read;
  }
  if (backend === 'unstorage') {
    const read = readUnstorage(place);
    return read.ok ? { ok: true, value: { unstorage: read.value } } : read;
  }
  const forms = [
    'memory, lmdb:<folder>, fs:<folder>, unstorage:<driver>[?<option>=…&…],',
    'etcd:<endpoint>[,<endpoint>…][?<option>=…&…], or postgres://<user>@<host>/<database>[?schema=…]',
  ];
  return { ok: false, failure: badRequest(`unknown; use one of: ${forms.join(' ')}`) };
}

const known = ['prefix', 'user', 'password-file', 'ca', 'cert', 'key', 'compaction'];

/** Reads the text after `etcd:`, as in `127.0.0.1:2379,127.0.0.1:22379?prefix=/team/`. */
export function readEtcd(text: string): Result<EtcdOption> {
  const mark = text.indexOf('?');
  const [list, search] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
  const endpoints = listMembers(list);
  const wrong = endpoints.find((endpoint) => !/^(https?:\/\/)?([^/:\s]+|\[[0-9a-f:]+\]):\d+\/?$/i.test(endpoint));
  if (wrong !== undefined)
    return refuse(`${JSON.stringify(wrong)}: must be an endpoint <host>:<port>, such as 127.0.0.1:2379`);
  const options = new URLSearchParams(search);
  const unknown = [...options.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) return refuse(`option ${unknown} is unknown; use one of: ${known.join(', ')}`);
  const value = (name: string): string | undefined => options.get(name) || undefined;
  if ((value('user') === undefined) !== (value('password-file') === undefined)) {
    return refuse('user and password-file must be given together');
  }
  if ((value('cert') === undefined) !== (value('key') === undefined))
    return refuse('cert and key must be given together');
  if (options.has('compaction') && !/^(true|false)$/.test(options.get('compaction') ?? '')) {
    return refuse('compaction: must be true or false');
  }
  return {
    ok: true,
    value: {
      endpoints,
      prefix: toPrefix(value('prefix') ?? 'kindforge'),
      user: value('user'),
      passwordFile: value('password-file'),
      ca: value('ca'),
      cert: value('cert'),
      key: value('key'),
      compaction: options.get('compaction') !== 'false',
    },
  };
}

/** Adds a slash at both ends. */
function toPrefix(text: string): string {
  const bare = withoutTrailing(withoutLeading(text, '/'), '/');
  return bare === '' ? '/' : `/${bare}/`;
}

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
