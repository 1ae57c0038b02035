/**
 * Measures `kindforge generate --watch`: how long after a definition among many has been changed its code is there.
 *
 *   node --import tsx bench/watch.mjs [--schemas DIR] [--changes 20]
 *
 * Without `--schemas` it takes the definitions of other projects in `../shared/crds`.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGenerator } from '../generator/commands/generate.ts';
import { watchFolder } from '../generator/commands/watch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: join(root, '../shared/crds/definitions') },
    changes: { type: 'string', default: '20' },
  },
});
if (!existsSync(values.schemas)) {
  console.error(`${values.schemas} is not there; name a folder of definitions with --schemas`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
const schemas = join(folder, 'schemas');
cpSync(values.schemas, schemas, { recursive: true });
const files = readdirSync(schemas, { recursive: true, encoding: 'utf8' }).filter((path) => /\.ya?ml$/.test(path));
const stride = Math.max(1, Math.floor(files.length / Number(values.changes)));
const chosen = files.sort().filter((_, index) => index % stride === 0);

/** Changes the first description of a file, so that its schema, types and documents all change. */
function change(path) {
  const file = join(schemas, path);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(/^( +description: )(?=\w)/m, '$1Changed. ');
  writeFileSync(file, changed === text ? `${text}\n` : changed);
}

const ending = new AbortController();
const generator = createGenerator({ schemas, out: join(folder, 'out') });
const times = [];
let pending;
try {
  await watchFolder(
    schemas,
    () => {
      const { outcome, emitted, resources } = generator.run();
      if (!outcome) throw new Error('the definitions have mistakes');
      if (pending) {
        const { user, system } = process.cpuUsage(pending.cpu);
        times.push({ ms: performance.now() - pending.start, cpuMs: (user + system) / 1000, emitted });
      } else console.log(`${resources} resources, then one of them at a time is changed`);
      const next = chosen.shift();
      if (next === undefined) ending.abort();
      // After a pause, as a person would make.
      else {
        setTimeout(() => {
          pending = { start: performance.now(), cpu: process.cpuUsage() };
          change(next);
        }, 200);
      }
    },
    { signal: ending.signal },
  );
} finally {
  rmSync(folder, { recursive: true });
}

const figures = (values) => {
  const sorted = values.sort((a, b) => a - b);
  const at = (share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0);
  return `median ${at(0.5)} ms, 90 % ${at(0.9)} ms, slowest ${at(1)} ms`;
};
console.log(
  `changes       ${times.length}, ${times.filter(({ emitted }) => emitted === 1).length} emitted one resource`,
);
console.log(`until written ${figures(times.map(({ ms }) => ms))}`);
console.log(`CPU time      ${figures(times.map(({ cpuMs }) => cpuMs))}`);
