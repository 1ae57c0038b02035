/** Refuses invalid addresses, and addresses that would let in strangers by accident. */
import { isIP, isIPv4 } from 'node:net';
import { ipNumber } from '../../runtime/objects/ip-address.js';
import { type NameOf, OptionError } from '../option-error.js';
import type { HttpOption, StartOptions } from '../options.js';
import { isServerName } from './own-certificates.js';
import type { TlsOption } from './tls-option.js';

/** Throws an `OptionError` that names the option and its valid values. */
export function checkTransport(options: StartOptions): void {
  const { http = {}, tls, credentials, authentication = {} } = options;
  checkAdvertised(options.advertiseAddress);
  if (http !== false) checkHttp(http);
  if (tls) checkTls(tls, options);
  if (!tls && authentication.clientCaFile !== undefined) {
    throw new OptionError(
      (nameOf) => `${nameOf('authentication.clientCaFile')}: only for servers with TLS; set ${nameOf('tls.port')}`,
    );
  }
  if (!credentials) return;
  if (http === false && !tls) {
    throw new OptionError(
      (nameOf) => `${nameOf('credentials')}: only for servers that listen, and ${nameOf('http')} is false`,
    );
  }
  if (credentials.folder === '') {
    throw new OptionError((nameOf) => `${nameOf('credentials.folder')} is empty; give a folder`);
  }
  // Without TLS and an administrator, a kubeconfig only works if requests need no credentials.
  if (!tls && authentication.administrator === false && authentication.anonymous !== 'administrator') {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('credentials')} are the administrator's, and ${nameOf('authentication.administrator')} is false`,
    );
  }
}

function checkAdvertised(address = '192.0.2.1'): void {
  if (isIP(address) !== 0 && ipNumber(address)?.value !== 0n) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('advertiseAddress')} ${address || '(nothing)'}: must be an address that clients can reach, such as 192.0.2.1`,
  );
}

function checkHttp({ host = '127.0.0.1', port, fd }: HttpOption): void {
  checkPort('http', port);
  checkSocket('http.fd', fd);
  if (isLoopback(host)) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('http.host')} ${host} is not a loopback address; plain HTTP is for this machine only, ` +
      `and ${nameOf('tls.host')} sets the address for TLS`,
  );
}

/** Throws an `OptionError` if the address of a passed socket does not fit its use. */
export function checkPassedSocket(
  option: 'http' | 'tls',
  fd: number,
  address: string,
  options: Pick<StartOptions, 'authentication' | 'authorization'>,
): void {
  if (isLoopback(address.replace(/^::ffff:/, ''))) return;
  if (option === 'tls') {
    checkOpenness(address, options, (nameOf) => `${nameOf('tls.fd')} ${fd}, bound to`);
    return;
  }
  throw new OptionError(
    (nameOf) =>
      `${nameOf('http.fd')} ${fd} is bound to ${address}, which is not a loopback address; plain HTTP is for this machine only`,
  );
}

function checkSocket(option: 'http.fd' | 'tls.fd', fd = 0): void {
  if (Number.isInteger(fd) && fd >= 0) return;
  throw new OptionError((nameOf) => `${nameOf(option)} ${fd}: must be a file descriptor, such as 3`);
}

function checkTls({ host = '127.0.0.1', port, fd, names = [], certificate }: TlsOption, options: StartOptions): void {
  checkPort('tls', port);
  checkSocket('tls.fd', fd);
  if (isIP(host) === 0 && host !== 'localhost') {
    throw new OptionError(
      (nameOf) => `${nameOf('tls.host')} ${host || '(nothing)'}: must be an address, such as 0.0.0.0`,
    );
  }
  const wrong = names.find((name) => !isServerName(name));
  if (wrong !== undefined) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('tls.names')} ${wrong || '(nothing)'}: must be a host name or an IP address, such as api.example.com`,
    );
  }
  if (names.length > 0 && certificate) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('tls.names')} is for the certificate that the server makes, and ${nameOf('tls.certificate')} gives another`,
    );
  }
  if (!isLoopback(host)) checkOpenness(host, options);
}

/** Checks that only this machine can reach a server that allows everything without credentials. */
function checkOpenness(
  host: string,
  { authentication = {}, authorization = {} }: Pick<StartOptions, 'authentication' | 'authorization'>,
  what = (nameOf: NameOf): string => nameOf('tls.host'),
): void {
  const { anonymous = 'refused' } = authentication;
  const isAdministrator = typeof anonymous === 'object' && anonymous.groups.includes('system:masters');
  if (anonymous === 'administrator' || isAdministrator) {
    throw new OptionError(
      (nameOf) =>
        `${what(nameOf)} ${host} can be reached from other machines, where everyone would be an administrator; ` +
        `add authentication: leave out ${nameOf('authentication.anonymous')}, or use ${nameOf('authentication.tokenFile')}`,
    );
  }
  if (anonymous !== 'refused' && authorization.modes?.includes('AlwaysAllow')) {
    throw new OptionError(
      (nameOf) =>
        `${what(nameOf)} ${host} can be reached from other machines, where everyone would be allowed everything; ` +
        `add RBAC in place of AlwaysAllow to ${nameOf('authorization.modes')}`,
    );
  }
}

function checkPort(option: 'http' | 'tls', port: number | 'auto' = 'auto'): void {
  if (port === 'auto' || (Number.isInteger(port) && port >= 1 && port <= 65_535)) return;
  throw new OptionError(
    (nameOf) => `${nameOf(`${option}.port`)} ${port}: must be a port from 1 to 65535, or auto for a free one`,
  );
}

/** Reports whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
