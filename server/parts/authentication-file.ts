/** Reads an `AuthenticationConfiguration` file, by the rules and in the words of kube-apiserver. */
import { type ClaimRules, readAuthorities } from '../../plugins/index.js';
import { configurationSchema } from '../../plugins/kit.js';
import type { ConfigurationPath } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required, tooMany, Verbatim } from '../../runtime/objects/field-error.js';
import { withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import {
  type AccessFileOptions,
  type AccessFileResult,
  accessVersions,
  fieldRefuser,
  type Given,
  type RefuseField,
} from './access-file.js';
import {
  claimMappingSchema,
  claimRuleSchema,
  readClaimRules,
  readMappings,
  readUserRules,
  userRuleSchema,
} from './claims-of-file.js';
import { readPlacedDocument, withoutVersion } from './placed-document.js';

/** The content of the file. */
export interface AuthenticationConfiguration {
  readonly jwt: readonly ConfiguredJwt[];
  /** Absent if the file does not set it. */
  readonly anonymous?: ConfiguredAnonymous | undefined;
}

export interface ConfiguredAnonymous {
  readonly enabled: boolean;
  /** The only paths that need no credentials; empty for all. */
  readonly paths: readonly string[];
}

/** One element of `jwt`. */
export interface ConfiguredJwt {
  /** The element as written, in JSON: equal elements have the same text. */
  readonly id: string;
  readonly issuerUrl: string;
  readonly discoveryUrl: string | undefined;
  /** Authorities in PEM. */
  readonly certificateAuthority: string | undefined;
  readonly audiences: readonly string[];
  /** The claim that may be in another token. */
  readonly groupsClaim: string | undefined;
  readonly rules: ClaimRules;
}

const introduced = { v1: '1.34', v1beta1: '1.30', v1alpha1: '1.29' };

const { fields, list, optional, text, truth } = configurationSchema;
const word = optional(text, '');
const noIssuer = {
  url: '',
  discoveryURL: '',
  certificateAuthority: '',
  audiences: [],
  audienceMatchPolicy: '',
  egressSelectorType: '',
};
const issuer = fields({
  url: word,
  discoveryURL: word,
  certificateAuthority: word,
  audiences: list(text),
  audienceMatchPolicy: word,
  egressSelectorType: word,
});
const jwt = fields({
  issuer: optional(issuer, noIssuer),
  claimValidationRules: claimRuleSchema,
  claimMappings: claimMappingSchema,
  userValidationRules: userRuleSchema,
});
const anonymous = fields({ enabled: optional(truth, false), conditions: list(fields({ path: word })) });
const schema = fields({ jwt: list(jwt), anonymous: optional(anonymous, undefined) });

type GivenJwt = Given<typeof jwt>;

/** The settings of the server that a file must not contradict. */
export interface AuthenticationFileOptions extends AccessFileOptions {
  /** The issuers of service account tokens, which no provider may have. */
  readonly ownIssuers: readonly string[];
  /** Whether another option sets the user of requests without credentials. */
  readonly isAnonymousGiven: boolean;
}

/** Reads the file. The result has all mistakes. */
export function readAuthenticationFile(
  file: string,
  options: AuthenticationFileOptions,
): AccessFileResult<AuthenticationConfiguration> {
  const problems: string[] = [];
  const { value, refuse: refuseText, text: content } = readPlacedDocument(file, problems);
  if (problems.length > 0) return { ok: false, problems, text: content };
  const apiVersions = accessVersions(introduced, options.release);
  const given = withoutVersion(value, { apiVersions, kind: 'AuthenticationConfiguration' }, refuseText);
  const read = given === undefined ? undefined : schema(given, [], refuseText);
  if (!read || problems.length > 0) return { ok: false, problems, text: content };
  const refuse = fieldRefuser(refuseText);
  const configuration = {
    jwt: readAll(read.value.jwt, options, refuse),
    anonymous: readAnonymous(read.value.anonymous, options, refuse),
  };
  return problems.length > 0 ? { ok: false, problems, text: content } : { ok: true, configuration, text: content };
}

function readAnonymous(
  given: Given<typeof anonymous> | undefined,
  { featureEnabled, isAnonymousGiven }: AuthenticationFileOptions,
  refuse: RefuseField,
): ConfiguredAnonymous | undefined {
  if (!given) return undefined;
  const { enabled, conditions } = given;
  if (isAnonymousGiven) {
    const detail =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    refuse(['anonymous'], forbidden('', detail));
  }
  if (!featureEnabled('AnonymousAuthConfigurableEndpoints')) {
    const detail = 'anonymous is not supported when AnonymousAuthConfigurableEndpoints feature gate is disabled';
    refuse(['anonymous'], forbidden('', detail));
  }
  if (!enabled && conditions.length > 0) {
    const shown = new Verbatim(JSON.stringify(conditions.map(({ path }) => ({ Path: path }))));
    const detail = 'enabled should be set to true when conditions are defined';
    refuse(['anonymous', 'conditions'], invalidValue('', shown, detail));
  }
  return { enabled, paths: conditions.map(({ path }) => path) };
}

const mostIssuers = 64;

function readAll(
  all: readonly GivenJwt[],
  options: AuthenticationFileOptions,
  refuse: RefuseField,
): readonly ConfiguredJwt[] {
  if (all.length > mostIssuers) {
    refuse(['jwt'], tooMany('', all.length, mostIssuers));
    return [];
  }
  return all.map((one, index) => {
    const path = ['jwt', index];
    const read = readJwt(one, path, options, refuse);
    const { url, discoveryURL } = one.issuer;
    const earlier = all.slice(0, index);
    if (earlier.some(({ issuer: other }) => other.url === url)) {
      refuse([...path, 'issuer', 'url'], duplicate('', url));
    }
    if (discoveryURL !== '' && earlier.some(({ issuer: other }) => other.discoveryURL === discoveryURL)) {
      refuse([...path, 'issuer', 'discoveryURL'], duplicate('', discoveryURL));
    }
    return read;
  });
}

function readJwt(
  given: GivenJwt,
  path: ConfigurationPath,
  options: AuthenticationFileOptions,
  refuse: RefuseField,
): ConfiguredJwt {
  const { url, discoveryURL, certificateAuthority, audiences, egressSelectorType } = given.issuer;
  const ofIssuer = (field: string): ConfigurationPath => [...path, 'issuer', field];
  if (url === '') refuse(ofIssuer('url'), required(''));
  else checkIssuerUrl(url, options.ownIssuers, ofIssuer('url'), refuse);
  if (discoveryURL !== '') {
    if (url !== '' && withoutTrailing(url, '/') === withoutTrailing(discoveryURL, '/')) {
      refuse(ofIssuer('discoveryURL'), invalidValue('', discoveryURL, 'discoveryURL must be different from URL'));
    }
    checkIssuerUrl(discoveryURL, [], ofIssuer('discoveryURL'), refuse);
  }
  checkAudiences(given.issuer, [...path, 'issuer'], refuse);
  if (certificateAuthority !== '' && !readAuthorities(Buffer.from(certificateAuthority)).ok) {
    const detail = 'data does not contain any valid RSA or ECDSA certificates';
    refuse(ofIssuer('certificateAuthority'), invalidValue('', '<omitted>', detail));
  }
  if (egressSelectorType !== '') {
    const detail = 'this server connects to issuers directly; leave it out';
    refuse(ofIssuer('egressSelectorType'), invalidValue('', egressSelectorType, detail));
  }
  const ofRules = [...path, 'claimValidationRules'];
  const { requiredClaims, claimRules } = readClaimRules(given.claimValidationRules, ofRules, refuse);
  const mapped = readMappings(given.claimMappings, claimRules, [...path, 'claimMappings'], refuse);
  const userRules = readUserRules(given.userValidationRules, [...path, 'userValidationRules'], refuse);
  return {
    id: JSON.stringify(given),
    issuerUrl: url,
    discoveryUrl: discoveryURL || undefined,
    certificateAuthority: certificateAuthority || undefined,
    audiences,
    groupsClaim: given.claimMappings.groups.claim || undefined,
    rules: { ...mapped, requiredClaims, claimRules, userRules },
  };
}

/** Checks a URL as the reference does. It must be HTTPS, without a user, query or fragment, and not in `disallowed`. */
function checkIssuerUrl(
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
function checkAudiences(
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
