/** Finds the kind of definition of a document, by its `apiVersion` and `kind`. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { didYouMean, findNearest } from '../../runtime/objects/suggest.js';
import { get, isObject, type Raw, string } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';

export type DocumentKind = 'ResourceDefinition' | 'TypeLibrary' | 'CustomResourceDefinition';

const NATIVE = 'kindforge.dev/v1';
const API_VERSIONS: Readonly<Record<DocumentKind, readonly string[]>> = {
  ResourceDefinition: [NATIVE],
  TypeLibrary: [NATIVE],
  CustomResourceDefinition: ['apiextensions.k8s.io/v1', 'apiextensions.platform.io/v1'],
};
const KINDS: readonly DocumentKind[] = ['ResourceDefinition', 'TypeLibrary', 'CustomResourceDefinition'];

export interface Definition {
  readonly kind: DocumentKind;
  readonly value: JsonObject;
}

/** Returns the definition in a document, or reports why it is not one. */
export function classify(value: Raw, report: Report): Definition | undefined {
  if (!isObject(value)) {
    report({ code: 'KF2001', path: [], message: 'a definition is a mapping with `apiVersion`, `kind` and `spec`' });
    return undefined;
  }
  const kind = string(get(value, 'kind'));
  const known = KINDS.find((each) => each === kind);
  if (known === undefined) {
    reportKind(value, kind, report);
    return undefined;
  }
  const apiVersion = string(get(value, 'apiVersion'));
  if (apiVersion !== undefined && API_VERSIONS[known].includes(apiVersion)) return { kind: known, value };
  reportVersion(known, value, report);
  return undefined;
}

function reportKind(value: JsonObject, kind: string | undefined, report: Report): void {
  const message =
    kind === undefined
      ? '`kind` is missing: a definition is a ResourceDefinition, TypeLibrary or CustomResourceDefinition'
      : `kind \`${kind}\` must be ResourceDefinition, TypeLibrary or CustomResourceDefinition`;
  const nearest = kind === undefined ? undefined : didYouMean(kind, KINDS);
  const path = Object.hasOwn(value, 'kind') ? ['kind'] : [];
  report({ code: 'KF2002', path, message, suggestion: nearest ?? 'keep other objects out of the schemas folder' });
}

function reportVersion(kind: DocumentKind, value: JsonObject, report: Report): void {
  const allowed = API_VERSIONS[kind];
  const written = get(value, 'apiVersion');
  const found =
    written === undefined ? '`apiVersion` is missing' : `\`apiVersion\` is ${JSON.stringify(String(written))}`;
  const path = written === undefined ? [] : ['apiVersion'];
  const fits = typeof written === 'string' ? findNearest(written, allowed) : undefined;
  const suggestion = `write \`apiVersion: ${fits ?? allowed[0]}\``;
  report({ code: 'KF2002', path, message: `${found}; for a ${kind} it must be ${allowed.join(' or ')}`, suggestion });
}
