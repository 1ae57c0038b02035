/** The job of `kindforge doctor`: runs every check and prints what it found. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsOf } from '../../client/create-client.js';
import { ApiError, type Transport, toApiError } from '../../client/index.js';
import { plural } from '../../generator/diagnostics/print.js';
import { readManifest } from '../../server/kinds.js';
import type { Ending } from '../exit-codes.js';
import type { Printing } from '../objects/printing.js';
import { certificates } from './certificates.js';
import { data } from './data.js';
import { type Check, type Finding, messageOf, ok, problem, type Subject, serverOf, warning } from './finding.js';
import { packages } from './packages.js';

/** If clocks differ by more, servers refuse tokens and certificates. */
const mostSkewMs = 30_000;
const answerWithinMs = 5000;

export const server: Check = {
  name: 'server',
  run: async (subject) => {
    const target = serverOf(subject);
    if (target === undefined) return [ok('no server is known: neither --server nor a kubeconfig')];
    if ('problem' in target) return [problem(target.problem, 'Correct it, or name another with --kubeconfig FILE')];
    const { transport } = partsOf({ ...target.client, retry: { retries: 0 } });
    try {
      return await ask(transport, target.from);
    } catch (error) {
      if (error instanceof ApiError)
        return [problem(`the server of ${target.from}: ${error.message}`, adviceFor(error))];
      return [
        warning(
          `the server of ${target.from} does not answer: ${messageOf(error)}`,
          'Start it with kindforge serve, or name the right one with --kubeconfig FILE or --server URL',
        ),
      ];
    }
  },
};

const adviceFor = ({ code }: ApiError): string =>
  code === 401
    ? 'The credentials belong to another server, or are too old: use the newest kubeconfig that the server wrote'
    : 'See what the server logs';

