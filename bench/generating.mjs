/** Scenarios of the generator: a whole generation, one change while it watches, and the gate for changes. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './figures.mjs';
import { definitions, root } from './processes.mjs';

const definitionsIn = (folder) => {
  if (!existsSync(folder)) throw new Error(`--schemas ${folder}: must be a folder of definitions`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .sort();
};

export const generate = {
  name: 'generate',
  about: 'a whole generation, the same with nothing changed, and the type check of what it printed',
  options: { schemas: definitions, check: 1 },
  rounds: 1,
  columns: () => [{ name: 'generator', open: openGeneration }],
};

async function openGeneration({ load, folder, options, index }) {
  definitionsIn(options.schemas);
  const { createGenerator } = await load('generator/commands/generate.ts');
  const { emitters } = await load('generator/emit/index.ts');
  let round = 0;
  let generator;
  let out = '';
  const whole = async () => {
    const totals = {};
    out = join(folder, `out-${index}-${round++}`);
    generator = createGenerator({
      schemas: options.schemas,
      out,
      emitters: emitters.map((one) => measured(one, totals)),
    });
    const { result, ms, cpuMs } = await timed(() => generator.run());
    const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
    for (const { file, line, code, message } of errors.slice(0, 20)) console.log(`${file}:${line} ${code} ${message}`);
    const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    return {
      s: ms / 1000,
      's of CPU': cpuMs / 1000,
      resources: result.resources,
      files: files.length,
      MiB: bytes / 2 ** 20,
      'MiB of memory at most': process.resourceUsage().maxRSS / 1024,
      ...Object.fromEntries(Object.entries(totals).map(([name, { ms: all }]) => [`s, ${name}`, all / 1000])),
    };
  };
  const again = async () => {
    const { ms, cpuMs } = await timed(() => generator.run());
    return { s: ms / 1000, 's of CPU': cpuMs / 1000 };
  };
  const rows = { 'whole run': whole, 'nothing changed': again };
  return { rows: options.check > 0 ? { ...rows, tsc: async () => checkTypes(out) } : rows };
}

/** Makes an emitter that adds up its own time. */
function measured(emitter, totals) {
  const time = (run) => {
    const began = performance.now();
    const files = run();
    totals[emitter.name] ??= { ms: 0 };
    totals[emitter.name].ms += performance.now() - began;
    return files;
  };
  return {
    name: emitter.name,
    ...(emitter.emitResource && {
      emitResource: (resource, model) => time(() => emitter.emitResource(resource, model)),
    }),
    ...(emitter.emitModel && { emitModel: (model) => time(() => emitter.emitModel(model)) }),
  };
}

function checkTypes(out) {
  const typeRoots = [join(root, 'node_modules/@types')];
  const compilerOptions = { incremental: false, exactOptionalPropertyTypes: true, rootDir: '/', typeRoots };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [out], exclude: [] };
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(out, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const began = performance.now();
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', out, '--extendedDiagnostics'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const figure = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(stdout)?.[1]);
  const errors = stdout.split('\n').filter((line) => line.includes(': error TS'));
  for (const line of errors.slice(0, 20)) console.log(`  ${line}`);
  return {
    s: (performance.now() - began) / 1000,
    'MiB of memory': figure('Memory used') / 1024,
    lines: figure('Lines of TypeScript'),
    errors: errors.length,
  };
}

export const generateWatch = {
  name: 'generate-watch',
  about: 'kindforge generate --watch: how long after a change of one definition among many its code is there',
  options: { schemas: definitions },
  rounds: 20,
  columns: () => [{ name: 'generator', open: openWatch }],
};

