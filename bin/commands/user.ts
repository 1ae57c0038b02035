/** `kindforge user`: lets people in to a running server, lists them, grants them roles, and revokes them. */
import { type Command, Option } from 'commander';
import type { CreateFlags, GrantFlags } from '../objects/run-user.js';
import { addServerFlags, gather, type ServerFlags, serverHelp } from '../objects/server-flags.js';

/** Adds the commands. What they need is loaded only when they run. */
export function addUser(program: Command): void {
  const user = program.command('user').description('let people in to a running server, and revoke them');
  addCreate(user);
  addServerFlags(user.command('list').description('print the users, their credentials, and whether they are let in'))
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText('after', serverHelp)
    .action(async (flags: ServerFlags & { readonly output: string }) =>
      (await import('../objects/run-user.js')).runList(flags),
    );
  addServerFlags(
    user
      .command('grant')
      .argument('[name]', 'name of the user')
      .description('bind a role to a user, or to a group of users'),
  )
    .option('--group <name>', 'group to bind the role to, in place of a user')
    .requiredOption('--role <name>', 'cluster role: view, edit, admin, cluster-admin, or one of your own')
    .addHelpText('after', `\nThe role applies in --namespace, or everywhere without it.\n${serverHelp}`)
    .action(async (name: string | undefined, flags: GrantFlags, command: Command) => {
      if ((name === undefined) === (flags.group === undefined)) command.error('error: give either a name or --group');
      await (await import('../objects/run-user.js')).runGrant(name, flags);
    });
  addServerFlags(
    user
      .command('revoke')
      .argument('<name>', 'name of the user')
      .description('refuse a user from now on: requests get a 401, and open watches end'),
  )
    .option('--any', 'also accept a name that user create did not make, to refuse its certificates')
    .addHelpText('after', serverHelp)
    .action(async (name: string, flags: ServerFlags & { readonly any?: boolean }) =>
      (await import('../objects/run-user.js')).runRevoke(name, flags),
    );
}

function addCreate(user: Command): void {
  user
    .command('create')
    .argument('<name>', 'name of the user, as in jane or jane@example.com')
    .description('make a kubeconfig with credentials for a user')
    .option('--group <name>', 'group of the user; may be repeated', gather, [])
    .option('--kubeconfig <file>', 'new kubeconfig for the user (default: standard output)')
    .option('--force', 'overwrite that file')
    .option('--role <name>', 'cluster role to bind: view, edit, admin, cluster-admin, or one of your own')
    .option('-n, --namespace <name>', 'namespace in which the role applies (default: everywhere)')
    .option('--expires <duration>', 'lifetime of the credentials, as in 90d or 12h; at least 10m', '90d')
    .option('--token', 'make a token in place of a certificate')
    .option('--address <url>', 'address of the server for the new kubeconfig (default: as you reach it)')
    .option('--admin-kubeconfig <file>', 'your own kubeconfig of the server (default: see below)')
    .option('--context <name>', 'context of your own kubeconfig (default: its current context)')
    .addHelpText(
      'after',
      `
The certificate comes from the server's own signer, through a CertificateSigningRequest.
${serverHelp.replace('Without --server and --kubeconfig, the', 'Without --admin-kubeconfig, your own')}`,
    )
    .action(async (name: string, flags: CreateFlags, command: Command) => {
      if (flags.namespace !== undefined && flags.role === undefined) command.error('error: --namespace is for --role');
      await (await import('../objects/run-user.js')).runCreate(name, flags);
    });
}
