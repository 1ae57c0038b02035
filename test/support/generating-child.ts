/**
 * Generates fifty files again and again, each time with new content: `generating-child.ts <schemas> <out> <name>
 * <rounds>`. The name `stopped` makes it end itself by a signal while it writes.
 */
import { createGenerator } from '../../generator/commands/generate.js';
import type { Emitter } from '../../generator/emit/emitter.js';
import { holdingSignals } from '../../generator/write/staged-files.js';

const [schemas = '', out = '', name = '', rounds = '1'] = process.argv.slice(2);

const emitter = (round: number): Emitter => ({
  name: 'text',
  emitModel: () =>
    Array.from({ length: 50 }, (_, index) => ({ path: `f${index}/${name}.txt`, content: `${name} ${round}` })).concat({
      path: 'shared.txt',
      content: `${name} ${round}`,
    }),
});

const generate = (round: number): unknown => createGenerator({ schemas, out, emitters: [emitter(round)] }).run();

if (name === 'stopped') {
  holdingSignals(() => {
    process.kill(process.pid, 'SIGTERM');
    generate(0);
  });
  setTimeout(() => {}, 60_000);
} else for (let round = 0; round < Number(rounds); round++) generate(round);
