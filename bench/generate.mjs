/**
 * Measures a whole generation: reads a folder of definitions, emits and writes everything, and type-checks the result.
 *
 *   node --import tsx bench/generate.mjs [--schemas DIR] [--out DIR] [--no-check]
 *
 * Without `--schemas` it takes the definitions of other projects in `../shared/crds`. Without `--out` it writes into a
 * temporary folder, which it removes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGenerator } from '../generator/commands/generate.ts';
import { emitters } from '../generator/emit/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: join(root, '../shared/crds/definitions') },
    out: { type: 'string' },
    'no-check': { type: 'boolean', default: false },
  },
});

if (!existsSync(values.schemas)) {
  console.error(`${values.schemas} is not there; name a folder of definitions with --schemas`);
  process.exit(2);
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Emitters that add up how long they take and how much they make. */
const measured = (totals) => {
  const timed = (name, run) => {
    const start = performance.now();
    const files = run();
    const total = totals.get(name) ?? { ms: 0, bytes: 0, files: 0 };
    total.ms += performance.now() - start;
    total.files += files.length;
    for (const { content } of files) total.bytes += Buffer.byteLength(content);
    totals.set(name, total);
    return files;
  };
  return emitters.map((emitter) => ({
    name: emitter.name,
    ...(emitter.emitResource && {
      emitResource: (resource, model) => timed(emitter.name, () => emitter.emitResource(resource, model)),
    }),
    ...(emitter.emitModel && { emitModel: (model) => timed(emitter.name, () => emitter.emitModel(model)) }),
  }));
};

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

const checkTypes = (out) => {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      exactOptionalPropertyTypes: true,
      rootDir: '/',
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [out],
    exclude: [],
  };
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(out, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', out, '--extendedDiagnostics'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const figure = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(stdout)?.[1] ?? '?';
  const errors = stdout.split('\n').filter((line) => line.includes(': error TS'));
  console.log(
    `tsc           ${seconds(performance.now() - start)}, ${figure('Memory used')} used, ` +
      `${figure('Lines of TypeScript')} lines, ${errors.length} errors`,
  );
  for (const line of errors.slice(0, 20)) console.log(`  ${line}`);
  return status === 0;
};

const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), 'kindforge-bench-')));
let ok = true;
try {
  const totals = new Map();
  const generator = createGenerator({ schemas: values.schemas, out, emitters: measured(totals) });
  const start = performance.now();
  const { diagnostics, resources } = generator.run();
  const all = performance.now() - start;
  const { user, system } = process.cpuUsage();
  const peak = process.resourceUsage().maxRSS * 1024;
  const emittedBy = [...totals].map(([name, total]) => [name, { ...total }]);
  const again = performance.now();
  generator.run();
  const unchanged = performance.now() - again;

  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  ok = errors.length === 0;
  for (const { file, line, code, message } of errors.slice(0, 20)) console.log(`${file}:${line} ${code} ${message}`);
  const files = filesBelow(out);
  const size = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  console.log(`resources     ${resources}`);
  console.log(`whole run     ${seconds(all)}, CPU of the process ${seconds((user + system) / 1000)}`);
  console.log(`              nothing changed ${seconds(unchanged)}, peak memory ${mebibytes(peak)}`);
  console.log(`output        ${files.length} files, ${mebibytes(size)}`);
  for (const [name, total] of emittedBy) {
    console.log(`  ${name.padEnd(12)}${seconds(total.ms)}, ${total.files} files, ${mebibytes(total.bytes)}`);
  }
  if (ok && !values['no-check']) ok = checkTypes(out);
} finally {
  if (values.out === undefined) rmSync(out, { recursive: true });
}
process.exit(ok ? 0 : 1);
