#!/usr/bin/env node
/**
 * Runs benchmarks and prints the medians of their rounds. `node bench/run.mjs` lists the scenarios with their options.
 *
 *   node bench/run.mjs [scenario …] [--rounds n] [--only pattern] [--against commit-or-folder] [--json file]
 *
 * `--only` is a regular expression for the rows. Each row takes several rounds. In each round the columns take turns, so
 * that slow minutes of the machine affect all of them. `--against` measures another checkout of Kindforge in the same
 * turns, and compares with it.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openCheckouts } from './checkouts.mjs';
import { geometricMean, median, printTable, shown } from './figures.mjs';
import { missingNeed } from './needs.mjs';
import { root, withFolder } from './processes.mjs';
import { scenarios } from './scenarios.mjs';

const ownOptions = {
  rounds: { type: 'string' },
  only: { type: 'string' },
  against: { type: 'string' },
  json: { type: 'string' },
};

await main();
// Ends even if connections and servers in this process remain.
process.exit();

async function main() {
  const { positionals: names, values } = readArguments();
  if (names.length === 0) return printScenarios();
  const chosen = names.map((name) => scenarios.find((one) => one.name === name) ?? fail(`${name} is not a scenario`));
  for (const { needs = [] } of chosen) for (const need of needs) refuse(missingNeed(need));
  const checkouts = await openCheckouts(
    values.against,
    chosen.some(({ needs }) => needs?.includes('build')),
  );
  const results = { date: new Date().toISOString(), node: process.version, cpus: machine(), commit: commitHere() };
  try {
    for (const scenario of chosen) {
      const options = optionsOf(scenario, values);
      const rows = await withFolder((folder) =>
        measure(scenario, { checkouts: checkouts.list, options, folder, values }),
      );
      report(scenario, options, rows);
      results[scenario.name] = rows;
    }
  } finally {
    checkouts.close();
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

function readArguments() {
  const ofScenarios = scenarios.flatMap(({ options = {} }) =>
    Object.keys(options).map((name) => [name, { type: 'string' }]),
  );
  try {
    return parseArgs({ allowPositionals: true, options: { ...Object.fromEntries(ofScenarios), ...ownOptions } });
  } catch (error) {
    return fail(error.message);
  }
}

/** Returns the options of a scenario: the defaults, and values of the command line in their types. */
function optionsOf({ options = {} }, values) {
  const read = Object.entries(options).map(([name, usual]) => {
    const text = values[name];
    if (text === undefined) return [name, usual];
    if (typeof usual !== 'number') return [name, text];
    return [name, Number.isNaN(Number(text)) ? fail(`--${name} ${text}: must be a number`) : Number(text)];
  });
  return Object.fromEntries(read);
}

/**
 * Opens every column for every checkout and measures the rows in turns.
 * Returns, by row and column, the figures of all rounds.
 */
async function measure(scenario, { checkouts, options, folder, values }) {
  const sides = [];
  for (const column of scenario.columns(options)) {
    for (const checkout of column.alone ? checkouts.slice(0, 1) : checkouts) {
      const name = [column.name, checkout.name].filter((part) => part !== '').join(', ');
      const bench = { ...checkout, options, folder, index: sides.length };
      sides.push({ name, column: column.name, ...(await column.open(bench)) });
    }
  }
  const only = new RegExp(values.only ?? '');
  const names = [...new Set(sides.flatMap(({ rows }) => Object.keys(rows)))].filter((row) => only.test(row));
  const measured = {};
  for (const row of names) {
    const cells = sides.filter(({ rows }) => row in rows).map((side) => ({ side, rounds: [] }));
    for (let round = 0; round < (Number(values.rounds) || (scenario.rounds ?? 5)); round++) {
      for (const { side, rounds } of cells) rounds.push(await side.rows[row]());
    }
    measured[row] = Object.fromEntries(cells.map(({ side, rounds }) => [side.name, rounds]));
  }
  for (const { close } of sides) await close?.();
  return measured;
}

/** Prints a table: a line for each figure of each row, with the ratios to the base column. */
function report({ name, about, mean }, options, rows) {
  const told = Object.entries(options).map(([option, value]) => `--${option} ${value}`);
  console.log(`\n${name}: ${about}`);
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${machine()}, Node ${process.version} ${told.join(' ')}`.trimEnd(),
  );
  const columns = [...new Set(Object.values(rows).flatMap((cells) => Object.keys(cells)))];
  const lines = [];
  const ratiosOf = new Map();
  for (const [row, cells] of Object.entries(rows)) {
    const figures = [...new Set(Object.values(cells).flatMap((rounds) => rounds.flatMap(Object.keys)))];
    for (const [index, figure] of figures.entries()) {
      const valuesOf = (column) => cells[column]?.map((round) => round[figure]).filter(Number.isFinite) ?? [];
      const cell = (column) => {
        const values = valuesOf(column);
        const base = baseOf(column, columns);
        if (values.length === 0) return '–';
        if (base === undefined) return shown(median(values));
        const ratios = values.flatMap((value, round) => value / valuesOf(base)[round] || []);
        if (ratios.length === 0) return shown(median(values));
        ratiosOf.set(column, [...(ratiosOf.get(column) ?? []), median(ratios)]);
        const range = ratios.length > 1 ? `, ${shown(Math.min(...ratios))} – ${shown(Math.max(...ratios))}` : '';
        return `${shown(median(values))} (× ${shown(median(ratios))}${range})`;
      };
      lines.push([index === 0 ? row : '', figure, ...columns.map(cell)]);
    }
  }
  printTable([['', '', ...columns], ...lines]);
  if (mean) {
    for (const [column, ratios] of ratiosOf)
      console.log(`${column}: × ${shown(geometricMean(ratios))} (geometric mean)`);
  }
}

/** Returns the base column of another one: the same column of the other checkout if there is one, else the first. */
function baseOf(column, columns) {
  const other = columns.find((one) => one !== column && one.startsWith(`${column}, `));
  if (other !== undefined) return other;
  return column === columns[0] || columns.some((one) => column.startsWith(`${one}, `)) ? undefined : columns[0];
}

function printScenarios() {
  console.log(
    'usage: node bench/run.mjs scenario … [--rounds n] [--only pattern] [--against commit-or-folder] [--json file]\n',
  );
  for (const { name, about, needs = [], options = {} } of scenarios) {
    console.log(`${name.padEnd(15)} ${about}`);
    const flags = Object.entries(options).map(([option, usual]) => `[--${option} ${usual}]`);
    if (flags.length > 0) console.log(`${' '.repeat(16)}${flags.join(' ')}`);
    if (needs.length > 0) console.log(`${' '.repeat(16)}needs ${needs.join(', ')}`);
  }
}

function machine() {
  return `${cpus().length} × ${cpus()[0]?.model}`;
}

function commitHere() {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
}

function refuse(problem) {
  if (problem !== undefined) fail(problem);
}

function fail(message) {
  console.error(`${message}. Run node bench/run.mjs for the scenarios and their options.`);
  process.exit(2);
}
