/** Listens in plain HTTP and with TLS, and reports the addresses. */
import { administratorName, type KeyPair } from '../../plugins/index.js';
import type { ApiServer, Handed, Listening, TimeLimits, TlsSettings } from '../../runtime/server/index.js';
import { explaining, explainListening, type ListenAddress } from '../explain.js';
import type { HttpOption, OnProblem, StartOptions } from '../options.js';
import type { ListeningServer } from '../running-server.js';
import type { Bind } from '../workers/role.js';
import { type CredentialContents, type CredentialsFolder, writeCredentials } from './credentials-folder.js';
import type { OpenTls } from './open-tls.js';
import type { TlsOption } from './tls-option.js';
import { toldHost } from './told-host.js';

export interface StartedListening {
  /** The addresses and credentials of the server. */
  readonly addresses: Pick<ListeningServer, 'url' | 'plainUrl' | 'address' | 'kubeconfig' | 'credentials'>;
  /** Closes as `Listening` does, and removes temporary credentials. */
  close(settle: () => Promise<void>): Promise<void>;
}

export interface ListenParts {
  /** `false` if it does not listen in plain HTTP. */
  readonly http: HttpOption | false;
  readonly tls: (OpenTls & { readonly option: TlsOption }) | undefined;
  readonly credentials: StartOptions['credentials'];
  /** The address for clients. Default: the detected one. */
  readonly advertiseAddress: string | undefined;
  /** Throws if a passed socket does not fit its use. */
  readonly checkSocket: (option: ListenAddress['option'], fd: number, address: string) => void;
  /** The administrator's token; absent without an administrator. */
  readonly token: string | undefined;
  readonly onProblem: OnProblem;
  readonly limits: Partial<TimeLimits>;
  /** Listens for other processes. Default: this process answers requests. */
  readonly bind?: Bind | undefined;
  /** Returns the connections that another process accepts. Default: this process accepts them. */
  readonly handed?: ((isSecure: boolean) => Handed) | undefined;
}

/** Starts to listen. Rejects, and does not listen, if an address is not available or credentials cannot be written. */
export async function startListening(server: ApiServer, parts: ListenParts): Promise<StartedListening | undefined> {
  const { http, tls, onProblem } = parts;
  const plain = http === false ? undefined : await listenAt(server, parts, 'http', http);
  const open = plain ? [plain] : [];
  const giveUp = async (error: unknown): Promise<never> => {
    await closeTogether(open, () => Promise.resolve());
    throw error;
  };
  const secure = tls && (await listenAt(server, parts, 'tls', tls.option, tls.settings()).catch(giveUp));
  if (secure) open.push(secure);
  const main = secure ?? plain;
  if (!main) return undefined;
  const contents = () => contentsOf(parts, main.url);
  const credentials = await giveCredentials(parts, contents).catch(giveUp);
  const unfollow = tls?.follow(() => {
    secure?.useTls?.(tls.settings());
    try {
      credentials?.rewrite(contents());
    } catch (error) {
      onProblem("the administrator's credentials cannot be written", error);
    }
  }, onProblem);
  return {
    addresses: {
      url: main.url,
      ...(plain && { plainUrl: plain.url }),
      address: { host: main.host, port: Number(main.url.slice(main.url.lastIndexOf(':') + 1)) },
      kubeconfig: contents().kubeconfig,
      ...(credentials && { credentials }),
    },
    async close(settle) {
      unfollow?.();
      await closeTogether(open, settle);
      credentials?.dispose();
    },
  };
}

async function listenAt(
  server: ApiServer,
  { checkSocket, advertiseAddress, limits, bind, handed }: ListenParts,
  option: ListenAddress['option'],
  { host = '127.0.0.1', port: given = 'auto', fd }: HttpOption,
  tls?: TlsSettings,
): Promise<Bound> {
  const port = given === 'auto' ? 0 : given;
  const passed = fd === undefined ? {} : { fd, checkAddress: (address: string) => checkSocket(option, fd, address) };
  const advertise = (bound: string): string => advertiseAddress ?? toldHost(bound);
  const listening = await explaining(
    (): Promise<Omit<Listening, 'advertised'>> =>
      bind?.({ host, port, isSecure: tls !== undefined, ...passed }) ??
      server.listen({
        host,
        port,
        limits,
        advertise,
        ...passed,
        handed: handed?.(tls !== undefined),
        ...(tls ? { tls } : {}),
      }),
    (error, nameOf) => explainListening(error, { option, host, port, fd }, nameOf),
  );
  return { ...listening, host: fd === undefined ? host : new URL(listening.url).hostname.replace(/^\[|\]$/g, '') };
}

/** A listener, with its address. */
type Bound = Omit<Listening, 'advertised'> & { readonly host: string };

/** Returns the files of credentials: the administrator uses a certificate with TLS, and a token otherwise. */
function contentsOf({ tls, token }: ListenParts, url: string): CredentialContents {
  const user = token === undefined ? undefined : (tls?.administrator() ?? token);
  const trusted = tls?.trusted();
  const authority = tls?.option.certificate ? undefined : trusted;
  return { kubeconfig: printKubeconfig({ url, user, trusted }), token, authority };
}

async function giveCredentials(
  { credentials }: ListenParts,
  contents: () => CredentialContents,
): Promise<CredentialsFolder | undefined> {
  if (!credentials) return undefined;
  try {
    return writeCredentials(credentials.folder, contents());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the administrator's credentials cannot be written: ${reason}`, { cause: error });
  }
}

/**
 * Closes all listeners at once. After all of them have answered the requests in flight, calls `settle` once, which ends
 * streams.
 */
async function closeTogether(places: readonly Bound[], settle: () => Promise<void>): Promise<void> {
  let missing = places.length;
  let arrive: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    arrive = resolve;
  }).then(settle);
  const settleOnce = (): Promise<void> => {
    missing--;
    if (missing === 0) arrive();
    return settled;
  };
  await Promise.all(places.map((place) => place.close(settleOnce)));
}

interface KubeconfigParts {
  readonly url: string;
  /** The administrator's certificate or token; absent without an administrator. */
  readonly user: KeyPair | string | undefined;
  /** The PEM certificates that clients trust; absent over plain HTTP. */
  readonly trusted: string | undefined;
}

/**
 * Prints a kubeconfig in JSON. kubectl sends tokens over TLS only, but it sends credentials in a URL over plain HTTP,
 * too. Plain HTTP never leaves this machine. The user entry has the token for clients that send it over plain HTTP. The
 * JavaScript client speaks plain HTTP only if the file turns off certificate checks. This has no other effect there.
 */
export function printKubeconfig({ url, user, trusted }: KubeconfigParts): string {
  const isBare = typeof user !== 'string' || trusted !== undefined;
  const server = isBare ? url : url.replace('://', `://${administratorName}:${user}@`);
  const trust =
    trusted === undefined ? { 'insecure-skip-tls-verify': true } : { 'certificate-authority-data': base64(trusted) };
  const name = 'kindforge';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...trust } }],
    users: [{ name, user: credentialsOf(user) }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function credentialsOf(user: KubeconfigParts['user']): object {
  if (user === undefined) return {};
  if (typeof user === 'string') return { token: user };
  return { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
