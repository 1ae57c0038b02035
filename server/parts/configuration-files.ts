/** Adds to the options the settings that the files about authentication and authorization have for other parts. */
import { emulate } from '../../runtime/objects/release.js';
import { enabledByDefault, gatesIn } from '../../runtime/server/index.js';
import { fileError, OptionError, type OptionName } from '../option-error.js';
import type { StartOptions } from '../options.js';
import { issuersOf } from '../service-accounts.js';

/**
 * Returns the options with the authorizers and the anonymous user of the files. Rejects with an `OptionError` that
 * names all mistakes of a file. The gates are not known yet, so all count as on here. The server reads the files again
 * later, with the gates.
 */
export async function withConfigurationFiles(options: StartOptions): Promise<StartOptions> {
  const { authentication = {}, authorization = {} } = options;
  if (authentication.configFile === undefined && authorization.configFile === undefined) return options;
  refuseBoth('authentication.configFile', authentication.configFile, 'authentication.oidc', authentication.oidc);
  refuseBoth('authorization.configFile', authorization.configFile, 'authorization.modes', authorization.modes);
  refuseBoth('authorization.configFile', authorization.configFile, 'authorization.webhook', authorization.webhook);
  const release = emulate(options.emulatedVersion);
  const isKnown = (gate: string): boolean => gatesIn(release).has(gate) || enabledByDefault(gate, release);
  checkFileGates(options, isKnown, `, which release ${release.name} does not have`);
  const withModes = { ...options, authorization: await withAuthorizers(options) };
  return { ...withModes, authentication: await withAnonymous(withModes) };
}

function refuseBoth(file: OptionName, path: string | undefined, other: OptionName, value: unknown): void {
  if (path === undefined || value === undefined) return;
  throw new OptionError((nameOf) => `${nameOf(file)} and ${nameOf(other)} are mutually exclusive; leave one out`);
}

/**
 * Throws an `OptionError` if there is a file, but its gate is off. The message has `why` after the name of the gate.
 */
export function checkFileGates(
  options: Pick<StartOptions, 'authentication' | 'authorization'>,
  featureEnabled: (gate: string) => boolean,
  why = ', which is off',
): void {
  for (const [option, path, gate] of [
    ['authentication.configFile', options.authentication?.configFile, 'StructuredAuthenticationConfiguration'],
    ['authorization.configFile', options.authorization?.configFile, 'StructuredAuthorizationConfiguration'],
  ] as const) {
    if (path === undefined || featureEnabled(gate)) continue;
    throw new OptionError((nameOf) => `${nameOf(option)} needs the gate ${gate}${why}`);
  }
}

const allOn = (): boolean => true;

async function withAuthorizers({ authorization = {}, emulatedVersion }: StartOptions) {
  const { configFile } = authorization;
  if (configFile === undefined) return authorization;
  const { readAuthorizationFile } = await import('./authorization-file.js');
  const read = readAuthorizationFile(configFile, { release: emulate(emulatedVersion), featureEnabled: allOn });
  if (!read.ok) throw fileError('authorization.configFile', read.problems);
  // The file opens the webhooks.
  return { ...authorization, modes: read.configuration.flatMap(({ type }) => (type === 'Webhook' ? [] : [type])) };
}

async function withAnonymous({ authentication = {}, authorization, emulatedVersion }: StartOptions) {
  const { configFile, anonymous } = authentication;
  if (configFile === undefined) return authentication;
  const { readAuthenticationFile } = await import('./authentication-file.js');
  const read = readAuthenticationFile(configFile, {
    release: emulate(emulatedVersion),
    featureEnabled: allOn,
    ownIssuers: issuersOf(authentication.serviceAccounts),
    isAnonymousGiven: anonymous !== undefined,
  });
  if (!read.ok) throw fileError('authentication.configFile', read.problems);
  const said = read.configuration.anonymous;
  const byDefault = authorization?.modes?.includes('AlwaysAllow') ? 'refused' : 'anonymous';
  const fromFile = said && (said.enabled ? 'anonymous' : 'refused');
  return { ...authentication, anonymous: fromFile ?? anonymous ?? byDefault } as const;
}
