/** Opens what the options say of a provider of identities. */
import { readFileSync } from 'node:fs';
import { defineOidc, readAuthorities } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import { explaining } from '../explain.js';
import { OptionError } from '../option-error.js';
import type { OidcOption } from '../options.js';

const option = 'authentication.oidc.caFile';

/** The provider is not asked yet. Rejects where its authorities cannot be read. */
export async function openOidc({ caFile, ...options }: OidcOption): Promise<Authenticator> {
  if (caFile === undefined) return defineOidc(options);
  const ca = await explaining(
    () => readFileSync(caFile),
    ({ message }, nameOf) => `${nameOf(option)} ${caFile}: ${message}`,
  );
  const read = readAuthorities(ca);
  if (!read.ok) throw new OptionError((nameOf) => `${nameOf(option)} ${caFile}: ${read.problem}`);
  return defineOidc(options, read.authorities.join(''));
}
