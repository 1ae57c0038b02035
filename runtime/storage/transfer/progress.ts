/** How long transfers tell how far they are. */
import type { Key } from '../../contract/index.js';

/** Called after each object, `key`, with how much is done of how much: objects, or bytes where the stage says so. */
export type TransferProgress = (stage: string, done: number, total: number, key: Key) => void;

export const noProgress: TransferProgress = () => {};
