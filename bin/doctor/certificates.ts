/** Checks when certificates expire: the server's own, beside the data, and the certificates in the kubeconfig. */

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { plural } from '../../generator/diagnostics/print.js';
import { textOf } from '../../runtime/objects/guards.js';
import { fieldsOf, listOf } from '../objects/printing.js';
import { type Check, type Finding, kubeconfigOf, messageOf, ok, problem, warning } from './finding.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Warns about certificates that expire within this time. */
const soonMs = 30 * dayMs;

export const certificates: Check = {
  name: 'certificates',
  run: (subject) => {
    const authority = join(subject.data, 'credentials', 'ca.crt');
    const own = readText(authority);
    return [...(own === undefined ? [] : [judge(authority, own)]), ...ofKubeconfig(kubeconfigOf(subject)?.path)];
  },
};

function ofKubeconfig(path: string | undefined): Finding[] {
  const text = path === undefined ? undefined : readText(path);
  if (path === undefined || text === undefined) return [];
  const { clusters, users } = fieldsOf(parse(text));
  const entries = [
    ...listOf(clusters).map((one) => ({ entry: fieldsOf(one), key: 'certificate-authority', of: 'cluster' })),
    ...listOf(users).map((one) => ({ entry: fieldsOf(one), key: 'client-certificate', of: 'user' })),
  ];
  return entries.flatMap(({ entry, key, of }) => {
    const held = fieldsOf(entry[of]);
    const inline = textOf(held[`${key}-data`]);
    const file = textOf(held[key]);
    const pem = inline === '' ? file && readText(resolve(dirname(path), file)) : atob(inline);
    return pem ? [judge(`${key} of ${of} ${textOf(entry.name)} in ${path}`, pem)] : [];
  });
}

/** Judges the first certificate of a text. */
export function judge(what: string, pem: string, now = Date.now()): Finding {
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    const [begin, end] = [Date.parse(validFrom), Date.parse(validTo)];
    const days = Math.floor((end - now) / dayMs);
    if (now < begin) return problem(`${what} is not valid before ${validFrom}`, 'Is the clock of this machine right?');
    if (now > end) return problem(`${what} expired at ${validTo}`, renew);
    return end - now < soonMs
      ? warning(`${what} expires in ${plural(days, 'day')}`, renew)
      : ok(`${what} is valid for ${plural(days, 'day')}`);
  } catch (error) {
    return problem(`${what} is not a certificate: ${messageOf(error)}`, renew);
  }
}

const renew = 'kindforge serve renews its own at each start; ask for a new one if it came from somebody else';

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Parses YAML; returns `undefined` for invalid YAML, which another check reports. */
function parse(text: string): unknown {
  try {
    return load(text);
  } catch {
    return undefined;
  }
}
