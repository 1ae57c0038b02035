/**
 * Measures how long single heavy requests hold up all others:
 * `npx tsx bench/stalls.ts [--only definitions,apply] [--above 100] [--node=--cpu-prof]`.
 * Each line is a request: the longest time without a turn for others, and all time of the main thread, milliseconds.
 */
import { parseArgs } from 'node:util';
import { heavyRequests } from '../test/support/stalls/heavy-requests.js';
import { probedFlags, startProbed } from '../test/support/stalls/probed-server.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    request: { type: 'string', default: '' },
    above: { type: 'string', default: '0' },
    node: { type: 'string', multiple: true, default: [] },
  },
});

for (const [group, requests] of Object.entries(heavyRequests)) {
  if (values.only !== undefined && !values.only.split(',').includes(group)) continue;
  console.log(`\n${group}`);
  const server = await startProbed(probedFlags, values.node);
  for (const request of requests) {
    if (!new RegExp(values.request).test(request.label)) continue;
    const { longest, total, code, answer } = await server.measure(request);
    if (longest < Number(values.above)) continue;
    const told = code < 400 ? '' : answer.slice(0, 160).replaceAll(/\s+/g, ' ');
    console.log(`${longest.toFixed(0).padStart(6)} ${total.toFixed(0).padStart(6)}  ${code} ${request.label}  ${told}`);
  }
  await server.stop();
}
