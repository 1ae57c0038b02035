/** Tells the log how far a server is that reads what is stored. */
import { loadingText } from '../../server/load-definitions.js';
import type { LoadProgress } from '../../server/options.js';
import type { Log } from './log.js';

/** How much time lies between two lines, milliseconds. */
const pauseMs = 2000;

/** One line now and then; `now` is a clock in milliseconds. */
export function loadingNotice(
  log: Pick<Log, 'notice'>,
  now: () => number = Date.now,
): (progress: LoadProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (now() - last < pauseMs) return;
    last = now();
    log.notice(loadingText(progress));
  };
}
