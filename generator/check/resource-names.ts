/** Rules on the names of a resource and of its definition. */
import type { ResourceNames } from '../../runtime/contract/index.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { get, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Path, Report } from '../diagnostics/problem.js';
import { Part, readNames } from '../model/part.js';
import type { Definition } from './document-kind.js';

/** Groups of Kubernetes. A definition in them needs an approval. */
const PROTECTED = ['.k8s.io', '.kubernetes.io'];
const APPROVAL = 'api-approved.kubernetes.io';

/** Checks group, names, versions' names, and the name of the definition itself. */
export function checkResourceNames({ kind, value }: Definition, report: Report): void {
  const isNative = kind === 'ResourceDefinition';
  const spec = get(value, 'spec');
  const group = string(get(spec, 'group'));
  const names = readNames(new Part(get(spec, 'names')));
  if (group !== undefined) checkGroup(group, isNative, report);
  checkNames(get(spec, 'names'), names, report);
  list(get(spec, 'versions')).forEach((version, index) => {
    const name = string(get(version, 'name'));
    if (name !== undefined) label(['spec', 'versions', index, 'name'], 'a version', name, report);
  });
  if (group !== undefined && names.plural !== '') checkDefinitionName(value, names.plural, group, report);
  if (!isNative && group !== undefined) checkApproval(value, group, report);
}

function checkGroup(group: string, isNative: boolean, report: Report): void {
  const path = ['spec', 'group'];
  if (group === '' && isNative) return;
  const problems = dns1123Subdomain(group);
  if (problems[0] !== undefined)
    report({ code: 'KF3003', path, message: `group "${group}" is malformed: ${problems[0]}` });
  else if (!group.includes('.') && !isNative) {
    const message = `group "${group}" must be a domain with at least one dot`;
    report({ code: 'KF3003', path, message, suggestion: `write a domain of yours, such as ${group}.example.com` });
  }
}

/** Checks names. Skips names that are derived from the kind. */
function checkNames(raw: Raw, names: ResourceNames, report: Report): void {
  const base = ['spec', 'names'];
  if (names.plural !== '') label([...base, 'plural'], 'a plural', names.plural, report);
  if (string(get(raw, 'singular'))) label([...base, 'singular'], 'a singular', names.singular, report);
  if (names.kind !== '') kindName([...base, 'kind'], names.kind, report);
  if (string(get(raw, 'listKind'))) kindName([...base, 'listKind'], names.listKind, report);
  names.shortNames.forEach((name, index) => {
    label([...base, 'shortNames', index], 'a short name', name, report);
  });
  names.categories.forEach((name, index) => {
    label([...base, 'categories', index], 'a category', name, report);
  });
  if (names.kind !== '' && names.kind === names.listKind) {
    const message = `kind and listKind are both "${names.kind}"`;
    report({
      code: 'KF3004',
      path: [...base, 'listKind'],
      message,
      suggestion: `write \`listKind: ${names.kind}List\``,
    });
  }
}

function label(path: Path, what: string, name: string, report: Report): void {
  const problem = first(dns1035Label(name));
  if (problem === undefined) return;
  const lower = name.toLowerCase();
  const suggestion = lower !== name && dns1035Label(lower).length === 0 ? { suggestion: `write \`${lower}\`` } : {};
  report({ code: 'KF3003', path, message: `"${name}" cannot be ${what}: ${problem}`, ...suggestion });
}

/** Returns the first problem of a name, without the expression that found it. */
function first(problems: readonly string[]): string | undefined {
  return problems[0]?.replace(/ \(e\.g\. .*$/s, '');
}

/** Checks a kind, which is a label in mixed case. */
function kindName(path: Path, name: string, report: Report): void {
  const problem = first(dns1035Label(name.toLowerCase()));
  if (problem !== undefined) report({ code: 'KF3003', path, message: `"${name}" cannot be a kind: ${problem}` });
}

function checkDefinitionName(value: Definition['value'], plural: string, group: string, report: Report): void {
  const name = string(get(get(value, 'metadata'), 'name'));
  const wanted = group === '' ? plural : `${plural}.${group}`;
  if (name === undefined || name === wanted || dns1123Subdomain(wanted).length > 0) return;
  const message = `the definition of ${plural} in group "${group}" is named "${name}"`;
  report({ code: 'KF3002', path: ['metadata', 'name'], message, suggestion: `write \`name: ${wanted}\`` });
}

function checkApproval(value: Definition['value'], group: string, report: Report): void {
  if (!PROTECTED.some((suffix) => group.endsWith(suffix) || group === suffix.slice(1))) return;
  const annotation = string(get(get(get(value, 'metadata'), 'annotations'), APPROVAL)) ?? '';
  if (annotation.startsWith('unapproved') || URL.canParse(annotation)) return;
  const message = `group "${group}" belongs to the Kubernetes project: annotation \`${APPROVAL}\` must name the approval`;
  const suggestion = 'give the address of the review, or a reason that begins with "unapproved"';
  report({ code: 'KF3023', path: ['metadata', 'annotations', APPROVAL], at: 'key', message, suggestion });
}
