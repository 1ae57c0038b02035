/** `kindforge login`: logs in at an identity provider, and writes a kubeconfig with that user. */
import type { Command } from 'commander';
import type { LoginFlags } from '../login/settings.js';
import { gather } from '../objects/server-flags.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description('log in at an identity provider, and write a kubeconfig with that user')
    .option('--server <url>', 'URL of the server (default: the cluster of the context)')
    .option('--certificate-authority <file>', "PEM authorities of the server's certificate")
    .option('--kubeconfig <file>', 'kubeconfig to read and write (default: $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'context with the cluster (default: the current one)')
    .option('--user <name>', 'prefix of the names of the new user and context', 'oidc')
    .option('--oidc-issuer-url <url>', 'HTTPS URL of the provider (default: the one that the server names)')
    .option('--oidc-client-id <id>', 'client registered there (default: the one that the server names)')
    .option('--oidc-client-secret <text>', 'secret of the client (default: $KINDFORGE_OIDC_CLIENT_SECRET, or none)')
    .option('--oidc-ca-file <file>', "PEM authorities of the provider's certificate (default: the system's)")
    .option('--oidc-scopes <names>', 'comma-separated scopes to ask for (default: openid, and what fits the provider)')
    .option('--oidc-auth-param <name=text>', 'further parameter of the request to log in; may be repeated', gather, [])
    .option('--device-code', 'log in on another device, with a code')
    .option('--no-browser', 'open no browser, only print the address')
    .option('--listen-port <port>', 'port on this machine to which the browser returns', '0')
    .option('--redirect-host <host>', 'name of this machine in the address of that port', '127.0.0.1')
    .option('--timeout <duration>', 'how long to wait for somebody to log in', '5m')
    .option('--exec-credential', 'print an ExecCredential for kubectl and the SDK, and write no kubeconfig')
    .addHelpText(
      'after',
      `
The kubeconfig gets a user that runs this command with --exec-credential. It prints the ID token, renews it
with the refresh token, and opens the browser again only if the provider has ended the session.

Exit codes:
  0  logged in, and the server accepts the user
  1  the provider or the server refused, or nobody logged in
  2  a flag is wrong, or the provider or the server does not answer`,
    )
    .action(async (flags: LoginFlags) => {
      const { runLogin } = await import('../login/run-login.js');
      await runLogin(flags);
    });
}
