/**
 * Measures the stalls of its process. Node loads it by `--import`: A stall is the processor time of the main thread
 * between two turns of its timers. The probe answers each message with the longest stall since the last message.
 */
import { readFileSync } from 'node:fs';

const file = `/proc/self/task/${process.pid}/schedstat`;

/** Returns the processor time of the main thread, milliseconds, without the time that it waited for a processor. */
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
