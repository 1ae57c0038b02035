/** Tells of records that are lost, now and then rather than each time. */

/** Told of a loss: how many records were lost since it was told last, and why. */
export type OnLoss = (problem: string, error?: unknown) => void;

/** Milliseconds between two reports of one sink. */
const pauseMs = 10_000;

/** `count` of 0 is a problem that has lost nothing. */
export function lossReporter(name: string, onLoss: OnLoss): (count: number, reason: unknown) => void {
  let unreported = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (count, reason) => {
    unreported += count;
    if (Date.now() - last < pauseMs) return;
    last = Date.now();
    const told = unreported === 0 ? '' : `${unreported} ${unreported === 1 ? 'record is' : 'records are'} lost: `;
    onLoss(`${name}: ${told}${reason instanceof Error ? reason.message : String(reason)}`);
    unreported = 0;
  };
}
