/** Tells requests that go on for long, which no limit on requests in progress is about. */
import type { AccessAttributes } from '../../contract/index.js';

/** Connections to what is behind an object. */
const lasting = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether a request is a connection to what is behind an object, which ends when one of both sides wants. */
export const isConnection = (attributes: AccessAttributes): boolean =>
  attributes.verb === 'proxy' || (!('path' in attributes) && lasting.has(attributes.subresource ?? ''));

/** Whether nobody waits for the end of a request: watches, too. */
export const isLongRunning = (attributes: AccessAttributes): boolean =>
  (attributes.verb === 'watch' && !('path' in attributes)) || isConnection(attributes);

/** Whether a request may change something, by its verb. */
export const isMutating = ({ verb }: AccessAttributes): boolean => !reading.has(verb);

const reading = new Set(['get', 'head', 'list', 'watch', 'options']);
