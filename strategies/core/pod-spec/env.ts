/** Environment variables of containers: single ones, and whole config maps and secrets. */
import type { EnvFromSource, EnvVar, FileKeySelector, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, notFoundValue } from '../../../runtime/objects/field-error.js';
import {
  configMapKey,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
  type NameCheck,
} from '../../../runtime/objects/names/name-checks.js';
import { generateNameStem } from '../../../runtime/objects/names/names.js';
import type { Release } from '../../../runtime/objects/release.js';
import { checkName, checkRequired, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNoBacksteps } from '../../shared/names.js';
import { visitContainers } from './operating-system.js';
import { checkFieldSelector, checkResourceSelector, envFields } from './projected-files.js';

/** Checks a variable by the rule of later releases, which take nearly every text. */
const relaxedVariableName: NameCheck = (name) => {
  if (/^[ -<>-~]+$/.test(name)) return [];
  if (name === '') return ['environment variable name must be non-empty'];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

const variableName = (release: Release): NameCheck =>
  release.does('relaxedVariableNames') ? relaxedVariableName : envVarName;

/** Checks single variables. */
export function* checkEnv(variables: readonly Draft<EnvVar>[] = [], path: string, release: Release): FieldErrors {
  for (const [i, variable] of variables.entries()) {
    yield* checkName(`${path}[${i}].name`, variable.name ?? '', variableName(release));
    yield* checkSource(variable, `${path}[${i}].valueFrom`, release);
  }
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;

function* checkSource({ value, valueFrom: from }: Draft<EnvVar>, path: string, release: Release): FieldErrors {
  if (from === undefined) return;
  if (from.fieldRef) yield* checkFieldSelector(from.fieldRef, `${path}.fieldRef`, envFields(release));
  if (from.resourceFieldRef) yield* checkResourceSelector(from.resourceFieldRef, `${path}.resourceFieldRef`, false);
  for (const source of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = from[source];
    if (!reference) continue;
    yield* checkText(`${path}.${source}.name`, reference.name ?? '', dns1123Subdomain);
    yield* checkName(`${path}.${source}.key`, reference.key ?? '', configMapKey);
  }
  if (from.fileKeyRef) yield* checkFileKey(from.fileKeyRef, `${path}.fileKeyRef`);
  const count = sources.filter((source) => from[source]).length + (from.fileKeyRef ? 1 : 0);
  if (count === 0) {
    const last = release.does('variablesFromFiles') ? ', `secretKeyRef` or `fileKeyRef`' : ' or `secretKeyRef`';
    const problem = `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${last}`;
    yield invalidValue(path, '', problem);
  } else if (value) yield invalidValue(path, '', 'may not be specified when `value` is not empty');
  else if (count > 1) yield invalidValue(path, '', 'may not have more than one field specified at a time');
}

function* checkFileKey(
  { key = '', volumeName = '', path: file = '' }: Draft<FileKeySelector>,
  path: string,
): FieldErrors {
  yield* checkName(`${path}.key`, key, relaxedVariableName);
  yield* checkName(`${path}.volumeName`, volumeName, dns1123Label);
  yield* checkRequired(file, `${path}.path`);
  yield* checkNoBacksteps(`${path}.path`, file);
}

/** Files with variables are in `emptyDir` volumes. */
export function* checkVariableFiles(spec: Draft<PodSpec>, path: string): FieldErrors {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume] as const));
  for (const { container, path: at } of visitContainers(spec, path)) {
    for (const [i, { valueFrom }] of (container.env ?? []).entries()) {
      if (!valueFrom?.fileKeyRef) continue;
      const { volumeName = '' } = valueFrom.fileKeyRef;
      const field = `${at}.env[${i}].valueFrom.fileKeyRef.volumeName`;
      const volume = volumes.get(volumeName);
      if (!volume) yield notFoundValue(field, volumeName);
      else if (!volume.emptyDir) yield invalidValue(field, volumeName, 'referenced volume must be of type emptyDir');
    }
  }
}

/** Checks a prefix that another text follows. */
const dns1123Prefix = (text: string): readonly string[] => dns1123Subdomain(generateNameStem(text));

/** Checks whole config maps and secrets. Errors about their number name the list. */
export function* checkEnvFrom(list: readonly Draft<EnvFromSource>[] = [], path: string, release: Release): FieldErrors {
  for (const [i, { prefix = '', configMapRef, secretRef }] of list.entries()) {
    const at = `${path}[${i}]`;
    if (prefix !== '') yield* checkText(`${at}.prefix`, prefix, variableName(release));
    if (configMapRef) yield* checkName(`${at}.configMapRef.name`, configMapRef.name ?? '', dns1123Prefix);
    if (secretRef) yield* checkName(`${at}.secretRef.name`, secretRef.name ?? '', dns1123Prefix);
    if (!configMapRef && !secretRef) {
      yield invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    }
    if (configMapRef && secretRef) {
      yield invalidValue(path, '', 'may not have more than one field specified at a time');
    }
  }
}
