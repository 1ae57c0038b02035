/** The job of `kindforge login`. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../exit-codes.js';
import { reportFailure } from '../objects/failure.js';
import { type Printing, standardPrinting } from '../objects/printing.js';
import { askServer } from './ask-server.js';
import { connectTo, openKubeconfig, writeLogin } from './kubeconfig.js';
import { readPublishedLogin } from './published-login.js';
import { execCommandOf, type LoginFlags, type LoginPeople, settingsOf } from './settings.js';
import { currentTokens, endOf, signIn } from './sign-in.js';
import { tokenFile, writeTokens } from './token-cache.js';

/** Sets the exit code of the process. Never rejects. */
export async function runLogin(flags: LoginFlags, printing: Printing = standardPrinting): Promise<void> {
  const people: LoginPeople = { tell: printing.error, openBrowser, sleep: async (ms) => void (await sleep(ms)) };
  try {
    if (flags.execCredential) await printCredential(flags, printing, people);
    else await logIn(flags, printing, people, [process.execPath, realpathSync(process.argv[1] ?? '')]);
    process.exitCode = exitCodes.done;
  } catch (error) {
    const { ending, lines } = reportFailure(error);
    for (const line of lines) printing.error(line);
    process.exitCode = exitCodes[ending];
  }
}

/**
 * Logs in, writes the kubeconfig, and asks the server for the user that it sees. `program` is how to run this command.
 */
export async function logIn(
  flags: LoginFlags,
  { out, error: warn }: Pick<Printing, 'out' | 'error'>,
  people: LoginPeople,
  program: readonly [string, ...string[]],
): Promise<void> {
  const kubeconfig = openKubeconfig(flags);
  const isNamed = flags.oidcIssuerUrl !== undefined && flags.oidcClientId !== undefined;
  const published = isNamed ? undefined : await withConnection(kubeconfig, undefined, readPublishedLogin);
  const settings = settingsOf(flags, published);
  const tokens = await signIn(settings, people);
  writeTokens(tokenFile(flags, settings), tokens);
  const context = writeLogin(kubeconfig, flags.user, execCommandOf(flags, settings, program));
  out(`wrote the context ${context} to ${kubeconfig.path}`);
  if (tokens.refreshToken === undefined) {
    warn(`${settings.issuer} gave no refresh token: you will log in again when the ID token expires`);
  }
  const { name, groups } = await withConnection(kubeconfig, tokens.idToken, (connection) => {
    if (!connection.baseUrl.startsWith('https:')) warn('kubectl sends tokens over TLS only; give it the HTTPS address');
    return askServer(connection, tokens.idToken);
  });
  out(name === undefined ? 'logged in' : `logged in as ${name}, groups ${groups.join(', ')}`);
}

async function withConnection<T>(
  kubeconfig: Parameters<typeof connectTo>[0],
  token: string | undefined,
  use: (connection: ReturnType<typeof connectTo>) => Promise<T>,
): Promise<T> {
  const connection = connectTo(kubeconfig, token);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** Prints an ExecCredential of `client.authentication.k8s.io/v1`. */
export async function printCredential(
  flags: LoginFlags,
  { out }: Pick<Printing, 'out'>,
  people: LoginPeople,
): Promise<void> {
  const settings = settingsOf(flags);
  const { idToken } = await currentTokens(settings, people, tokenFile(flags, settings));
  const status = { token: idToken, expirationTimestamp: new Date(endOf(idToken)).toISOString() };
  out(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }));
}

/** Opens a browser if it can. The address is already printed, so failing to do so is not an error. */
function openBrowser(url: string): void {
  const [command, ...args] = browserCommand(process.platform, process.env);
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** Returns the command that opens an address: `$BROWSER`, or the desktop's. Linux without a desktop has none. */
export function browserCommand(
  platform: NodeJS.Platform,
  { BROWSER: named, DISPLAY: x11, WAYLAND_DISPLAY: wayland }: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (named) return named.split(' ').filter((word) => word !== '');
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return x11 || wayland ? ['xdg-open'] : [];
}
