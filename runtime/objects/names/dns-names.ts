/** Names that follow the rules of DNS: labels, subdomains, domains. */

import { byteLength } from '../printing.js';
import type { NameCheck } from './name-patterns.js';
import { none, patternCheck, patternProblem, tooLongName, wholeMatch } from './name-patterns.js';

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const maxLabel = 63;
const maxSubdomain = 253;

const label1123Pattern = {
  source: label1123,
  meaning:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    'and must start and end with an alphanumeric character',
  examples: ['my-name', '123-abc'],
};
const label1123Expression = wholeMatch(label1123);
const subdomain1123Expression = wholeMatch(subdomain1123);
const label1123Problem = patternProblem(label1123Pattern);

/** Checks an RFC 1123 label in lower case, at most 63 bytes. */
export const dns1123Label: NameCheck = (name) => {
  const tooLong = byteLength(name) > maxLabel;
  if (!tooLong && label1123Expression.test(name)) return none;
  const problems = tooLong ? [tooLongName(maxLabel)] : [];
  if (label1123Expression.test(name)) return problems;
  // A name that is valid except for its dots gets this message only.
  return [...problems, subdomain1123Expression.test(name) ? 'must not contain dots' : label1123Problem];
};

/** RFC 1123 subdomain in lower case, at most 253 bytes. */
export const dns1123Subdomain: NameCheck = patternCheck(
  {
    source: subdomain1123,
    meaning:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
      'and must start and end with an alphanumeric character',
    examples: ['example.com'],
  },
  maxSubdomain,
);

/** RFC 1035 label in lower case: begins with a letter, at most 63 bytes. */
export const dns1035Label: NameCheck = patternCheck(
  {
    source: '[a-z]([-a-z0-9]*[a-z0-9])?',
    meaning:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
      'start with an alphabetic character, and end with an alphanumeric character',
    examples: ['my-name', 'abc-123'],
  },
  maxLabel,
);

/** `*.` and a subdomain, at most 253 bytes. */
export const wildcardSubdomain: NameCheck = patternCheck(
  {
    source: `\\*\\.${subdomain1123}`,
    meaning:
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, " +
      "which must consist of lower case alphanumeric characters, '-' or '.' " +
      'and end with an alphanumeric character',
    examples: ['*.example.com'],
  },
  maxSubdomain,
);

/** Checks a domain with a dot in it (`example.com`). Each label has at most 63 bytes; a dot at the end is allowed. */
export const domainName: NameCheck = (name) => {
  if (name === '') return ['Required value'];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = dns1123Subdomain(domain);
  if (problems.length > 0) return problems;
  const labels = domain.split('.');
  if (labels.length < 2) return ['should be a domain with at least two segments separated by dots'];
  return labels.flatMap(dns1123Label);
};

/** Checks a domain of at least three parts (`check.example.com`). */
export const qualifiedDomainName: NameCheck = (name) => {
  if (name === '') return ['Required value'];
  const problems = dns1123Subdomain(name);
  if (problems.length > 0 || name.split('.').length >= 3) return problems;
  return ['should be a domain with at least three segments separated by dots'];
};

const pathSource = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathExpression = wholeMatch(pathSource);
const pathProblem = `Invalid path (regex used for validation is '${pathSource}')`;

/** Checks a domain, a slash and a path (`example.com/signer`), the names of finalizers and controllers. */
export const domainPrefixedPath: NameCheck = (name) => {
  if (name === '') return ['Required value'];
  const slash = name.indexOf('/');
  const [host, path] = slash === -1 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
  if (host === '' || path === '') return ['must be a domain-prefixed path (such as "acme.io/foo")'];
  const problems = dns1123Subdomain(host);
  return pathExpression.test(path) ? problems : [...problems, pathProblem];
};
