/**
 * Measures the stalls of the process that it is loaded into by `--import`: processor time of the main thread between two
 * turns of its timers. A message asks for the longest since the last message.
 */
import { readFileSync } from 'node:fs';

const file = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds of processor time that the main thread has used. Waiting for a processor is not in it. */
const used = () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;

let last = used();
let longest = 0;
let total = 0;

function turn() {
  const now = used();
  longest = Math.max(longest, now - last);
  total += now - last;
  last = now;
}

setInterval(turn, 1).unref();
process.on('message', () => {
  turn();
  process.send?.({ longest, total });
  longest = 0;
  total = 0;
});
process.channel?.unref();
