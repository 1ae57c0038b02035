/**
 * All scenarios. A scenario is a record:
 *
 * - `name`, and `about`: what it measures;
 * - `needs`: what it needs beside the sources, from the table in `needs.mjs`;
 * - `options`: its options with their defaults. Values of the command line get the type of the default;
 * - `rounds`: the number of rounds. Default: 5;
 * - `columns(options)`: the columns to measure side by side. `open(bench)` starts a column, and resolves to `rows` and
 *   `close`. Each row is a function that makes one round, and resolves to its figures by their names. `bench` has the
 *   checkout, its `command` and `load`, the options, and a folder. The runner removes the folder afterwards. It measures
 *   a column with `alone` once, not for each checkout;
 * - `mean`: whether to print the geometric means of the ratios, too.
 */
import { admission, garbage, policies, rules, webhooks } from './admission.mjs';
import { apply } from './apply.mjs';
import { browserConsole } from './console.mjs';
import { authorization, cel, decode, protobuf } from './engines.mjs';
import { diff, generate, generateWatch } from './generating.mjs';
import { fairness, labels, state } from './many-clients.mjs';
import { controllers, definitions, memory, restart } from './many-objects.mjs';
import { files, stalls } from './one-request.mjs';
import { etcd, releases, requests, secure } from './requests-per-second.mjs';
import { sharedStores } from './shared-stores.mjs';
import { envtest, ready, testServer } from './starts.mjs';
import { storeCommits, storeMemory, storeWatch } from './store.mjs';
import { workers } from './workers.mjs';

export const scenarios = [
  ...[requests, releases, secure, workers, etcd, sharedStores, fairness, labels, state],
  ...[ready, envtest, testServer, restart, memory, controllers, definitions],
  ...[files, stalls, apply, admission, policies, webhooks, rules, garbage],
  ...[decode, protobuf, cel, authorization, storeCommits, storeWatch, storeMemory],
  ...[generate, generateWatch, diff, browserConsole],
];