async function openWatch({ load, folder, options, index }) {
  const { createGenerator } = await load('generator/commands/generate.ts');
  const { watchFolder } = await load('generator/commands/watch.ts');
  const paths = definitionsIn(options.schemas);
  const schemas = join(folder, `schemas-${index}`);
  cpSync(options.schemas, schemas, { recursive: true });
  const generator = createGenerator({ schemas, out: join(folder, `watched-${index}`) });
  const ending = new AbortController();
  let tell;
  const generated = () =>
    new Promise((resolve) => {
      tell = resolve;
    });
  const first = generated();
  const run = () => {
    const result = generator.run();
    if (!result.outcome) throw new Error('the definitions have mistakes');
    tell(result);
  };
  const watching = watchFolder(schemas, run, { signal: ending.signal });
  await first;
  let round = 0;
  const change = async () => {
    // Pauses as a person would.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const done = generated();
    const { result, ms, cpuMs } = await timed(() => {
      changeText(join(schemas, paths[(round++ * 17) % paths.length]));
      return done;
    });
    return { ms, 'ms of CPU': cpuMs, 'resources emitted': result.emitted };
  };
  const close = async () => {
    ending.abort();
    await watching;
  };
  return { rows: { change }, close };
}

/** Changes the first description of a file, so that its schema, types and documents all change. */
function changeText(file) {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(/^( +description: )(?=\w)/m, '$1Changed. ');
  writeFileSync(file, changed === text ? `${text}\n` : changed);
}

export const diff = {
  name: 'diff',
  about: 'the gate: definitions against themselves, and against the same with a change in each',
  options: { schemas: definitions },
  rounds: 1,
  columns: () => [{ name: 'gate', open: openGate }],
};

async function openGate({ load, folder, options, index }) {
  const { diffSides } = await load('generator/diff/diff.ts');
  const { readSide } = await load('generator/diff/sides/read-side.ts');
  const [old, next] = [join(folder, `old-${index}`), join(folder, `new-${index}`)];
  definitionsIn(options.schemas);
  for (const copy of [old, next]) cpSync(options.schemas, copy, { recursive: true });
  const changed = definitionsIn(next).filter((path) => {
    const text = narrowed(readFileSync(join(next, path), 'utf8'));
    if (text !== undefined) writeFileSync(join(next, path), text);
    return text !== undefined;
  });
  const bySize = changed.toSorted((a, b) => statSync(join(next, a)).size - statSync(join(next, b)).size);
  const middle = bySize[bySize.length >> 1] ?? '';
  const compare = (before, after) => async () => {
    const reading = await timed(async () => {
      const left = await readSide(before);
      return { left, right: await readSide(after, left) };
    });
    const { left, right } = reading.result;
    const judging = await timed(() => diffSides(left, right));
    return {
      ms: reading.ms + judging.ms,
      'ms of CPU': reading.cpuMs + judging.cpuMs,
      'ms, reading': reading.ms,
      resources: judging.result.resources,
      changed: judging.result.changed,
      findings: judging.result.findings.length,
    };
  };
  return {
    rows: {
      'one of middling size': compare(join(old, middle), join(next, middle)),
      'the same again': compare(join(old, middle), join(next, middle)),
      'all against themselves': compare(old, old),
      'all with one change each': compare(old, next),
    },
  };
}

/**
 * Adds a bound to the first field of text below `spec` that has none. Returns `undefined` if there is no such field.
 */
function narrowed(text) {
  const lines = text.split('\n');
  const schema = lines.findIndex((line) => line.includes('openAPIV3Schema:'));
  const within = lines.findIndex((line, index) => index > schema && /^ {8,}spec:$/.test(line));
  const isFree = (index) => !lines.slice(Math.max(0, index - 6), index + 6).some((line) => line.includes('maxLength:'));
  const at = lines.findIndex(
    (line, index) => index > Math.max(within, schema) && /^ {10,}type: string$/.test(line) && isFree(index),
  );
  if (at < 0) return undefined;
  const [indent] = /^ */.exec(lines[at]);
  return lines.toSpliced(at + 1, 0, `${indent}maxLength: 253`).join('\n');
}
