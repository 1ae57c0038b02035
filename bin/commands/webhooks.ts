/**
 * `kindforge webhooks`: tries requests on a running server, and shows which webhooks and policies decide about them.
 */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { TestedAdmission, TestedOperation } from '../../server/test-admission.js';
import { type Ending, exitCodes } from '../exit-codes.js';
import { type ServerFlags, serverOf } from '../flags/access.js';
import { messageOf, reachable } from './access.js';

interface Flags extends ServerFlags {
  readonly filename: string;
  readonly operation: TestedOperation;
  readonly subresource?: string;
  readonly as?: string;
  readonly asGroup: readonly string[];
  readonly showReviews?: boolean;
  readonly output: string;
}

/** Adds the commands. What they need is loaded only when they run. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('see what webhooks and policies do with requests');
  reachable(webhooks.command('test').description('try a request, and print which steps of admission decide, and how'))
    .requiredOption('-f, --filename <file>', 'file with the objects, in YAML or JSON; - reads standard input')
    .addOption(
      new Option('--operation <operation>', 'operation to try on the objects')
        .choices(['create', 'update', 'delete', 'connect'])
        .default('create'),
    )
    .option('--subresource <name>', 'subresource of the request, such as status or exec')
    .option('--as <user>', 'user that makes the request (default: you)')
    .option('--as-group <group>', 'group that the user is in; may be given more than once', gather, [])
    .option('--show-reviews', 'print the requests to webhooks, too')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Requests are dry runs: nothing is stored. Webhooks are called for them as the server would, if they allow dry runs.

Exit codes:
  0  all requests would be admitted
  1  one would be refused
  2  a flag is wrong, or the server does not explain its admission`,
    )
    .action(async (flags: Flags) => {
      process.exitCode = exitCodes[await runTest(flags)];
    });
}

const gather = (one: string, before: readonly string[]): readonly string[] => [...before, one];

async function runTest(flags: Flags): Promise<Ending> {
  try {
    const { explanations, lines, allowed } = await test(flags);
    if (flags.output === 'json') console.log(JSON.stringify(explanations, undefined, 2));
    else for (const line of lines) console.log(line);
    return allowed ? 'done' : 'refused';
  } catch (error) {
    console.error(`kindforge: ${await messageOf(error)}`);
    return 'failed';
  }
}

async function test(flags: Flags): Promise<TestedAdmission> {
  const { testAdmission } = await import('../../server/test-admission.js');
  const { filename, operation, subresource, namespace, as, asGroup: groups, showReviews = false } = flags;
  return testAdmission(serverOf(flags), {
    file: filename === '-' ? 'standard input' : filename,
    bytes: readFileSync(filename === '-' ? 0 : filename),
    operation,
    subresource,
    namespace,
    as,
    groups,
    showsReviews: showReviews,
  });
}
