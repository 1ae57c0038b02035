/** The labels of a request in metrics: few values each, whatever clients send. */
import type { RequestPath, ResourcePath } from '../registry/route.js';
import type { ApiRequest } from '../request/api-request.js';
import { queryOf } from '../request/query.js';

/** Verbs as metrics name them; their order has no meaning. */
export const verbLabels = [
  'GET',
  'LIST',
  'WATCH',
  'POST',
  'PUT',
  'PATCH',
  'APPLY',
  'DELETE',
  'DELETECOLLECTION',
  'HEAD',
  'OPTIONS',
  'other',
] as const;

export type VerbLabel = (typeof verbLabels)[number];

const applyType = 'application/apply-patch+yaml';

/** The verb of a request for a resource. */
export function verbOf({ method, search, headers }: ApiRequest, { name, watch }: ResourcePath): VerbLabel {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (watch) return 'WATCH';
      if (name !== '') return 'GET';
      return search !== '' && queryOf(search).boolean('watch') === true ? 'WATCH' : 'LIST';
    case 'POST':
    case 'PUT':
      return method;
    case 'PATCH':
      return typeof headers['content-type'] === 'string' && headers['content-type'].startsWith(applyType)
        ? 'APPLY'
        : 'PATCH';
    case 'DELETE':
      return name === '' ? 'DELETECOLLECTION' : 'DELETE';
    default:
      return methodLabel(method);
  }
}

/** The verb of a request for anything else. */
export function methodLabel(method: string): VerbLabel {
  return verbLabels.find((label) => label === method) ?? 'other';
}

export const scopeLabels = ['', 'cluster', 'namespace', 'resource'] as const;

export type ScopeLabel = (typeof scopeLabels)[number];

/** One object, the collection of a namespace, or the collection of all. A create is about one object. */
export function scopeOf({ method }: ApiRequest, { name, namespace }: ResourcePath): ScopeLabel {
  if (name !== '' || method === 'POST') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** `All` for dry runs, `invalid` for values that there are not, else empty. */
export function dryRunOf({ search }: ApiRequest): string {
  if (!search.includes('dryRun')) return '';
  const values = new URLSearchParams(search).getAll('dryRun');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

const fieldValidations: readonly string[] = ['Ignore', 'Strict', 'Warn'];

/** The field validation that a write asks for; empty where it does not say. */
export function fieldValidationOf({ search }: ApiRequest): string {
  if (!search.includes('fieldValidation')) return '';
  const value = new URLSearchParams(search).get('fieldValidation') ?? '';
  return value === '' || fieldValidations.includes(value) ? value : 'invalid';
}

/** Clients that are parts of a cluster. */
const systemClients: ReadonlySet<string> = new Set(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']);

/** The client of a request where it is such a part; else empty. */
export function systemClientOf({ headers }: ApiRequest): string {
  const agent = headers['user-agent'];
  if (typeof agent !== 'string' || !agent.startsWith('kube-')) return '';
  const [name = ''] = agent.split('/');
  return systemClients.has(name) ? name : '';
}

const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** The part of the label `subresource` that a path without a resource has: its own, where it is one of health. */
export const plainPathOf = ({ text }: RequestPath): string => (healthPaths.has(text) ? text : '');
