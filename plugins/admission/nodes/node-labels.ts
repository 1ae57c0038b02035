/** The labels of its own object that a node may write. */
import type { Naming } from '../../../runtime/objects/naming.js';

type Labels = Readonly<Record<string, string>>;

/** Labels under the product's domains that tell of the machine, and so are the node's to write. */
const ofMachine = [
  'platform.io/hostname',
  'platform.io/arch',
  'platform.io/os',
  'beta.platform.io/arch',
  'beta.platform.io/os',
  'beta.platform.io/instance-type',
  'node.platform.io/instance-type',
  'topology.platform.io/region',
  'topology.platform.io/zone',
  'failure-domain.beta.platform.io/region',
  'failure-domain.beta.platform.io/zone',
];

/**
 * Lists the labels, sorted, that differ and that no node may write: those of the product's domains, by which a node could
 * draw pods to itself. Labels for administrators, below `node-restriction`, are among them.
 */
export function forbiddenLabels({ rename, ownDomains }: Naming): (now: Labels, old: Labels) => string[] {
  const [domain = ''] = ownDomains;
  const allowed = new Set(ofMachine.map(rename));
  const isForbidden = (label: string): boolean => {
    const of = domainOf(label);
    if (!ownDomains.some((own) => isWithin(of, own)) || allowed.has(label)) return false;
    return !isWithin(of, `kubelet.${domain}`) && !isWithin(of, `node.${domain}`);
  };
  return (now, old) => changedKeys(now, old).filter(isForbidden).sort();
}

const domainOf = (label: string): string => (label.includes('/') ? label.slice(0, label.indexOf('/')) : '');

const isWithin = (domain: string, of: string): boolean => domain === of || domain.endsWith(`.${of}`);

const changedKeys = (now: Labels, old: Labels): string[] =>
  [...new Set([...Object.keys(now), ...Object.keys(old)])].filter((key) => now[key] !== old[key]);
