/** Refuses options that make no sense, by themselves or together, before anything is opened. */
import { isIPv4 } from 'node:net';
import { type Naming, namingOf } from '../runtime/objects/naming.js';
import { checkControllers } from './controllers.js';
import { checkFolder } from './load-definitions.js';
import { OptionError } from './option-error.js';
import type { AuthorizationOptions, StartOptions } from './options.js';
import { LARGEST_LIMIT, SMALLEST_LIMIT } from './text/object-size.js';

/** Throws an `OptionError` that says which option is wrong and what it takes. */
export function checkOptions(options: StartOptions): void {
  namingIn(options);
  checkHttp(options);
  checkAuthorization(options.authorization);
  const { maxSeconds } = options.authentication?.serviceAccounts ?? {};
  if (maxSeconds !== undefined && maxSeconds < 3600) {
    throw new OptionError(
      (nameOf) => `${nameOf('authentication.serviceAccounts.maxSeconds')} ${maxSeconds} is too short; use 3600 or more`,
    );
  }
  checkObjectSize(options.maxObjectBytes);
  checkControllers(options.controllers);
  if (options.schemas !== undefined) checkFolder(options.schemas);
}

/** The naming that is asked for. Throws an `OptionError` where there is no such. */
export function namingIn({ naming: id = 'platform' }: Pick<StartOptions, 'naming'>): Naming {
  const naming = namingOf(id);
  if (naming) return naming;
  throw new OptionError((nameOf) => `${nameOf('naming')} ${id} is unknown; use platform or kubernetes`);
}

function checkHttp({ http = {}, tls, credentials, authentication = {} }: StartOptions): void {
  if (http === false) {
    const useless = tls ? 'tls' : credentials ? 'credentials' : undefined;
    if (useless === undefined) return;
    throw new OptionError(
      (nameOf) => `${nameOf(useless)}: only for servers that listen, and ${nameOf('http')} is false`,
    );
  }
  const { host = '127.0.0.1', port = 0 } = http;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new OptionError((nameOf) => `${nameOf('http.port')} ${port} is not a port; use a number from 0 to 65535`);
  }
  if (!isLoopback(host)) {
    throw new OptionError(
      (nameOf) => `${nameOf('http.host')} ${host} is not a loopback address; the server listens on loopback only`,
    );
  }
  if (credentials?.folder === '')
    throw new OptionError((nameOf) => `${nameOf('credentials.folder')} is empty; give a folder`);
  if (credentials && authentication.administrator === false) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('credentials')} are the administrator's, and ${nameOf('authentication.administrator')} is false`,
    );
  }
}

function checkObjectSize(bytes = SMALLEST_LIMIT): void {
  if (Number.isInteger(bytes) && bytes >= SMALLEST_LIMIT && bytes <= LARGEST_LIMIT) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('maxObjectBytes')} ${bytes} is not a size of objects; use a number of bytes from ${SMALLEST_LIMIT} to ${LARGEST_LIMIT}`,
  );
}

function checkAuthorization({ modes, authorizer, policyFile }: AuthorizationOptions = {}): void {
  if (modes?.includes('ABAC') && !policyFile) {
    throw new OptionError(
      (nameOf) => `${nameOf('authorization.modes')} ABAC needs ${nameOf('authorization.policyFile')}`,
    );
  }
  if (policyFile && !modes?.includes('ABAC')) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('authorization.policyFile')} is for the mode ABAC; add it to ${nameOf('authorization.modes')}`,
    );
  }
  if (modes?.length === 0 && !authorizer) {
    throw new OptionError(
      (nameOf) => `${nameOf('authorization.modes')} is empty; give one, or an ${nameOf('authorization.authorizer')}`,
    );
  }
  const twice = modes?.find((mode, i) => modes.indexOf(mode) !== i);
  if (twice === undefined) return;
  throw new OptionError((nameOf) => `${nameOf('authorization.modes')}: ${twice} is given twice`);
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
