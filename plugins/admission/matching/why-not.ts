/** Says why a policy, a binding or a webhook is not about a request of a class that it is about. */
import type { AdmissionAttributes, AdmissionContext } from '../../../runtime/contract/index.js';
import { everything } from '../../../runtime/objects/selectors/labels.js';
import { type ClassMatch, matchRequest } from './matching.js';

/** `undefined` where it is about the request. */
export function whyNot(
  { match, rules, exclude }: ClassMatch,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): string | undefined {
  const anyObject = { ...match, objects: everything };
  const anywhere = { ...anyObject, namespaces: everything };
  const isAbout = (one: ClassMatch): boolean => {
    const matched = matchRequest(one, attributes, context);
    return matched.ok && matched.value !== undefined;
  };
  if (isAbout({ match, rules, exclude })) return undefined;
  if (!isAbout({ match: anywhere, rules, exclude })) return 'its rules are not about such names';
  return isAbout({ match: anyObject, rules, exclude })
    ? 'its objectSelector does not select the object'
    : 'its namespaceSelector does not select the namespace';
}
