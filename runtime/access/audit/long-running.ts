/** Requests that go on for as long as their client likes; they are recorded when they are answered, too. */
import type { AccessAttributes } from '../../contract/index.js';

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Profiles take as long as their client says. */
const profiles = '/debug/pprof/';

export const isLongRunning = (attributes: AccessAttributes): boolean =>
  'path' in attributes
    ? attributes.path.startsWith(profiles)
    : verbs.has(attributes.verb) || subresources.has(attributes.subresource ?? '');
