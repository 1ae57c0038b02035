/** Lets many requests listen to one signal, because a controller may have one request of every kind in flight. */
import { setMaxListeners } from 'node:events';

/** More listeners than any signal has. With 0, for no limit, undici's fetch does not accept the signal. */
const many = 1_000_000;

/** Stops Node's warnings of a listener leak. */
export const allowListeners = (signal: AbortSignal): void => setMaxListeners(many, signal);
