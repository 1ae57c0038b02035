/** Rules for the issuer of an AuthenticationConfiguration: its URLs and the audiences of its tokens. */
import type { ConfigurationPath } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import type { RefuseField } from './access-file.js';

/** Checks a URL as the reference does. It must be HTTPS, without a user, query or fragment, and not in `disallowed`. */
export function checkIssuerUrl(
  url: string,
  disallowed: readonly string[],
  path: ConfigurationPath,
  refuse: RefuseField,
): void {
  const wrong = (detail: string): void => refuse(path, invalidValue('', url, detail));
  if (disallowed.includes(url)) {
    wrong(`URL must not overlap with disallowed issuers: [${disallowed.toSorted().join(' ')}]`);
  }
  // This form also matches texts that are not URLs by Node's rules, so that each broken rule is reported.
  const [, scheme = '', authority = '', query = '', fragment = ''] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [];
  if (scheme === 'https' && !URL.canParse(url)) wrong(`parse ${JSON.stringify(url)}: not a URL`);
  if (scheme !== 'https') wrong('URL scheme must be https');
  if (authority.includes('@')) wrong('URL must not contain a username or password');
  if (query !== '') wrong('URL must not contain a query');
  if (fragment !== '') wrong('URL must not contain a fragment');
}

interface GivenAudiences {
  readonly audiences: readonly string[];
  readonly audienceMatchPolicy: string;
}

/** Checks the audiences; `path` is the issuer. */
export function checkAudiences(
  { audiences, audienceMatchPolicy: policy }: GivenAudiences,
  path: ConfigurationPath,
  refuse: RefuseField,
): void {
  const ofAudiences = [...path, 'audiences'];
  const ofPolicy = [...path, 'audienceMatchPolicy'];
  if (audiences.length === 0) {
    refuse(ofAudiences, required('', `at least one jwt[${path[1]}].issuer.audiences is required`));
    return;
  }
  for (const [index, audience] of audiences.entries()) {
    if (audience === '') refuse([...ofAudiences, index], required(''));
    if (audiences.indexOf(audience) < index) refuse([...ofAudiences, index], duplicate('', audience));
  }
  if (policy === 'MatchAny' || (policy === '' && audiences.length === 1)) return;
  const detail =
    audiences.length > 1 ? 'must be MatchAny for multiple audiences' : 'must be empty or MatchAny for single audience';
  refuse(ofPolicy, invalidValue('', policy, `audienceMatchPolicy ${detail}`));
}