async function ask(transport: Transport, from: string): Promise<Finding[]> {
  const before = Date.now();
  const response = await transport.send({
    method: 'GET',
    path: '/version',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  if (response.status >= 400) throw toApiError(response.status, text);
  return [ok(`the server of ${from} answers, and lets you in`), ...clock(response.header('date'), before, Date.now())];
}

/**
 * Compares clocks. `date` is the server's time in an answer, to the second. `before` and `after` are this machine's
 * times around it.
 */
export function clock(date: string, before: number, after: number): Finding[] {
  const there = Date.parse(date);
  if (Number.isNaN(there)) return [];
  const skew = there < before ? before - there - 1000 : there - after;
  if (skew <= mostSkewMs) return [ok('the clocks of this machine and of the server agree')];
  return [
    problem(
      `the clock of this machine is ${Math.round(skew / 1000)} s ${there < before ? 'ahead of' : 'behind'} the clock of the server`,
      'Set both with NTP (timedatectl set-ntp true): tokens and certificates are refused if clocks differ',
    ),
  ];
}

export const generated: Check = {
  name: 'generated',
  run: async ({ schemas, out, emitters: own = [] }) => {
    if (!existsSync(schemas)) return [ok(`no definitions in ${schemas}`)];
    const { createGenerator } = await import('../../generator/index.js');
    const { emitters } = await import('../../generator/emit/index.js');
    try {
      const { diagnostics, outcome } = createGenerator({
        schemas,
        out,
        check: true,
        emitters: [...emitters, ...own],
      }).run();
      const errors = diagnostics.filter(({ severity }) => severity !== 'warning').length;
      if (outcome === undefined)
        return [problem(`${schemas}: ${plural(errors, 'mistake')} in the definitions`, 'kindforge check lists them')];
      if (!existsSync(out)) return [ok(`the definitions in ${schemas} have no mistakes; no generated code in ${out}`)];
      const { length: stale } = outcome.differences;
      if (stale === 0) return [ok(`the code in ${out} is up to date with the definitions in ${schemas}`)];
      return [
        warning(
          `${out}: ${plural(stale, 'file')} out of date with ${schemas}`,
          'kindforge generate brings them up to date',
        ),
      ];
    } catch (error) {
      return [problem(`${schemas} cannot be read: ${messageOf(error)}`, 'Name the folder with --schemas FOLDER')];
    }
  },
};

const lmdb: Check = {
  name: 'lmdb',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kindforge-doctor-'));
    try {
      const { open } = await import('lmdb');
      const database = open({ path: folder });
      await database.put('a', 1);
      const found: unknown = database.get('a');
      await database.close();
      if (found !== 1) throw new Error('the stored value is missing');
      return [ok('the embedded store works')];
    } catch (error) {
      return [
        problem(
          `the embedded store does not work: ${messageOf(error)}`,
          'Install again with npm install --force lmdb on this machine; until then, use --storage memory, etcd:… or postgres://…',
        ),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const ports: Check = {
  name: 'ports',
  run: ({ ports: wanted }) => Promise.all(wanted.map(checkPort)),
};

async function checkPort(port: number): Promise<Finding> {
  const code = await listen(port);
  if (code === undefined) return ok(`port ${port} is free`);
  if (code === 'EACCES')
    return problem(`port ${port} needs rights that this user does not have`, 'Choose one above 1023');
  return warning(
    `port ${port} is in use (${code})`,
    'If that is not your server, choose another with --http-port or --secure-port, or auto for a free one',
  );
}

/** Tries to listen on a port of this machine. Resolves to the code of the error, if any. */
const listen = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });

export const project: Check = {
  name: 'project',
  run: async ({ project: named }) => {
    if (named === 'none') return [];
    const { fromHere, projectOf } = await import('../flags/project.js');
    try {
      const found = await projectOf(named);
      return found ? [ok(`${fromHere(found.file)} has no mistakes`)] : [];
    } catch (error) {
      const [first = '', ...mistakes] = messageOf(error).split('\n');
      const told = mistakes.length === 0 ? [first] : mistakes;
      return told.map((mistake) => problem(mistake, 'Correct it, or ignore the project with --project none'));
    }
  },
};

const node: Check = {
  name: 'node',
  run: () => [judge(process.versions.node, readManifest().engines?.node ?? '>=0')],
};

/** Checks a version against the least one; `wanted` is as in `>=20.15`. */
export function judge(version: string, wanted: string): ReturnType<typeof ok> {
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(wanted.replace(/^>=/, ''));
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return ok(`Node.js ${version}`);
  return problem(`Node.js ${version} is too old`, `Install Node.js ${wanted.replace(/^>=/, '')} or later`);
}

const numbers = (version: string): readonly number[] => version.split('.').map(Number);

/** In the order of the output. */
export const checks: readonly Check[] = [node, lmdb, packages, project, data, certificates, ports, server, generated];

const signs = { ok: 'ok     ', warning: 'warning', problem: 'problem' } as const;

/** Returns `refused` if there is a problem. A warning is not a problem. */
export async function runDoctor(subject: Subject, output: 'text' | 'json', { out }: Printing): Promise<Ending> {
  const found: (Finding & { readonly check: string })[] = [];
  for (const check of checks) {
    for (const finding of await findingsOf(check, subject)) found.push({ check: check.name, ...finding });
  }
  const problems = found.filter(({ level }) => level === 'problem').length;
  const warnings = found.filter(({ level }) => level === 'warning').length;
  if (output === 'json') out(JSON.stringify({ problems, warnings, findings: found }, undefined, 2));
  else {
    for (const { check, level, message, advice } of found) {
      out(`${signs[level]}  ${check.padEnd(12)}  ${message}`);
      if (advice !== undefined) out(`${' '.repeat(signs.ok.length + 16)}→ ${advice}`);
    }
    out(`\n${plural(problems, 'problem')}, ${plural(warnings, 'warning')}`);
  }
  return problems === 0 ? 'done' : 'refused';
}

/** Runs a check. If it throws, the error is a finding, too. */
async function findingsOf({ run }: Check, subject: Subject): Promise<readonly Finding[]> {
  try {
    return await run(subject);
  } catch (error) {
    return [problem(`this could not be checked: ${messageOf(error)}`, 'See what the message says')];
  }
}
