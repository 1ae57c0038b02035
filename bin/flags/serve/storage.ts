/** Flags of `kindforge serve`: the store of the objects, their history, and how to observe the server. */
import { readHistorySize, readHistoryWindow } from '../../../server/text/durations.js';
import { readObjectSize } from '../../../server/text/object-size.js';
import { withoutPassword } from '../../../server/text/postgres.js';
import { type NamedStorage, readStorage } from '../../../server/text/storage.js';
import type { FlagGroup, Read } from '../flag.js';

export const storage = {
  heading: 'Storage',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'storage',
      value: '<store>',
      about:
        'store of the objects: lmdb:<folder>, fs:<folder>, memory, unstorage:<driver>[?<option>=…], etcd:<endpoint>[,…][?prefix=…], or postgres://<user>@<host>/<database>[?schema=…]',
      byDefault: 'lmdb:.kindforge/data',
      read: readNamedStorage,
      sets: ['storage'],
    },
    {
      name: 'on-damage',
      value: '<what>',
      values: ['refuse', 'serve-rest', 'discard'],
      about: 'if stored data is damaged: refuse to start, serve-rest without it, or discard it',
      byDefault: 'refuse',
    },
    {
      name: 'encryption-provider-config',
      value: '<file>',
      about: 'EncryptionConfiguration that says which resources are encrypted with which keys, in YAML',
      sets: ['encryption.configFile'],
    },
    {
      name: 'history-window',
      value: '<duration>',
      about: 'how long to keep changes for watches and for lists at a resourceVersion, from 1s to 24h',
      byDefault: '5m',
      read: readHistoryWindow,
    },
    {
      name: 'history-size',
      value: '<bytes>',
      about: 'memory for earlier versions of objects, from 1Mi to 1Ti; the oldest are dropped first',
      byDefault: '64Mi',
      read: readHistorySize,
    },
    {
      name: 'max-object-bytes',
      value: '<bytes>',
      about: 'largest object to store, from 16Ki to 64Mi; writes that would make a larger one are refused',
      byDefault: '1536Ki',
      read: readObjectSize,
      sets: ['maxObjectBytes'],
    },
  ],
} as const satisfies FlagGroup;

export const monitoring = {
  heading: 'Logs, metrics, traces and profiles',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'log-format',
      value: '<format>',
      values: ['text', 'json'],
      about: 'text for people, or json for programs',
      byDefault: 'text',
    },
    {
      name: 'log-level',
      value: '<level>',
      values: ['info', 'warn', 'error'],
      about: 'least important lines to log: info, warn or error',
      byDefault: 'info',
    },
    {
      name: 'log-requests',
      about: 'log a line of level info for each request, without its secrets',
    },
    {
      name: 'show-hidden-metrics-for-version',
      value: '<release>',
      about: 'previous release, such as 0.3, to show metrics that have been hidden since then',
      sets: ['showHiddenMetricsFor'],
    },
    {
      name: 'profiling',
      about: 'let users who may read /debug/pprof/* take profiles of CPU and heap there',
    },
    {
      name: 'tracing-config-file',
      value: '<file>',
      about: 'TracingConfiguration that says where traces of requests go, in YAML',
      sets: ['tracing.configFile'],
    },
  ],
} as const satisfies FlagGroup;

function readNamedStorage(text: string): Read<NamedStorage> {
  const read = readStorage(text);
  return read.ok ? read : { ok: false, failure: { message: `${withoutPassword(text)}: ${read.failure.message}` } };
}
