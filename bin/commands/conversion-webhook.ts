/** `kindforge conversion-webhook`: converts objects for servers that have the definitions as CustomResourceDefinitions. */
import { type Command, Option } from 'commander';
import type { ConversionWebhookOptions } from '../../server/webhooks/start-webhook.js';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromProject, inProject, projectOf } from '../flags/project.js';
import type { ConversionWebhookFlags } from '../flags/read-conversion-webhook.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addConversionWebhook(program: Command): void {
  inProject(
    program
      .command('conversion-webhook')
      .description('run a webhook that converts objects of your definitions for a server'),
  )
    .option('--schemas <dir>', 'folder with your definitions')
    .addOption(
      new Option('--naming <names>', 'names of API groups').choices(['platform', 'kubernetes']).default('kubernetes'),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on, or auto for a free one', '9443')
    .option('--tls-cert-file <file>', 'certificate to show (default: one of its own)')
    .option('--tls-private-key-file <file>', 'key of the certificate')
    .option('--tls-ca-file <file>', 'authority that signed the certificate, for --print')
    .option('--tls-san <name>', 'further name in its own certificate; may be given more than once', gather, [])
    .option('--cert-dir <dir>', 'folder that keeps the authority of its own certificate over restarts')
    .option('--url <url>', 'URL of the webhook for the server, for --print (default: the address it listens on)')
    .option('--service <service>', 'service of the webhook, in place of --url: namespace/name, or namespace/name:port')
    .addOption(
      new Option(
        '--print <what>',
        'print what to apply to the server, and end: whole definitions, or a patch of them',
      ).choices(['crd', 'patch']),
    )
    .option('--max-body-bytes <bytes>', 'largest review', '64Mi')
    .option('--shutdown-grace <duration>', 'how long to wait for answers in flight at a stop', '10s')
    .addHelpText(
      'after',
      `
It answers ConversionReviews at /convert until SIGINT or SIGTERM, and health checks at /healthz,
/livez and /readyz.

Exit codes:
  0  it was stopped by a signal, or has printed
  1  the definitions have mistakes
  2  a flag is wrong, or it cannot listen`,
    )
    .action(async (_flags: ConversionWebhookFlags, command: Command) => {
      process.exitCode = exitCodes[await ending(command)];
    });
}

const gather = (one: string, before: readonly string[]): readonly string[] => [...before, one];

async function ending(command: Command): Promise<Ending> {
  const { readPrinted, readWebhook } = await import('../flags/read-conversion-webhook.js');
  try {
    const project = await projectOf(command.opts<ConversionWebhookFlags>().project);
    fromProject(command, 'schemas', project?.schemas);
    fromProject(command, 'naming', project?.naming);
    const flags = command.opts<ConversionWebhookFlags>();
    const options = { ...readWebhook(flags), onProblem: (problem: string) => console.error(`kindforge: ${problem}`) };
    const printed = readPrinted(flags);
    if (!printed) await serve(options);
    else {
      const { printConversionWebhook } = await import('../../server/webhooks/start-webhook.js');
      const { text, warnings } = await printConversionWebhook({ ...options, ...printed });
      for (const warning of warnings) console.error(`kindforge: ${warning}`);
      process.stdout.write(text);
    }
    return 'done';
  } catch (error) {
    const { explainFailure } = await import('../flags/explain-failure.js');
    const { ending: ended, message } = explainFailure(error);
    console.error(`kindforge: ${message}`);
    return ended;
  }
}

async function serve(options: ConversionWebhookOptions): Promise<void> {
  const { startConversionWebhook } = await import('../../server/webhooks/start-webhook.js');
  const { untilAskedToStop } = await import('../serve/last-handler.js');
  const running = await startConversionWebhook(options);
  const asked = untilAskedToStop();
  console.log(`converts: ${running.resources.join(', ')}`);
  console.log(`reviews: ${running.url}`);
  if (running.authority !== undefined) {
    console.log(`caBundle: ${Buffer.from(running.authority).toString('base64')}`);
  }
  await asked;
  await running.stop();
}
