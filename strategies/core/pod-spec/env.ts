/** Rules for the environment variables of containers, single ones and those of whole config maps and secrets. */
import type { EnvFromSource, EnvVar } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../../runtime/objects/names/dns-names.js';
import { configMapKey, envVarName } from '../../../runtime/objects/names/key-names.js';
import { generateNameStem } from '../../../runtime/objects/names/names.js';
import { checkName, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkFieldSelector, checkResourceSelector, envFields } from './downward-fields.js';

/** The variables at a path. */
export function* checkEnv(variables: readonly Draft<EnvVar>[] = [], path: string): FieldErrors {
  for (const [i, variable] of variables.entries()) {
    yield* checkName(`${path}[${i}].name`, variable.name ?? '', envVarName);
    yield* checkSource(variable, `${path}[${i}].valueFrom`);
  }
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;

function* checkSource({ value, valueFrom: from }: Draft<EnvVar>, path: string): FieldErrors {
  if (from === undefined) return;
  if (from.fieldRef) yield* checkFieldSelector(from.fieldRef, `${path}.fieldRef`, envFields);
  if (from.resourceFieldRef) yield* checkResourceSelector(from.resourceFieldRef, `${path}.resourceFieldRef`, false);
  for (const source of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = from[source];
    if (!reference) continue;
    yield* checkText(`${path}.${source}.name`, reference.name ?? '', dns1123Subdomain);
    yield* checkName(`${path}.${source}.key`, reference.key ?? '', configMapKey);
  }
  const count = sources.filter((source) => from[source]).length;
  if (count === 0) {
    const problem = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    yield invalidValue(path, '', problem);
  } else if (value) yield invalidValue(path, '', 'may not be specified when `value` is not empty');
  else if (count > 1) yield invalidValue(path, '', 'may not have more than one field specified at a time');
}

/** The rule of a name that another text may follow. */
const dns1123Prefix = (text: string): readonly string[] => dns1123Subdomain(generateNameStem(text));

/** The config maps and secrets at a path that are taken over as a whole. Errors of their number name the list. */
export function* checkEnvFrom(list: readonly Draft<EnvFromSource>[] = [], path: string): FieldErrors {
  for (const [i, { prefix = '', configMapRef, secretRef }] of list.entries()) {
    const at = `${path}[${i}]`;
    if (prefix !== '') yield* checkText(`${at}.prefix`, prefix, envVarName);
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
