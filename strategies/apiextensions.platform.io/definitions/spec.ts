/** The rules for the spec of a definition. */
import type { CustomResourceColumnDefinition } from '../../../generated/types/apiextensions/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { byteLength, dns1035Label, dns1123Subdomain } from '../../../runtime/objects/names/name-checks.js';
import { checkRequiredOneOf, type FieldErrors, type PacedErrors } from '../../shared/field-checks.js';
import { type Names, type PartedVersions, partVersions, type Spec, type Version } from '../definition-versions.js';
import type { Expressions } from './expressions.js';
import { conversionErrors, type Ratchets } from './ratchets.js';
import { printedVersions, selectableFieldErrors } from './stored-versions.js';
import { type SchemaCheck, schemaErrors } from './version-schema.js';

export interface SpecCheck {
  readonly ratchets: Ratchets;
  readonly expressions: Expressions;
}

/** Checks a spec, in the order of the reference. */
export function* specErrors(spec: Spec, { ratchets, expressions }: SpecCheck): PacedErrors {
  const whole = spec.versions ?? [];
  const parted = partVersions(whole);
  const { common, versions } = parted;
  const prunes = !spec.preserveUnknownFields;
  const asked = prunes ? { ...ratchets.schema, requireStructure: true } : ratchets.schema;
  const checkOf = (checked: readonly Version[]): SchemaCheck => {
    const requireCheapRules = !checked.every(ratchets.keepsSchema);
    return { ratchets: { ...asked, requireCheapRules }, expressions };
  };
  const { names = {}, group = '' } = spec;
  yield* groupErrors(group);
  yield* checkRequiredOneOf(spec.scope, 'spec.scope', ['Cluster', 'Namespaced']);
  yield* missingSchemaErrors(parted, ratchets.requireSchemas, prunes);
  for (const [i, version] of versions.entries()) {
    const path = `spec.versions[${i}]`;
    yield* versionNameErrors(version.name, `${path}.name`);
    yield* deprecationWarningErrors(version, path);
    yield* schemaErrors(version.schema, `${path}.schema`, hasStatus(whole[i]), checkOf(whole.slice(i, i + 1)));
    yield* subresourceErrors(version.subresources, path);
    yield* columnErrors(version.additionalPrinterColumns, path);
    if (version.selectableFields !== undefined) yield* selectableFieldErrors(whole[i] ?? {}, path);
  }
  yield* versionsErrors(versions);
  yield* versionNameErrors(versions[0]?.name, 'spec.version', true);
  yield* missingNameErrors(names, 'spec.names');
  yield* nameErrors(names, 'spec.names');
  const anyStatus = whole.some(hasStatus);
  yield* schemaErrors(common?.schema, 'spec.validation', anyStatus, checkOf(whole));
  yield* subresourceErrors(common?.subresources, 'spec');
  yield* columnErrors(common?.additionalPrinterColumns, 'spec');
  if (common?.selectableFields !== undefined) yield* selectableFieldErrors(whole[0] ?? {}, 'spec');
  if (!prunes && spec.conversion?.strategy === 'Webhook') {
    yield invalidValue('spec.conversion.strategy', 'Webhook', 'must be None if spec.preserveUnknownFields is true');
  }
  yield* conversionErrors(spec.conversion, ratchets);
}

function* groupErrors(group: string): FieldErrors {
  if (group === '') {
    yield required('spec.group');
    return;
  }
  const problems = dns1123Subdomain(group);
  if (problems.length > 0) yield invalidValue('spec.group', group, problems.join(','));
  else if (!group.includes('.')) yield invalidValue('spec.group', group, 'should be a domain with at least one dot');
}

function* missingSchemaErrors(
  { common, versions }: PartedVersions<Version>,
  all: boolean,
  prunes: boolean,
): FieldErrors {
  if (hasSchema(common) || (!all && !prunes)) return;
  for (const [i, version] of versions.entries()) {
    if (hasSchema(version) || (!all && !version.served)) continue;
    const field = `spec.versions[${i}].schema.openAPIV3Schema`;
    yield all
      ? required(field, 'schemas are required', '')
      : required(field, 'because otherwise all fields are pruned');
  }
}

const hasSchema = (version: Version | undefined): boolean => version?.schema?.openAPIV3Schema !== undefined;

function* versionNameErrors(name = '', path: string, mayBeAbsent = false): FieldErrors {
  const problems = mayBeAbsent && name === '' ? [] : dns1035Label(name);
  if (problems.length > 0) yield invalidValue(path, name, problems.join(','));
}

function* versionsErrors(versions: readonly Version[]): FieldErrors {
  const names = new Set(versions.map(({ name = '' }) => name));
  const stored = versions.filter(({ storage }) => storage);
  const say = (rule: string) => invalidValue('spec.versions', printedVersions(versions), rule);
  if (names.size < versions.length) yield say('must contain unique version names');
  if (stored.length !== 1) yield say('must have exactly one version marked as storage version');
}

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

type Column = Draft<CustomResourceColumnDefinition>;

