/** The job of `kindforge doctor`: runs every check and prints what it found. */
import type { Ending } from '../exit-codes.js';
import type { Printing } from '../objects/printing.js';
import { certificates } from './checks/certificates.js';
import { data } from './checks/data.js';
import { generated } from './checks/generated.js';
import { lmdb } from './checks/lmdb.js';
import { node } from './checks/node.js';
import { packages } from './checks/packages.js';
import { ports } from './checks/ports.js';
import { project } from './checks/project.js';
import { server } from './checks/server.js';
import { type Check, type Finding, messageOf, problem, type Subject } from './finding.js';

/** In the order in which they are told. */
export const checks: readonly Check[] = [node, lmdb, packages, project, data, certificates, ports, server, generated];

const signs = { ok: 'ok     ', warning: 'warning', problem: 'problem' } as const;

/** `refused` where there is a problem; warnings are none. */
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
    out(`\n${problems} problems, ${warnings} warnings`);
  }
  return problems === 0 ? 'done' : 'refused';
}

/** A check that fails is a problem of its own. */
async function findingsOf({ run }: Check, subject: Subject): Promise<readonly Finding[]> {
  try {
    return await run(subject);
  } catch (error) {
    return [problem(`this could not be checked: ${messageOf(error)}`, 'See what the message says')];
  }
}
