/** The text that `kindforge serve` prints when it is ready: its addresses and how to reach it. */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ListeningServer } from '../../server/running-server.js';
import { isLoopback } from '../../server/transport/check-transport.js';
import { writeCredentials } from '../../server/transport/credentials-folder.js';
import type { ServeOptions } from '../flags/serve-options.js';

/** The facts that the text needs. */
type BannerFacts = Pick<ListeningServer, 'url' | 'plainUrl' | 'place' | 'credentials' | 'consoleLink'> & {
  readonly registry: { readonly resources: { readonly length: number } };
};

/** Returns the text, with one command for each way of use. */
export function banner(options: ServeOptions, server: BannerFacts): string {
  const { naming = 'platform' } = options;
  const { url, plainUrl = url, place, registry } = server;
  const { curl, kubectl, sdk } = commands(options, server);
  // kubectl has names of groups built in, and most of its commands need these.
  const tried =
    naming === 'kubernetes' ? `${kubectl} api-resources` : 'needs the names of Kubernetes: --naming kubernetes';
  return `
  Kindforge serves ${registry.resources.length} resources, ${naming} names

  listening on  ${url}${plainUrl === url ? '' : `\n                ${plainUrl}   (from this machine only)`}
  data          ${place}
  credentials   ${credentials(options, server)}${consoleLine(server)}

  curl          ${curl}/apis
  kubectl       ${tried}
  SDK           createClient({ ${sdk} })${loginCommand(options, server)}

  Stop with Ctrl+C.

`;
}

/** Returns a line with the address of the console, if the server has one. */
function consoleLine({ consoleLink }: BannerFacts): string {
  const link = consoleLink?.();
  if (link === undefined) return '';
  const hint = link.includes('#code=') ? '\n                (signs you in, once, within two minutes)' : '';
  return `\n  console       ${link}${hint}`;
}

/** Returns the first command for each way of use. */
function commands(options: ServeOptions, server: BannerFacts): Record<'curl' | 'kubectl' | 'sdk', string> {
  const { url, plainUrl, credentials: files } = server;
  // Generated clients use the names of the definitions by default.
  const naming = options.naming === 'kubernetes' ? `, naming: 'kubernetes'` : '';
  // Plain HTTP is the shortest way if no credentials are needed.
  if (!files?.header && plainUrl !== undefined) {
    return {
      curl: `curl ${plainUrl}`,
      kubectl: `kubectl --server ${plainUrl}`,
      sdk: `baseUrl: '${plainUrl}'${naming}`,
    };
  }
  const authority = authorityOf(options, server);
  const trusting = authority === undefined ? 'curl' : `curl --cacert ${authority}`;
  if (!files) {
    const trust = authority === undefined ? '' : ` --certificate-authority ${authority}`;
    return {
      curl: `${trusting} ${url}`,
      kubectl: `kubectl --server ${url}${trust}`,
      sdk: `baseUrl: '${url}'${naming}`,
    };
  }
  return {
    curl: files.header === undefined ? `${trusting} ${url}` : `${trusting} -H @${files.header} ${url}`,
    kubectl: `kubectl --kubeconfig ${files.kubeconfig}`,
    sdk: `kubeconfig: loadKubeconfig({ path: '${files.kubeconfig}' })${naming}`,
  };
}

/** Returns a line with the command by which people log in, if the server trusts an identity provider. */
function loginCommand(options: ServeOptions, server: BannerFacts): string {
  if (!options.authentication?.oidc) return '';
  const authority = authorityOf(options, server);
  const trust = authority === undefined ? '' : ` --certificate-authority ${authority}`;
  return `\n  people        kindforge login --server ${server.url}${trust}`;
}

/** Returns the file by which clients trust the server. Its own certificate serves as its authority. */
function authorityOf({ tls }: ServeOptions, { credentials: files }: BannerFacts): string | undefined {
  const given = tls?.certificate;
  return given && 'certFile' in given ? given.certFile : files?.authority;
}

function credentials(options: ServeOptions, { credentials: files }: BannerFacts): string {
  const { aggregated, authentication = {}, tls } = options;
  if (aggregated) return 'the cluster in front knows its users';
  const { anonymous, tokenFile, clientCaFile } = authentication;
  if (anonymous === 'administrator') return 'not needed: everyone on this machine is admin';
  const known = [
    ...(clientCaFile === undefined ? [] : [`certificates of ${clientCaFile}`]),
    ...(tokenFile === undefined ? [] : [`bearer tokens of ${tokenFile}`]),
  ];
  if (!files?.header) return known.length === 0 ? 'tokens of service accounts' : known.join(', ');
  // A server that other machines can reach refuses the flag.
  const isOwn = isLoopback(tls?.host ?? 'localhost');
  const more = known.length > 0 ? `; ${known.join(', ')}` : isOwn ? '   (to do without: --allow-everyone)' : '';
  return `an administrator's, in ${dirname(files.kubeconfig)}${more}`;
}

// Reports to programs that a server is ready, and how to reach it: one line of JSON, on standard output or in a file.

/** The line, as a value. */
export interface ReadyNotice {
  /** As in `https://127.0.0.1:41234`: with TLS if the server has it. */
  readonly address: string;
  /** The address for plain HTTP; absent if there is none, or if it is `address`. */
  readonly plainAddress?: string;
  /** The path of a kubeconfig for the address. */
  readonly kubeconfig: string;
  readonly pid: number;
}

/** The report for programs, while a server is ready. */
export interface ReadyTold {
  readonly line: string;
  /** Removes what was written for it. */
  dispose(): void;
}

/**
 * Makes the notice. If the server has written no kubeconfig, as it has no credentials to give, it writes one without
 * any.
 */
export function readyNotice({ url, plainUrl = url, credentials, kubeconfig }: ListeningServer): ReadyTold {
  const own = credentials
    ? undefined
    : writeCredentials(undefined, { kubeconfig, token: undefined, authority: undefined });
  const notice: ReadyNotice = {
    address: url,
    ...(plainUrl === url ? {} : { plainAddress: plainUrl }),
    kubeconfig: (credentials ?? own)?.kubeconfig ?? '',
    pid: process.pid,
  };
  return { line: `${JSON.stringify(notice)}\n`, dispose: () => own?.dispose() };
}

/** A file that is there, whole, as long as a server is ready. */
export interface ReadyFile {
  write(line: string): void;
  remove(): void;
}

/** Removes the file of an earlier server. Throws if the file cannot be written. */
export function openReadyFile(path: string): ReadyFile {
  const remove = (): void => rmSync(path, { force: true });
  remove();
  return {
    write(line) {
      const making = `${path}.${process.pid}`;
      writeFileSync(making, line, { mode: 0o600 });
      renameSync(making, path);
    },
    remove,
  };
}
