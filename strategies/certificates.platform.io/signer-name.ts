/** Names of signers: a domain of two parts or more, a slash, and a path of subdomains, as in `example.com/signer`. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue, tooLong } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import type { NameCheck } from '../../runtime/objects/names/name-patterns.js';
import { byteLength, quote } from '../../runtime/objects/printing.js';

const maxDomain = 253;
/** A path may be a namespace and the name of an object in it, with a dot between. */
const maxPath = 253 + 63 + 1;
const maxSignerName = maxDomain + 1 + maxPath;

/** Errors of a signer's name that is not empty. */
export function signerNameErrors(field: string, name: string): FieldError[] {
  const [domain = '', path = '', ...more] = name.split('/', 3);
  if (!name.includes('/') || more.length > 0) {
    const rule = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidValue(field, name, rule)];
  }
  const labels = domain.split('.');
  return [
    ...(byteLength(domain) > maxDomain ? [tooLong(field, maxDomain)] : []),
    ...firstBadLabel(field, domain, labels, dns1123Label),
    ...(labels.length < 2
      ? [invalidValue(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstBadLabel(field, path, path.split('.'), dns1123Subdomain),
    ...(byteLength(name) > maxSignerName ? [tooLong(field, maxSignerName)] : []),
  ];
}

/** Errors of the first label that has any: the others would repeat them. */
function firstBadLabel(field: string, part: string, labels: readonly string[], check: NameCheck): FieldError[] {
  for (const label of labels) {
    const problems = check(label);
    if (problems.length === 0) continue;
    return problems.map((problem) => invalidValue(field, part, `validating label ${quote(label)}: ${problem}`));
  }
  return [];
}
