/** Flags of `kindforge serve`: where objects are stored, and how much of their past. */
import type { FlagGroup } from '../flag.js';

export const storage = {
  heading: 'Storage',
  flags: [
    {
      name: 'storage',
      value: '<store>',
      about:
        'where to store objects: lmdb:<folder>, fs:<folder>, memory, unstorage:<driver>[?<option>=…], or etcd:<endpoint>[,…][?prefix=…]',
      byDefault: 'lmdb:.kindforge/data',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'on-damage',
      value: '<what>',
      values: ['refuse', 'serve-rest', 'discard'],
      about: 'if stored data is damaged: refuse to start, serve-rest without it, or discard it',
      byDefault: 'refuse',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'history-window',
      value: '<duration>',
      about: 'how long to keep changes for watches and for lists at a resourceVersion, from 1s to 24h',
      byDefault: '5m',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'history-size',
      value: '<bytes>',
      about: 'memory for earlier versions of objects, from 1Mi to 1Ti; the oldest are dropped first',
      byDefault: '64Mi',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'max-object-bytes',
      value: '<bytes>',
      about: 'largest object to store, from 16Ki to 64Mi; writes that would make a larger one are refused',
      byDefault: '1536Ki',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
