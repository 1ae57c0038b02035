/** `kindforge audit`: answers questions about audit logs. */
import { type Command, Option } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import type { AuditQueryFlags } from '../flags/audit-query.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addAudit(program: Command): void {
  const audit = program.command('audit').description('ask audit logs what was requested, and who changed what');
  audit
    .command('query')
    .description('print the requests of audit logs, one line for each, or the changes of one field of an object')
    .requiredOption('--log <file...>', 'log of serve --audit-log-path; older files of the log are read with it')
    .option('--user <name>', 'requests of this user, or on their behalf')
    .option('--verb <verbs>', 'comma-separated verbs, such as update,patch')
    .option('--resource <resource>', 'resource, such as configmaps, deployments.apps or pods/status')
    .option('--namespace <name>', 'requests about this namespace')
    .option('--name <name>', 'requests about the object of this name')
    .option('--since <time>', 'requests from this time on: 2026-01-31T12:00:00Z, or 2h for the last two hours')
    .option('--until <time>', 'requests up to this time, in the same form')
    .option(
      '--field <path>',
      "changes of this field, such as spec.replicas or data['a.b']; needs --resource and --name",
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      `
Changes are found in the bodies that the policy has recorded, at level Request or RequestResponse.

Exit codes:
  0  the answer was printed, even if nothing was found
  1  a log has lines that are not audit events; the rest was printed
  2  a flag is wrong, or a log cannot be read`,
    )
    .action(async (flags: AuditQueryFlags) => {
      process.exitCode = exitCodes[await runQuery(flags)];
    });
}

/** Prints the answer to standard output, and remarks to standard error. */
async function runQuery(flags: AuditQueryFlags): Promise<Ending> {
  const { readAuditQuery } = await import('../flags/audit-query.js');
  const { queryLog } = await import('../../server/maintenance/query-log.js');
  const { explainFailure } = await import('../flags/explain-failure.js');
  try {
    const answer = await queryLog(readAuditQuery(flags, Date.now()), (line) => process.stdout.write(`${line}\n`));
    for (const remark of answer.remarks) console.error(`kindforge: ${remark}`);
    return answer.broken ? 'refused' : 'done';
  } catch (error) {
    const { ending, message } = explainFailure(error);
    console.error(`kindforge: ${message}`);
    return ending;
  }
}
