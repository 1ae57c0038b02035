/**
 * Measures the gate: a folder of definitions against itself with one change in each, the same without a change, and a
 * single definition.
 *
 *   node --import tsx bench/diff.mjs [--schemas DIR]
 *
 * Without `--schemas` it takes the definitions of other projects in `../shared/crds`.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { diffSides } from '../generator/diff/diff.ts';
import { countOutcomes } from '../generator/diff/print/report.ts';
import { readSide } from '../generator/diff/sides/read-side.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: { schemas: { type: 'string', default: join(root, '../shared/crds/definitions') } },
});

if (!existsSync(values.schemas)) {
  console.error(`${values.schemas} is not there; name a folder of definitions with --schemas`);
  process.exit(2);
}

/** The first field of text below `spec` gets a bound, or one that it had gets narrower. */
const change = (text) => {
  const lines = text.split('\n');
  const within = lines.findIndex((line) => /^\s+spec:$/.test(line) && /^ {8}/.test(line));
  const at = lines.findIndex((line, index) => index > Math.max(within, 0) && /^ {10,}type: string$/.test(line));
  if (at < 0) return undefined;
  const indent = /^ */.exec(lines[at])[0];
  lines.splice(at + 1, 0, `${indent}maxLength: 253`);
  return lines.join('\n');
};

const cpu = () => process.cpuUsage().user / 1000;
const ms = (value) => `${value.toFixed(0)} ms`;

/** Times one comparison, and says how much of it was work of this process: on a busy machine the rest is waiting. */
const timed = async (name, old, next) => {
  const [start, used] = [performance.now(), cpu()];
  const left = await readSide(old);
  const right = await readSide(next, left);
  const [read, usedReading] = [performance.now(), cpu()];
  const { findings, resources, changed } = diffSides(left, right);
  const [end, usedAll] = [performance.now(), cpu()];
  console.log(
    `${name.padEnd(34)} ${ms(end - start).padStart(9)}, processor ${ms(usedAll - used)}; reading ${ms(read - start)}, ` +
      `processor ${ms(usedReading - used)}; ${changed} of ${resources} differ: ${JSON.stringify(countOutcomes(findings))}`,
  );
};

const scratch = mkdtempSync(join(tmpdir(), 'kindforge-bench-diff-'));
try {
  const [old, next] = [join(scratch, 'old'), join(scratch, 'new')];
  cpSync(values.schemas, old, { recursive: true });
  cpSync(values.schemas, next, { recursive: true });
  const paths = readdirSync(next, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const changed = paths.filter((path) => {
    const text = change(readFileSync(join(next, path), 'utf8'));
    if (text !== undefined) writeFileSync(join(next, path), text);
    return text !== undefined;
  });
  console.log(`${paths.length} files, ${changed.length} with a change`);
  const middle = changed
    .map((path) => ({ path, bytes: readFileSync(join(next, path)).length }))
    .sort((a, b) => a.bytes - b.bytes)[changed.length >> 1];
  await timed('one definition, of middling size', join(old, middle.path), join(next, middle.path));
  await timed('the same again', join(old, middle.path), join(next, middle.path));
  await timed('all against themselves', old, old);
  await timed('all with one change in each', old, next);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
