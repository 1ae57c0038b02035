/** Credentials that a program prints: the exec plugins of kubeconfigs, by the protocol of ExecCredential. */
import { spawn } from 'node:child_process';
import { isAbsolute, resolve, sep } from 'node:path';
import { field, text } from '../kubeconfig/fields.js';
import type { ExecPlugin } from '../kubeconfig/plugins.js';
import { bearer, type IdentitySource } from './identity.js';
import { type Renewable, renewedIdentity } from './renewed.js';

/** Runs the program when credentials are needed: at first, when those that it gave end, and when the server refuses them. */
export const execIdentity = (plugin: ExecPlugin, folder: string): IdentitySource =>
  renewedIdentity(async () => readCredential(await run(plugin, folder), plugin));

/** The output of the program. Rejects where it cannot be started, or fails. */
function run(plugin: ExecPlugin, folder: string): Promise<string> {
  const { args, env, apiVersion, cluster } = plugin;
  const interactive = isInteractive(plugin);
  const spec = { interactive, ...(cluster === undefined ? {} : { cluster }) };
  const info = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
  const child = spawn(commandOf(plugin, folder), args, {
    env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info },
    // A program that talks to people has the terminal to itself.
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
  });
  const [printed, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((done, reject) => {
    child.once('error', (error) => reject(problem(plugin, `cannot be started: ${error.message}`, plugin.installHint)));
    child.once('close', (code, signal) => {
      if (code === 0) done(Buffer.concat(printed).toString());
      else reject(problem(plugin, `ended with ${code ?? signal}`, Buffer.concat(said).toString()));
    });
  });
}

/** Whether the program may ask people something. Throws where it has to and nobody is there. */
function isInteractive(plugin: ExecPlugin): boolean {
  const { interactiveMode } = plugin;
  if (interactiveMode === 'Never') return false;
  if (interactiveMode === 'Always' && !process.stdin.isTTY) {
    throw problem(plugin, 'needs a terminal (interactiveMode is Always), and there is none');
  }
  // Node leaves it out where there is no terminal.
  return process.stdin.isTTY === true;
}

/** A path is relative to the kubeconfig; a name is found on the `PATH`. */
const commandOf = ({ command }: ExecPlugin, folder: string): string =>
  isAbsolute(command) || !command.includes(sep) ? command : resolve(folder, command);

function readCredential(output: string, plugin: ExecPlugin): Renewable {
  const credential = parse(output, plugin);
  const { apiVersion } = plugin;
  if (field(credential, 'kind') !== 'ExecCredential' || field(credential, 'apiVersion') !== apiVersion) {
    throw problem(plugin, `printed no ExecCredential of ${apiVersion}`);
  }
  const status = field(credential, 'status');
  const token = text(field(status, 'token'));
  const cert = text(field(status, 'clientCertificateData'));
  const key = text(field(status, 'clientKeyData'));
  if ((cert === undefined) !== (key === undefined)) throw problem(plugin, 'printed one of certificate and key alone');
  if (token === undefined && cert === undefined) throw problem(plugin, 'printed neither a token nor a certificate');
  const ends = Date.parse(text(field(status, 'expirationTimestamp')) ?? '');
  return {
    identity: {
      headers: token === undefined ? {} : bearer(token),
      ...(cert === undefined || key === undefined ? {} : { certificate: { cert, key } }),
    },
    ...(Number.isNaN(ends) ? {} : { ends }),
  };
}

function parse(output: string, plugin: ExecPlugin): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw problem(plugin, 'printed no JSON');
  }
}

const problem = ({ command, user }: ExecPlugin, what: string, more = ''): Error =>
  new Error(`${command}, the exec plugin of user ${JSON.stringify(user)}, ${what}${more && `: ${more.trim()}`}`);
