/**
 * All scenarios. A scenario is a record:
 *
 * - `name`, and `about`: what it measures;
 * - `needs`: what has to be there beside the sources, of the table in `needs.mjs`;
 * - `options`: its options with their defaults, read as the type of the default;
 * - `rounds`: how many rounds it has by default; 5 if it says nothing;
 * - `columns(options)`: what is measured side by side. `open(bench)` starts it, and resolves to `rows` and `close`; each row
 *   is a function that makes one round, and resolves to its figures by their names. `bench` has the checkout, its
 *   `command` and `load`, the options, and a folder that is removed afterwards. A column that is `alone` is measured once,
 *   not for each checkout;
 * - `mean`: whether the geometric means of the ratios are printed too.
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
