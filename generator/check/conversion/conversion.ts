/** Rules on how a CustomResourceDefinition converts between its versions. */
import { dns1035Label } from '../../../runtime/objects/names/name-checks.js';
import { get, isObject, list, type Raw, string } from '../../../runtime/schema/read.js';
import type { Report } from '../../diagnostics/problem.js';

const PATH = ['spec', 'conversion'];
/** Versions of the review that servers can send. */
const KNOWN_REVIEWS = ['v1', 'v1beta1'];

/** Checks the conversion of a definition, if it has one. */
export function checkConversion(value: Raw, report: Report): void {
  const conversion = get(get(value, 'spec'), 'conversion');
  const strategy = string(get(conversion, 'strategy'));
  const webhook = get(conversion, 'webhook');
  if (strategy === 'None' && isObject(webhook)) {
    report({
      code: 'KF3024',
      path: [...PATH, 'webhook'],
      at: 'key',
      message: 'a webhook is only for strategy Webhook',
    });
  }
  if (strategy !== 'Webhook') return;
  if (!isObject(webhook)) {
    report({ code: 'KF3024', path: [...PATH, 'strategy'], message: 'strategy Webhook must have a `webhook`' });
    return;
  }
  checkClient(get(webhook, 'clientConfig'), report);
  checkReviews(list(get(webhook, 'conversionReviewVersions')), report);
}

/** Checks that a webhook has either an address or a service. */
function checkClient(client: Raw, report: Report): void {
  const path = [...PATH, 'webhook', 'clientConfig'];
  const url = string(get(client, 'url'));
  const service = get(client, 'service');
  if ((url === undefined) === !isObject(service)) {
    report({ code: 'KF3024', path, message: 'a webhook must have either `url` or `service`' });
    return;
  }
  if (url !== undefined && !isWebhookAddress(url)) {
    report({
      code: 'KF3024',
      path: [...path, 'url'],
      message: `"${url}" is not the address of a webhook`,
      suggestion: 'write https://host/path, without user, query and fragment',
    });
  }
  const port = get(service, 'port');
  if (port === undefined || port === null || (typeof port === 'number' && port >= 1 && port <= 65_535)) return;
  report({ code: 'KF3024', path: [...path, 'service', 'port'], message: 'a port is a number from 1 to 65535' });
}

function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, search, hash, hostname } = new URL(text);
  return protocol === 'https:' && hostname !== '' && username === '' && search === '' && hash === '';
}

function checkReviews(reviews: readonly Raw[], report: Report): void {
  const path = [...PATH, 'webhook', 'conversionReviewVersions'];
  const seen = new Set<Raw>();
  reviews.forEach((review, index) => {
    const name = string(review) ?? '';
    const problem = dns1035Label(name)[0] ?? (seen.has(name) ? 'it is listed twice' : undefined);
    if (problem !== undefined)
      report({ code: 'KF3024', path: [...path, index], message: `"${name}" is not a version of a review: ${problem}` });
    seen.add(name);
  });
  if (reviews.length > 0 && reviews.some((each) => KNOWN_REVIEWS.some((known) => known === each))) return;
  report({ code: 'KF3024', path, message: `a webhook must understand one of ${KNOWN_REVIEWS.join(', ')}` });
}
