/** Reads where objects are kept, as flags say it: `memory`, `lmdb:<folder>`, `fs:<folder>`, `unstorage:…` or `etcd:…`. */
import type { Result } from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { StorageOption } from '../storage/storage-option.js';
import { readEtcd } from './etcd.js';
import { readUnstorage } from './unstorage.js';

/** Where objects can be kept that a text can name. */
export type NamedStorage = Exclude<StorageOption, { readonly backend: unknown }>;

/** The failure's message says what the text takes. */
export function readStorage(text: string): Result<NamedStorage> {
  if (text === 'memory') return { ok: true, value: 'memory' };
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
    'or etcd:<endpoint>[,<endpoint>…][?<option>=…&…]',
  ];
  return { ok: false, failure: badRequest(`unknown; use one of: ${forms.join(' ')}`) };
}
