/** Tells at the start which stored admission webhooks have no effect, as the server does not call them. */
import type { Store } from '../runtime/storage/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type { OnProblem } from './options.js';

