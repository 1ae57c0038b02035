/** Opens what the options say of a provider of identities. */
import { defineOidc, readAuthorities } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import { OptionError } from '../option-error.js';
import type { OidcOption } from '../options.js';
import { readGiven } from '../read-given.js';
import { type Follow, reloaded } from '../transport/reloaded.js';

const option = 'authentication.oidc.caFile';

/** The provider is not asked yet. Throws an `OptionError` where its authorities cannot be read; `follow` is handed them. */
export function openOidc({ caFile, ...options }: OidcOption, follow: Follow): Authenticator {
  if (caFile === undefined) return defineOidc(options);
  const authorities = reloaded([caFile], () => readAuthorityFile(caFile));
  follow(authorities);
  return defineOidc(options, authorities.current);
}

function readAuthorityFile(path: string): string {
  const read = readAuthorities(readGiven(option, path));
  if (!read.ok) throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${read.problem}`);
  return read.authorities.join('');
}