/** Checks the columns of one version, or the shared ones; `path` is the path of their parent. */
function* columnErrors(columns: readonly Column[] = [], path: string): FieldErrors {
  for (const [i, column] of columns.entries()) {
    yield* oneErrors(column, `${path}.additionalPrinterColumns[${i}]`);
  }
}

function* oneErrors({ name, type = '', format = '', jsonPath = '' }: Column, path: string): FieldErrors {
  if (!name) yield required(`${path}.name`);
  if (type === '') yield required(`${path}.type`, `must be one of ${types.join(',')}`);
  else if (!types.includes(type)) yield invalidValue(`${path}.type`, type, `must be one of ${types.join(',')}`);
  if (format !== '' && !formats.includes(format)) {
    yield invalidValue(`${path}.format`, format, `must be one of ${formats.join(',')}`);
  }
  if (jsonPath === '') yield required(`${path}.JSONPath`);
  else yield* simplePathErrors(jsonPath, `${path}.JSONPath`);
}

/** Returns whether a version has the status subresource. */
const hasStatus = (version: Version | undefined): boolean => version?.subresources?.status !== undefined;

/** Checks the subresources of one version, or the shared ones; `path` is the path of their parent. */
function* subresourceErrors(subresources: Version['subresources'], path: string): FieldErrors {
  if (subresources?.scale === undefined) return;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath: selector = '' } = subresources.scale;
  const place = `${path}.subresources.scale`;
  yield* countPathErrors(specReplicasPath, '.spec', `${place}.specReplicasPath`);
  yield* countPathErrors(statusReplicasPath, '.status', `${place}.statusReplicasPath`);
  if (selector === '') return;
  yield* placedErrors(selector, ['.spec', '.status'], `${place}.labelSelectorPath`, 'either .spec or .status');
}

function* countPathErrors(text: string, root: string, path: string): FieldErrors {
  if (text === '') yield required(path);
  else yield* placedErrors(text, [root], path, root);
}

function* placedErrors(text: string, roots: readonly string[], path: string, words: string): FieldErrors {
  const problems = [...simplePathErrors(text, path)];
  yield* problems;
  if (problems.length > 0 || roots.some((root) => text.startsWith(`${root}.`))) return;
  yield invalidValue(path, text, `should be a json path under ${words}`);
}

/** Bytes of UTF-8. */
const maxLength = 256;

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Checks the warning of a version. */
function* deprecationWarningErrors(
  { deprecated = false, deprecationWarning: warning }: Version,
  path: string,
): FieldErrors {
  if (warning === undefined) return;
  for (const problem of deprecationWarningProblems(deprecated, warning)) {
    yield invalidValue(`${path}.deprecationWarning`, warning, problem);
  }
}

/** Returns the problems of a deprecation warning. */
export function deprecationWarningProblems(deprecated: boolean, warning: string): readonly string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (byteLength(warning) > maxLength) problems.push(`must be <= ${maxLength} characters long`);
  if (warning === '') problems.push('must not be an empty string');
  let index = 0;
  for (const char of warning) {
    if (!printable.test(char)) {
      const rule = 'must only contain printable UTF-8 characters; non-printable character found at index';
      problems.push(`${rule} ${index}`);
      break;
    }
    index += byteLength(char);
  }
  return problems;
}

/** Checks a JSON path. */
function* simplePathErrors(text: string, path: string): FieldErrors {
  if (!text.startsWith('.')) yield invalidValue(path, text, 'must be a simple json path starting with .');
}

const mixedCase = 'may have mixed case, but should otherwise match: ';

/** Reports missing names. Singular and list kind have defaults. */
function* missingNameErrors(names: Names, path: string): FieldErrors {
  for (const key of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[key]) yield required(`${path}.${key}`);
  }
}

/** Checks the names of a spec, or the accepted names of a status. */
export function* nameErrors(names: Names, path: string): FieldErrors {
  const { kind = '', listKind, shortNames = [], categories = [] } = names;
  for (const key of ['plural', 'singular'] as const) yield* labelErrors(names[key], `${path}.${key}`);
  for (const key of ['kind', 'listKind'] as const) yield* kindErrors(names[key], `${path}.${key}`);
  for (const [i, name] of shortNames.entries()) yield* anyLabelErrors(name, `${path}.shortNames[${i}]`);
  if (kind !== '' && kind === listKind) {
    yield invalidValue(`${path}.listKind`, kind, 'kind and listKind may not be the same');
  }
  for (const [i, name] of categories.entries()) yield* anyLabelErrors(name, `${path}.categories[${i}]`);
}

function* labelErrors(name = '', path: string): FieldErrors {
  if (name !== '') yield* anyLabelErrors(name, path);
}

function* anyLabelErrors(name: string, path: string): FieldErrors {
  const problems = dns1035Label(name);
  if (problems.length > 0) yield invalidValue(path, name, problems.join(','));
}

function* kindErrors(kind = '', path: string): FieldErrors {
  const problems = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (problems.length > 0) yield invalidValue(path, kind, mixedCase + problems.join(','));
}
