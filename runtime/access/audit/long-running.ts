/** Requests that go on for as long as their client likes; they are recorded when they are answered, too. */
import type { AccessAttributes } from '../../contract/index.js';

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

export const isLongRunning = (attributes: AccessAttributes): boolean =>
  !('path' in attributes) && (verbs.has(attributes.verb) || subresources.has(attributes.subresource ?? ''));
